//! The state of a mirror: its files, with the time when each left the set.

use super::files::Files;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The version of the stored form.
const VERSION: u32 = 1;
/// The maximum number of bytes read of the stored form: some hundred thousand files.
pub(crate) const MAX_STATE_BYTES: u64 = 64 << 20;

/// Every file that mapwright put into a mirror, or is about to, and has not removed.
///
/// A file is recorded before it is uploaded and until it is removed: wherever an upload is interrupted, no file of
/// mapwright is forgotten, and no other file is ever removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MirrorState {
    version: u32,
    files: BTreeMap<String, Held>,
}

/// One file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Held {
    /// It is an index or the entry point, which is removed before the files that it lists.
    index: bool,
    /// The time when it left the set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dropped: Option<Timestamp>,
}

/// The result of an upload.
pub(crate) struct UploadOutcome {
    /// The content of the mirror once `due` is removed.
    pub(crate) mirror_state: MirrorState,
    /// The files to be removed now: indexes, then parts.
    pub(crate) due: Due,
    /// The files that left the set and stay until the given time.
    pub(crate) leaving: BTreeMap<String, Timestamp>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Due {
    pub(crate) indexes: Vec<String>,
    pub(crate) parts: Vec<String>,
}

impl Default for MirrorState {
    fn default() -> Self {
        Self { version: VERSION, files: BTreeMap::new() }
    }
}

impl MirrorState {
    /// Parses the stored form. It is untrusted input: the error says what is wrong with it.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mirror_state: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if mirror_state.version != VERSION {
            return Err(format!("it is of version {}, and this program knows {VERSION}", mirror_state.version));
        }
        match mirror_state.files.keys().find(|name| !is_plain(name)) {
            Some(name) => Err(format!("it names {name:?}, which is no file of a sitemap")),
            None => Ok(mirror_state),
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Adds `files` before they are uploaded.
    pub(crate) fn announce(&self, files: &Files) -> Self {
        let mut mirror_state = self.clone();
        let held = |index| Held { index, dropped: None };
        mirror_state.files.extend(files.parts.iter().map(|name| (name.clone(), held(false))));
        mirror_state.files.extend(files.indexes().map(|name| (name.clone(), held(true))));
        mirror_state
    }

    /// Settles the record after `files` are uploaded: every other file has left the set, and is due when its grace
    /// period is over.
    pub(crate) fn settle(&self, files: &Files, now: Timestamp, grace: Duration) -> UploadOutcome {
        let current: BTreeSet<&String> = files.parts.iter().chain(files.indexes()).collect();
        let grace = SignedDuration::try_from(grace).unwrap_or(SignedDuration::MAX);
        let mut settled = UploadOutcome { mirror_state: self.clone(), due: Due::default(), leaving: BTreeMap::new() };
        for (name, held) in self.files.iter().filter(|(name, _)| !current.contains(name)) {
            // A time in the future comes from a wrong clock.
            let dropped = held.dropped.map_or(now, |dropped| dropped.min(now));
            if now.duration_since(dropped) < grace {
                settled.mirror_state.files.insert(name.clone(), Held { dropped: Some(dropped), ..*held });
                settled.leaving.insert(name.clone(), dropped.saturating_add(grace).unwrap_or(Timestamp::MAX));
            } else {
                settled.mirror_state.files.remove(name);
                let due = if held.index { &mut settled.due.indexes } else { &mut settled.due.parts };
                due.push(name.clone());
            }
        }
        settled
    }
}

/// Returns true if a name is that of a file in the folder itself, and not hidden.
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
        let mirror_state = MirrorState::default().announce(&files(&["a", "b"]));
        let first = mirror_state.settle(&files(&["b"]), at(0), TWO_HOURS);
        assert_eq!(first.due, Due::default());
        assert_eq!(first.leaving, BTreeMap::from([("a".to_owned(), at(2))]));
        let kept = MirrorState::parse(&first.mirror_state.to_bytes()).unwrap();
        assert_eq!(kept.settle(&files(&["b"]), at(1), TWO_HOURS).due, Due::default());
        let last = kept.settle(&files(&["b"]), at(2), TWO_HOURS);
        assert_eq!(last.due.parts, ["a"]);
        assert_eq!(last.mirror_state.settle(&files(&["b"]), at(3), TWO_HOURS).due, Due::default());
    }

    #[test]
    fn a_part_that_comes_back_gets_a_new_grace_period() {
        let mirror_state =
            MirrorState::default().announce(&files(&["a"])).settle(&files(&[]), at(0), TWO_HOURS).mirror_state;
        let back = mirror_state.announce(&files(&["a"])).settle(&files(&["a"]), at(1), TWO_HOURS).mirror_state;
        assert_eq!(back.settle(&files(&[]), at(2), TWO_HOURS).due, Due::default());
    }

    #[test]
    fn a_clock_that_was_ahead_keeps_nothing_for_ever() {
        let mirror_state =
            MirrorState::default().announce(&files(&["a"])).settle(&files(&[]), at(1_000_000), TWO_HOURS).mirror_state;
        let fixed = mirror_state.settle(&files(&[]), at(0), TWO_HOURS).mirror_state;
        assert_eq!(fixed.settle(&files(&[]), at(2), TWO_HOURS).due.parts, ["a"]);
    }

    #[test]
    fn indexes_go_before_what_they_list() {
        let mirror_state = MirrorState::default().announce(&files(&["a"]));
        let text = Files { entry_point: "sitemap.txt".to_owned(), ..Files::default() };
        let due = mirror_state.settle(&text, at(0), Duration::ZERO).due;
        assert_eq!(due, Due { indexes: vec!["sitemap.xml".to_owned()], parts: vec!["a".to_owned()] });
    }

    #[test]
    fn the_state_of_another_program_is_refused() {
        for text in ["", "[]", "{\"version\":2,\"files\":{}}", "{\"version\":1,\"files\":{\"../x\":{\"index\":false}}}"]
        {
            assert!(MirrorState::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
