//! What a run could see: what it did not judge is not mended, and stays as it was.

mod basis;
mod hidden;
mod seen;
mod veiled;

pub(crate) use veiled::{Sought, Veiled};

use crate::audit::Options;
use crate::code::Code;
use crate::site::{Fate, Node, Published, Site, UrlNo};
use basis::{Basis, basis, is_listed, is_not_asked, may_be_refuted_behind, rests_on_links, speaks_of_robots};
use hidden::{Subjects, hidden, parents};
use mapwright_frontier::Via;
use mapwright_store::{Record, StoreError};
use mapwright_web::PageUrl;
use seen::{Seen, is_answered, is_asked, is_closed, is_seen, is_unread};
use std::collections::{HashMap, HashSet};

/// What a run could see.
pub(crate) struct Sight<'a> {
    site: &'a Site,
    options: &'a Options,
    published: &'a Published,
    /// Every page that was read once was read again, or is gone.
    whole: bool,
    /// URLs that this run did not meet and that may be there still.
    hidden: HashSet<UrlNo>,
    /// URLs to which pages linked that this run did not read, though they may be there still.
    linked_unseen: HashSet<UrlNo>,
    /// URLs to which redirects of the site lead, each with one that does.
    redirected_to: HashMap<UrlNo, UrlNo>,
    /// What may be otherwise, by pages that were not read.
    veiled: &'a Veiled,
}

impl<'a> Sight<'a> {
    /// What the newest run could see of what the audit of the run `before` saw.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(crate) fn of(
        site: &'a Site,
        options: &'a Options,
        record: &Record,
        before: i64,
        veiled: &'a Veiled,
    ) -> Result<Self, StoreError> {
        let mut whole = true;
        if site.nodes().any(|(_, node)| is_unread(node)) {
            record.each_remembered(|url| whole &= !is_unread(&site.node(url)))?;
        }
        let Subjects { unmet, linked } = Subjects::since(site, record, before)?;
        let parents = parents(site, record, unmet, before)?;
        let (published, redirected_to) = (site.published(), site.redirected_to());
        let hidden = hidden(&parents, |via, parent| hides(site, via, parent));
        let linked_unseen = veiled::linked_unseen(site, record, linked)?;
        Ok(Self { site, options, published, whole, hidden, linked_unseen, redirected_to, veiled })
    }

    /// Whether all sitemaps and feeds could be read.
    fn has_read_all_files(&self) -> bool {
        let feeds = || self.site.files.iter().filter(|(_, file)| file.is_feed);
        self.published.is_whole() && !self.site.feeds_beyond && feeds().all(|(url, _)| has_read(self.site, *url))
    }

    /// Whether this run would have found this, were it there: a kind of finding, and what it is about in one text.
    pub(crate) fn judges(&self, code: Code, subject: &str) -> bool {
        let element = subject.split_once('#').filter(|_| code == Code::BrokenFragment);
        let url = self.site.urls.number(element.map_or(subject, |(page, _)| page)).unwrap_or(UrlNo::MAX);
        // Of a page that lacks very many elements only the first are told.
        let missing = self.site.missing_fragments.get(&url);
        let is_known = element.is_none_or(|(_, name)| missing.is_none_or(|missing| missing.knows(name)));
        let is_told = self.options.severities.of(code).is_some() && !self.veiled.holds(code, url);
        is_told && is_known && self.judges_url(code, url)
    }

    fn judges_url(&self, code: Code, url: UrlNo) -> bool {
        let node = self.site.node(url);
        match basis(code) {
            Basis::Site => self.whole,
            Basis::Robots => self.judges_robots(code, url),
            Basis::File => {
                let asked = self.site.files.get(&url).is_some_and(|file| file.fate != Fate::Throttled);
                has_read(self.site, url) || (code == Code::SitemapUnreachable && asked)
            }
            Basis::External => self.judges_external(url),
            _ if self.site.ignores_robots && speaks_of_robots(code) => false,
            Basis::WhatIf if self.options.next_robots.is_none() => false,
            // What is not met any more, though what led there was read, is gone.
            _ if node.fate == Fate::Unknown => {
                let listed = self.published.is_whole() || !is_listed(code);
                listed && !self.hidden.contains(&url)
            }
            // What was asked for is not disallowed, whoever links to it.
            _ if code == Code::RobotsBlockedLinked && is_asked(&node) => true,
            _ if rests_on_links(code) && self.linked_unseen.contains(&url) => false,
            _ if code == Code::IsolatedRedirect && self.is_led_to_as_before(url, &node) => false,
            _ if is_not_asked(code, &node) || node.cut && may_be_refuted_behind(code) => false,
            Basis::WhatIf => is_seen(&node, Seen::Answered) || node.fate == Fate::Throttled,
            Basis::Answer => is_seen(&node, Seen::Answered),
            Basis::Status => is_seen(&node, Seen::Answered) && !matches!(node.fate, Fate::NoAnswer(_) | Fate::Broken),
            Basis::Page => is_seen(&node, Seen::Read),
            Basis::Time => is_seen(&node, Seen::Read) && (!node.is_page() || node.millis.is_some()),
            Basis::Probe if node.is_page() => {
                is_seen(&node, Seen::Read) && self.site.probe_of(url).is_some_and(|probe| probe.sketch.is_some())
            }
            Basis::Probe => {
                is_seen(&node, Seen::Read) && (node.fate != Fate::Redirect || self.site.probe_of(url).is_some())
            }
            Basis::Leads(seen) => is_seen(&node, Seen::Read) && self.leads(url).all(|led| is_seen(&led, seen)),
            Basis::Known => {
                let linked = self.site.inlinks(url).clicked() > 0;
                is_seen(&node, Seen::Read) && (linked || self.has_read_all_files())
            }
            Basis::Listed(seen) => is_seen(&node, seen) && self.published.is_whole(),
        }
    }

    /// Whether a redirect that failed this time is all that led to a URL: it was asked for because it was led to before.
    fn is_led_to_as_before(&self, url: UrlNo, node: &Node) -> bool {
        let led = self.redirected_to.contains_key(&url) || self.site.inlinks(url).followed > 0;
        node.via == Some(Via::Redirect) && !led
    }

    /// The URLs that a page or a redirect leads to, which its findings speak of.
    fn leads(&self, url: UrlNo) -> impl Iterator<Item = Node> {
        let canonical = self.site.node(url).canonical;
        let canonicals = canonical.into_iter().flat_map(|to| std::iter::once(to).chain(self.site.way(to).urls));
        let alternates =
            self.site.said(url).into_iter().flat_map(|said| said.alternates.iter().filter_map(|to| to.url));
        let urls = self.site.way(url).urls.into_iter().chain(canonicals).chain(alternates);
        urls.map(|url| self.site.node(url))
    }

    /// A robots file that is not there says that it is neither missing nor faulty; one that cannot be had says nothing.
    fn judges_robots(&self, code: Code, url: UrlNo) -> bool {
        let asked = if url == UrlNo::MAX || self.site.starts.contains(&url) { self.home_robots() } else { Some(url) };
        let Some(robots) = asked else { return self.whole };
        if code == Code::SitemapUnnamed {
            return self.published.is_whole();
        }
        let end = self.site.robots_end(robots).unwrap_or(robots);
        match self.site.robots_failed.get(&end).filter(|_| self.site.is_own_robots(robots)) {
            Some((fate, status)) => fate.is_absent(*status) || code == Code::RobotsUnreachable,
            None => self.whole || self.site.has_read_robots(end),
        }
    }

    fn home_robots(&self) -> Option<UrlNo> {
        let start = PageUrl::recorded(self.site.text(*self.site.starts.first()?))?;
        self.site.urls.number(&format!("{}/robots.txt", start.origin()))
    }

    fn judges_external(&self, url: UrlNo) -> bool {
        if self.site.inlinks(url).all() == 0 && !self.redirected_to.contains_key(&url) {
            return self.whole && !self.hidden.contains(&url);
        }
        let last = self.site.external_way(url).last().unwrap_or(url);
        is_answered(&self.site.external.get(&last).copied().unwrap_or_else(|| self.site.node(last)))
    }
}

