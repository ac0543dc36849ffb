//! The coverage of a run: a finding that the run could not check is not fixed, and stays as it was.

mod hidden;
mod inconclusive;
mod seen;
mod unrequested;

pub(crate) use inconclusive::{Inconclusive, InconclusiveCandidates};

use crate::check::{Check, Identity, RequiredCoverage, RestsOn, SeenLevel};
use crate::options::Options;
use crate::site::{Node, NodeStatus, Site, SiteSitemaps, UrlNo};
use hidden::{Subjects, has_read, hidden, hides, parents};
use mapwright_model::Via;
use mapwright_store::{Record, StoreError};
use mapwright_verdict::Reason;
use mapwright_web::PageUrl;
use seen::{is_answered, is_requested, is_seen, is_unread};
use std::collections::{HashMap, HashSet};
use unrequested::is_unrequested;

/// The coverage of a run.
pub(crate) struct Coverage<'a> {
    site: &'a Site,
    options: &'a Options,
    published: &'a SiteSitemaps,
    /// Every page that was read by an earlier run was read again, or is gone.
    complete: bool,
    /// URLs that this run did not discover and that may still exist.
    hidden: HashSet<UrlNo>,
    /// URLs that are linked from pages which this run did not read, though they may still exist.
    linked_unseen: HashSet<UrlNo>,
    /// The targets of the site's redirects, each with one redirecting URL.
    redirected_to: HashMap<UrlNo, UrlNo>,
    /// Findings that are inconclusive because pages were not read.
    inconclusive: &'a Inconclusive,
}

