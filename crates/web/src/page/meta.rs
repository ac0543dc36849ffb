//! `meta` elements.

use super::content::text::collapse;
use super::facts::{DateFrom, LinkKind, PlacedDirectives, Rel};
use super::found::{FoundLink, FoundRefresh, push};
use super::reader::{Element, Reader};
use super::syntax::attributes::Attribute;
use crate::charset::prescan;
use crate::directives::Directives;
use crate::refresh::parse_refresh;
use encoding_rs::Encoding;

/// Names of metadata that address no crawler, whatever their content.
const NO_AGENTS: [&str; 2] = ["author", "keywords"];

/// The facts of a `meta` element.
pub(crate) fn read<'t>(reader: &mut Reader<'t, '_>, element: &Element<'_, 't>) {
    if reader.found.encoding.is_none() {
        reader.found.encoding = encoding(element);
    }
    let Some(content) = element.attributes.get(Attribute::Content) else { return };
    if let Some(pragma) = element.attributes.get(Attribute::HttpEquiv) {
        http_equiv(reader, element, &pragma, &content);
    }
    // Dates are under `property` by the Open Graph protocol and under `name` on many sites. Directives are only under
    // `name`: HTML has no `property` (HTML, section 4.2.5).
    for attribute in [Attribute::Name, Attribute::Property] {
        let Some(name) = element.attributes.get(attribute) else { continue };
        let name = name.trim().to_ascii_lowercase();
        if !named(reader, &name, &content) && attribute == Attribute::Name {
            directives(reader, element, &name, &content);
        }
    }
}

fn encoding(element: &Element<'_, '_>) -> Option<&'static Encoding> {
    let attributes = element.attributes;
    let is_pragma =
        attributes.get(Attribute::HttpEquiv).is_some_and(|pragma| pragma.eq_ignore_ascii_case("content-type"));
    let content = attributes.get(Attribute::Content).filter(|_| is_pragma);
    prescan::of_meta(attributes.get(Attribute::Charset).as_deref(), content.as_deref())
}

/// A pragma. `http-equiv` is an enumerated attribute: its keywords have no surrounding white space (HTML, section
/// 2.3.3).
fn http_equiv<'t>(reader: &mut Reader<'t, '_>, element: &Element<'_, 't>, pragma: &str, content: &str) {
    if pragma.eq_ignore_ascii_case("last-modified") {
        reader.found.date(DateFrom::MetaLastModified, content, reader.limits);
    }
    if pragma.eq_ignore_ascii_case("refresh") && (reader.noscripts > 0 || reader.found.refresh.is_none()) {
        // URLs are limited by their size. Directives are read to the end, so that a long prefix hides none.
        if content.len() > reader.limits.url_bytes {
            reader.found.cut = true;
            return;
        }
        match parse_refresh(content) {
            Some((_, target)) if reader.noscripts > 0 => unscripted_refresh(reader, element, target),
            Some((seconds, target)) => {
                reader.found.refresh = Some(FoundRefresh { seconds, target, place: element.place });
            }
            None => {}
        }
    }
}

/// A refresh in a `noscript`: a link, because it does not redirect browsers and search engines that run scripts.
fn unscripted_refresh<'t>(reader: &mut Reader<'t, '_>, element: &Element<'_, 't>, target: Option<String>) {
    if let Some(target) = target.filter(|_| element.selected) {
        let (kind, region) = (LinkKind::Refresh, element.region);
        let link = FoundLink { href: target.into(), kind, rel: Rel::default(), region, anchor: "".into() };
        reader.found.link(link, reader.limits);
    }
}

/// Reads metadata of a name and returns true if the name is known.
fn named(reader: &mut Reader<'_, '_>, name: &str, content: &str) -> bool {
    let from = match name {
        "article:modified_time" => DateFrom::ArticleModified,
        "og:updated_time" => DateFrom::OgUpdated,
        "article:published_time" => DateFrom::Published,
        "description" => {
            let (found, limit) = (&mut reader.found, reader.limits.text_bytes);
            found.markup.descriptions = found.markup.descriptions.saturating_add(1);
            found.description.get_or_insert_with(|| collapse(content, limit).into_owned());
            return true;
        }
        "viewport" => {
            reader.found.markup.viewport = true;
            return true;
        }
        _ => {
            if name.starts_with("og:") && !content.trim().is_empty() {
                reader.found.markup.open_graph.note(name);
            }
            return false;
        }
    };
    reader.found.date(from, content, reader.limits);
    true
}

/// Directives for all crawlers (`robots`) or for one. The names of crawlers are an open list: any name counts if its
/// content contains a directive.
fn directives<'t>(reader: &mut Reader<'t, '_>, element: &Element<'_, 't>, name: &str, content: &str) {
    if name.is_empty() || name.len() > reader.limits.text_bytes || NO_AGENTS.contains(&name) {
        return;
    }
    let directives = Directives::parse_meta(content);
    let generic = name == "robots";
    if generic || directives.says_something_known() {
        let agent = (!generic).then(|| name.to_owned());
        let placed = PlacedDirectives { agent, directives, place: element.place };
        push(&mut reader.found.directives, placed, reader.limits.annotations, &mut reader.found.cut);
    }
}
