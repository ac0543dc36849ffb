//! Exact duplicates, and those of them whose URLs differ only in form.

use super::lower_case::in_lower_case;
use crate::check::{Attributes, Check, RequiredCoverage, RestsOn, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Site, UrlNo};
use mapwright_web::{PageUrl, UrlIdentity, is_index_file};
use std::collections::BTreeMap;

pub(super) static CHECKER: Checker =
    Checker::site(find, &[&DUP_EXACT, &DUP_SLASH, &DUP_INDEX, &DUP_CASE, &DUP_PARAM_ORDER, &DUP_SESSION]);

static DUP_EXACT: Check = Check {
    code: "dup-exact",
    title: "Exact duplicates",
    topic: Topic::Duplicates,
    severity: Severity::Warning,
    reason: "Pages have the same bytes.",
    fix: "Keep one, and redirect the others to it or name it as their canonical.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rest_may_refute: true, rests_on: RestsOn::Likeness, ..Attributes::NONE },
};

static DUP_SLASH: Check = Check {
    code: "dup-slash",
    title: "Duplicates by trailing slash",
    topic: Topic::Duplicates,
    severity: Severity::Warning,
    reason: "Equal pages have URLs that differ only by the last slash.",
    fix: "Redirect one form to the other.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rests_on: RestsOn::Likeness, ..Attributes::NONE },
};

static DUP_INDEX: Check = Check {
    code: "dup-index",
    title: "Duplicates by index file",
    topic: Topic::Duplicates,
    severity: Severity::Warning,
    reason: "Equal pages have URLs that differ only by the name of the index file.",
    fix: "Redirect the long form to the directory's URL.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rests_on: RestsOn::Likeness, ..Attributes::NONE },
};

static DUP_CASE: Check = Check {
    code: "dup-case",
    title: "Duplicates by upper and lower case",
    topic: Topic::Duplicates,
    severity: Severity::Warning,
    reason: "Equal pages have URLs that differ only in upper and lower case.",
    fix: "Redirect to one form, best the lower-case one.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rests_on: RestsOn::Likeness, ..Attributes::NONE },
};

static DUP_PARAM_ORDER: Check = Check {
    code: "dup-param-order",
    title: "Duplicates by parameter order",
    topic: Topic::Duplicates,
    severity: Severity::Warning,
    reason: "Equal pages have URLs that differ only in the order of parameters.",
    fix: "Link with one order, and name it as canonical.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rests_on: RestsOn::Likeness, ..Attributes::NONE },
};

static DUP_SESSION: Check = Check {
    code: "dup-session",
    title: "Duplicates by session identifier",
    topic: Topic::Duplicates,
    severity: Severity::Warning,
    reason: "Equal pages have URLs that differ only by a session identifier.",
    fix: "Keep sessions in cookies, not in URLs.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rests_on: RestsOn::Likeness, ..Attributes::NONE },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut bodies: BTreeMap<u64, Vec<UrlNo>> = BTreeMap::new();
    for (url, node, content) in site.pages() {
        // A page that is canonicalised to another is not a duplicate.
        if content.hash != 0 && node.is_own_canonical(url) && !node.cut {
            bodies.entry(content.hash).or_default().push(url);
        }
    }
    for urls in bodies.into_values().filter(|urls| urls.len() > 1) {
        by_form(site, &urls, found);
        let message = format!("{} pages have the same bytes.", urls.len());
        found.push(Finding::group(&DUP_EXACT, urls).says(message));
    }
}

/// A normalisation of URLs that removes one difference in form.
type Form = fn(&PageUrl) -> Option<String>;

const FORMS: [(&Check, Form); 5] = [
    (&DUP_SLASH, slash),
    (&DUP_INDEX, index),
    (&DUP_CASE, case),
    (&DUP_PARAM_ORDER, param_order),
    (&DUP_SESSION, session),
];

