//! URLs that only nofollow links lead to.

use crate::check::{Attributes, Check, RequiredCoverage, RestsOn, Topic, Unrequested};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Site, UrlNo};
use std::collections::{HashMap, HashSet};

pub(super) static CHECKER: Checker = Checker::site(find, &[&NOFOLLOW_ONLY]);

static NOFOLLOW_ONLY: Check = Check {
    code: "nofollow-only",
    title: "Only nofollow links",
    topic: Topic::Reachability,
    severity: Severity::Notice,
    reason: "All links to the URL say nofollow, so that search engines do not follow them. Links with one parameter that all say so, such as replies to comments, are meant so and not reported.",
    fix: "Remove nofollow from a link to it, if it is to be found.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rests_on: RestsOn::MissingLinks, unrequested: Unrequested::Nofollow, ..Attributes::NONE },
};

/// URLs with one parameter from which on nofollow on all links to them is meant so, such as on those that reply to a
/// comment.
const MANY: usize = 5;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let (nofollow, others): (Vec<UrlNo>, Vec<UrlNo>) = site
        .nodes()
        .filter(|(_, node)| node.in_scope())
        .map(|(url, _)| url)
        .partition(|url| is_nofollow_only(site, *url));
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in nofollow.iter().flat_map(|url| parameters(site.text(*url))) {
        *counts.entry(name).or_default() += 1;
    }
    counts.retain(|_, count| *count >= MANY);
    if !counts.is_empty() {
        let followed = others.iter().filter(|url| site.inlinks(**url).followed > 0);
        let names: HashSet<&str> = followed.flat_map(|url| parameters(site.text(*url))).collect();
        counts.retain(|name, _| !names.contains(name));
    }
    let is_meant = |url: &UrlNo| parameters(site.text(*url)).any(|name| counts.contains_key(name));
    found.extend(nofollow.into_iter().filter(|url| !is_meant(url)).map(|url| Finding::of(&NOFOLLOW_ONLY, url)));
}

fn is_nofollow_only(site: &Site, url: UrlNo) -> bool {
    let inlinks = site.inlinks(url);
    inlinks.followed == 0 && inlinks.nofollowed > 0 && !site.node(url).fails() && !site.is_start(url)
}

/// Returns the names of the parameters in the query of a URL.
fn parameters(url: &str) -> impl Iterator<Item = &str> {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    query.split('&').filter_map(|pair| pair.split('=').next()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn a_url_with_only_nofollow_links_is_reported() {
        let site = builder()
            .page("/", "<a rel=nofollow href=/nf>x</a><a rel=nofollow href=/mixed>x</a><a href=/hidden>v</a><a href=/mixer>m</a>")
            .links("/mixer", &["/mixed"])
            .links("/mixed", &[])
            .links("/hidden", &["/beyond"])
            .header("/hidden", "x-robots-tag", "nofollow")
            .site();
        assert_eq!(site.run_check(find).of("nofollow-only"), ["/beyond", "/nf"]);
    }

    #[test]
    fn a_parameter_whose_links_are_all_nofollow_is_meant_so() {
        let links = |count: usize, name: &str| -> String {
            (0..count).map(|n| format!("<a rel=nofollow href='/post?{name}={n}#form'>Reply</a>")).collect()
        };
        let reported =
            |html: &str| builder().page("/", html).links("/post", &[]).site().run_check(find).of("nofollow-only").len();
        let post = "<a href=/post>Post</a>";
        assert_eq!(reported(&[post, &links(5, "reply")].concat()), 0);
        assert_eq!(reported(&[post, &links(4, "reply")].concat()), 4, "few may be an oversight");
        let followed = "<a href='/post?id=77'>One that is followed</a>";
        assert_eq!(reported(&[post, followed, &links(6, "id")].concat()), 6, "others with the parameter are pages");
    }

    #[test]
    fn unlinked_failing_and_external_urls_are_not_reported() {
        let away = "<a rel=nofollow href=http://other.example/>x</a><a rel='nofollow ugc' href=/>me</a>";
        let site = builder()
            .page("/", &[away, "<a rel=nofollow href=/gone>x</a>"].concat())
            .links("/orphan", &[])
            .sitemap("/sitemap.xml", &["/orphan", "/gone"])
            .site();
        assert!(site.run_check(find).is_nothing());
    }
}
