//! Decides whether output is coloured.

use crate::settings::Settings;
use crate::values::Color;

impl Settings {
    /// Returns true if output to a stream is coloured; `is_terminal` says whether the stream is a terminal.
    #[must_use]
    pub fn colored(&self, is_terminal: bool) -> bool {
        match self.output.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && !self.ambient.no_color,
        }
    }
}
