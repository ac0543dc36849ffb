//! The files that successive runs publish, and the checks between one set and the next.

use std::collections::BTreeMap;

use mapwright_testkit::living::dates;

use mapwright_e2e::Entry;
use mapwright_e2e::sitemaps::Publication;

/// All publications in one folder, in order.
#[derive(Debug, Default)]
pub(crate) struct Publications {
    last: Option<Publication>,
    /// Every part of all publications, by name.
    ever: BTreeMap<String, (Vec<u8>, Option<String>)>,
}

impl Publications {
    /// The latest publication.
    pub(crate) fn last(&self) -> Option<&Publication> {
        self.last.as_ref()
    }

    /// Adds the next publication, and returns the faults in it and in its changes since those before.
    pub(crate) fn follow(&mut self, next: Publication) -> Vec<String> {
        let mut wrong = Vec::new();
        for part in &next.parts {
            let (bytes, lastmod) =
                self.ever.entry(part.name.clone()).or_insert_with(|| (part.bytes.clone(), part.lastmod.clone()));
            if *bytes != part.bytes {
                wrong.push(format!("{} has been used for two contents", part.name));
            } else if *lastmod != part.lastmod {
                wrong.push(format!("{}: lastmod {lastmod:?} -> {:?}, same bytes", part.name, part.lastmod));
            }
            if part.entries.is_empty() {
                wrong.push(format!("{} is empty", part.name));
            }
            if part.lastmod.as_deref().and_then(dates::instant).is_none() {
                wrong.push(format!("{}: no instant as its lastmod in the index: {:?}", part.name, part.lastmod));
            }
        }
        wrong.extend(self.idle(&next));
        let locs: Vec<String> = next.entries().into_iter().map(|entry| entry.loc).collect();
        let disorder = locs.iter().zip(locs.iter().skip(1)).find(|(one, other)| one >= other);
        wrong.extend(disorder.map(|(one, other)| format!("{one} stands before {other}")));
        self.last = Some(next);
        wrong
    }

    /// Reports new parts with the same entries as an old part: they were rewritten needlessly.
    fn idle(&self, next: &Publication) -> Vec<String> {
        let Some(last) = &self.last else { return Vec::new() };
        let known: Vec<&Vec<Entry>> = last.parts.iter().map(|part| &part.entries).collect();
        let idle = next.beyond(last).into_iter().filter(|part| known.contains(&&part.entries));
        idle.map(|part| format!("{} is new and lists what an old one did", part.name)).collect()
    }
}
