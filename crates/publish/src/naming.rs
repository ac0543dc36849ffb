//! Names of parts: a name is never reused for other bytes.

use crate::existing_set;
use mapwright_sitemap::Part;
use mapwright_store::PartRow;
use std::collections::{BTreeMap, BTreeSet};

/// Decides the name and the date under which each part is published.
#[derive(Debug)]
pub(crate) struct Naming<'n> {
    /// Parts of the live set whose files still exist, by hash. Parts that left the set are excluded: their dates are
    /// older than those of the parts that replaced them.
    known: BTreeMap<&'n str, &'n PartRow>,
    taken: BTreeSet<String>,
    last_serial: u64,
    now: String,
}

impl<'n> Naming<'n> {
    /// Creates the naming from the parts that the record knows and the files of the live set.
    pub(crate) fn new(known: &'n [PartRow], live: &BTreeSet<String>, last_serial: u64, now: String) -> Self {
        let used = known.iter().map(|part| part.name.as_str()).chain(live.iter().map(String::as_str));
        let highest = used.filter_map(existing_set::serial).max().unwrap_or_default();
        Self {
            known: known.iter().filter(|part| part.live).map(|part| (part.hash.as_str(), part)).collect(),
            taken: BTreeSet::new(),
            last_serial: last_serial.max(highest),
            now,
        }
    }

    /// The row of a written part: its previous name and date if its bytes are the same, otherwise a new name and the
    /// present instant. `holds` returns true if the file of a name has these bytes: it may have been damaged, or
    /// replaced by another record's. `name_of` creates a name from a serial number, or none if a file has it.
    pub(crate) fn name(
        &mut self,
        part: &Part,
        style: (&str, &str),
        holds: impl Fn(&str) -> bool,
        name_of: impl Fn(u64) -> Option<String>,
    ) -> PartRow {
        let hash = part.hash.to_string();
        let same_style = |before: &&&PartRow| style_of(&before.name) == Some(style);
        if let Some(before) = self.known.get(hash.as_str()).filter(same_style).filter(|before| holds(&before.name))
            && self.taken.insert(before.name.clone())
        {
            return PartRow { live: true, dropped: None, ..(*before).clone() };
        }
        let name = loop {
            self.last_serial += 1;
            if let Some(name) = name_of(self.last_serial) {
                break name;
            }
        };
        PartRow {
            name,
            live: true,
            hash,
            urls: part.urls,
            bytes: part.bytes,
            first: part.first_loc.clone(),
            last: part.last_loc.clone(),
            lastmod: self.now.clone(),
            ..PartRow::default()
        }
    }

    /// The highest serial number used so far.
    pub(crate) fn last_serial(&self) -> u64 {
        self.last_serial
    }
}

/// A name without its serial number: `sitemap` and `xml.gz` of `sitemap-7.xml.gz`. It identifies the series and the
/// form and compression of the file, which its hash does not.
pub(crate) fn style_of(name: &str) -> Option<(&str, &str)> {
    existing_set::serial(name)?;
    let (before, after) = name.rsplit_once('-')?;
    Some((before, after.split_once('.')?.1))
}
