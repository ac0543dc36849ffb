//! Redirects that change only the form of the URL: the trailing slash, upper and lower case, the scheme.

use super::lower_case::in_lower_case;
use crate::code::Code;
use crate::finding::Finding;
use crate::site::{NodeStatus, Site};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.fetch_status == NodeStatus::Redirect) {
        let Some(target) = node.target.filter(|target| *target != url) else { continue };
        if let Some(code) = change(site.text(url), site.text(target)) {
            found.push(Finding::of(code, url).to(target).says(format!("It redirects to {}.", site.text(target))));
        }
    }
}

/// Returns the code for the only change between two URLs; none if more changes.
pub(super) fn change(from: &str, to: &str) -> Option<Code> {
    let (from_path, from_query) = split(from);
    let (to_path, to_query) = split(to);
    if from_query == to_query && from_path.trim_end_matches('/') == to_path.trim_end_matches('/') {
        return Some(Code::RedirectSlash);
    }
    if in_lower_case(from) == in_lower_case(to) {
        return Some(Code::RedirectCase);
    }
    let bare = |url: &str| url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).map(str::to_owned);
    (bare(from).is_some() && bare(from) == bare(to)).then_some(Code::RedirectScheme)
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
            ("http://a/dir", "http://a/dir/", Some(Code::RedirectSlash)),
            ("http://a/dir/?q=1", "http://a/dir?q=1", Some(Code::RedirectSlash)),
            ("http://a/dir", "http://a/dir/?q=1", None),
            ("http://a/About", "http://a/about", Some(Code::RedirectCase)),
            ("http://a/%C3%84", "http://a/%C3%A4", Some(Code::RedirectCase)),
            ("http://a/%D0%90b%2F", "http://a/%D0%B0B%2f", Some(Code::RedirectCase)),
            ("http://a/%C3%84", "http://a/%C3%B6", None),
            ("http://a/%C4", "http://a/%E4", None),
            ("http://a/B%2Fc", "http://a/b/c", None),
            ("http://a/x", "https://a/x", Some(Code::RedirectScheme)),
            ("https://a/x", "http://a/x", Some(Code::RedirectScheme)),
            ("http://a/x", "https://b/x", None),
            ("http://a/x", "http://a/y", None),
        ];
        for (from, to, expected) in cases {
            assert_eq!(change(from, to), expected, "{from} -> {to}");
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
        assert_eq!(found.of(Code::RedirectSlash), ["/back/", "/dir"]);
        assert_eq!(found.of(Code::RedirectCase), ["/About"]);
        assert_eq!(found.of(Code::RedirectScheme), ["/secure"]);
        assert_eq!(found.target(Code::RedirectCase), "/about");
    }
}