/// Whether a page or a file hides what it led to, because it could not be read; not known where it was not met.
fn hides(site: &Site, via: Via, parent: UrlNo) -> Option<bool> {
    match via {
        Via::Feed if site.feeds_beyond && !site.files.contains_key(&parent) => Some(true),
        Via::Sitemap | Via::Feed => Some(!has_read(site, parent)),
        _ => is_closed(&site.node(parent)).then_some(true),
    }
}

/// Whether a sitemap or feed was read, or is not there.
fn has_read(site: &Site, file: UrlNo) -> bool {
    match site.files.get(&file) {
        Some(file) => match file.fate {
            Fate::File => !file.is_unfinished(),
            Fate::Redirect => true,
            _ => file.is_absent(),
        },
        None => site.published().is_whole(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feed_that_the_user_left_out_hides_its_entries() {
        let mut site = crate::site::made::made().links("/", &[]).site();
        assert_eq!(hides(&site, Via::Feed, 0), Some(false), "nothing names it any more");
        site.feeds_beyond = true;
        assert_eq!(hides(&site, Via::Feed, 0), Some(true));
    }

    #[test]
    fn a_run_that_does_not_obey_robots_txt_does_not_judge_what_that_disallows() {
        let mut site = crate::site::made::made().links("/", &["/x"]).links("/x", &[]).site();
        let (options, veiled) = (Options::default(), Veiled::default());
        let judges = |site: &Site, code| {
            let (published, redirected_to) = (site.published(), site.redirected_to());
            let (whole, hidden, linked_unseen) = (true, HashSet::new(), HashSet::new());
            Sight { site, options: &options, published, whole, hidden, linked_unseen, redirected_to, veiled: &veiled }
                .judges(code, "http://example.com/x")
        };
        assert!(judges(&site, Code::RobotsBlockedLinked));
        site.ignores_robots = true;
        assert!(!judges(&site, Code::RobotsBlockedLinked) && judges(&site, Code::Noindex));
    }
}
