//! Redirects that change only the form of the URL: the trailing slash, upper and lower case, the scheme.

use super::lower_case::in_lower_case;
use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{NodeStatus, Site};

pub(super) static CHECKER: Checker = Checker::site(find, &[&REDIRECT_SLASH, &REDIRECT_CASE, &REDIRECT_SCHEME]);

static REDIRECT_SLASH: Check = Check {
    code: "redirect-slash",
    title: "Redirect to the other trailing slash",
    topic: Topic::Redirects,
    severity: Severity::Notice,
    reason: "The redirect only adds or removes the last slash.",
    fix: "Write the links as the server wants them.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static REDIRECT_CASE: Check = Check {
    code: "redirect-case",
    title: "Redirect to other upper and lower case",
    topic: Topic::Redirects,
    severity: Severity::Notice,
    reason: "The redirect only changes upper and lower case.",
    fix: "Write the links as the server wants them.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static REDIRECT_SCHEME: Check = Check {
    code: "redirect-scheme",
    title: "Redirect between http and https",
    topic: Topic::Redirects,
    severity: Severity::Notice,
    reason: "The redirect only changes http to https, or back.",
    fix: "Write the links with the scheme that the site has.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.fetch_status == NodeStatus::Redirect) {
        let Some(target) = node.target.filter(|target| *target != url) else { continue };
        if let Some(check) = change(site.text(url), site.text(target)) {
            found.push(Finding::of(check, url).to(target).says(format!("It redirects to {}.", site.text(target))));
        }
    }
}

/// Returns the check for the only change between two URLs; none if more changes.
pub(super) fn change(from: &str, to: &str) -> Option<&'static Check> {
    let (from_path, from_query) = split(from);
    let (to_path, to_query) = split(to);
    if from_query == to_query && from_path.trim_end_matches('/') == to_path.trim_end_matches('/') {
        return Some(&REDIRECT_SLASH);
    }
    if in_lower_case(from) == in_lower_case(to) {
        return Some(&REDIRECT_CASE);
    }
    let bare = |url: &str| url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).map(str::to_owned);
    (bare(from).is_some() && bare(from) == bare(to)).then_some(&REDIRECT_SCHEME)
}

/// Splits a URL into the part before its query, and the query.
fn split(url: &str) -> (&str, Option<&str>) {
    url.split_once('?').map_or((url, None), |(path, query)| (path, Some(query)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn the_only_change_is_recognised() {
        let cases = [
            ("http://a/dir", "http://a/dir/", Some("redirect-slash")),
            ("http://a/dir/?q=1", "http://a/dir?q=1", Some("redirect-slash")),
            ("http://a/dir", "http://a/dir/?q=1", None),
            ("http://a/About", "http://a/about", Some("redirect-case")),
            ("http://a/%C3%84", "http://a/%C3%A4", Some("redirect-case")),
            ("http://a/%D0%90b%2F", "http://a/%D0%B0B%2f", Some("redirect-case")),
            ("http://a/%C3%84", "http://a/%C3%B6", None),
            ("http://a/%C4", "http://a/%E4", None),
            ("http://a/B%2Fc", "http://a/b/c", None),
            ("http://a/x", "https://a/x", Some("redirect-scheme")),
            ("https://a/x", "http://a/x", Some("redirect-scheme")),
            ("http://a/x", "https://b/x", None),
            ("http://a/x", "http://a/y", None),
        ];
        for (from, to, expected) in cases {
            assert_eq!(change(from, to).map(|check| check.code), expected, "{from} -> {to}");
        }
    }

    #[test]
    fn redirects_that_only_change_the_form_are_reported_by_kind() {
        let site = builder()
            .links("/", &["/dir"])
            .redirect("/dir", "/dir/")
            .links("/dir/", &[])
            .redirect("/back/", "/back")
            .redirect("/About", "/about")
            .redirect("/secure", "https://example.com/secure")
            .redirect("/dirx", "/diry/")
            .redirect("/Dir2", "/dir2/")
            .redirect("/Safe", "https://example.com/safe")
            .redirect("/self", "/self")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("redirect-slash"), ["/back/", "/dir"]);
        assert_eq!(found.of("redirect-case"), ["/About"]);
        assert_eq!(found.of("redirect-scheme"), ["/secure"]);
        assert_eq!(found.target("redirect-case"), "/about");
    }
}
