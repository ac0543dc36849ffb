//! The attributes of a start tag (XML 1.0, 3.1; Namespaces in XML 1.0, 3, 5 and 6.3).

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::events::BytesStart;
use quick_xml::events::attributes::Attribute;

use super::faults::{Faults, quoted};
use super::names::{Names, Ns};
use super::xml_name::is_qualified;
use crate::CheckRule;
use crate::limits::{is_blank, is_xml_char};

/// Bound to these prefixes by the namespaces standard itself.
const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// Checks the attributes of an element at `depth`, and declares its namespaces.
pub(super) fn read(start: &BytesStart<'_>, depth: usize, names: &mut Names, line: u64, faults: &mut Faults) {
    if lacks_blank(start.attributes_raw()) {
        faults.add(line, CheckRule::NotWellFormed, || "there is no blank between two attributes".to_owned());
    }
    let (mut prefixed, mut keys) = (Vec::new(), Vec::new());
    // The checks of quick-xml are off: they compare each attribute with all others.
    for attribute in start.attributes().with_checks(false) {
        let attribute = match attribute {
            Ok(attribute) => attribute,
            Err(error) => {
                faults.add(line, CheckRule::NotWellFormed, || format!("bad attribute in a tag: {error}"));
                continue;
            }
        };
        let key = attribute.key.0;
        keys.push(key);
        if !is_qualified(key) {
            faults.add(line, CheckRule::NotWellFormed, || format!("{} is no attribute name", quoted(key)));
        }
        let value = value(&attribute, line, faults);
        match (declared(key), value) {
            (Some(prefix), Some(value)) => declare(prefix, &value, depth, names, line, faults),
            (None, _) => prefixed.extend(key.split_once(':')),
            (Some(_), None) => {}
        }
    }
    if let Some(key) = repeated(keys) {
        faults.add(line, CheckRule::NotWellFormed, || format!("the attribute {} occurs twice", quoted(key)));
    }
    if !prefixed.is_empty() {
        resolve(&prefixed, names, line, faults);
    }
}

/// A name that occurs more than once.
fn repeated(mut keys: Vec<&str>) -> Option<&str> {
    keys.sort_unstable();
    keys.iter().zip(keys.iter().skip(1)).find(|(one, next)| one == next).map(|(key, _)| *key)
}

/// Returns true if a closing quote is not followed by white space.
fn lacks_blank(attributes: &str) -> bool {
    let mut rest = attributes;
    while let Some((open, inside)) = memchr::memchr2(b'"', b'\'', rest.as_bytes()).and_then(|at| split_at(rest, at)) {
        let Some((_, after)) = memchr::memchr(open, inside.as_bytes()).and_then(|at| split_at(inside, at)) else {
            return false;
        };
        if after.chars().next().is_some_and(|next| !is_blank(next)) {
            return true;
        }
        rest = after;
    }
    false
}

/// Splits at an ASCII byte and returns it with the text after it.
fn split_at(text: &str, at: usize) -> Option<(u8, &str)> {
    Some((*text.as_bytes().get(at)?, text.get(at + 1..)?))
}

/// The value with its references resolved; `None` if it is invalid, which is reported.
fn value<'a>(attribute: &'a Attribute<'_>, line: u64, faults: &mut Faults) -> Option<Cow<'a, str>> {
    let raw = &attribute.value;
    let value = attribute.normalized_value(XmlVersion::Explicit1_0).ok().filter(|_| !raw.contains('<'));
    if value.is_none() {
        faults
            .add(line, CheckRule::NotWellFormed, || format!("the attribute value {} holds a bare & or <", quoted(raw)));
    }
    // Literal characters have been checked by the layers below.
    if raw.contains('&') && value.as_ref().is_some_and(|value| !value.chars().all(is_xml_char)) {
        faults.add(line, CheckRule::ForbiddenCharacter, || {
            format!(
                "the attribute value {} refers to a character that XML cannot hold, so this is not well-formed",
                quoted(raw)
            )
        });
    }
    value
}

/// The prefix that an attribute declares; the empty one for the default namespace.
fn declared(key: &str) -> Option<&str> {
    if key == "xmlns" { Some("") } else { key.strip_prefix("xmlns:") }
}

fn declare(prefix: &str, uri: &str, depth: usize, names: &mut Names, line: u64, faults: &mut Faults) {
    if let Some(why) = misbound(prefix, uri) {
        faults
            .add(line, CheckRule::NotWellFormed, || format!("the declaration of the prefix {}: {why}", quoted(prefix)));
    }
    if !names.declare(depth, prefix, uri) {
        faults.add(line, CheckRule::ReaderLimit, || "too many xmlns declarations; this one is not seen".to_owned());
    }
}

/// The reason why a prefix may not be bound to this namespace.
fn misbound(prefix: &str, uri: &str) -> Option<&'static str> {
    match (prefix, uri) {
        ("xml", XML) => None,
        ("xml", _) => Some("xml has a namespace of its own, and no other"),
        ("xmlns", _) => Some("xmlns cannot be declared"),
        (_, XML | XMLNS) => Some("the namespaces of xml and xmlns have no other prefix"),
        ("", _) => None,
        (_, "") => Some("a prefix cannot be undeclared"),
        _ => None,
    }
}

/// Checks that each prefix is declared and that no two attributes have the same expanded name.
fn resolve(prefixed: &[(&str, &str)], names: &Names, line: u64, faults: &mut Faults) {
    let mut seen: Vec<(u64, &str, &str)> = Vec::new();
    for (prefix, local) in prefixed {
        match names.resolve(prefix) {
            Ns::Undeclared => faults.add(line, CheckRule::NotWellFormed, || {
                format!("the prefix {} of an attribute is not declared with xmlns", quoted(prefix))
            }),
            ns => seen.push((ns.key(), local, prefix)),
        }
    }
    seen.sort_unstable();
    let mut pairs = seen.iter().zip(seen.iter().skip(1));
    // A repeated prefix has been reported already.
    if let Some(((_, local, _), _)) = pairs.find(|(a, b)| (a.0, a.1) == (b.0, b.1) && a.2 != b.2) {
        faults.add(line, CheckRule::NotWellFormed, || {
            format!("the attribute {} occurs twice, with two prefixes of one namespace", quoted(local))
        });
    }
}
