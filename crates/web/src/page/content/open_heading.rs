//! The heading whose text is being read.

use super::text::Collapsed;
use crate::page::facts::Heading;

/// An open `h1` to `h6` element.
#[derive(Debug)]
pub(crate) struct OpenHeading<'t> {
    pub(crate) level: u8,
    pub(crate) text: Collapsed<'t>,
    /// The `alt` texts of its images, used if it has no text.
    alternatives: Collapsed<'t>,
}

impl OpenHeading<'_> {
    pub(crate) fn new(level: u8, limit: usize) -> Self {
        Self { level, text: Collapsed::new(limit), alternatives: Collapsed::new(limit) }
    }

    /// Adds the `alt` text of an image.
    pub(crate) fn image(&mut self, alt: &str) {
        self.alternatives.push(alt);
        self.alternatives.push(" ");
    }

    pub(crate) fn into_heading(self) -> Heading {
        let text = if self.text.is_empty() { self.alternatives } else { self.text };
        Heading { level: self.level, text: text.into_text().into_owned() }
    }
}
