//! The structure of RSS: `rss` with its version contains a `channel`, which contains the items (RSS 2.0 and versions
//! from 0.91 on).

use super::faults::Faults;
use super::token::Tag;
use crate::CheckRule;

/// The state of the `channel` of an `rss` element.
pub(super) struct Channel {
    /// The line of the `rss` element.
    line: u64,
    place: Position,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// No channel has been read yet.
    Before,
    Inside,
    /// In a sibling of the channel.
    Beside,
}

impl Channel {
    /// The state at the start of an `rss` element on this line.
    pub(super) const fn within(line: u64) -> Self {
        Self { line, place: Position::Before }
    }

    /// Handles a child element of `rss`.
    pub(super) fn enter(&mut self, tag: &Tag<'_>) {
        self.place = match self.place {
            _ if tag.local() == "channel" => Position::Inside,
            Position::Before => Position::Before,
            Position::Inside | Position::Beside => Position::Beside,
        };
    }

    /// Checks that an item is in the channel.
    pub(super) fn require(&self, line: u64, faults: &mut Faults) {
        if self.place != Position::Inside {
            faults.add_with_fix(line, CheckRule::Feed, "move it into the <channel>", || {
                "an <item> stands outside the <channel>".to_owned()
            });
        }
    }

    /// Checks at the end of `rss` that there was a channel.
    pub(super) fn require_any(&self, faults: &mut Faults) {
        if self.place == Position::Before {
            faults.add_with_fix(self.line, CheckRule::Feed, "put the items into a <channel>", || {
                "the <rss> element has no <channel>".to_owned()
            });
        }
    }
}

/// Checks that the `rss` element has a version.
pub(super) fn require_version(root: &Tag<'_>, line: u64, faults: &mut Faults) {
    if root.attribute("version").is_none() {
        faults.add_with_fix(line, CheckRule::Feed, "write version=\"2.0\" on the root element", || {
            "the <rss> element has no version".to_owned()
        });
    }
}
