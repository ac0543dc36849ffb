//! Readers of a set that is published again and again.

use crate::desk::Desk;
use mapwright_sitemap::{ReadLimits, Reader};
use std::collections::VecDeque;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What a file lists: names of parts, or URLs of pages.
pub(crate) fn locs(bytes: &[u8]) -> Vec<String> {
    let items = Reader::new(bytes, &ReadLimits::default());
    items.map(|item| item.loc().trim_start_matches("https://a.example/").to_owned()).collect()
}

/// A thousand URLs, of which each night one in a hundred goes, and as many others come.
pub(crate) fn churn(night: u32) -> Vec<String> {
    let number = |slot: u32| if slot % 100 < night { slot + 1_000 * (1 + slot % 100) } else { slot };
    let mut urls: Vec<String> = (0..1_000).map(|slot| format!("https://a.example/{:06}", number(slot))).collect();
    urls.sort();
    urls
}

/// A slow reader: it looks up what an index lists only long after it read it.
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
    let mut desk = Desk::new();
    desk.plan.series.limits.urls = 60;
    desk.plan.grace = Some(Duration::from_secs(24 * 3600));
    desk.publish(&churn(0));
    let folder = desk.path("");
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
        for night in 1..=50 {
            desk.publish(&churn(night));
            holder.take(&get("sitemap.xml").unwrap());
            // Each index of the last day is looked up whole, now and then.
            if night % 6 == 0 {
                holder.assert_all_resolve(get);
            }
        }
        over.store(true, Ordering::Relaxed);
        assert!(reader.join().unwrap() > 5);
    });
    let (first, last) = (holder.indexes.front().unwrap(), holder.indexes.back().unwrap());
    assert!(first.iter().any(|part| !last.contains(part)), "the set changed meanwhile");
}
