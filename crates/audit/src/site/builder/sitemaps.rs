//! The sitemaps and feeds of a built site.

use super::SiteBuilder;
use super::answer::{Answer, answer, redirect, silence, url};
use mapwright_model::{FailureKind, Outcome};
use mapwright_sitemap::CheckRule;

impl SiteBuilder {
    /// A sitemap that lists these.
    pub(crate) fn sitemap(self, file: &str, entries: &[&str]) -> Self {
        self.listing(file, false, entries.iter().map(|entry| (*entry, None)))
    }

    /// A sitemap that lists these with dates.
    pub(crate) fn dated(self, file: &str, entries: &[(&str, &str)]) -> Self {
        self.listing(file, false, entries.iter().map(|(entry, date)| (*entry, Some(*date))))
    }

    /// A feed of these.
    pub(crate) fn feed(self, file: &str, entries: &[(&str, &str)]) -> Self {
        self.listing(file, true, entries.iter().map(|(entry, date)| (*entry, Some(*date))))
    }

    fn listing<'e>(
        mut self,
        file: &str,
        is_feed: bool,
        entries: impl Iterator<Item = (&'e str, Option<&'e str>)>,
    ) -> Self {
        let listing = self.listings.entry(url(file)).or_default();
        listing.is_feed = is_feed;
        listing.entries.extend(entries.map(|(entry, date)| (url(entry), date.map(str::to_owned))));
        self
    }

    /// A sitemap names these alternates of a page that it lists, each a code and a URL.
    pub(crate) fn sitemap_alternates(mut self, file: &str, page: &str, pairs: &[(&str, &str)]) -> Self {
        let named = pairs.iter().map(|(code, target)| (url(page), (*code).to_owned(), url(target)));
        self.listings.entry(url(file)).or_default().alternates.extend(named);
        self.sitemap(file, &[page])
    }

    /// A rule of the protocol that a sitemap breaks on a line, and how often.
    pub(crate) fn fault(mut self, file: &str, rule: CheckRule, what: &str, line: u64, count: u64) -> Self {
        let listing = self.listings.entry(url(file)).or_default();
        listing.faults.push((rule, line, what.to_owned(), count));
        self
    }

    /// A sitemap that answers 404.
    pub(crate) fn lost(self, file: &str) -> Self {
        self.sitemap_answers(file, answer(Outcome::Status, 404, ""))
    }

    /// A sitemap that answers this status, throttled or not.
    pub(crate) fn sitemap_status(self, file: &str, status: u16, throttled: bool) -> Self {
        let outcome = if throttled { Outcome::Throttled } else { Outcome::Status };
        self.sitemap_answers(file, answer(outcome, status, ""))
    }

    /// A sitemap that gives no answer.
    pub(crate) fn sitemap_silent(self, file: &str, kind: FailureKind) -> Self {
        self.sitemap_answers(file, silence(kind))
    }

    /// A sitemap that redirects.
    pub(crate) fn sitemap_redirect(self, file: &str, target: &str) -> Self {
        self.sitemap_answers(file, redirect(301, target))
    }

    /// A sitemap of exactly this body, of which no entry can be read.
    pub(crate) fn sitemap_body(self, file: &str, body: &str) -> Self {
        self.sitemap_answers(file, answer(Outcome::File, 200, body))
    }

    fn sitemap_answers(mut self, file: &str, answer: Answer) -> Self {
        self.listings.entry(url(file)).or_default().answer = Some(answer);
        self
    }

    /// An index names a sitemap.
    pub(crate) fn part_of(mut self, index: &str, file: &str) -> Self {
        self.listings.entry(url(file)).or_default().index = Some(url(index));
        self
    }
}
