//! A site that evolves between runs of a crawler: pages change, appear, vanish, move and fail, and most differences
//! between two visits are no change of content.
//!
//! The events of each run follow from a seed alone. [`LivingSite::truth`] returns them for an entire year before a
//! single page is served; the site then shows exactly these. Only the instants are real, because the crawler under test
//! reads the real clock: [`LivingSite::next_day`] is given the second in which everything before that run has happened.
//!
//! ```
//! use mapwright_testkit::living::LivingSite;
//!
//! let truth = LivingSite::truth(7, 40, 3);
//! let site = LivingSite::open(7, 40);
//! for (day, second) in truth.iter().zip([1_800_000_000, 1_800_086_400, 1_800_172_800]) {
//!     assert_eq!(site.next_day(second), *day);
//! }
//! assert_eq!(site.facts("/").map(|page| page.section), Some("home"));
//! ```

mod answers;
mod catalogue;
pub mod dates;
mod day;
mod dice;
mod dynamic_boilerplate;
mod evolution;
mod page;
pub(crate) mod prose;
mod render;
mod section;
mod text;
mod traffic;
mod world;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use catalogue::Catalogue;
pub use day::{Day, DayKind};
pub use dice::Dice;
pub use page::LEARNING;
pub use traffic::Traffic;

use crate::site::FakeSite;
use answers::Answers;
use world::World;

/// The facts about one page that concern dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateFacts {
    /// The name of its section.
    pub section: &'static str,
    /// The second in which its text was written or last changed.
    pub written: i64,
    /// The page states that second itself.
    pub reports_date: bool,
    /// Its first visit shows any date that may be believed.
    pub has_date: bool,
    /// The last run before which its text changed or it moved to its URL; 1 for a page that existed from the beginning.
    pub changed_in: u32,
}

/// A site of some hundred pages in ten sections, each with its own server behaviour, on a free loopback port.
#[derive(Debug)]
pub struct LivingSite {
    site: FakeSite,
    answers: Arc<Mutex<Answers>>,
}

impl LivingSite {
    /// Returns the facts of each of the first `days` runs of the site with this seed and size.
    #[must_use]
    pub fn truth(seed: u64, pages: usize, days: usize) -> Vec<Day> {
        let mut world = World::new(seed, pages);
        (0..days).map(|_| world.next_day()).collect()
    }

    /// Opens the site of this seed with about `pages` pages, before its first run.
    #[must_use]
    pub fn open(seed: u64, pages: usize) -> LivingSite {
        let answers = Arc::new(Mutex::new(Answers::of(World::new(seed, pages))));
        let site = FakeSite::open();
        let shared = Arc::clone(&answers);
        site.handler("/*", move |request| lock(&shared).answer(request));
        LivingSite { site, answers }
    }

    /// Advances to the next run, with this second for everything that happens before it, and returns the facts of that
    /// run.
    pub fn next_day(&self, second: i64) -> Day {
        let mut answers = lock(&self.answers);
        answers.instants.push(second);
        answers.world.next_day()
    }

    /// The URL of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        self.site.url(path)
    }

    /// The URL of the site, without a trailing slash.
    #[must_use]
    pub fn base(&self) -> String {
        self.site.base()
    }

    /// Returns the facts about a page in the current run; `None` where it never existed.
    #[must_use]
    pub fn facts(&self, path: &str) -> Option<DateFacts> {
        let answers = lock(&self.answers);
        let page = answers.world.pages.get(path)?;
        Some(DateFacts {
            section: page.section.name,
            written: answers.written(page),
            reports_date: page.reports_date(),
            has_date: page.has_date(),
            changed_in: page.changed_in.max(page.born_in),
        })
    }

    /// Returns the traffic of each section in a run.
    #[must_use]
    pub fn traffic(&self, day: u32) -> BTreeMap<&'static str, Traffic> {
        lock(&self.answers).traffic_log.of(day)
    }
}

fn lock(answers: &Mutex<Answers>) -> MutexGuard<'_, Answers> {
    // The site is consistent between two requests, so a panic elsewhere does not corrupt it.
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
