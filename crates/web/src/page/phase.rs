//! Whether the parser is still in `head` (HTML 13.2.6.4.3 to 13.2.6.4.6).

use super::attributes::blank;
use super::facts::Place;
use super::references::{Context, decode};
use super::tag::Tag;

/// Where the parser is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Before or in `head`.
    #[default]
    Head,
    /// In a `noscript` in `head`, which nothing but its end tag ends: browsers and search engines run scripts, so that
    /// its content is text to them.
    HeadNoscript,
    /// In the `head` of a document that is read as XML, where no element ends another.
    XmlHead,
    /// After `</head>`: what belongs there still goes into `head`.
    AfterHead,
    /// In `body`, for good.
    Body,
}

impl Phase {
    /// Takes the start tag of an HTML element.
    #[inline]
    pub(crate) fn start(&mut self, tag: Tag) {
        if *self != Self::Body {
            self.start_before_body(tag);
        }
    }

    fn start_before_body(&mut self, tag: Tag) {
        *self = match *self {
            Self::HeadNoscript => Self::HeadNoscript,
            Self::XmlHead if tag != Tag::Body => Self::XmlHead,
            Self::Head if tag == Tag::Noscript => Self::HeadNoscript,
            Self::Head if tag.belongs_in_head() => Self::Head,
            Self::AfterHead if tag.belongs_in_head() => Self::AfterHead,
            _ => Self::Body,
        };
    }

    /// Takes an end tag.
    pub(crate) fn end(&mut self, tag: Tag) {
        *self = match (*self, tag) {
            (Self::Head, Tag::Head) => Self::AfterHead,
            (Self::HeadNoscript, Tag::Noscript) => Self::Head,
            (Self::XmlHead, Tag::Head) => Self::Body,
            (Self::Head | Self::AfterHead, Tag::Body | Tag::Html | Tag::Br) => Self::Body,
            (phase, _) => phase,
        };
    }

    /// Takes text, references undecoded: any but white space begins `body`.
    pub(crate) fn text(&mut self, text: &str) {
        if matches!(self, Self::Head | Self::AfterHead) && decode(text, Context::Text).contains(|char| !blank(char)) {
            *self = Self::Body;
        }
    }

    /// Takes the start tag of `head` in a document that is read as XML.
    pub(crate) fn start_xml_head(&mut self) {
        if *self == Self::Head {
            *self = Self::XmlHead;
        }
    }

    /// The `noscript` in `head` that was begun has no end.
    pub(crate) fn forget_noscript(&mut self) {
        if *self == Self::HeadNoscript {
            *self = Self::Head;
        }
    }

    /// Where an element that comes now is.
    pub(crate) fn place(self) -> Place {
        if self == Self::Body { Place::Body } else { Place::Head }
    }
}
