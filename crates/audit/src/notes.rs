//! Notes for the reader of an audit: checks that were not made, and why.

use crate::options::Options;
use crate::site::{NodeStatus, Site, UrlNo};
use mapwright_model::Unfetched;
use mapwright_text::counted_in_groups as counted;
use std::collections::HashSet;

/// Returns notes on the checks that were not made, and why.
///
/// `unlinked`: the number of findings left out because they depend on links that were not seen.
pub(crate) fn of(site: &Site, options: &Options, unlinked: usize) -> Vec<String> {
    let all = [cut(options), throttled(site), too_long(site), sitemaps(site), links(unlinked), external(site)];
    all.into_iter().flatten().chain(options.skipped_checks.iter().cloned()).collect()
}

fn cut(options: &Options) -> Option<String> {
    let note = "The crawl was cut short: pages that it did not reach are not judged, and nothing is reported as fixed.";
    (!options.complete).then(|| note.to_owned())
}

fn throttled(site: &Site) -> Option<String> {
    let count = site.nodes().filter(|(_, node)| node.fetch_status == NodeStatus::Throttled).count();
    (count > 0).then(|| {
        let urls = counted(count as u64, "URL");
        format!("Not judged, because the server throttled or challenged the crawl: {urls} (crawl more slowly).")
    })
}

fn too_long(site: &Site) -> Option<String> {
    let count = site.nodes().filter(|(_, node)| node.is_page() && node.cut).count();
    let note = "Pages that were read in part (--max-body; too many links), so that what lies behind is not judged";
    (count > 0).then(|| format!("{note}: {count}."))
}

fn sitemaps(site: &Site) -> Option<String> {
    let published = site.published();
    let count = published.unread().len() as u64 + site.sitemaps_over_limit;
    let any = published.read().next().is_some() || count > 0;
    (any && !published.is_complete()).then(|| {
        let count = if count > 0 { format!(" (at least {count} were not)") } else { String::new() };
        format!("Not judged, because not all published sitemaps could be read{count}: which pages they leave out.")
    })
}

fn links(unlinked: usize) -> Option<String> {
    (unlinked > 0).then(|| {
        let findings = counted(unlinked as u64, "finding");
        format!(
            "Not judged, because pages that linked there when they were last read were not read now: {findings} about \
             links not being there (orphan, deep and the like)."
        )
    })
}

fn external(site: &Site) -> Option<String> {
    let own: HashSet<UrlNo> = site.own_resources().map(|resource| resource.url).collect();
    let external =
        |url: UrlNo| site.node(url).fetch_status == NodeStatus::Refused(Unfetched::OutOfScope) && !own.contains(&url);
    let count = site
        .nodes()
        .filter(|(url, _)| external(*url) && site.inlinks(*url).all() > 0 && !site.external.contains_key(url))
        .count();
    // With `--check-external`, at least one URL of each host is checked.
    let by = if site.external.keys().any(|url| external(*url)) {
        "--max-external checks more of one host"
    } else {
        "--check-external checks them"
    };
    (count > 0).then(|| format!("External links not checked: {count} ({by})."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    fn notes(builder: crate::site::builder::SiteBuilder) -> Vec<String> {
        of(&builder.site(), &Options { complete: true, ..Options::default() }, 0)
    }

    #[test]
    fn truncated_pages_are_reported_with_the_limit_that_truncates_them() {
        let cut = |path: &str| builder().links("/", &[]).links("/a", &[]).bytes(path, 9_999, true);
        let expected =
            "Pages that were read in part (--max-body; too many links), so that what lies behind is not judged: 1.";
        assert_eq!(notes(cut("/a")), [expected]);
        assert!(notes(builder().file("/film").bytes("/film", 9_999, true)).is_empty());
    }

    #[test]
    fn unchecked_external_links_are_reported_with_the_option_that_checks_them() {
        let links = || builder().links("/", &["http://other.example/1", "http://other.example/2"]);
        let note = |count: u32, by: &str| format!("External links not checked: {count} ({by}).");
        assert_eq!(notes(links()), [note(2, "--check-external checks them")]);
        let resources = links().page("/shows", "<img src=/a.png>").external("http://example.com/a.png", 200);
        assert_eq!(notes(resources), [note(2, "--check-external checks them")]);
        let some = links().external("http://other.example/1", 200);
        assert_eq!(notes(some), [note(1, "--max-external checks more of one host")]);
    }
}
