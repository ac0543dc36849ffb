//! The sitemaps that the site publishes: named by robots.txt or by an index, or found at the usual place.

use super::{Fate, Site, UrlNo};
use mapwright_frontier::Via;
use mapwright_sitemap::Rule;
use mapwright_web::PageUrl;
use std::collections::{BTreeMap, BTreeSet};

/// The sitemaps that the site publishes.
#[derive(Debug, Default)]
pub struct Published {
    /// URLs that robots files name, each with the first robots file that does.
    named: BTreeMap<String, String>,
    /// Files that were asked for only because sitemaps usually are there, and where they redirect to.
    guesses: BTreeSet<UrlNo>,
    /// Sitemaps that the site names and that could not be read.
    unread: Vec<Unread>,
    /// Sitemaps may be there that were not read, for whatever reason.
    doubt: bool,
}

/// A sitemap that the site names and that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The URL that is named.
    pub url: UrlNo,
    /// The URLs that it redirects through, the last one being where it ends.
    pub way: Vec<UrlNo>,
    /// The redirects come to no end that was asked for.
    pub endless: bool,
}

impl Published {
    pub(super) fn of(site: &Site) -> Self {
        let named = named(site);
        let guesses = guesses(site, &named);
        let mut published = Self { named, guesses, unread: Vec::new(), doubt: site.sitemaps_beyond > 0 };
        let is_asked = |text: &String| site.urls.number(text).is_some_and(|url| site.files.contains_key(&url));
        published.doubt |= !published.named.keys().all(is_asked);
        let is_lost = |(url, fate, status): &(UrlNo, Fate, u16)| {
            !is_absent(*fate, *status) && !site.robots_led_to(*url).is_empty()
        };
        published.doubt |= site.robots_failed.iter().any(is_lost);
        let redirected: BTreeSet<UrlNo> = site.files.values().filter_map(|file| file.target).collect();
        for (url, file) in site.files.iter().filter(|(_, file)| !file.is_feed) {
            let first = !redirected.contains(url) || published.named.contains_key(site.text(*url));
            let way = site.file_way(*url).urls;
            let end = way.last().and_then(|last| site.files.get(last));
            let read = if way.is_empty() { file.answered() } else { end.is_some_and(super::File::answered) };
            if read {
                continue;
            }
            if !published.guesses.contains(url) {
                published.doubt = true;
                let endless = file.fate == Fate::Redirect && end.is_none_or(|end| end.fate == Fate::Redirect);
                published.unread.extend(first.then_some(Unread { url: *url, way, endless }));
            } else if !end.or(Some(file)).is_some_and(|end| is_absent(end.fate, end.status)) {
                published.doubt = true;
            }
        }
        published
    }

    /// The robots file that names a sitemap.
    #[must_use]
    pub fn named_by(&self, sitemap: &str) -> Option<&str> {
        self.named.get(sitemap).map(String::as_str)
    }

    /// Sitemaps that the site names and that could not be read.
    #[must_use]
    pub fn unread(&self) -> &[Unread] {
        &self.unread
    }

    /// Everything that the site publishes was read, as far as is known.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.doubt
    }

    /// The sitemaps that were read. What answers at the usual place, and is no sitemap, is none: nobody said it was.
    pub fn read<'s>(&'s self, site: &'s Site) -> impl Iterator<Item = UrlNo> + 's {
        let files = site.files.iter().filter(|(_, file)| !file.is_feed && file.answered());
        files.map(|(url, _)| *url).filter(|url| !self.guesses.contains(url) || is_sitemap(site, *url))
    }
}

/// The sitemaps that robots files name, written as their URLs.
fn named(site: &Site) -> BTreeMap<String, String> {
    let mut named = BTreeMap::new();
    for file in &site.robots {
        let end = site.urls.number(file.url.as_str());
        if end.is_none_or(|end| site.robots_led_to(end).is_empty()) {
            continue;
        }
        for line in file.robots.sitemaps() {
            let joined = file.url.as_url().join(line).ok();
            if let Some(url) = joined.and_then(|url| PageUrl::recorded(url.as_str())) {
                named.entry(url.as_str().to_owned()).or_insert_with(|| file.url.as_str().to_owned());
            }
        }
    }
    named
}

fn guesses(site: &Site, named: &BTreeMap<String, String>) -> BTreeSet<UrlNo> {
    let is_usual = |url: UrlNo| {
        let is_place = PageUrl::recorded(site.text(url)).is_some_and(|url| url.path_and_query() == "/sitemap.xml");
        is_place && site.node(url).via != Some(Via::Sitemap)
    };
    let mut guesses = BTreeSet::new();
    for url in site.files.keys().filter(|url| !named.contains_key(site.text(**url)) && is_usual(**url)) {
        guesses.insert(*url);
        guesses.extend(site.file_way(*url).urls.into_iter().filter(|url| !named.contains_key(site.text(*url))));
    }
    guesses
}

/// Whether an answer says that there is no such file.
fn is_absent(fate: Fate, status: u16) -> bool {
    matches!(fate, Fate::Status) && (400..=499).contains(&status) && status != 429
}

/// Whether a file is a sitemap by what it holds: entries, further files, or at least the frame of one.
fn is_sitemap(site: &Site, url: UrlNo) -> bool {
    let holds = site.entries.iter().any(|entry| entry.file == url)
        || site.files.keys().any(|child| *child != url && site.node(*child).found_on == Some(url));
    let frameless = [Rule::NotWellFormed, Rule::Root, Rule::TextLine, Rule::Gzip, Rule::Unreadable].map(Rule::code);
    let is_framed =
        |file: &super::File| file.bytes > 0 && !file.faults.iter().any(|(code, ..)| frameless.contains(&code.as_str()));
    holds || site.files.get(&url).is_some_and(is_framed)
}
