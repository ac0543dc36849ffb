//! The clean URLs of pages that were read as variants.

use mapwright_model::Task;
use mapwright_traps::Learner;
use mapwright_web::PageUrl;
use std::collections::HashSet;

/// Highest number of such pages that are remembered; later ones are not looked at again.
const MAX_PAGES: usize = 20_000;

/// Highest number of clean URLs that are requested in one crawl.
const MAX_TAKEN: usize = 20_000;

/// Pages that were read before their URLs turned out to be variants: then their clean URLs are requested.
#[derive(Debug, Default)]
pub(crate) struct CleanUrls {
    /// At most [`MAX_PAGES`].
    pages: Vec<Task>,
    /// At most [`MAX_TAKEN`].
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
        let left = MAX_TAKEN.saturating_sub(self.taken.len());
        let new = clean.filter(|(_, url)| !learner.has_read(url) && self.taken.insert(url.clone()));
        new.take(left).map(|(task, url)| (task.clone(), url)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_model::{Lane, Purpose, UrlId};
    use mapwright_traps::{PageFingerprint, ParameterKey, ParameterRole, parameters, path_pattern};
    use mapwright_web::UrlIdentity;

    fn task(n: u32) -> Task {
        let url = PageUrl::parse(&format!("http://a.example/p{n}?ref=x"), &UrlIdentity::default()).unwrap();
        Task::new(n.into(), UrlId(n), url, Purpose::Page, Lane::Link)
    }

    /// A learner that holds `ref` to have no effect on these pages.
    fn learner(pages: &[Task]) -> Learner {
        let mut learner = Learner::default();
        for page in pages {
            let key = |parameter| ParameterKey { pattern: path_pattern(&page.url), parameter };
            parameters(&page.url).into_iter().for_each(|ref_| learner.recall(key(ref_), ParameterRole::NoEffect));
        }
        learner
    }

    fn texts(taken: &[(Task, PageUrl)]) -> Vec<&str> {
        taken.iter().map(|(_, url)| url.path_and_query()).collect()
    }

    #[test]
    fn clean_urls_are_taken_once_in_an_order_that_the_pages_do_not_decide() {
        let mut clean = CleanUrls::default();
        let pages = [3, 1, 2].map(task);
        let mut learner = learner(&pages);
        pages.iter().for_each(|page| clean.read(page, &learner));
        let without = PageUrl::parse("http://a.example/p2", &UrlIdentity::default()).unwrap();
        learner.read(&without, Some(PageFingerprint::of([1].into_iter(), None)));
        assert_eq!(texts(&clean.take(&learner)), ["/p1", "/p3"], "/p2 was read without it");
        assert_eq!(clean.take(&learner), []);
    }

    #[test]
    fn no_more_clean_urls_are_taken_than_a_crawl_may_request() {
        let mut clean = CleanUrls::default();
        let learner = learner(&[task(0)]);
        clean.taken = (1..u32::try_from(MAX_TAKEN).unwrap()).map(|n| task(n).url).collect();
        [0, 1].map(task).iter().for_each(|page| clean.read(page, &learner));
        assert_eq!(clean.take(&learner).len(), 1, "one less than the limit was taken before");
        clean.pages.push(task(2));
        assert_eq!(clean.take(&learner), []);
    }
}
