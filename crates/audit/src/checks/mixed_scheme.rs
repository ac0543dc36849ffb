//! Sites that are linked, or answer, under http and https side by side.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::{Finding, SAMPLE};
use crate::severity::Severity;
use crate::site::{Site, UrlNo};
use std::collections::HashMap;

pub(super) static CHECKER: Checker = Checker::site(find, &[&MIXED_SCHEME]);

static MIXED_SCHEME: Check = Check {
    code: "mixed-scheme",
    title: "http and https side by side",
    topic: Topic::Site,
    severity: Severity::Warning,
    reason: "The site is linked or answers under http and https side by side.",
    fix: "Link to https everywhere, and redirect http to it.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    // The hosts of the site, with their counts of pages under http and https.
    let mut hosts: HashMap<String, (usize, usize)> = HashMap::new();
    for (url, ..) in site.pages() {
        let (secure, host) = parts(site.text(url));
        let (http, https) = hosts.entry(host.to_owned()).or_default();
        *(if secure { https } else { http }) += 1;
    }
    let mut odd: Vec<UrlNo> = Vec::new();
    for (url, node) in site.nodes() {
        let (secure, host) = parts(site.text(url));
        let Some((http, https)) = hosts.get(host) else { continue };
        let other = secure != (https >= http);
        if other && (node.is_page() || site.inlinks(url).clicked() > 0) {
            odd.push(url);
        }
    }
    if let Some(first) = odd.first() {
        let message =
            format!("{} URLs are linked or answer under the other scheme, such as {}.", odd.len(), site.text(*first));
        let pages: Vec<UrlNo> = odd.iter().map(|url| site.inlinks(*url).first).filter(|page| *page != 0).collect();
        let finding = Finding::site(&MIXED_SCHEME).says(message).entered_from(pages);
        found.push(finding.shown_by(odd.into_iter().take(SAMPLE)));
    }
}

/// Returns true for https, and the host without port, because the schemes' ports differ.
fn parts(url: &str) -> (bool, &str) {
    let (scheme, rest) = url.split_once("://").unwrap_or_default();
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    (scheme == "https", host)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn a_site_linked_under_both_schemes_is_reported_with_the_linking_page() {
        let site = builder()
            .start("https://example.com/")
            .links("https://example.com/", &["https://example.com/a", "http://example.com/b"])
            .links("https://example.com/a", &[])
            .redirect("http://example.com/b", "https://example.com/b")
            .links("https://example.com/b", &[])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("mixed-scheme"), ["the site"]);
        assert_eq!(
            (found.examples("mixed-scheme"), found.entrances("mixed-scheme")),
            ("/b".into(), "https://example.com/".into())
        );
    }

    #[test]
    fn a_page_that_answers_under_the_other_scheme_is_enough() {
        let site = builder().links("/", &["/a"]).links("/a", &[]).links("https://example.com:8443/a", &[]).site();
        let found = site.run_check(find);
        assert_eq!(found.examples("mixed-scheme"), "https://example.com:8443/a");
    }

    #[test]
    fn a_redirect_to_the_sites_scheme_and_external_links_are_not_mixed() {
        let site = builder()
            .start("http://example.com/")
            .redirect("http://example.com/", "https://example.com/")
            .links("https://example.com/", &["http://other.example/", "http://www.example.com/"])
            .site();
        assert!(site.run_check(find).is_nothing());
    }
}
