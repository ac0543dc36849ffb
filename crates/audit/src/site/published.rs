//! The sitemaps that the site publishes: named by robots.txt or by an index, or found at the usual place.

use super::site_sitemaps::Named;
use super::{File, NodeStatus, Site, SiteSitemaps, UnreadSitemap, UrlNo};
use mapwright_model::Via;
use mapwright_sitemap::CheckRule;
use mapwright_web::{PageUrl, origin_of};
use std::collections::{BTreeSet, HashMap, HashSet};

impl Site {
    /// Returns the sitemaps that the site publishes.
    #[must_use]
    pub fn published(&self) -> &SiteSitemaps {
        self.published.get_or_init(|| SiteSitemaps::of(self))
    }
}

impl SiteSitemaps {
    fn of(site: &Site) -> Self {
        let named = Named::of(site);
        let guesses = guesses(site, &named);
        let mut published = Self { may_be_incomplete: may_lack(site, &named), named, ..Self::default() };
        let redirected: BTreeSet<UrlNo> = site.files.values().filter_map(|file| file.target).collect();
        let holders = holders(site);
        for (url, file) in site.files.iter().filter(|(_, file)| !file.is_feed) {
            let (url, is_guess) = (*url, guesses.contains(url));
            if file.answered() {
                let is_one = !is_guess || is_sitemap(file, holders.contains(&url));
                published.read.extend(is_one.then_some(url));
                published.may_be_incomplete |= is_one && file.is_unfinished();
            }
            let chain = site.file_chain(url).urls;
            let end = chain.last().map_or(Some(file), |last| site.files.get(last));
            if end.is_some_and(File::answered) {
                continue;
            }
            // A guessed sitemap need not exist.
            published.may_be_incomplete |= !is_guess || !end.unwrap_or(file).is_absent();
            let is_first = !redirected.contains(&url) || published.named.by.contains_key(site.text(url));
            let endless = file.fetch_status == NodeStatus::Redirect
                && end.is_none_or(|end| end.fetch_status == NodeStatus::Redirect);
            published.unread.extend((is_first && !is_guess).then_some(UnreadSitemap { url, chain, endless }));
        }
        published
    }
}

impl Named {
    fn of(site: &Site) -> Self {
        let mut named = Self::default();
        for (end, file) in &site.robots {
            let is_own = !site.robots_led_to(*end).is_empty();
            let origins = || site.all_robots_led_to(*end).map(|robots| origin_of(site.text(robots)).into()).collect();
            for line in &file.sitemaps {
                let joined = file.url.as_url().join(line).ok();
                let Some(url) = joined.and_then(|url| PageUrl::recorded(url.as_str())) else { continue };
                if let Some(sitemap) = site.urls.number(url.as_str()).filter(|url| site.files.contains_key(url)) {
                    named.origins.entry(*end).or_insert_with(origins);
                    named.files.entry(sitemap).or_default().insert(*end);
                }
                if is_own {
                    named.by.entry(url.as_str().to_owned()).or_insert_with(|| file.url.as_str().to_owned());
                }
            }
        }
        named.propagate(&led_to(site));
        named
    }

    /// Adds the robots files that name an index or a redirect to the files that it leads to.
    fn propagate(&mut self, led_to: &HashMap<UrlNo, Vec<UrlNo>>) {
        let mut waiting: Vec<UrlNo> = self.files.keys().copied().collect();
        while let Some(from) = waiting.pop() {
            let naming = self.files.get(&from).cloned().unwrap_or_default();
            for file in led_to.get(&from).into_iter().flatten() {
                let known = self.files.entry(*file).or_default();
                let before = known.len();
                known.extend(&naming);
                // A file that gained no robots file passes none on, so the walk ends even in circles.
                waiting.extend((known.len() > before).then_some(*file));
            }
        }
    }
}

/// Returns the files that each index or redirect leads to.
fn led_to(site: &Site) -> HashMap<UrlNo, Vec<UrlNo>> {
    let mut led_to: HashMap<UrlNo, Vec<UrlNo>> = HashMap::new();
    for (url, file) in &site.files {
        if let Some(parent) = site.node(*url).found_on.filter(|parent| site.files.contains_key(parent)) {
            led_to.entry(parent).or_default().push(*url);
        }
        led_to.entry(*url).or_default().extend(file.target);
    }
    led_to
}

/// Returns true if there may be sitemaps that were not requested: beyond a limit, or named by a robots file that could
/// not be fetched.
fn may_lack(site: &Site, named: &Named) -> bool {
    let is_requested = |text: &String| site.urls.number(text).is_some_and(|url| site.files.contains_key(&url));
    let lost = site.robots_failed.iter().filter(|(_, (fetch_status, status))| !fetch_status.is_absent(*status));
    let mut lost = lost.filter(|(url, _)| !site.robots_led_to(**url).is_empty());
    site.sitemaps_over_limit > 0 || lost.next().is_some() || !named.by.keys().all(is_requested) || leads_on(site)
}

/// Returns true if an index names files that were not requested, because the budget of URLs was spent.
fn leads_on(site: &Site) -> bool {
    let listing: HashSet<UrlNo> = site.entries.iter().map(|entry| entry.file).collect();
    let is_index = |file: &UrlNo| site.files.contains_key(file) && !listing.contains(file);
    site.nodes().any(|(url, node)| {
        let is_named = node.via == Some(Via::Sitemap) && node.found_on.as_ref().is_some_and(is_index);
        is_named && !site.files.contains_key(&url)
    })
}

/// Returns the files that were requested only because sitemaps usually have that name, and the files that they redirect
/// to.
fn guesses(site: &Site, named: &Named) -> BTreeSet<UrlNo> {
    let is_named = |url: UrlNo| named.by.contains_key(site.text(url));
    let is_usual = |url: UrlNo| {
        let is_place = PageUrl::recorded(site.text(url)).is_some_and(|url| url.path_and_query() == "/sitemap.xml");
        is_place && site.node(url).via != Some(Via::Sitemap)
    };
    let mut guesses = BTreeSet::new();
    for url in site.files.keys().copied().filter(|url| !is_named(*url) && is_usual(*url)) {
        guesses.insert(url);
        guesses.extend(site.file_chain(url).urls.into_iter().filter(|url| !is_named(*url)));
    }
    guesses
}

/// Returns true if a file is a sitemap by its content: entries, further files, or at least the root element of one.
fn is_sitemap(file: &File, holds: bool) -> bool {
    let frameless =
        [CheckRule::NotWellFormed, CheckRule::Root, CheckRule::TextLine, CheckRule::Gzip, CheckRule::Unreadable]
            .map(CheckRule::code);
    holds || (file.bytes > 0 && !file.faults.iter().any(|(code, ..)| frameless.contains(&code.as_str())))
}

/// Returns the files that hold entries or further files.
fn holders(site: &Site) -> HashSet<UrlNo> {
    let parent = |file: &UrlNo| site.node(*file).found_on.filter(|parent| parent != file);
    site.entries.iter().map(|entry| entry.file).chain(site.files.keys().filter_map(parent)).collect()
}
