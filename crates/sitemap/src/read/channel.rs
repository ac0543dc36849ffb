//! The frame of RSS: `rss` with its version, in it a `channel`, in that the items (RSS 2.0 and those from 0.91 on).

use super::faults::Faults;
use super::markup::Tag;
use crate::Rule;

/// The `channel` of an `rss` element, followed element by element.
pub(super) struct Channel {
    /// The line of the `rss` element.
    line: u64,
    place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// There was none yet.
    Before,
    Inside,
    /// In what stands beside it.
    Beside,
}

impl Channel {
    /// That of an `rss` element on this line, of which nothing has been read yet.
    pub(super) const fn within(line: u64) -> Self {
        Self { line, place: Place::Before }
    }

    /// An element begins directly in `rss`.
    pub(super) fn enter(&mut self, tag: &Tag<'_>) {
        self.place = match self.place {
            _ if tag.local() == "channel" => Place::Inside,
            Place::Before => Place::Before,
            Place::Inside | Place::Beside => Place::Beside,
        };
    }

    /// An item begins, which stands in the channel.
    pub(super) fn require(&self, line: u64, faults: &mut Faults) {
        if self.place != Place::Inside {
            faults.advise(line, Rule::Feed, "move it into the <channel>", || {
                "an <item> stands outside the <channel>".to_owned()
            });
        }
    }

    /// The `rss` element ends, which has one.
    pub(super) fn require_any(&self, faults: &mut Faults) {
        if self.place == Place::Before {
            faults.advise(self.line, Rule::Feed, "put the items into a <channel>", || {
                "the <rss> element has no <channel>".to_owned()
            });
        }
    }
}

/// The `rss` element says which version it is of.
pub(super) fn require_version(root: &Tag<'_>, line: u64, faults: &mut Faults) {
    if root.attribute("version").is_none() {
        faults.advise(line, Rule::Feed, "write version=\"2.0\" on the root element", || {
            "the <rss> element has no version".to_owned()
        });
    }
}
