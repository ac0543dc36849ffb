//! The `a` element whose text is being read.

use crate::page::content::text::Collapsed;
use crate::page::syntax::references::{Context, decode};
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
    /// The names of its images and other parts, used if it has no text.
    pub(crate) alternatives: Collapsed<'t>,
    /// Its own `aria-label` or `title` as written, used if nothing else names it.
    pub(crate) label: Option<&'t str>,
}

impl<'t> OpenAnchor<'t> {
    pub(crate) fn new(link: Option<usize>, limit: usize) -> Self {
        OpenAnchor {
            link,
            leads: link.is_some(),
            is_in_sequence: false,
            text: Collapsed::new(limit),
            alternatives: Collapsed::new(limit),
            label: None,
        }
    }

    /// Adds the name of an image or another part.
    pub(crate) fn part(&mut self, name: &str) {
        self.alternatives.push(name);
        self.alternatives.push(" ");
    }

    /// Returns its text, or else its name for those who do not see it (Accessible Name and Description Computation,
    /// section 2).
    pub(crate) fn into_text(mut self) -> Cow<'t, str> {
        if !self.text.is_empty() {
            return self.text.into_text();
        }
        if self.alternatives.is_empty()
            && let Some(label) = self.label
        {
            self.alternatives.push(&decode(label, Context::Attribute));
        }
        self.alternatives.into_text()
    }
}
