//! What the reader of an audit ought to know: checks that were not made, and why.

use crate::audit::Options;
use crate::site::{Fate, Site, UrlNo};
use mapwright_frontier::Unfetched;

/// Checks that were not made, and why.
///
/// `unlinked`: findings that were left out, because links that were not seen decide them.
pub(crate) fn of(site: &Site, options: &Options, unlinked: usize) -> Vec<String> {
    let all = [cut(options), throttled(site), too_long(site), sitemaps(site), links(unlinked), external(site)];
    all.into_iter().flatten().chain(options.unmade.iter().cloned()).collect()
}

fn cut(options: &Options) -> Option<String> {
    let note = "The crawl was cut short: pages that it did not reach are not judged, and nothing is told as fixed.";
    (!options.whole).then(|| note.to_owned())
}

fn throttled(site: &Site) -> Option<String> {
    let count = site.nodes().filter(|(_, node)| node.fate == Fate::Throttled).count();
    (count > 0).then(|| {
        format!(
            "Not judged, because the server asked to be left alone, or challenged us: {count} URLs (crawl more slowly)."
        )
    })
}

fn too_long(site: &Site) -> Option<String> {
    let count = site.nodes().filter(|(_, node)| node.is_page() && node.cut).count();
    let note = "Pages that were read in part (--max-body; too many links), so that what lies behind is not judged";
    (count > 0).then(|| format!("{note}: {count}."))
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
             that rest on links not being there (orphan, deep and the like)."
        )
    })
}

fn external(site: &Site) -> Option<String> {
    let external = |url: UrlNo| site.node(url).fate == Fate::Refused(Unfetched::OutOfScope);
    let count = site
        .nodes()
        .filter(|(url, _)| external(*url) && site.inlinks(*url).all() > 0 && !site.external.contains_key(url))
        .count();
    // A host of which any URL is checked has one that is, at least.
    let by = if site.external.is_empty() {
        "--check-external checks them"
    } else {
        "--max-external checks more of one host"
    };
    (count > 0).then(|| format!("External links not checked: {count} ({by})."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    fn notes(made: crate::site::made::Made) -> Vec<String> {
        of(&made.site(), &Options { whole: true, ..Options::default() }, 0)
    }

    #[test]
    fn pages_that_were_cut_are_told_with_what_cuts_them() {
        let cut = |path: &str| made().links("/", &[]).links("/a", &[]).bytes(path, 9_999, true);
        let expected =
            "Pages that were read in part (--max-body; too many links), so that what lies behind is not judged: 1.";
        assert_eq!(notes(cut("/a")), [expected]);
        assert!(notes(made().file("/film").bytes("/film", 9_999, true)).is_empty());
    }

    #[test]
    fn urls_of_other_sites_are_told_with_what_asks_for_them() {
        let links = || made().links("/", &["http://other.example/1", "http://other.example/2"]);
        let note = |count: u32, by: &str| format!("External links not checked: {count} ({by}).");
        assert_eq!(notes(links()), [note(2, "--check-external checks them")]);
        let some = links().external("http://other.example/1", 200);
        assert_eq!(notes(some), [note(1, "--max-external checks more of one host")]);
    }
}
