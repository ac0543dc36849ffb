//! The clean URLs of pages that were read as variants.

use mapwright_frontier::Task;
use mapwright_traps::Learner;
use mapwright_web::PageUrl;
use std::collections::HashSet;

/// Highest number of such pages that are remembered; later ones are not looked at again.
const MAX_PAGES: usize = 20_000;

/// Pages that were read before their URLs turned out to be variants: then their clean URLs are requested.
#[derive(Debug, Default)]
pub(crate) struct CleanUrls {
    pages: Vec<Task>,
    taken: HashSet<PageUrl>,
}

impl CleanUrls {
    /// Adds a page that was read.
    pub(crate) fn read(&mut self, task: &Task, learner: &Learner) {
        if self.pages.len() < MAX_PAGES && learner.has_unread_clean(&task.url) {
            self.pages.push(task.clone());
        }
    }

    /// Takes the clean URLs that are to be requested, each with a page that leads to it, by what is known now.
    pub(crate) fn take(&mut self, learner: &Learner) -> Vec<(Task, PageUrl)> {
        self.pages.retain(|task| learner.has_unread_clean(&task.url));
        self.pages.sort_by(|one, other| one.url.as_str().cmp(other.url.as_str()));
        let clean = self.pages.iter().filter_map(|task| Some((task, learner.clean_anywhere(&task.url)?)));
        let new = clean.filter(|(_, url)| !learner.has_read(url) && self.taken.insert(url.clone()));
        new.map(|(task, url)| (task.clone(), url)).collect()
    }
}
