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
    /// In a `noscript` in `head`.
    HeadNoscript,
    /// After `</head>`: what belongs there still goes into `head`.
    AfterHead,
    /// In `body`, for good.
    Body,
}

impl Phase {
    /// Takes the start tag of an HTML element.
    pub(crate) fn start(&mut self, tag: Tag) {
        *self = match *self {
            Self::HeadNoscript if stays_in_noscript(tag) => Self::HeadNoscript,
            Self::Head | Self::HeadNoscript if tag == Tag::Noscript => Self::HeadNoscript,
            Self::Head | Self::HeadNoscript if tag.belongs_in_head() => Self::Head,
            Self::AfterHead if tag.belongs_in_head() => Self::AfterHead,
            _ => Self::Body,
        };
    }

    /// Takes an end tag.
    pub(crate) fn end(&mut self, tag: Tag) {
        *self = match (*self, tag) {
            (Self::Head, Tag::Head) => Self::AfterHead,
            (Self::HeadNoscript, Tag::Noscript) => Self::Head,
            (Self::Head | Self::AfterHead, Tag::Body | Tag::Html | Tag::Br) => Self::Body,
            (Self::HeadNoscript, Tag::Br) => Self::Body,
            (phase, _) => phase,
        };
    }

    /// Takes text, references undecoded: any but white space begins `body`.
    pub(crate) fn text(&mut self, text: &str) {
        if *self != Self::Body && decode(text, Context::Text).contains(|char| !blank(char)) {
            *self = Self::Body;
        }
    }

    /// Where an element that comes now is.
    pub(crate) fn place(self) -> Place {
        if self == Self::Body { Place::Body } else { Place::Head }
    }
}

fn stays_in_noscript(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, Basefont | Bgsound | Head | Html | Link | Meta | Noframes | Style)
}
