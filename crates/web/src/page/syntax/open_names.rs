//! Counts of open HTML elements by name: enough to decide if an end tag closes an element.

use super::tag::Tag;

/// The number of counts for unknown names: names that share a count differ from a browser only around an unclosed
/// `svg`.
const UNKNOWN: usize = 61;

/// The number of counts.
const SLOTS: usize = Tag::COUNT + UNKNOWN;

type Counts = [u32; SLOTS];

/// The counts.
#[derive(Debug)]
pub(crate) struct OpenNames {
    counts: Counts,
    /// The counts outside the outermost open `template`: its end closes all elements in it, and an end tag inside it
    /// closes none outside.
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

/// The index of a name's count.
fn slot(name: &str, tag: Tag) -> usize {
    if tag != Tag::Other {
        return tag as usize;
    }
    let hash = name
        .bytes()
        .fold(0_usize, |hash, byte| hash.wrapping_mul(31).wrapping_add(usize::from(byte.to_ascii_lowercase())));
    Tag::COUNT + hash % UNKNOWN
}