fn by_form(site: &Site, urls: &[UrlNo], found: &mut Vec<Finding>) {
    let identity = UrlIdentity::keep_all();
    let parsed: Vec<(UrlNo, PageUrl)> =
        urls.iter().filter_map(|url| Some((*url, PageUrl::parse(site.text(*url), &identity).ok()?))).collect();
    for (check, form) in FORMS {
        let mut groups: BTreeMap<String, Vec<UrlNo>> = BTreeMap::new();
        for (url, text) in &parsed {
            if let Some(form) = form(text) {
                groups.entry(form).or_default().push(*url);
            }
        }
        let duplicates = groups.into_values().filter(|urls| urls.len() > 1);
        found.extend(duplicates.map(|urls| Finding::group(check, urls)));
    }
}

fn with(url: &PageUrl, path: &str, query: Option<&str>) -> Option<String> {
    let query = query.map_or_else(String::new, |query| format!("?{query}"));
    Some(format!("{}{path}{query}", url.origin()))
}

fn slash(url: &PageUrl) -> Option<String> {
    with(url, url.path().trim_end_matches('/'), url.query())
}

fn index(url: &PageUrl) -> Option<String> {
    let path = url.path();
    let name = path.rsplit('/').next().unwrap_or_default();
    with(url, if is_index_file(name) { path.strip_suffix(name).unwrap_or(path) } else { path }, url.query())
}

fn case(url: &PageUrl) -> Option<String> {
    Some(in_lower_case(url.as_str()))
}

fn param_order(url: &PageUrl) -> Option<String> {
    let mut parameters: Vec<&str> = url.query()?.split('&').collect();
    parameters.sort_unstable();
    with(url, url.path(), Some(&parameters.join("&")))
}

/// Removes the parameters, of the query and of path segments, that hold a session identifier.
fn session(url: &PageUrl) -> Option<String> {
    let segments = url.path().split('/').filter(|segment| !is_cookieless(segment));
    let path: Vec<String> = segments.map(without_session).collect();
    let parameters = || url.query().into_iter().flat_map(|query| query.split('&'));
    let kept: Vec<&str> = parameters().filter(|parameter| !is_session(parameter)).collect();
    let all_went = kept.is_empty() && parameters().count() > 0;
    with(url, &path.join("/"), url.query().filter(|_| !all_went).map(|_| kept.join("&")).as_deref())
}

/// Returns true if a path segment is a session identifier, as ASP.NET writes it without cookies: `(S(…))`.
fn is_cookieless(segment: &str) -> bool {
    segment.strip_prefix("(S(").and_then(|rest| rest.strip_suffix("))")).is_some_and(|id| !id.is_empty())
}

/// Returns a path segment without the session identifier among its parameters.
fn without_session(segment: &str) -> String {
    let mut parts = segment.split(';');
    let name = parts.next().into_iter();
    name.chain(parts.filter(|parameter| !is_session(parameter))).collect::<Vec<_>>().join(";")
}

