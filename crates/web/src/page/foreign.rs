//! Which namespace an element is in: SVG and MathML, their integration points, and the way out (HTML 13.2.6.5).
//!
//! No stack of all open elements is kept, only of the foreign ones, and counts of the HTML ones. That differs from a
//! browser's tree only where HTML elements are left open inside an integration point.

use super::attributes::Attribute;
use super::open_names::OpenNames;
use super::scan::StartTag;
use super::tag::Tag;

/// Foreign elements that are told apart by depth, as many as a browser's tree is deep; deeper ones are only counted.
const DEEPEST: usize = 512;

/// The namespace of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Namespace {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// MathML.
    MathMl,
}

/// What the content of a foreign element is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    /// Foreign content.
    Foreign,
    /// HTML: an HTML integration point.
    Html,
    /// HTML but for two elements: a MathML text integration point.
    MathText,
    /// Foreign, but `svg` begins a SVG.
    Annotation,
}

#[derive(Debug)]
struct Frame<'t> {
    name: &'t str,
    tag: Tag,
    namespace: Namespace,
    content: Content,
}

/// The foreign elements that are open.
#[derive(Debug, Default)]
pub(crate) struct Foreign<'t> {
    frames: Vec<Frame<'t>>,
    /// Foreign elements open beyond [`DEEPEST`].
    deeper: usize,
    /// HTML elements open inside the integration point on top.
    island: usize,
    /// HTML elements open outside foreign content.
    open: OpenNames,
}

impl<'t> Foreign<'t> {
    /// The adjusted current node is in no HTML namespace: CDATA sections are text.
    pub(crate) fn is_current(&self) -> bool {
        !self.frames.is_empty() && self.island == 0
    }

    /// The text that comes now is a foreign `script`'s or `style`'s.
    pub(crate) fn is_code(&self) -> bool {
        self.is_current() && self.frames.last().is_some_and(|top| matches!(top.tag, Tag::Script | Tag::Style))
    }

    /// Takes a start tag; gives the namespace of its element.
    #[inline]
    pub(crate) fn start(&mut self, start: &StartTag<'_, 't>, tag: Tag) -> Namespace {
        // Most documents have no other elements.
        if !self.frames.is_empty() || matches!(tag, Tag::Svg | Tag::Math) {
            return self.start_of_any(start, tag);
        }
        if !tag.is_void() {
            self.open.start(start.name, tag);
        }
        Namespace::Html
    }

    fn start_of_any(&mut self, start: &StartTag<'_, 't>, tag: Tag) -> Namespace {
        if self.leads_to_html(tag) {
            return self.html_start(start, tag);
        }
        let breaks_out = tag.breaks_out() || (tag == Tag::Font && font_breaks_out(start));
        if breaks_out {
            self.break_out();
            return self.html_start(start, tag);
        }
        let namespace = self.frames.last().map_or(Namespace::Html, |top| top.namespace);
        self.push(start, tag, namespace);
        namespace
    }

    /// The dispatcher of 13.2.6: whether a start tag is read by the rules of HTML.
    fn leads_to_html(&self, tag: Tag) -> bool {
        let Some(top) = self.frames.last() else { return true };
        if self.island > 0 {
            return true;
        }
        match top.content {
            Content::Foreign => false,
            Content::Html => true,
            Content::MathText => !matches!(tag, Tag::Mglyph | Tag::Malignmark),
            Content::Annotation => tag == Tag::Svg,
        }
    }

    fn html_start(&mut self, start: &StartTag<'_, 't>, tag: Tag) -> Namespace {
        let namespace = match tag {
            Tag::Svg => Namespace::Svg,
            Tag::Math => Namespace::MathMl,
            _ => Namespace::Html,
        };
        if namespace != Namespace::Html {
            self.push(start, tag, namespace);
        } else if tag.is_void() {
            // Never open.
        } else if self.frames.is_empty() {
            self.open.start(start.name, tag);
        } else {
            self.island += 1;
        }
        namespace
    }

    fn push(&mut self, start: &StartTag<'_, 't>, tag: Tag, namespace: Namespace) {
        if start.self_closing {
            return;
        }
        if self.frames.len() >= DEEPEST {
            self.deeper += 1;
            return;
        }
        let content = content_of(start, tag, namespace);
        self.frames.push(Frame { name: start.name, tag, namespace, content });
        self.island = 0;
    }

    /// Leaves all foreign content.
    pub(crate) fn leave(&mut self) {
        self.frames.clear();
        (self.deeper, self.island) = (0, 0);
    }

    /// Leaves foreign content up to the next integration point.
    fn break_out(&mut self) {
        while self.frames.last().is_some_and(|top| !matches!(top.content, Content::Html | Content::MathText)) {
            self.frames.pop();
        }
        (self.deeper, self.island) = (0, 0);
    }

    /// Takes an end tag; gives whether it is read by the rules of HTML.
    #[inline]
    pub(crate) fn end(&mut self, name: &str, tag: Tag) -> bool {
        if self.frames.is_empty() {
            self.open.end(name, tag);
            return true;
        }
        self.end_within(name, tag)
    }

    /// Takes an end tag where foreign elements are open.
    fn end_within(&mut self, name: &str, tag: Tag) -> bool {
        let closed = self.frames.iter().rposition(|frame| frame.name.eq_ignore_ascii_case(name));
        match closed {
            _ if self.deeper > 0 && !matches!(tag, Tag::P | Tag::Br) => {
                self.deeper -= 1;
                false
            }
            Some(index) if self.island == 0 || index + 1 == self.frames.len() => {
                self.frames.truncate(index);
                self.island = 0;
                false
            }
            _ if self.island > 0 => {
                // What is never open is never closed.
                self.island -= usize::from(!tag.is_void());
                true
            }
            _ if matches!(tag, Tag::P | Tag::Br) => {
                self.break_out();
                true
            }
            _ => self.leaves(name, tag),
        }
    }

    /// An end tag that names no foreign element closes an HTML element around them, if one is open in scope.
    fn leaves(&mut self, name: &str, tag: Tag) -> bool {
        let open = self.open.holds(name, tag);
        let in_scope = self.frames.iter().all(|frame| matches!(frame.content, Content::Foreign | Content::Annotation));
        if !open || !in_scope || matches!(tag, Tag::Body | Tag::Html) {
            return false;
        }
        self.frames.clear();
        self.open.end(name, tag);
        true
    }
}

fn content_of(start: &StartTag<'_, '_>, tag: Tag, namespace: Namespace) -> Content {
    match (namespace, tag) {
        (Namespace::Svg, Tag::ForeignObject | Tag::Desc | Tag::Title) => Content::Html,
        (Namespace::MathMl, Tag::Mi | Tag::Mo | Tag::Mn | Tag::Ms | Tag::Mtext) => Content::MathText,
        (Namespace::MathMl, Tag::AnnotationXml) => {
            let is_html = ["text/html", "application/xhtml+xml"].iter().any(|name| {
                start.attributes.get(Attribute::Encoding).is_some_and(|value| value.eq_ignore_ascii_case(name))
            });
            if is_html { Content::Html } else { Content::Annotation }
        }
        _ => Content::Foreign,
    }
}

fn font_breaks_out(start: &StartTag<'_, '_>) -> bool {
    [Attribute::Color, Attribute::Face, Attribute::Size].iter().any(|name| start.attributes.raw(*name).is_some())
}
