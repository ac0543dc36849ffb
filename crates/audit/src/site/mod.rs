//! The site as a run saw it, from which findings are read.

mod alternates;
#[cfg(test)]
pub(crate) mod builder;
mod chains;
mod clicks;
pub(crate) mod fragments;
mod links;
mod load;
mod node;
mod page_content;
pub(crate) mod parameters;
mod published;
mod recalled;
mod robots;
mod tested;
mod urls;

pub(crate) use chains::{Chain, ChainEnd, MAX_HOPS, cycles, follow};
pub use fragments::MissingFragments;
pub(crate) use fragments::fragment;
pub use links::{Inlinks, LinkSets, SiteLink};
pub use load::load;
pub use node::{Node, NodeStatus};
pub use page_content::{Alternate, Canonicals, PageContent};
pub use parameters::UrlParameter;
pub use published::{SiteSitemaps, UnreadSitemap};
pub use urls::Urls;

use jiff::Timestamp;
use mapwright_model::UNFINISHED;
use mapwright_web::media::Media;
use mapwright_web::page::facts::Sketch;
use mapwright_web::robots::{RobotsFault, irregular_lines};
use mapwright_web::{Origin, PageUrl, Robots};
use robots::RobotsChains;
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

/// The number of a URL in the record.
pub type UrlNo = u32;

/// An entry of one of the site's sitemaps or feeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedEntry {
    /// The file.
    pub file: UrlNo,
    /// The URL that it lists.
    pub url: UrlNo,
    /// Its date, as written.
    pub lastmod: Option<Box<str>>,
}

/// One of the site's sitemaps or feeds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct File {
    /// It is a feed, not a sitemap.
    pub is_feed: bool,
    /// Its fetch status.
    pub fetch_status: NodeStatus,
    /// The HTTP status, if there was an answer.
    pub status: u16,
    /// The target of its redirect.
    pub target: Option<UrlNo>,
    /// Bytes of the decoded body.
    pub bytes: u64,
    /// The time of its request.
    pub at: Timestamp,
    /// The protocol rules that it breaks: rule, line, detail, count.
    pub faults: Vec<(String, u64, String, u64)>,
}

impl File {
    /// Returns true if it answered 200.
    #[must_use]
    pub fn answered(&self) -> bool {
        self.fetch_status == NodeStatus::File
    }

    /// Returns true if it answered but was not read to its end, or is not such a file.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.answered() && self.faults.iter().any(|(rule, ..)| rule == UNFINISHED)
    }

    /// Returns true if it answered that there is no such file.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.fetch_status.is_absent(self.status)
    }
}

/// The site's answer to the probe of a name that cannot exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// The URL.
    pub url: UrlNo,
    /// The status.
    pub status: u16,
    /// The hash of its bytes.
    pub hash: u64,
    /// The sketch of its text.
    pub sketch: Option<Sketch>,
    /// Its title.
    pub title: Option<Box<str>>,
    /// Bytes of visible text.
    pub text_bytes: u32,
    /// The target of its redirect.
    pub target: Option<UrlNo>,
}

impl Probe {
    /// Returns true if it shows how the site answers for such names: a server error, no answer and throttling do not.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        (200..500).contains(&self.status) && self.status != 429
    }
}

/// A robots.txt that was read.
#[derive(Debug)]
pub struct RobotsFile {
    /// Its URL.
    pub url: PageUrl,
    /// Values of its `Sitemap:` lines.
    pub sitemaps: Box<[String]>,
    /// Its rules, which the crawl obeyed.
    pub rules: Robots,
    /// Lines that are not rules.
    pub faults: Vec<RobotsFault>,
    /// It is a web page.
    pub looks_like_html: bool,
    /// It is longer than the limit, and was read in part.
    pub is_cut: bool,
}

impl RobotsFile {
    /// Parses the file at `url`.
    pub(crate) fn read(url: PageUrl, text: &str) -> Self {
        let robots = Robots::compile(text.as_bytes());
        Self {
            url,
            sitemaps: robots.sitemaps().into(),
            faults: irregular_lines(text.as_bytes()),
            looks_like_html: robots.looks_like_html(),
            is_cut: robots.is_cut(),
            rules: robots,
        }
    }
}

