//! What was put into a mirror, and when it left the set.

use super::files::Files;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The version of the form in which a ledger is kept.
const VERSION: u32 = 1;
/// Bytes of a ledger that are read: some hundred thousand files.
pub(crate) const MAX_LEDGER: u64 = 64 << 20;

/// Every file that we put into a mirror, or are about to, and have not removed.
///
/// A file stands here before it is put there, and until it is removed: whatever is cut in between, nothing of ours is
/// forgotten, and nothing that is not ours is ever removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ledger {
    version: u32,
    files: BTreeMap<String, Held>,
}

/// One file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Held {
    /// Whether it is an index or the entry point: removed before what it lists.
    index: bool,
    /// When it left the set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dropped: Option<Timestamp>,
}

/// The end of a carrying.
pub(crate) struct Settled {
    /// What is in the mirror once `due` is removed.
    pub(crate) ledger: Ledger,
    /// What is to be removed now: indexes, then parts.
    pub(crate) due: Due,
    /// What left the set and stays, each until when.
    pub(crate) leaving: BTreeMap<String, Timestamp>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Due {
    pub(crate) indexes: Vec<String>,
    pub(crate) parts: Vec<String>,
}

impl Default for Ledger {
    fn default() -> Self {
        Self { version: VERSION, files: BTreeMap::new() }
    }
}

impl Ledger {
    /// Reads a ledger. It comes from outside: the error says what is wrong with it.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let ledger: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if ledger.version != VERSION {
            return Err(format!("it is of version {}, and this program knows {VERSION}", ledger.version));
        }
        match ledger.files.keys().find(|name| !is_plain(name)) {
            Some(name) => Err(format!("it names {name:?}, which is no file of a sitemap")),
            None => Ok(ledger),
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The ledger before `files` are carried: they are added.
    pub(crate) fn announce(&self, files: &Files) -> Self {
        let mut ledger = self.clone();
        let held = |index| Held { index, dropped: None };
        ledger.files.extend(files.parts.iter().map(|name| (name.clone(), held(false))));
        ledger.files.extend(files.indexes().map(|name| (name.clone(), held(true))));
        ledger
    }

    /// The ledger once `files` are there: what is not of them has left the set, and goes when its grace is over.
    pub(crate) fn settle(&self, files: &Files, now: Timestamp, grace: Duration) -> Settled {
        let current: BTreeSet<&String> = files.parts.iter().chain(files.indexes()).collect();
        let grace = SignedDuration::try_from(grace).unwrap_or(SignedDuration::MAX);
        let mut settled = Settled { ledger: self.clone(), due: Due::default(), leaving: BTreeMap::new() };
        for (name, held) in self.files.iter().filter(|(name, _)| !current.contains(name)) {
            // An instant ahead comes from a clock that was wrong.
            let dropped = held.dropped.map_or(now, |dropped| dropped.min(now));
            if now.duration_since(dropped) < grace {
                settled.ledger.files.insert(name.clone(), Held { dropped: Some(dropped), ..*held });
                settled.leaving.insert(name.clone(), dropped.saturating_add(grace).unwrap_or(Timestamp::MAX));
            } else {
                settled.ledger.files.remove(name);
                let due = if held.index { &mut settled.due.indexes } else { &mut settled.due.parts };
                due.push(name.clone());
            }
        }
        settled
    }
}

/// Whether a name is that of a file in the folder itself, and not hidden.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(parts: &[&str]) -> Files {
        let parts = parts.iter().map(|name| (*name).to_owned()).collect();
        Files { entry_point: "sitemap.xml".to_owned(), parts, ..Files::default() }
    }

    fn at(hour: i64) -> Timestamp {
        Timestamp::from_second(1_700_000_000 + 3600 * hour).unwrap()
    }

    const TWO_HOURS: Duration = Duration::from_secs(7200);

    #[test]
    fn a_part_is_due_when_its_grace_is_over_and_not_before() {
        let ledger = Ledger::default().announce(&files(&["a", "b"]));
        let first = ledger.settle(&files(&["b"]), at(0), TWO_HOURS);
        assert_eq!(first.due, Due::default());
        assert_eq!(first.leaving, BTreeMap::from([("a".to_owned(), at(2))]));
        let kept = Ledger::parse(&first.ledger.to_bytes()).unwrap();
        assert_eq!(kept.settle(&files(&["b"]), at(1), TWO_HOURS).due, Due::default());
        let last = kept.settle(&files(&["b"]), at(2), TWO_HOURS);
        assert_eq!(last.due.parts, ["a"]);
        assert_eq!(last.ledger.settle(&files(&["b"]), at(3), TWO_HOURS).due, Due::default());
    }

    #[test]
    fn a_part_that_comes_back_has_its_grace_anew() {
        let ledger = Ledger::default().announce(&files(&["a"])).settle(&files(&[]), at(0), TWO_HOURS).ledger;
        let back = ledger.announce(&files(&["a"])).settle(&files(&["a"]), at(1), TWO_HOURS).ledger;
        assert_eq!(back.settle(&files(&[]), at(2), TWO_HOURS).due, Due::default());
    }

    #[test]
    fn a_clock_that_was_ahead_keeps_nothing_for_ever() {
        let ledger = Ledger::default().announce(&files(&["a"])).settle(&files(&[]), at(1_000_000), TWO_HOURS).ledger;
        let mended = ledger.settle(&files(&[]), at(0), TWO_HOURS).ledger;
        assert_eq!(mended.settle(&files(&[]), at(2), TWO_HOURS).due.parts, ["a"]);
    }

    #[test]
    fn indexes_go_before_what_they_list() {
        let ledger = Ledger::default().announce(&files(&["a"]));
        let text = Files { entry_point: "sitemap.txt".to_owned(), ..Files::default() };
        let due = ledger.settle(&text, at(0), Duration::ZERO).due;
        assert_eq!(due, Due { indexes: vec!["sitemap.xml".to_owned()], parts: vec!["a".to_owned()] });
    }

    #[test]
    fn a_ledger_that_is_none_of_ours_is_refused() {
        for text in ["", "[]", "{\"version\":2,\"files\":{}}", "{\"version\":1,\"files\":{\"../x\":{\"index\":false}}}"]
        {
            assert!(Ledger::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
