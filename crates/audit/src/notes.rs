//! What the reader of an audit ought to know: checks that were not made, and why.

use crate::audit::Options;
use crate::site::{Fate, Site, UrlNo};
use mapwright_frontier::Unfetched;

/// Checks that were not made, and why.
///
/// `unlinked`: findings that were left out, because links that were not seen decide them.
pub(crate) fn of(site: &Site, options: &Options, unlinked: usize) -> Vec<String> {
    let all = [cut(options), throttled(site), sitemaps(site), links(unlinked), external(site)];
    all.into_iter().flatten().chain(options.unmade.iter().cloned()).collect()
}

fn cut(options: &Options) -> Option<String> {
    let note = "The crawl was cut short: pages that it did not reach are not judged, and nothing is told as fixed.";
    (!options.whole).then(|| note.to_owned())
}

fn throttled(site: &Site) -> Option<String> {
    let count = site.nodes().filter(|(_, node)| node.fate == Fate::Throttled).count();
    (count > 0)
        .then(|| format!("Not judged, because the server asked to be left alone: {count} URLs (crawl more slowly)."))
}

fn sitemaps(site: &Site) -> Option<String> {
    let published = site.published();
    let count = published.unread().len() as u64 + site.sitemaps_beyond;
    let any = published.read().next().is_some() || count > 0;
    (any && !published.is_whole()).then(|| {
        let count = if count > 0 { format!(" (at least {count} were not)") } else { String::new() };
        format!("Not judged, because not all published sitemaps could be read{count}: which pages they leave out.")
    })
}

fn links(unlinked: usize) -> Option<String> {
    (unlinked > 0).then(|| {
        format!(
            "Not judged, because pages that linked there when they were last read were not read now: {unlinked} findings \
             that rest on links not being there (orphan and the like)."
        )
    })
}

fn external(site: &Site) -> Option<String> {
    let external = |url: UrlNo| site.node(url).fate == Fate::Refused(Unfetched::OutOfScope);
    let count = site
        .nodes()
        .filter(|(url, _)| external(*url) && site.inlinks(*url).all() > 0 && !site.external.contains_key(url))
        .count();
    (count > 0)
        .then(|| format!("URLs of other sites that were not asked for: {count} (--check-external asks for them)."))
}