/// Everything that a run saw of a site.
#[derive(Debug, Default)]
pub struct Site {
    /// The texts of the URLs.
    pub urls: Urls,
    /// The state of each URL, by number.
    pub nodes: Vec<Node>,
    /// The content of the pages, in their order in the record.
    pub page_contents: Vec<PageContent>,
    /// The links between pages.
    pub links: LinkSets,
    /// The inlinks of each URL, by number.
    pub inlinks: Vec<Inlinks>,
    /// Start URLs.
    pub starts: Vec<UrlNo>,
    /// The entry pages of visitors: the start URLs; without them, the URLs of the list.
    pub entrances: Vec<UrlNo>,
    /// The time at which the run began.
    pub started: Timestamp,
    /// Entries of sitemaps and feeds.
    pub entries: Vec<ListedEntry>,
    /// Sitemaps and feeds.
    pub files: BTreeMap<UrlNo, File>,
    /// The number of sitemap files that were not requested, because they lay beyond the limits of number and nesting.
    pub sitemaps_over_limit: u64,
    /// There may be feeds that were not requested, because of the user's settings.
    pub feeds_over_limit: bool,
    /// The run ignored robots.txt.
    pub ignores_robots: bool,
    /// The run followed links that say nofollow.
    pub follows_nofollow: bool,
    /// Robots files that were read.
    pub robots: BTreeMap<UrlNo, RobotsFile>,
    /// The results of failed requests for robots.txt: fetch status and HTTP status.
    pub robots_failed: BTreeMap<UrlNo, (NodeStatus, u16)>,
    /// The targets of redirected requests for robots.txt.
    pub robots_hops: BTreeMap<UrlNo, UrlNo>,
    /// The answers of sites to the probe of a name that cannot exist, by origin.
    pub probes: HashMap<Origin, Probe>,
    /// The results of requests for URLs of other sites.
    pub external: BTreeMap<UrlNo, Node>,
    /// Details of failures, in words.
    pub details: HashMap<UrlNo, String>,
    /// The lines of robots.txt that disallow URLs: number and text.
    pub rules: HashMap<UrlNo, (u32, String)>,
    /// Media types that are missing, or contradicted by the content.
    pub odd_media: BTreeMap<UrlNo, Media>,
    /// Elements that links name and that are missing on their targets.
    pub missing_fragments: BTreeMap<UrlNo, MissingFragments>,
    /// Pages that changed between two runs, and the time at which each was last seen unchanged.
    pub changed_after: HashMap<UrlNo, Timestamp>,
    /// URL parameters whose roles are certain; those that waste requests come first.
    pub parameters: Vec<UrlParameter>,
    /// The product token that robots.txt is matched against.
    pub agent: String,
    /// Redirects in a row that the crawl followed (`--max-redirects`).
    pub max_redirects: usize,
    /// The redirects of robots files, computed on first use, when the rest does not change any more.
    pub(crate) robots_chains: OnceLock<RobotsChains>,
    /// The published sitemaps, computed on first use too.
    pub(crate) published: OnceLock<SiteSitemaps>,
}

impl Site {
    /// Returns the state of a URL.
    #[must_use]
    pub fn node(&self, url: UrlNo) -> Node {
        self.nodes.get(url as usize).copied().unwrap_or_default()
    }

    /// Returns the content of a page; none for a URL that is not a page.
    #[must_use]
    pub fn page_content(&self, url: UrlNo) -> Option<&PageContent> {
        self.page_contents.get(self.node(url).content_index? as usize)
    }

    /// Returns the inlinks of a URL.
    #[must_use]
    pub fn inlinks(&self, url: UrlNo) -> Inlinks {
        self.inlinks.get(url as usize).copied().unwrap_or_default()
    }

    /// Returns the text of a URL.
    #[must_use]
    pub fn text(&self, url: UrlNo) -> &str {
        self.urls.text(url)
    }

    /// Returns every URL of the run, with its state.
    pub fn nodes(&self) -> impl Iterator<Item = (UrlNo, &Node)> {
        (0..).zip(&self.nodes).filter(|(_, node)| node.fetch_status != NodeStatus::Unknown)
    }

    /// Returns the pages that answered 200, with their content.
    pub fn pages(&self) -> impl Iterator<Item = (UrlNo, &Node, &PageContent)> {
        self.nodes().filter(|(_, node)| node.is_page()).filter_map(|(url, node)| {
            let page_contents = self.page_contents.get(node.content_index? as usize)?;
            Some((url, node, page_contents))
        })
    }

    /// Returns true for a start URL, and for the final target of one that redirects.
    #[must_use]
    pub fn is_start(&self, url: UrlNo) -> bool {
        self.starts.iter().any(|start| *start == url || self.chain(*start).last() == Some(url))
    }

    /// Returns true if a URL is on the origin of the first start URL, which "the site" stands for.
    #[must_use]
    pub fn is_on_start_origin(&self, url: UrlNo) -> bool {
        let origin = |url: UrlNo| PageUrl::recorded(self.text(url)).map(|url| url.origin());
        self.starts.first().is_some_and(|start| origin(*start).is_some() && origin(*start) == origin(url))
    }

    /// Returns the probe of a URL's origin, if it was requested and is conclusive.
    #[must_use]
    pub fn probe_of(&self, url: UrlNo) -> Option<&Probe> {
        let text = PageUrl::recorded(self.text(url))?;
        self.probes.get(&text.origin()).filter(|probe| probe.is_answered())
    }

    /// Returns the sitemaps that the site publishes.
    #[must_use]
    pub fn published(&self) -> &SiteSitemaps {
        self.published.get_or_init(|| SiteSitemaps::of(self))
    }

    /// Returns, for each URL, the sitemap files (without feeds) that list it.
    pub fn listed_in(&self) -> HashMap<UrlNo, Vec<UrlNo>> {
        let mut files: HashMap<UrlNo, Vec<UrlNo>> = HashMap::new();
        for entry in &self.entries {
            if self.files.get(&entry.file).is_some_and(|file| !file.is_feed) {
                let known = files.entry(entry.url).or_default();
                if known.last() != Some(&entry.file) {
                    known.push(entry.file);
                }
            }
        }
        files
    }
}
