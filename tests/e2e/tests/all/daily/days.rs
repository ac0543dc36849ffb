//! A changing site, crawled repeatedly into one output directory with one record.

use std::path::Path;

use mapwright_testkit::living::{Day, LivingSite};

use super::judge::{CrawlTimes, Judge};
use super::publications::Publications;
use super::tally::Tally;
use mapwright_e2e::sitemaps::Publication;
use mapwright_e2e::{Crawl, Workspace, clock};

/// The arguments of each crawl. A failing page fails for the entire run, so retries are off.
const WORDS: [&str; 6] = ["--retries", "0", "--keep-runs", "10", "--max-urls-per-file", "50"];

/// The runs of one site. The expected state of each is computed before the first page is served.
#[derive(Debug)]
pub(crate) struct DailyRuns {
    site: LivingSite,
    truth: Vec<Day>,
    workspace: Workspace,
    publications: Publications,
    judge: Judge,
}

impl DailyRuns {
    /// This number of runs of the site of this seed, with about this number of pages.
    pub(crate) fn of(seed: u64, pages: usize, days: usize) -> DailyRuns {
        let truth = LivingSite::truth(seed, pages, days);
        let workspace = Workspace::new();
        workspace.file("truth.txt", format!("{truth:#?}"));
        let site = LivingSite::open(seed, pages);
        DailyRuns { judge: Judge::of(&site), site, truth, workspace, publications: Publications::default() }
    }

    /// Crawls once per run, and returns the tally.
    pub(crate) fn run(mut self) -> Tally {
        for day in std::mem::take(&mut self.truth) {
            // The site changes on a full second strictly between two crawls. The crawl begins a second later, so that
            // changed pages differ from those that always report the current time.
            let second = clock::next_second();
            clock::wait_for(second);
            assert_eq!(self.site.next_day(second), day, "the site does not live through what was written down");
            clock::wait_for(second + 1);
            self.crawl(&day);
        }
        self.judge.tally
    }

    fn crawl(&mut self, day: &Day) {
        let began = clock::millis();
        let crawl = Crawl::from(&[self.site.url("/")]).within(&self.workspace).args(WORDS);
        let crawled = crawl.run().exited(0);
        let crawling = CrawlTimes { began, ended: clock::millis() };
        let published = Publication::read(&crawled.out());
        self.judge.day(&self.site, day, crawling, self.publications.last(), &published);
        let wrong = self.publications.follow(published);
        self.judge.parts(day, wrong);
        self.judge.tally.sizes.push((day.number, size_of(&crawled.state())));
    }
}

/// The total size of all files below a folder, in bytes.
fn size_of(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let size = |path: &Path| if path.is_dir() { size_of(path) } else { path.metadata().map_or(0, |file| file.len()) };
    entries.flatten().map(|entry| size(&entry.path())).sum()
}
