//! The parser's position relative to `head` (HTML 13.2.6.4.3 to 13.2.6.4.6).

use super::attributes::blank;
use super::references::{Context, decode};
use super::tag::Tag;
use crate::page::facts::FactLocation;

/// The position of the parser.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Before or in `head`.
    #[default]
    Head,
    /// In a `noscript` in `head`, which only its end tag ends: browsers and search engines run scripts, so that its
    /// content is text to them.
    HeadNoscript,
    /// In the `head` of a document read as XML, where no element ends another.
    XmlHead,
    /// After `</head>`: elements of the head still go into `head`.
    AfterHead,
    /// In `body`, permanently.
    Body,
}

impl Phase {
    /// Handles the start tag of an HTML element.
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

    /// Handles an end tag.
    #[inline]
    pub(crate) fn end(&mut self, tag: Tag) {
        if *self != Self::Body {
            self.end_before_body(tag);
        }
    }

    fn end_before_body(&mut self, tag: Tag) {
        *self = match (*self, tag) {
            (Self::Head, Tag::Head) => Self::AfterHead,
            (Self::HeadNoscript, Tag::Noscript) => Self::Head,
            (Self::XmlHead, Tag::Head) => Self::Body,
            (Self::Head | Self::AfterHead, Tag::Body | Tag::Html | Tag::Br) => Self::Body,
            (phase, _) => phase,
        };
    }

    /// Handles text with undecoded references: any text but white space begins `body`.
    #[inline]
    pub(crate) fn text(&mut self, text: &str) {
        if *self != Self::Body {
            self.text_before_body(text);
        }
    }

    fn text_before_body(&mut self, text: &str) {
        if matches!(self, Self::Head | Self::AfterHead) && decode(text, Context::Text).contains(|char| !blank(char)) {
            *self = Self::Body;
        }
    }

    /// Handles the start tag of `head` in a document read as XML.
    pub(crate) fn start_xml_head(&mut self) {
        if *self == Self::Head {
            *self = Self::XmlHead;
        }
    }

    /// Leaves a `noscript` in `head` that has no end tag.
    pub(crate) fn forget_noscript(&mut self) {
        if *self == Self::HeadNoscript {
            *self = Self::Head;
        }
    }

    /// The place of the next element.
    pub(crate) fn place(self) -> FactLocation {
        if self == Self::Body { FactLocation::Body } else { FactLocation::Head }
    }
}
