//! A possible crawl: the pages of the web, the responses to their requests, and the rules of the scheduler.

use mapwright_frontier::{PaceRules, Rules};
use mapwright_model::{Lane, Purpose};
use proptest::prelude::*;
use std::time::Duration;

pub(crate) const RETRY_AFTER_CAP: Duration = Duration::from_secs(60);
pub(crate) const CRAWL_DELAY_CAP: Duration = Duration::from_secs(10);

#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub concurrency: usize,
    pub interval: u64,
    pub retries: u8,
    pub max_urls: Option<u64>,
    pub by_depth: bool,
    /// Places of the entire crawl.
    pub room: usize,
    pub(crate) origins: Vec<OriginPlan>,
    pub(crate) pages: Vec<PagePlan>,
    /// This page leads to this many more on its own origin: more than a window holds.
    pub flood: Option<(usize, u16)>,
    /// Decides the order in which reads, commits and leases interleave.
    pub chaos: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct OriginPlan {
    pub robots: RobotsPlan,
    /// Redirects on the way to robots.txt.
    pub hops: u8,
    /// Every try but the last allowed one fails.
    pub failing: bool,
    /// No response head after this many requests for pages.
    pub dies_after: Option<u16>,
}

#[derive(Debug, Clone)]
pub(crate) enum RobotsPlan {
    Free,
    /// `/private` is disallowed, with this `Crawl-delay`, if any.
    Rules(Option<u16>),
    Status,
    Silent,
}

#[derive(Debug, Clone)]
pub(crate) struct PagePlan {
    pub origin: usize,
    /// Found on this page, taken modulo the number of pages before it.
    pub parent: usize,
    pub kind: Kind,
    pub private: bool,
    /// Failures before it responds.
    pub failures: Vec<Failure>,
    /// The page that links to it, if it is only listed at first.
    pub linked_by: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Redirect,
    Link,
    /// Queued among the links, at the depth of the page that names it.
    Canonical,
    Listed,
    Sitemap,
    InvitedSitemap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    Silence,
    Reset,
    Throttled(Option<u16>),
    /// The response set a cookie and redirected to itself.
    Cookie,
}

impl Kind {
    pub(crate) fn lane(self) -> Lane {
        match self {
            Self::Redirect => Lane::Redirect,
            Self::Link | Self::Canonical => Lane::Link,
            Self::Listed => Lane::Listed,
            Self::Sitemap | Self::InvitedSitemap => Lane::Prerequisite,
        }
    }

    pub(crate) fn purpose(self) -> Purpose {
        if matches!(self, Self::Sitemap | Self::InvitedSitemap) { Purpose::Sitemap } else { Purpose::Page }
    }
}

impl Plan {
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            pace: PaceRules {
                concurrency: self.concurrency,
                interval: Duration::from_millis(self.interval),
                max_crawl_delay: CRAWL_DELAY_CAP,
                max_retry_after: RETRY_AFTER_CAP,
            },
            retries: self.retries,
            max_urls: self.max_urls,
            by_depth: self.by_depth,
            ..Rules::default()
        }
    }

    pub(crate) fn order_matters(&self) -> bool {
        self.max_urls.is_some() || self.by_depth
    }

    /// Returns the page on which page `at` is found; start pages are found on none.
    pub(crate) fn parent(&self, at: usize) -> Option<usize> {
        if at == 0 || self.pages[at].kind == Kind::Redirect && at < 3 { None } else { Some(self.pages[at].parent % at) }
    }
}

pub(crate) fn plans() -> impl Strategy<Value = Plan> {
    let rules = (
        1_usize..=9,
        prop_oneof![4 => Just(0_u64), 1 => Just(40), 1 => Just(700)],
        0_u8..=3,
        prop_oneof![3 => Just(None), 1 => (1_u64..60).prop_map(Some)],
        prop::bool::weighted(0.3),
        1_usize..=16,
    );
    let web = (
        prop::collection::vec(origin(), 1..=4),
        prop::collection::vec(page(), 1..60),
        prop::option::weighted(0.25, (0_usize..60, 500_u16..1500)),
        any::<u64>(),
    );
    (rules, web).prop_map(|(rules, (origins, mut pages, flood, chaos))| {
        let (concurrency, interval, retries, max_urls, by_depth, room) = rules;
        pages[0].kind = Kind::Redirect;
        let flood = flood.map(|(page, count)| (page % pages.len(), count));
        Plan { concurrency, interval, retries, max_urls, by_depth, room, origins, pages, flood, chaos }
    })
}

fn origin() -> impl Strategy<Value = OriginPlan> {
    let robots = prop_oneof![
        3 => Just(RobotsPlan::Free),
        3 => prop::option::weighted(0.3, prop_oneof![Just(1_u16), Just(2), Just(5000)]).prop_map(RobotsPlan::Rules),
        1 => Just(RobotsPlan::Status),
        1 => Just(RobotsPlan::Silent),
    ];
    let hops = prop_oneof![3 => Just(0_u8), 1 => 1_u8..=7];
    (robots, hops, prop::bool::weighted(0.2), prop::option::weighted(0.1, 0_u16..40))
        .prop_map(|(robots, hops, failing, dies_after)| OriginPlan { robots, hops, failing, dies_after })
}

fn page() -> impl Strategy<Value = PagePlan> {
    let kind = prop_oneof![
        1 => Just(Kind::Redirect),
        6 => Just(Kind::Link),
        1 => Just(Kind::Canonical),
        3 => Just(Kind::Listed),
        2 => Just(Kind::Sitemap),
        1 => Just(Kind::InvitedSitemap),
    ];
    let failure = prop_oneof![
        Just(Failure::Silence),
        Just(Failure::Reset),
        prop::option::of(0_u16..90).prop_map(Failure::Throttled),
        Just(Failure::Cookie),
    ];
    let failures = prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(failure, 1..=4)];
    let linked_by = prop::option::weighted(0.2, 0_usize..60);
    (0_usize..4, 0_usize..60, kind, prop::bool::weighted(0.15), failures, linked_by).prop_map(
        |(origin, parent, kind, private, failures, linked_by)| PagePlan {
            origin,
            parent,
            kind,
            private,
            failures,
            linked_by,
        },
    )
}
