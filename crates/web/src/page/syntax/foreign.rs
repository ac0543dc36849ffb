//! Namespaces of elements: SVG and MathML, their integration points, and the end of foreign content (HTML 13.2.6.5).
//!
//! Only the open foreign elements are kept on a stack; open HTML elements are counted. The result differs from a
//! browser's tree only if HTML elements are left open inside an integration point.

use super::attributes::Attribute;
use super::open_names::OpenNames;
use super::scan::StartTag;
use super::tag::Tag;

/// The maximum depth of the stack, equal to that of a browser's tree; deeper foreign elements are only counted.
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

/// The parsing rules for the content of a foreign element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    /// Foreign content.
    Foreign,
    /// HTML: an HTML integration point.
    Html,
    /// HTML except for two elements: a MathML text integration point.
    MathText,
    /// Foreign, except that `svg` begins an SVG.
    Annotation,
}

#[derive(Debug)]
struct Frame<'t> {
    name: &'t str,
    tag: Tag,
    namespace: Namespace,
    content: Content,
}

/// The open foreign elements.
#[derive(Debug, Default)]
pub(crate) struct Foreign<'t> {
    frames: Vec<Frame<'t>>,
    /// The number of open foreign elements beyond [`DEEPEST`].
    deeper: usize,
    /// The number of open HTML elements inside the innermost integration point.
    open_html_elements: usize,
    /// The open HTML elements outside foreign content.
    open: OpenNames,
}

impl<'t> Foreign<'t> {
    /// Returns true if the adjusted current node is not in the HTML namespace: CDATA sections are text.
    pub(crate) fn is_current(&self) -> bool {
        !self.frames.is_empty() && self.open_html_elements == 0
    }

    /// Returns true if the next text is that of a foreign `script` or `style`.
    pub(crate) fn is_code(&self) -> bool {
        self.is_current() && self.frames.last().is_some_and(|top| matches!(top.tag, Tag::Script | Tag::Style))
    }

    /// Handles a start tag and returns the namespace of its element.
    #[inline]
    pub(crate) fn start(&mut self, start: &StartTag<'_, 't>, tag: Tag) -> Namespace {
        // Most documents have no foreign elements.
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

    /// The dispatcher of 13.2.6: returns true if a start tag is parsed by the rules of HTML.
    fn leads_to_html(&self, tag: Tag) -> bool {
        let Some(top) = self.frames.last() else { return true };
        if self.open_html_elements > 0 {
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
            // Void elements are never open.
        } else if self.frames.is_empty() {
            self.open.start(start.name, tag);
        } else {
            self.open_html_elements += 1;
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
        self.open_html_elements = 0;
    }

    /// Leaves foreign content completely.
    pub(crate) fn leave(&mut self) {
        self.frames.clear();
        (self.deeper, self.open_html_elements) = (0, 0);
    }

    /// Leaves foreign content up to the next integration point.
    fn break_out(&mut self) {
        while self.frames.last().is_some_and(|top| !matches!(top.content, Content::Html | Content::MathText)) {
            self.frames.pop();
        }
        (self.deeper, self.open_html_elements) = (0, 0);
    }

    /// Handles an end tag and returns true if it is parsed by the rules of HTML.
    #[inline]
    pub(crate) fn end(&mut self, name: &str, tag: Tag) -> bool {
        if self.frames.is_empty() {
            self.open.end(name, tag);
            return true;
        }
        self.end_within(name, tag)
    }

    /// Handles an end tag inside open foreign elements.
    fn end_within(&mut self, name: &str, tag: Tag) -> bool {
        let closed = self.frames.iter().rposition(|frame| frame.name.eq_ignore_ascii_case(name));
        match closed {
            _ if self.deeper > 0 && !matches!(tag, Tag::P | Tag::Br) => {
                self.deeper -= 1;
                false
            }
            Some(index) if self.open_html_elements == 0 || index + 1 == self.frames.len() => {
                self.frames.truncate(index);
                self.open_html_elements = 0;
                false
            }
            _ if self.open_html_elements > 0 => {
                // Void elements are never open.
                self.open_html_elements -= usize::from(!tag.is_void());
                true
            }
            _ if matches!(tag, Tag::P | Tag::Br) => {
                self.break_out();
                true
            }
            _ => self.leaves(name, tag),
        }
    }

    /// Returns true if an end tag that names no foreign element closes an HTML element around them, which must be open
    /// in scope.
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
