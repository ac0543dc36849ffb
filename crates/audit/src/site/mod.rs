//! The site as a run saw it: what findings are read from.

mod alternates;
mod clicks;
pub(crate) mod fragments;
mod links;
mod load;
#[cfg(test)]
pub(crate) mod made;
mod node;
pub(crate) mod parameters;
mod published;
mod recalled;
mod robots;
mod said;
mod tested;
mod urls;
mod ways;

pub use fragments::MissingFragments;
pub(crate) use fragments::fragment;
pub use links::{Inlinks, Link, Links};
pub use load::load;
pub use node::{Fate, Node};
pub use parameters::UrlParameter;
pub use published::{Published, Unread};
pub use said::{Alternate, Canonicals, Said};
pub use urls::Urls;
pub(crate) use ways::{MOST_HOPS, Way, WayEnd, circles, follow};

use jiff::Timestamp;
use mapwright_engine::UNFINISHED;
use mapwright_web::media::Media;
use mapwright_web::page::facts::Sketch;
use mapwright_web::robots::{RobotsFault, irregular_lines};
use mapwright_web::{Origin, PageUrl, Robots};
use robots::RobotsWays;
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

/// The number of a URL in the record.
pub type UrlNo = u32;

/// An entry of one of the site's sitemaps or feeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The file.
    pub file: UrlNo,
    /// What it lists.
    pub url: UrlNo,
    /// Its date, as written.
    pub lastmod: Option<Box<str>>,
}

/// One of the site's sitemaps or feeds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct File {
    /// A feed, and no sitemap.
    pub is_feed: bool,
    /// What became of it.
    pub fate: Fate,
    /// The status, where there was an answer.
    pub status: u16,
    /// Where a redirect leads.
    pub target: Option<UrlNo>,
    /// Bytes of the decoded body.
    pub bytes: u64,
    /// When it was asked for.
    pub at: Timestamp,
    /// Rules of the protocol that it breaks: rule, place, what, count.
    pub faults: Vec<(String, u64, String, u64)>,
}

impl File {
    /// It answered 200.
    #[must_use]
    pub fn answered(&self) -> bool {
        self.fate == Fate::File
    }

    /// It answered, and was not read to its end, or is no such file at all.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.answered() && self.faults.iter().any(|(rule, ..)| rule == UNFINISHED)
    }

    /// It answered that there is no such file.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.fate.is_absent(self.status)
    }
}

/// What the site answered to a name that cannot exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// The URL.
    pub url: UrlNo,
    /// The status.
    pub status: u16,
    /// Hash of its bytes.
    pub hash: u64,
    /// The sketch of its text.
    pub sketch: Option<Sketch>,
    /// Its title.
    pub title: Option<Box<str>>,
    /// Bytes of visible text.
    pub text_bytes: u32,
    /// Where it redirects to.
    pub target: Option<UrlNo>,
}

impl Probe {
    /// It says what the site gives for such names: an error of the server, silence, and the wish to be left alone do not.
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
    /// Its rules, which were kept to while the site was crawled.
    pub rules: Robots,
    /// Lines that are no rules.
    pub faults: Vec<RobotsFault>,
    /// It is a web page.
    pub looks_like_html: bool,
    /// It is longer than is read.
    pub is_cut: bool,
}

