//! The elements whose content is raw text.

use super::scan::RawText;
use super::tag::Tag;

/// The raw text elements that contain elements in XML, which has no raw text. (The content of a script, a style or a
/// title is no element of the page in either.)
pub(crate) fn may_hold_elements(tag: Tag) -> bool {
    !matches!(tag, Tag::Script | Tag::Style | Tag::Title)
}

/// The kind of raw text of an element. `scripts_ran`: as HTML 13.3 writes a document whose scripts ran.
pub(crate) fn raw_text(tag: Tag, scripts_ran: bool) -> Option<RawText> {
    match tag {
        Tag::Noscript if scripts_ran => Some(RawText::Element),
        Tag::Title | Tag::Textarea | Tag::Style | Tag::Xmp | Tag::Iframe | Tag::Noembed | Tag::Noframes => {
            Some(RawText::Element)
        }
        Tag::Script => Some(RawText::Script),
        Tag::Plaintext => Some(RawText::Plain),
        _ => None,
    }
}