impl<'a> Coverage<'a> {
    /// Returns the coverage of the newest run, relative to the audit of the run `before`.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(crate) fn of(
        site: &'a Site,
        options: &'a Options,
        record: &Record,
        before: i64,
        inconclusive: &'a Inconclusive,
    ) -> Result<Self, StoreError> {
        let mut complete = true;
        if site.nodes().any(|(_, node)| is_unread(node)) {
            record.each_remembered(|url| complete &= !is_unread(&site.node(url)))?;
        }
        let Subjects { unmet, linked } = Subjects::since(site, record, before)?;
        let parents = parents(site, record, unmet, before)?;
        let (published, redirected_to) = (site.published(), site.redirected_to());
        let hidden = hidden(&parents, |via, parent| hides(site, via, parent));
        let linked_unseen = inconclusive::linked_unseen(site, record, linked)?;
        Ok(Self { site, options, published, complete, hidden, linked_unseen, redirected_to, inconclusive })
    }

    /// Returns true if all sitemaps and feeds were read.
    fn has_read_all_files(&self) -> bool {
        let feeds = || self.site.files.iter().filter(|(_, file)| file.is_feed);
        self.published.is_complete() && !self.site.feeds_over_limit && feeds().all(|(url, _)| has_read(self.site, *url))
    }

    /// Returns true if this run would have made this finding if it persisted; `subject` is its subject as one text.
    pub(crate) fn judges(&self, check: &'static Check, subject: &str) -> bool {
        let element = subject.split_once('#').filter(|_| check.attributes.identity == Identity::Elements);
        let url = self.site.urls.number(element.map_or(subject, |(page, _)| page)).unwrap_or(UrlNo::MAX);
        // If a page lacks very many elements, only the first are reported.
        let missing = self.site.missing_fragments.get(&url);
        let is_known = element.is_none_or(|(_, name)| missing.is_none_or(|missing| missing.knows(name)));
        let is_reported = self.options.severities.of(check).is_some() && !self.inconclusive.holds(check, url);
        is_reported && is_known && self.judges_url(check, url)
    }

    fn judges_url(&self, check: &Check, url: UrlNo) -> bool {
        let node = self.site.node(url);
        let (needs, rests_on) = (check.needs, check.attributes.rests_on);
        match needs {
            RequiredCoverage::Site => self.complete,
            RequiredCoverage::Robots | RequiredCoverage::RobotsResponse | RequiredCoverage::RobotsAndSitemaps => {
                self.judges_robots(needs, url)
            }
            RequiredCoverage::File => has_read(self.site, url),
            RequiredCoverage::FileResponse => {
                let file = self.site.files.get(&url);
                has_read(self.site, url) || file.is_some_and(|file| file.fetch_status != NodeStatus::Throttled)
            }
            RequiredCoverage::External => self.judges_external(url),
            _ if self.site.ignores_robots && check.attributes.is_about_robots => false,
            RequiredCoverage::WhatIf if self.options.next_robots.is_none() => false,
            // A URL that is no longer discovered, though the pages that led to it were read, is gone.
            _ if node.fetch_status == NodeStatus::Unknown => {
                let listed = self.published.is_complete() || !needs.is_of_entries();
                listed && !self.hidden.contains(&url)
            }
            RequiredCoverage::Disallowed if is_requested(&node) => true,
            _ if rests_on == RestsOn::Links && self.linked_unseen.contains(&url) => false,
            _ if rests_on == RestsOn::Redirect && self.is_led_to_as_before(url, &node) => false,
            _ if is_unrequested(check, &node) || node.cut && check.attributes.rest_may_refute => false,
            RequiredCoverage::WhatIf => {
                is_seen(&node, SeenLevel::Answered) || node.fetch_status == NodeStatus::Throttled
            }
            RequiredCoverage::Answer => is_seen(&node, SeenLevel::Answered),
            RequiredCoverage::Status => {
                is_seen(&node, SeenLevel::Answered)
                    && !matches!(node.fetch_status, NodeStatus::NoAnswer(_) | NodeStatus::Broken)
            }
            RequiredCoverage::Page | RequiredCoverage::Disallowed => is_seen(&node, SeenLevel::Read),
            RequiredCoverage::Time => is_seen(&node, SeenLevel::Read) && (!node.is_page() || node.millis.is_some()),
            RequiredCoverage::Probe if node.is_page() => {
                is_seen(&node, SeenLevel::Read) && self.site.probe_of(url).is_some_and(|probe| probe.sketch.is_some())
            }
            RequiredCoverage::Probe => {
                is_seen(&node, SeenLevel::Read)
                    && (node.fetch_status != NodeStatus::Redirect || self.site.probe_of(url).is_some())
            }
            RequiredCoverage::Leads(seen) => {
                is_seen(&node, SeenLevel::Read) && self.leads(url).all(|led| is_seen(&led, seen))
            }
            RequiredCoverage::Known => {
                let linked = self.site.inlinks(url).clicked() > 0;
                is_seen(&node, SeenLevel::Read) && (linked || self.has_read_all_files())
            }
            RequiredCoverage::Listed(seen) => is_seen(&node, seen) && self.published.is_complete(),
            RequiredCoverage::Omitted => {
                let is_left_out = node.is_page() && node.reason == Some(Reason::NoList);
                is_seen(&node, SeenLevel::Read) && self.published.is_complete() && !is_left_out
            }
        }
    }

    /// Returns true if only a redirect that failed in this run led to a URL: it was requested because an earlier run
    /// had followed that redirect.
    fn is_led_to_as_before(&self, url: UrlNo, node: &Node) -> bool {
        let led = self.redirected_to.contains_key(&url) || self.site.inlinks(url).followed > 0;
        node.via == Some(Via::Redirect) && !led
    }

    /// Returns the URLs that a page or a redirect leads to, which its findings are about.
    fn leads(&self, url: UrlNo) -> impl Iterator<Item = Node> {
        let canonical = self.site.node(url).canonical;
        let canonicals = canonical.into_iter().flat_map(|to| std::iter::once(to).chain(self.site.chain(to).urls));
        let alternates =
            self.site.page_content(url).into_iter().flat_map(|said| said.alternates.iter().filter_map(|to| to.url));
        let urls = self.site.chain(url).urls.into_iter().chain(canonicals).chain(alternates);
        urls.map(|url| self.site.node(url))
    }

    /// Returns true if this run could check the findings about a robots file: one that does not exist has no faults,
    /// and one that cannot be fetched says nothing.
    fn judges_robots(&self, needs: RequiredCoverage, url: UrlNo) -> bool {
        let robots_file =
            if url == UrlNo::MAX || self.site.starts.contains(&url) { self.start_robots() } else { Some(url) };
        let Some(robots) = robots_file else { return self.complete };
        if needs == RequiredCoverage::RobotsAndSitemaps {
            return self.published.is_complete();
        }
        let end = self.site.robots_end(robots).unwrap_or(robots);
        match self.site.robots_failed.get(&end).filter(|_| self.site.is_own_robots(robots)) {
            Some((fetch_status, status)) => {
                fetch_status.is_absent(*status) || needs == RequiredCoverage::RobotsResponse
            }
            None => self.complete || self.site.has_read_robots(end),
        }
    }

    fn start_robots(&self) -> Option<UrlNo> {
        let start = PageUrl::recorded(self.site.text(*self.site.starts.first()?))?;
        self.site.urls.number(&format!("{}/robots.txt", start.origin()))
    }

    fn judges_external(&self, url: UrlNo) -> bool {
        if self.site.inlinks(url).all() == 0 && !self.redirected_to.contains_key(&url) {
            return self.complete && !self.hidden.contains(&url);
        }
        let last = self.site.external_chain(url).last().unwrap_or(url);
        is_answered(&self.site.external.get(&last).copied().unwrap_or_else(|| self.site.node(last)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::check;

    #[test]
    fn a_feed_that_the_user_left_out_hides_its_entries() {
        let mut site = crate::site::builder::builder().links("/", &[]).site();
        assert_eq!(hides(&site, Via::Feed, 0), Some(false), "nothing names it any more");
        site.feeds_over_limit = true;
        assert_eq!(hides(&site, Via::Feed, 0), Some(true));
    }

    #[test]
    fn a_run_that_does_not_obey_robots_txt_does_not_judge_what_that_disallows() {
        let mut site = crate::site::builder::builder().links("/", &["/x"]).links("/x", &[]).site();
        let (options, inconclusive) = (Options::default(), Inconclusive::default());
        let judges = |site: &Site, code: &str| {
            let (published, redirected_to) = (site.published(), site.redirected_to());
            let (complete, hidden, linked_unseen) = (true, HashSet::new(), HashSet::new());
            Coverage {
                site,
                options: &options,
                published,
                complete,
                hidden,
                linked_unseen,
                redirected_to,
                inconclusive: &inconclusive,
            }
            .judges(check(code), "http://example.com/x")
        };
        assert!(judges(&site, "robots-blocked-linked"));
        site.ignores_robots = true;
        assert!(!judges(&site, "robots-blocked-linked") && judges(&site, "noindex"));
    }
}
