//! References in text, and invalid text in their place.

use std::borrow::Cow;

use quick_xml::events::BytesRef;

use super::faults::{Faults, quoted, shortened};
use super::token::Token;
use super::xml_name::is_unqualified;
use crate::CheckRule;
use crate::limits::is_xml_char;

/// Reports characters that no text of XML may contain.
pub(super) fn check_text(piece: &str, line: u64, faults: &mut Faults) {
    if piece.starts_with('&') {
        faults.add(line, CheckRule::NotWellFormed, || {
            format!("a bare & in {}: in XML it is written &amp;, so this is not well-formed", quoted(piece))
        });
    } else if memchr::memchr(b']', piece.as_bytes()).is_some() && piece.contains("]]>") {
        faults.add(line, CheckRule::NotWellFormed, || "]]> stands in text outside a CDATA section".to_owned());
    }
}

/// The presence of a DTD, which may declare entities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Dtd {
    #[default]
    Absent,
    Present,
}

/// Resolves XML's own five entities and numeric references, and no others, whatever a DTD declares.
pub(super) fn resolve<'t>(reference: BytesRef<'t>, dtd: Dtd, line: u64, faults: &mut Faults) -> Token<'t> {
    let known = match &*reference {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => None,
    };
    if let Some(known) = known {
        return Token::Char(known);
    }
    match reference.resolve_char_ref() {
        Ok(Some(c)) if is_xml_char(c) => Token::Char(c),
        Ok(None) if is_unqualified(&reference) => {
            // XML 1.0, 4.1: without a DTD every entity must be one of the five.
            let consequence = match dtd {
                Dtd::Absent => ", which nothing declares, so this is not well-formed XML",
                Dtd::Present => "",
            };
            faults.add(line, CheckRule::Entity, || {
                format!("the entity reference &{};{consequence}", shortened(&reference))
            });
            Token::Unresolved
        }
        Ok(None) => {
            faults.add(line, CheckRule::NotWellFormed, || {
                format!(
                    "a bare & before {}: in XML it is written &amp;, so this is not well-formed",
                    quoted(&reference)
                )
            });
            Token::Text { piece: Cow::Owned(format!("&{};", &*reference)), complete: true }
        }
        Ok(Some(_)) | Err(_) => {
            faults.add(line, CheckRule::ForbiddenCharacter, || {
                format!("&{}; is no character that XML can hold, so this is not well-formed", shortened(&reference))
            });
            Token::Unresolved
        }
    }
}