impl RobotsFile {
    /// What the file at `url` says.
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
    /// The URLs' texts.
    pub urls: Urls,
    /// What became of them, by number.
    pub nodes: Vec<Node>,
    /// What the pages say, by their order in the record.
    pub said: Vec<Said>,
    /// Who links to whom.
    pub links: Links,
    /// How many link to each URL, by number.
    pub inlinks: Vec<Inlinks>,
    /// Start URLs.
    pub starts: Vec<UrlNo>,
    /// Where visitors come in: the start URLs; where there are none, those of the list.
    pub entrances: Vec<UrlNo>,
    /// When the run began.
    pub started: Timestamp,
    /// Entries of sitemaps and feeds.
    pub entries: Vec<Entry>,
    /// Sitemaps and feeds.
    pub files: BTreeMap<UrlNo, File>,
    /// Sitemap files that were not asked for, because they lay beyond the limits of number and nesting.
    pub sitemaps_beyond: u64,
    /// Feeds may be there that were not asked for, by what the user chose.
    pub feeds_beyond: bool,
    /// What robots.txt says was not obeyed.
    pub ignores_robots: bool,
    /// The run followed links that say nofollow.
    pub follows_nofollow: bool,
    /// Robots files that were read.
    pub robots: BTreeMap<UrlNo, RobotsFile>,
    /// What became of requests for robots.txt that brought none: fate and status.
    pub robots_failed: BTreeMap<UrlNo, (Fate, u16)>,
    /// Where requests for robots.txt were redirected to.
    pub robots_hops: BTreeMap<UrlNo, UrlNo>,
    /// What sites answered to names that cannot exist, by origin.
    pub probes: HashMap<Origin, Probe>,
    /// What became of other sites' URLs that were asked for.
    pub external: BTreeMap<UrlNo, Node>,
    /// What went wrong, in words.
    pub details: HashMap<UrlNo, String>,
    /// The lines of robots.txt that disallow: number and text.
    pub rules: HashMap<UrlNo, (u32, String)>,
    /// Media types that are missing or belied.
    pub odd_media: BTreeMap<UrlNo, Media>,
    /// Elements that links name and their targets lack.
    pub missing_fragments: BTreeMap<UrlNo, MissingFragments>,
    /// Pages that were seen to change between two runs, and when they were last seen before.
    pub changed_after: HashMap<UrlNo, Timestamp>,
    /// URL parameters whose roles are certain, such as waste requests first.
    pub parameters: Vec<UrlParameter>,
    /// The token that robots.txt is asked with.
    pub agent: String,
    /// Redirects in a row that the crawl followed (`--max-redirects`).
    pub max_redirects: usize,
    /// What follows from the rest, made when it is first asked for: by then nothing of the rest changes any more.
    pub(crate) robots_ways: OnceLock<RobotsWays>,
    /// The same.
    pub(crate) published: OnceLock<Published>,
}

impl Site {
    /// What became of a URL.
    #[must_use]
    pub fn node(&self, url: UrlNo) -> Node {
        self.nodes.get(url as usize).copied().unwrap_or_default()
    }

    /// What a page says; nothing for what is none.
    #[must_use]
    pub fn said(&self, url: UrlNo) -> Option<&Said> {
        self.said.get(self.node(url).said? as usize)
    }

    /// Who links to a URL.
    #[must_use]
    pub fn inlinks(&self, url: UrlNo) -> Inlinks {
        self.inlinks.get(url as usize).copied().unwrap_or_default()
    }

    /// A URL as text.
    #[must_use]
    pub fn text(&self, url: UrlNo) -> &str {
        self.urls.text(url)
    }

    /// Every URL of the run, with what became of it.
    pub fn nodes(&self) -> impl Iterator<Item = (UrlNo, &Node)> {
        (0..).zip(&self.nodes).filter(|(_, node)| node.fate != Fate::Unknown)
    }

    /// The pages that answered 200, with what they say.
    pub fn pages(&self) -> impl Iterator<Item = (UrlNo, &Node, &Said)> {
        self.nodes().filter(|(_, node)| node.is_page()).filter_map(|(url, node)| {
            let said = self.said.get(node.said? as usize)?;
            Some((url, node, said))
        })
    }

    /// Whether a URL is a start URL, or what one redirects to.
    #[must_use]
    pub fn is_start(&self, url: UrlNo) -> bool {
        self.starts.iter().any(|start| *start == url || self.way(*start).last() == Some(url))
    }

    /// Whether a URL lies on the origin that the crawl starts at, which is what "the site" stands for.
    #[must_use]
    pub fn is_at_home(&self, url: UrlNo) -> bool {
        let origin = |url: UrlNo| PageUrl::recorded(self.text(url)).map(|url| url.origin());
        self.starts.first().is_some_and(|start| origin(*start).is_some() && origin(*start) == origin(url))
    }

    /// What the host of a URL said of names that cannot exist, if it was asked and said so.
    #[must_use]
    pub fn probe_of(&self, url: UrlNo) -> Option<&Probe> {
        let text = PageUrl::recorded(self.text(url))?;
        self.probes.get(&text.origin()).filter(|probe| probe.is_answered())
    }

    /// The sitemaps that the site publishes.
    #[must_use]
    pub fn published(&self) -> &Published {
        self.published.get_or_init(|| Published::of(self))
    }

    /// The sitemap files (feeds apart) that list a URL.
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
