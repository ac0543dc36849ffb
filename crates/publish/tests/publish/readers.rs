//! Readers of a set that is published repeatedly.

use crate::fixture::Fixture;
use mapwright_sitemap::{ReadLimits, Reader};
use std::collections::VecDeque;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The content of a file: names of parts, or URLs of pages.
pub(crate) fn locs(bytes: &[u8]) -> Vec<String> {
    let items = Reader::new(bytes, &ReadLimits::default());
    items.map(|item| item.loc().trim_start_matches("https://a.example/").to_owned()).collect()
}

/// A thousand URLs, of which each run replaces one in a hundred.
pub(crate) fn churn(day: u32) -> Vec<String> {
    let number = |slot: u32| if slot % 100 < day { slot + 1_000 * (1 + slot % 100) } else { slot };
    let mut urls: Vec<String> = (0..1_000).map(|slot| format!("https://a.example/{:06}", number(slot))).collect();
    urls.sort();
    urls
}

/// A slow reader, which fetches the files of an index long after it read the index.
pub(crate) struct Holder {
    indexes: VecDeque<Vec<String>>,
    most: usize,
}

impl Holder {
    pub(crate) fn new(most: usize) -> Self {
        Self { indexes: VecDeque::new(), most }
    }

    pub(crate) fn take(&mut self, index: &[u8]) {
        self.indexes.push_back(locs(index));
        if self.indexes.len() > self.most {
            self.indexes.pop_front();
        }
    }

    pub(crate) fn assert_all_resolve(&self, get: impl Fn(&str) -> Option<Vec<u8>>) {
        for (age, index) in self.indexes.iter().rev().enumerate() {
            for part in index {
                let valid = get(part).is_some_and(|bytes| !locs(&bytes).is_empty());
                assert!(valid, "{part} of an index {age} publications old");
            }
        }
    }
}

#[test]
fn every_index_that_a_reader_of_the_directory_holds_resolves_through_fifty_publications() {
    let mut fixture = Fixture::new();
    fixture.plan.series.limits.urls = 60;
    fixture.plan.grace = Some(Duration::from_secs(24 * 3600));
    fixture.publish(&churn(0));
    let folder = fixture.path("");
    let get = |name: &str| fs::read(folder.join(name)).ok();
    let (over, mut holder) = (AtomicBool::new(false), Holder::new(24));
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut walks = 0;
            while !over.load(Ordering::Relaxed) || walks == 0 {
                for part in locs(&get("sitemap.xml").expect("an index")) {
                    assert!(get(&part).is_some_and(|bytes| !locs(&bytes).is_empty()), "{part}");
                }
                walks += 1;
            }
            walks
        });
        for day in 1..=50 {
            fixture.publish(&churn(day));
            holder.take(&get("sitemap.xml").unwrap());
            // All files of each index of the last day are read at times.
            if day % 6 == 0 {
                holder.assert_all_resolve(get);
            }
        }
        over.store(true, Ordering::Relaxed);
        assert!(reader.join().unwrap() > 5);
    });
    let (first, last) = (holder.indexes.front().unwrap(), holder.indexes.back().unwrap());
    assert!(first.iter().any(|part| !last.contains(part)), "the set changed meanwhile");
}
