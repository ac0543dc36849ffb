//! The site as a run saw it, from which findings are read.

mod alternates;
#[cfg(test)]
pub(crate) mod builder;
mod chains;
mod clicks;
mod file;
pub(crate) mod fragments;
mod link_texts;
mod links;
mod listings;
mod load;
mod node;
mod own_resources;
mod page_content;
pub(crate) mod parameters;
mod probe;
mod published;
mod recalled;
mod rendered_pages;
mod renderings;
mod request_dates;
mod resources;
mod robots;
mod robots_chains;
mod robots_file;
mod series;
mod site_sitemaps;
mod tested;
mod text_order;
mod url_parameter;
mod urls;

pub(crate) use chains::{Chain, ChainEnd, MAX_HOPS, cycles, follow};
pub use file::{File, ListedEntry};
pub use fragments::MissingFragments;
pub(crate) use fragments::fragment;
pub use link_texts::LinkTexts;
pub use links::{Inlinks, LinkSets, SiteLink};
pub use load::load;
pub use node::{Node, NodeStatus};
pub use own_resources::OwnResource;
pub use page_content::{Alternate, Canonicals, FirstHeadings, PageContent};
pub use probe::Probe;
pub use renderings::PageRendering;
pub(crate) use request_dates::RequestDates;
pub use resources::CodeSize;
pub use resources::Resources;
pub use robots_file::RobotsFile;
pub(crate) use series::are_neighbours;
pub use site_sitemaps::{SiteSitemaps, UnreadSitemap};
pub(crate) use text_order::TextOrder;
pub use url_parameter::UrlParameter;
pub use urls::{UrlNo, Urls};

use jiff::Timestamp;
use mapwright_web::media::Media;
use mapwright_web::{Origin, PageUrl};
use robots_chains::RobotsChains;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

/// Everything that a run saw of a site.
#[derive(Debug, Default)]
pub struct Site {
    /// The texts of the URLs.
    pub urls: Urls,
    /// The state of each URL, by number.
    pub nodes: Vec<Node>,
    /// The content of the pages, in their order in the record.
    pub page_contents: Vec<PageContent>,
    /// The pages before and after their scripts ran, for those that were rendered.
    pub renderings: BTreeMap<UrlNo, PageRendering>,
    /// The links between pages.
    pub links: LinkSets,
    /// The link sets with links whose texts say nothing.
    pub link_texts: HashMap<u32, LinkTexts>,
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
    /// Sitemaps whose dates may be the time of the request, and which gave others for unchanged pages in an earlier run.
    pub redated_sitemaps: HashSet<UrlNo>,
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
    /// The files that pages load.
    pub resources: Resources,
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
    /// The product token of the search engine whose crawler is to load the files of pages (`--search-agent`).
    pub search_agent: String,
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

    /// Returns the indexable pages whose own content counts, with their content.
    pub fn own_pages(&self) -> impl Iterator<Item = (UrlNo, &Node, &PageContent)> {
        self.pages().filter(|(url, node, _)| node.is_indexable() && node.is_own_canonical(*url))
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
