//! The `a` element whose text is being read.

use crate::page::content::text::Collapsed;
use std::borrow::Cow;

/// An open `a` element.
#[derive(Debug)]
pub(crate) struct OpenAnchor<'t> {
    /// The index of its link; `None` if it is not recorded as a link.
    pub(crate) link: Option<usize>,
    /// It has a target, followed or not.
    pub(crate) leads: bool,
    /// It leads to the previous or next page.
    pub(crate) is_in_sequence: bool,
    pub(crate) text: Collapsed<'t>,
    /// The `alt` texts of its images, used if it has no text.
    pub(crate) alternatives: Collapsed<'t>,
}

impl<'t> OpenAnchor<'t> {
    pub(crate) fn new(link: Option<usize>, limit: usize) -> Self {
        OpenAnchor {
            link,
            leads: link.is_some(),
            is_in_sequence: false,
            text: Collapsed::new(limit),
            alternatives: Collapsed::new(limit),
        }
    }

    pub(crate) fn into_text(self) -> Cow<'t, str> {
        if self.text.is_empty() { self.alternatives.into_text() } else { self.text.into_text() }
    }
}
