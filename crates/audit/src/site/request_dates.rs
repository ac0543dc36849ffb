//! Dates of sitemap entries that are the time of the request. A sitemap that was written shortly before a crawl looks
//! alike, so that the dates must be of the request itself, or an earlier run must have seen others.

use super::Site;
use super::file::{File, ListedEntry};
use super::urls::UrlNo;
use jiff::{SignedDuration, Timestamp};
use mapwright_store::{Record, RunState, StoreError};
use mapwright_web::date::WebDate;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The span around a request within which a date is of the request: dates are written to the second, by another clock.
const AT_ONCE: SignedDuration = SignedDuration::from_secs(2);
/// The span within which it may be.
const ABOUT: SignedDuration = SignedDuration::from_secs(60);
/// The fewest entries with which a majority is no accident.
const ENOUGH: usize = 5;

/// The dates of a sitemap.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RequestDates {
    /// The number of dates.
    pub(crate) all: usize,
    /// Those within a second or two of the request.
    pub(crate) at_once: usize,
    /// Those within a minute of the request.
    pub(crate) about: usize,
}

impl RequestDates {
    /// Returns the dates of each sitemap.
    pub(crate) fn of(site: &Site) -> BTreeMap<UrlNo, Self> {
        let mut dates: BTreeMap<UrlNo, Self> = BTreeMap::new();
        for entry in &site.entries {
            let Some(file) = site.files.get(&entry.file).filter(|file| !file.is_feed) else { continue };
            dates.entry(entry.file).or_default().add(entry, file);
        }
        dates
    }

    fn add(&mut self, entry: &ListedEntry, file: &File) {
        let Some(date) = entry.lastmod.as_deref().and_then(WebDate::parse_w3c) else { return };
        self.all += 1;
        if let WebDate::Instant { at, .. } = date {
            self.at_once += usize::from(is_near(at, file, AT_ONCE));
            self.about += usize::from(is_near(at, file, ABOUT));
        }
    }

    /// Returns true if most dates are the time of the request.
    pub(crate) fn are_of_request(&self) -> bool {
        self.is_most(self.at_once)
    }

    /// Returns true if most dates may be the time of the request.
    pub(crate) fn may_be_of_request(&self) -> bool {
        self.is_most(self.about)
    }

    fn is_most(&self, count: usize) -> bool {
        self.all >= ENOUGH && count * 10 >= self.all * 9
    }
}

/// Returns true if a time is within a span of a request, from its beginning to its end.
fn is_near(at: Timestamp, file: &File, span: SignedDuration) -> bool {
    let since = at.duration_since(file.at);
    since >= -span && since <= span + SignedDuration::from_millis(file.millis.into())
}

/// Returns the sitemaps whose dates may be the time of the request, and which gave other dates for most of the same pages
/// in the complete run before, though the pages did not change.
///
/// # Errors
/// When the record cannot be read.
pub(super) fn redated(site: &Site, record: &Record) -> Result<HashSet<UrlNo>, StoreError> {
    let is_open = |dates: &RequestDates| dates.may_be_of_request() && !dates.are_of_request();
    let suspects: HashSet<UrlNo> =
        RequestDates::of(site).into_iter().filter(|(_, dates)| is_open(dates)).map(|(file, _)| file).collect();
    let Some(before) = run_before(record)?.filter(|_| !suspects.is_empty()) else { return Ok(HashSet::new()) };
    let earlier = Record::open_to_read(record.folder())?.as_of(before);
    let past = PastDates::of(&earlier, &suspects)?;
    Ok(suspects.into_iter().filter(|file| past.differ(site, *file)).collect())
}

/// The dates in an earlier run.
#[derive(Default)]
struct PastDates {
    /// By sitemap and page.
    dates: HashMap<(UrlNo, UrlNo), Box<str>>,
    /// The hashes of the pages.
    hashes: HashMap<UrlNo, u64>,
}

