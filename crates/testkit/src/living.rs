//! A site that lives through nights: pages change, appear, vanish, move and fail, and most of what differs between two
//! visits is no change at all.
//!
//! What happens in which night follows from a seed alone. [`LivingSite::truth`] tells it of a whole year before a
//! single page is served; the site then lives through just that. Only the instants are real, for the crawler under test
//! reads the real clock: [`LivingSite::dawn`] is given the second in which everything of that night has happened.
//!
//! ```
//! use mapwright_testkit::living::LivingSite;
//!
//! let truth = LivingSite::truth(7, 40, 3);
//! let site = LivingSite::open(7, 40);
//! for (night, second) in truth.iter().zip([1_800_000_000, 1_800_086_400, 1_800_172_800]) {
//!     assert_eq!(site.dawn(second), *night);
//! }
//! assert_eq!(site.standing("/").map(|page| page.section), Some("home"));
//! ```

mod answers;
mod catalogue;
pub mod dates;
mod dice;
mod evolution;
mod habit;
mod lively;
mod night;
mod page;
pub(crate) mod prose;
mod render;
mod text;
mod traffic;
mod world;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use catalogue::Catalogue;
pub use dice::Dice;
pub use night::{Kind, Night};
pub use page::LEARNING;
pub use traffic::Traffic;

use crate::site::Site;
use answers::Answers;
use world::World;

/// What holds of one page, as far as dates go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The name of its section.
    pub section: &'static str,
    /// The second in which its text last changed, or was written.
    pub written: i64,
    /// Whether it tells that second itself.
    pub tells_date: bool,
    /// Whether its first visit shows a date at all that may be believed.
    pub has_date: bool,
    /// The last night in which its text changed or it came to its place; 1 for all that was there from the beginning.
    pub changed_in: u32,
}

/// A site of some hundred pages in ten sections, each with its own habits, on a free loopback port.
#[derive(Debug)]
pub struct LivingSite {
    site: Site,
    answers: Arc<Mutex<Answers>>,
}

impl LivingSite {
    /// What is true of each of the first so many nights of the site of this seed and size.
    #[must_use]
    pub fn truth(seed: u64, pages: usize, nights: usize) -> Vec<Night> {
        let mut world = World::new(seed, pages);
        (0..nights).map(|_| world.dawn()).collect()
    }

    /// The site of this seed with about so many pages, before its first night.
    #[must_use]
    pub fn open(seed: u64, pages: usize) -> LivingSite {
        let answers = Arc::new(Mutex::new(Answers::of(World::new(seed, pages))));
        let site = Site::open();
        let shared = Arc::clone(&answers);
        site.handler("/*", move |request| lock(&shared).answer(request));
        LivingSite { site, answers }
    }

    /// Lets the next night come, in which all that happens has happened in this second, and tells what is true of it.
    pub fn dawn(&self, second: i64) -> Night {
        let mut answers = lock(&self.answers);
        answers.instants.push(second);
        answers.world.dawn()
    }

    /// The URL of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        self.site.url(path)
    }

    /// The URL without a slash at its end.
    #[must_use]
    pub fn base(&self) -> String {
        self.site.base()
    }

    /// What holds of a page tonight; `None` where there never was one.
    #[must_use]
    pub fn standing(&self, path: &str) -> Option<Standing> {
        let answers = lock(&self.answers);
        let page = answers.world.pages.get(path)?;
        Some(Standing {
            section: page.section.name,
            written: answers.written(page),
            tells_date: page.tells_date(),
            has_date: page.has_date(),
            changed_in: page.changed_in.max(page.born_in),
        })
    }

    /// What each section answered in a night.
    #[must_use]
    pub fn traffic(&self, night: u32) -> BTreeMap<&'static str, Traffic> {
        lock(&self.answers).ledger.of(night)
    }
}

fn lock(answers: &Mutex<Answers>) -> MutexGuard<'_, Answers> {
    // Between two requests the site is whole, so a panic elsewhere does not spoil it.
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
