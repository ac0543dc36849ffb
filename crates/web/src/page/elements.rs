//! The links and resources of an element.

use super::content::text::collapse;
use super::facts::{LinkKind, Rel};
use super::found::{FoundHreflang, FoundLink, push};
use super::links::anchor::OpenAnchor;
use super::links::relation::{self, Relation};
use super::links::srcset;
use super::reader::{Element, Reader};
use super::syntax::attributes::{Attribute, blank};
use super::syntax::foreign::Namespace;
use super::syntax::references::{Context, decode};
use super::syntax::tag::Tag;
use std::borrow::Cow;

/// An HTML element other than `html`, `meta` and `base`.
pub(crate) fn html<'t>(reader: &mut Reader<'t, '_>, element: &Element<'_, 't>) {
    match element.tag {
        Tag::A => anchor(reader, element, Attribute::Href),
        Tag::Area => area(reader, element),
        Tag::Iframe | Tag::Frame => frame(reader, element),
        Tag::Link => link(reader, element),
        Tag::Script => resource(reader, element, Attribute::Src, LinkKind::Script),
        Tag::Img | Tag::Image => image(reader, element),
        Tag::Source => {
            resource(reader, element, Attribute::Src, LinkKind::Media);
            image_set(reader, element);
        }
        Tag::Video => {
            resource(reader, element, Attribute::Src, LinkKind::Media);
            resource(reader, element, Attribute::Poster, LinkKind::Image);
        }
        Tag::Audio | Tag::Track => resource(reader, element, Attribute::Src, LinkKind::Media),
        _ => {}
    }
}

/// An element in SVG or MathML: only SVG's `a` is a link, by `href` or the older `xlink:href`.
pub(crate) fn foreign<'t>(reader: &mut Reader<'t, '_>, element: &Element<'_, 't>) {
    if element.namespace == Namespace::Svg && element.tag == Tag::A {
        let plain = element.attributes.raw(Attribute::Href).is_some();
        anchor(reader, element, if plain { Attribute::Href } else { Attribute::XlinkHref });
    }
}

/// The trimmed value of a URL attribute. `None` for a `data:` URL and the like.
fn url_of<'t>(element: &Element<'_, 't>, attribute: Attribute) -> Option<Cow<'t, str>> {
    let raw = element.attributes.raw(attribute)?;
    if raw.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")) {
        return None;
    }
    Some(match element.attributes.get(attribute)? {
        Cow::Borrowed(value) => Cow::Borrowed(value.trim_matches(blank)),
        Cow::Owned(value) => Cow::Owned(value.trim_matches(blank).to_owned()),
    })
}

fn found<'t>(element: &Element<'_, 't>, kind: LinkKind, href: Cow<'t, str>) -> FoundLink<'t> {
    FoundLink { href, kind, rel: Rel::default(), region: element.region, anchor: Cow::Borrowed("") }
}

/// As [`found`], for an element with a `rel`: `a`, `area` and `link`, but no frame (HTML, section 4.6.7).
fn related<'t>(element: &Element<'_, 't>, kind: LinkKind, href: Cow<'t, str>) -> FoundLink<'t> {
    FoundLink { rel: rel_of(element), ..found(element, kind, href) }
}

fn rel_of(element: &Element<'_, '_>) -> Rel {
    element.attributes.get(Attribute::Rel).map_or_else(Rel::default, |value| relation::rel(&value))
}

fn anchor<'t>(reader: &mut Reader<'t, '_>, element: &Element<'_, 't>, attribute: Attribute) {
    reader.end_anchor();
    let href = url_of(element, attribute).filter(|_| element.selected);
    if href.as_ref().and_then(|href| href.get(..5)).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:")) {
        let files = &mut reader.found.markup.file_links;
        *files = files.saturating_add(1);
    }
    if element.selected && is_scripted(element, attribute) {
        let scripted = &mut reader.found.markup.scripted_links;
        *scripted = scripted.saturating_add(1);
    }
    let written = element.attributes.get(Attribute::Rel);
    let rel = written.as_deref().map(relation::rel).unwrap_or_default();
    let link = |href| FoundLink { rel, ..found(element, LinkKind::Anchor, href) };
    let index = href.and_then(|href| reader.found.link(link(href), reader.limits));
    reader.anchor = Some(OpenAnchor {
        leads: element.attributes.raw(attribute).is_some(),
        label: label(element),
        is_in_sequence: written.is_some_and(|rel| relation::is_in_sequence(&rel)),
        ..OpenAnchor::new(index, reader.limits.text_bytes)
    });
}

/// Reports whether only a script follows a link: it has no URL, or one that runs a script. One that does nothing
/// (`javascript:void(0)`) and that no `onclick` completes is a button of some sort.
fn is_scripted(element: &Element<'_, '_>, attribute: Attribute) -> bool {
    let has_click = element.attributes.raw(Attribute::Onclick).is_some_and(|script| !script.trim().is_empty());
    let Some(href) = element.attributes.raw(attribute) else { return has_click };
    let href = href.trim_matches(blank);
    let Some((scheme, script)) = href.split_at_checked("javascript:".len()) else { return false };
    let does_nothing = || matches!(script.trim().trim_end_matches(';'), "" | "void(0)" | "void 0" | "//");
    scheme.eq_ignore_ascii_case("javascript:") && (has_click || !does_nothing())
}