impl PastDates {
    fn of(earlier: &Record, sitemaps: &HashSet<UrlNo>) -> Result<Self, StoreError> {
        let mut past = Self::default();
        earlier.each_entry(|row| {
            if let Some(date) = row.lastmod.filter(|_| sitemaps.contains(&row.file)) {
                past.dates.insert((row.file, row.url), date.into());
            }
        })?;
        earlier.each_page_row(|row| _ = past.hashes.insert(row.url, row.hash))?;
        Ok(past)
    }

    /// Returns true if most unchanged pages had another date.
    fn differ(&self, site: &Site, sitemap: UrlNo) -> bool {
        let is_unchanged = |page| site.page_content(page).is_some_and(|now| self.hashes.get(&page) == Some(&now.hash));
        let own = site.entries.iter().filter(|entry| entry.file == sitemap && is_unchanged(entry.url));
        let differs = |entry: &ListedEntry| Some(self.dates.get(&(sitemap, entry.url))? != entry.lastmod.as_ref()?);
        let differing: Vec<bool> = own.filter_map(differs).collect();
        let moved = differing.iter().filter(|differs| **differs).count();
        differing.len() >= ENOUGH && moved * 10 >= differing.len() * 9
    }
}

/// Returns the complete run before the newest one.
fn run_before(record: &Record) -> Result<Option<i64>, StoreError> {
    let runs = record.runs()?;
    let mut complete = runs.into_iter().filter(|row| row.state == RunState::Complete && row.run < record.run());
    Ok(complete.next().map(|row| row.run))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;
    use crate::site::load;
    use mapwright_testcrawl::Web;

    /// Returns a web with a sitemap whose dates were so many seconds ago.
    fn dated(seconds: i64, text: &str) -> Web {
        let pages = ["/a", "/b", "/c", "/d", "/e"];
        let at = Timestamp::now() - SignedDuration::from_secs(seconds);
        let entry = |page: &&str| format!("<url><loc>http://example.com{page}</loc><lastmod>{at:.0}</lastmod></url>");
        let entries: String = pages.iter().map(entry).collect();
        let xml = format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{entries}</urlset>");
        let web = pages.iter().fold(Web::for_audit().links("/", &pages), |web, page| web.titled(page, text));
        web.answer("/robots.txt", 200, "text/plain", "Sitemap: /sitemap.xml").answer(
            "/sitemap.xml",
            200,
            "text/xml",
            &xml,
        )
    }

    #[test]
    fn an_earlier_run_that_saw_other_dates_of_unchanged_pages_shows_that_they_move() {
        let redated = |earlier: &Web, later: &Web| {
            let mut crawled = earlier.crawled();
            let first = load(crawled.record(), "mapwright").unwrap().redated_sitemaps.len();
            crawled.again(later);
            (first, load(crawled.record(), "mapwright").unwrap().redated_sitemaps.len())
        };
        let text = "This is a page that stays as it is.";
        assert_eq!(redated(&dated(41, text), &dated(39, text)), (0, 1));
        assert_eq!(redated(&dated(900, text), &dated(41, text)), (0, 1));
        let same = dated(41, text);
        assert_eq!(redated(&same, &same), (0, 0), "the same file");
        assert_eq!(redated(&dated(41, text), &dated(39, "All of it is new.")), (0, 0), "the pages changed");
        assert_eq!(redated(&dated(900, text), &dated(300, text)), (0, 0), "a file that was written again");
    }

    #[test]
    fn a_slow_answer_may_take_its_dates_from_its_end() {
        let mut site = builder().dated("/sitemap.xml", &[("/a", "2030-06-15T12:00:20Z")]).site();
        let near = |site: &Site| RequestDates::of(site).values().map(|dates| dates.at_once).sum::<usize>();
        assert_eq!(near(&site), 0);
        site.files.values_mut().for_each(|file| file.millis = 19_000);
        assert_eq!(near(&site), 1);
    }
}
