//! Which names of HTML elements are open, as counts: enough to tell whether an end tag has anything to close.

use super::tag::Tag;

/// Counts of unknown names: those that share a count differ from a browser only around a `svg` left open.
const UNKNOWN: usize = 61;

/// All counts.
const SLOTS: usize = Tag::COUNT + UNKNOWN;

type Counts = [u32; SLOTS];

/// The counts.
#[derive(Debug)]
pub(crate) struct OpenNames {
    counts: Counts,
    /// The counts outside of the outermost `template` open: its end closes all that is open in it, and inside of it
    /// nothing around it can be closed.
    outside: Option<Box<Counts>>,
}

impl Default for OpenNames {
    fn default() -> Self {
        OpenNames { counts: [0; SLOTS], outside: None }
    }
}

impl OpenNames {
    #[inline]
    pub(crate) fn start(&mut self, name: &str, tag: Tag) {
        if tag == Tag::Template && self.outside.is_none() {
            self.outside = Some(Box::new(std::mem::replace(&mut self.counts, [0; SLOTS])));
        }
        if let Some(count) = self.counts.get_mut(slot(name, tag)) {
            *count = count.saturating_add(1);
        }
    }

    pub(crate) fn end(&mut self, name: &str, tag: Tag) {
        if let Some(count) = self.counts.get_mut(slot(name, tag)) {
            *count = count.saturating_sub(1);
        }
        if tag == Tag::Template
            && !self.holds(name, tag)
            && let Some(outside) = self.outside.take()
        {
            self.counts = *outside;
        }
    }

    pub(crate) fn holds(&self, name: &str, tag: Tag) -> bool {
        self.counts.get(slot(name, tag)).is_some_and(|count| *count > 0)
    }
}

/// Index of the count of a name.
fn slot(name: &str, tag: Tag) -> usize {
    if tag != Tag::Other {
        return tag as usize;
    }
    let hash = name
        .bytes()
        .fold(0_usize, |hash, byte| hash.wrapping_mul(31).wrapping_add(usize::from(byte.to_ascii_lowercase())));
    Tag::COUNT + hash % UNKNOWN
}