/// The name that an element has for those who do not see it, as written.
fn label<'t>(element: &Element<'_, 't>) -> Option<&'t str> {
    let said = |attribute| element.attributes.raw(attribute).filter(|name| !name.trim_matches(blank).is_empty());
    said(Attribute::AriaLabel).or_else(|| said(Attribute::Title))
}

/// An element inside a link, whose name may be the link's.
pub(crate) fn link_part<'t>(reader: &mut Reader<'t, '_>, element: &Element<'_, 't>) {
    // The text of an image is read with the image.
    let has_text = element.attributes.raw(Attribute::Alt).is_some_and(|alt| !alt.is_empty());
    if let Some(anchor) = &mut reader.anchor
        && let Some(name) = label(element).filter(|_| !has_text)
    {
        anchor.part(&decode(name, Context::Attribute));
    }
}

fn area<'t>(reader: &mut Reader<'t, '_>, element: &Element<'_, 't>) {
    if let Some(href) = url_of(element, Attribute::Href).filter(|_| element.selected) {
        let anchor = alternative(reader, element);
        reader.found.link(FoundLink { anchor, ..related(element, LinkKind::Area, href) }, reader.limits);
    }
}

/// `iframe` and `frame`; an empty `src` is `about:blank`, and `srcdoc` overrides it.
fn frame<'t>(reader: &mut Reader<'t, '_>, element: &Element<'_, 't>) {
    if let Some(src) = url_of(element, Attribute::Src).filter(|src| element.selected && !src.is_empty()) {
        reader.found.link(found(element, LinkKind::Frame, src), reader.limits);
    }
}

fn link<'t>(reader: &mut Reader<'t, '_>, element: &Element<'_, 't>) {
    let (Some(rel), Some(href)) = (element.attributes.get(Attribute::Rel), url_of(element, Attribute::Href)) else {
        return;
    };
    // A link element without target links nothing (HTML 4.2.4): templates often leave a canonical empty.
    if href.is_empty() {
        return;
    }
    if href.len() > reader.limits.url_bytes {
        reader.found.cut = true;
        return;
    }
    if let Some(kind) = relation::resource(&rel) {
        reader.found.link(related(element, kind, href.clone()), reader.limits);
    }
    let media_type = element.attributes.get(Attribute::Type);
    let limit = reader.limits.annotations;
    for relation in relation::relations(&rel, media_type.as_deref()) {
        let facts = &mut reader.found;
        if relation == Relation::Canonical && !is_qualified(element) {
            push(&mut facts.canonicals, (href.clone(), element.place), limit, &mut facts.cut);
        }
        if relation == Relation::Alternate
            && let Some(code) = element.attributes.get(Attribute::Hreflang)
        {
            let code = collapse(code, reader.limits.text_bytes).into_owned();
            let item = FoundHreflang { code, href: href.clone(), place: element.place };
            push(&mut facts.hreflang, item, limit, &mut facts.cut);
        }
        if element.selected {
            facts.link(related(element, relation.kind(), href.clone()), reader.limits);
        }
    }
}

/// Returns true if a link selects one of several representations: search engines accept a canonical only without
/// language, medium or type (Google Search Central, "How to specify a canonical URL with rel="canonical" and other
/// methods").
fn is_qualified(element: &Element<'_, '_>) -> bool {
    let qualifiers = [Attribute::Hreflang, Attribute::Lang, Attribute::Media, Attribute::Type];
    qualifiers.iter().any(|attribute| element.attributes.raw(*attribute).is_some())
}

fn image<'t>(reader: &mut Reader<'t, '_>, element: &Element<'_, 't>) {
    resource(reader, element, Attribute::Src, LinkKind::Image);
    image_set(reader, element);
    if element.attributes.raw(Attribute::Alt).is_none() {
        // In a `noscript` stand the pixels of trackers, and copies of images that scripts load.
        let missing = &mut reader.found.markup.images_without_alt;
        *missing = missing.saturating_add(u16::from(reader.noscripts == 0));
        return;
    }
    if reader.anchor.is_none() && reader.heading.is_none() {
        return;
    }
    let alt = element.attributes.get(Attribute::Alt).unwrap_or_default();
    if let Some(anchor) = &mut reader.anchor {
        anchor.part(&alt);
    }
    if let Some(heading) = &mut reader.heading {
        heading.image(&alt);
    }
}

fn image_set<'t>(reader: &mut Reader<'t, '_>, element: &Element<'_, 't>) {
    let Some(set) = element.attributes.get(Attribute::Srcset) else { return };
    let anchor = alternative(reader, element);
    for url in srcset::candidates(&set).filter(|url| !url.starts_with("data:")) {
        let link = FoundLink { anchor: anchor.clone(), ..found(element, LinkKind::Image, Cow::Owned(url.to_owned())) };
        if reader.found.link(link, reader.limits).is_none() {
            return;
        }
    }
}

fn resource<'t>(reader: &mut Reader<'t, '_>, element: &Element<'_, 't>, attribute: Attribute, kind: LinkKind) {
    if let Some(src) = url_of(element, attribute).filter(|src| !src.is_empty()) {
        let anchor = alternative(reader, element);
        reader.found.link(FoundLink { anchor, ..found(element, kind, src) }, reader.limits);
    }
}

fn alternative<'t>(reader: &Reader<'t, '_>, element: &Element<'_, 't>) -> Cow<'t, str> {
    element.attributes.get(Attribute::Alt).map(|alt| collapse(alt, reader.limits.text_bytes)).unwrap_or_default()
}