/// Returns true if a parameter carries a session, by its name.
pub(super) fn is_session(parameter: &str) -> bool {
    let name = parameter.split('=').next().unwrap_or_default().to_ascii_lowercase();
    matches!(
        name.as_str(),
        "phpsessid"
            | "jsessionid"
            | "sessionid"
            | "session_id"
            | "session"
            | "sid"
            | "aspsessionid"
            | "asp.net_sessionid"
            | "cfid"
            | "cftoken"
            | "zenid"
            | "oscsid"
            | "sessid"
            | "s_id"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    fn same(form: Form, one: &str, other: &str) -> bool {
        let read = |text: &str| PageUrl::parse(text, &UrlIdentity::keep_all()).unwrap();
        let (one, other) = (form(&read(one)), form(&read(other)));
        one.is_some() && one == other
    }

    #[test]
    fn each_form_removes_one_difference_and_no_other() {
        assert!(same(slash, "http://a/b", "http://a/b/"));
        assert!(!same(slash, "http://a/b", "http://a/c/"));
        assert!(same(index, "http://a/b/", "http://a/b/index.html"));
        assert!(!same(index, "http://a/b/", "http://a/b/indexes.html"));
        assert!(same(case, "http://a/B", "http://a/b"));
        assert!(same(param_order, "http://a/?x=1&y=2", "http://a/?y=2&x=1"));
        assert!(!same(param_order, "http://a/?x=1&y=2", "http://a/?y=1&x=2"));
        assert!(same(session, "http://a/?q=1&PHPSESSID=1", "http://a/?PHPSESSID=2&q=1"));
        assert!(same(session, "http://a/b;jsessionid=1", "http://a/b;jsessionid=2"));
        assert!(!same(session, "http://a/?id=1", "http://a/?id=2"));
    }

    fn duplicates(one: &str, other: &str) -> Site {
        builder().page(one, "the same").page(other, "the same").site()
    }

    #[test]
    fn pages_with_the_same_bytes_are_a_group_and_one_byte_more_is_another_page() {
        let site = builder().page("/a", "same").page("/b", "same").page("/c", "same ").page("/d", "same").site();
        let found = site.run_check(find);
        assert_eq!(found.of("dup-exact"), ["/a /b /d"]);
        assert_eq!(found.message("dup-exact"), "3 pages have the same bytes.");
        assert_eq!(found.of("dup-slash"), [""; 0]);
    }

    #[test]
    fn the_only_difference_of_the_urls_is_reported_as_well() {
        let cases = [
            ("dup-slash", "/twin", "/twin/"),
            ("dup-index", "/dir/", "/dir/index.html"),
            ("dup-index", "/dir/", "/dir/default.aspx"),
            ("dup-case", "/About", "/about"),
            ("dup-case", "/caf%C3%89", "/caf%C3%A9"),
            ("dup-param-order", "/list?a=1&b=2", "/list?b=2&a=1"),
            ("dup-session", "/item?id=1&PHPSESSID=0f1e", "/item?id=1&PHPSESSID=a0b1"),
            ("dup-session", "/(S(lit3py55t21z5v55vlm25s55))/item", "/(S(a5b2py55t21z5v55vlm25s55))/item"),
            ("dup-session", "/item;jsessionid=1?id=1", "/item;jsessionid=2?id=1"),
        ];
        for (code, one, other) in cases {
            assert_eq!(duplicates(one, other).run_check(find).of(code).len(), 1, "{one} {other}");
            let differing = builder().page(one, "one").page(other, "other").site();
            assert!(differing.run_check(find).is_nothing(), "{one} {other}");
        }
    }

    #[test]
    fn urls_with_several_differences_are_reported_only_as_exact_duplicates() {
        for (one, other) in [("/Twin", "/twin/"), ("/list?a=1&b=2", "/list?a=2&b=1"), ("/item?id=1", "/item?id=2")] {
            let site = duplicates(one, other);
            let found = site.run_check(find);
            let forms = FORMS.iter().map(|(check, _)| found.of(check.code).len()).sum::<usize>();
            assert_eq!((forms, found.of("dup-exact").len()), (0, 1), "{one} {other}");
        }
    }

    #[test]
    fn a_url_with_and_one_without_a_session_differ_by_a_session() {
        for (with, without) in [("/item?sid=1", "/item"), ("/a;jsessionid=1/b?x=1", "/a/b?x=1")] {
            assert_eq!(duplicates(with, without).run_check(find).of("dup-session").len(), 1, "{with}");
        }
    }

    #[test]
    fn the_text_beside_a_session_in_the_path_still_counts() {
        for (one, other) in [
            ("/a;v=1;jsessionid=1", "/a;v=2;jsessionid=2"),
            ("/session/a", "/sid/a"),
            ("/a?", "/a"),
            ("/a;jsessionid=1/b", "/a;jsessionid=2/c"),
        ] {
            assert_eq!(duplicates(one, other).run_check(find).of("dup-session"), [""; 0], "{one} {other}");
        }
    }

    #[test]
    fn a_canonicalised_page_is_no_duplicate() {
        let html = "<link rel=canonical href=http://example.com/a>";
        assert!(builder().page("/a", html).page("/b", html).site().run_check(find).is_nothing());
        let noindex =
            builder().noindex("/a", &[]).page("/b", "x").page("/c", "x").header("/c", "x-robots-tag", "noindex");
        assert!(noindex.site().run_check(find).is_nothing());
    }
}
