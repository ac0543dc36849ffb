//! A living site, crawled night after night into one folder with one record.

use std::path::Path;

use mapwright_testkit::living::{LivingSite, Night};

use super::clock;
use super::judge::{Crawling, Judge};
use super::publications::{Publication, Publications};
use super::tally::Tally;
use crate::{Crawl, Workspace};

/// The words of each crawl. A page that fails does so for the night, so nothing is tried again.
const WORDS: [&str; 6] = ["--retries", "0", "--keep-runs", "10", "--max-urls-per-file", "50"];

/// Nights of one site. What is true of each was written down before the first page was served.
#[derive(Debug)]
pub struct Nights {
    site: LivingSite,
    truth: Vec<Night>,
    workspace: Workspace,
    publications: Publications,
    judge: Judge,
}

impl Nights {
    /// So many nights of the site of this seed, with about so many pages.
    #[must_use]
    pub fn of(seed: u64, pages: usize, nights: usize) -> Nights {
        let truth = LivingSite::truth(seed, pages, nights);
        let workspace = Workspace::new();
        workspace.file("truth.txt", format!("{truth:#?}"));
        let site = LivingSite::open(seed, pages);
        Nights { judge: Judge::of(&site), site, truth, workspace, publications: Publications::default() }
    }

    /// Lives through all of them, and tells what came of it.
    ///
    /// # Panics
    /// Where a crawl does not end with 0.
    #[must_use]
    pub fn run(mut self) -> Tally {
        for night in std::mem::take(&mut self.truth) {
            // On a whole second that lies strictly between two crawls; the crawl begins a second later, so that what
            // changed is told from what is always "now".
            let second = clock::next_second();
            clock::wait_for(second);
            assert_eq!(self.site.dawn(second), night, "the site does not live through what was written down");
            clock::wait_for(second + 1);
            self.crawl(&night);
        }
        self.judge.tally
    }

    fn crawl(&mut self, night: &Night) {
        let began = clock::millis();
        let crawl = Crawl::from(&[self.site.url("/")]).within(&self.workspace).args(WORDS);
        let crawled = crawl.run().exited(0);
        let crawling = Crawling { began, ended: clock::millis() };
        let published = Publication::read(&crawled.out());
        self.judge.night(&self.site, night, crawling, self.publications.last(), &published);
        let wrong = self.publications.follow(published);
        self.judge.parts(night, wrong);
        self.judge.tally.sizes.push((night.number, size_of(&crawled.state())));
    }
}

/// The bytes of all files below a folder.
fn size_of(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let size = |path: &Path| if path.is_dir() { size_of(path) } else { path.metadata().map_or(0, |file| file.len()) };
    entries.flatten().map(|entry| size(&entry.path())).sum()
}
