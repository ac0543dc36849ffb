//! Pages with the same bytes, and such of them whose URLs differ in form alone.

use super::lower_case::in_lower_case;
use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Site, UrlNo};
use mapwright_web::{Identity, PageUrl, is_index_file};
use std::collections::BTreeMap;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut bodies: BTreeMap<u64, Vec<UrlNo>> = BTreeMap::new();
    for (url, node, said) in site.pages() {
        // A page that gives way to another by its canonical is no duplicate any more.
        if said.hash != 0 && node.stands_for_itself(url) && !node.cut {
            bodies.entry(said.hash).or_default().push(url);
        }
    }
    for urls in bodies.into_values().filter(|urls| urls.len() > 1) {
        by_form(site, &urls, found);
        let message = format!("{} pages have the same bytes.", urls.len());
        found.push(Finding::group(Code::DupExact, urls).says(message));
    }
}

/// A form of URLs: what is left of a URL when what they differ in is taken away.
type Form = fn(&PageUrl) -> Option<String>;

const FORMS: [(Code, Form); 5] = [
    (Code::DupSlash, slash),
    (Code::DupIndex, index),
    (Code::DupCase, case),
    (Code::DupParamOrder, param_order),
    (Code::DupSession, session),
];

fn by_form(site: &Site, urls: &[UrlNo], found: &mut Vec<Finding>) {
    let identity = Identity::new(false, &[]);
    let parsed: Vec<(UrlNo, PageUrl)> =
        urls.iter().filter_map(|url| Some((*url, PageUrl::parse(site.text(*url), &identity).ok()?))).collect();
    for (code, form) in FORMS {
        let mut groups: BTreeMap<String, Vec<UrlNo>> = BTreeMap::new();
        for (url, text) in &parsed {
            if let Some(form) = form(text) {
                groups.entry(form).or_default().push(*url);
            }
        }
        let twins = groups.into_values().filter(|urls| urls.len() > 1);
        found.extend(twins.map(|urls| Finding::group(code, urls)));
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

/// Without the parameters, of the query and of the segments of the path, that hold a session identifier.
fn session(url: &PageUrl) -> Option<String> {
    let segments = url.path().split('/').filter(|segment| !is_cookieless(segment));
    let path: Vec<String> = segments.map(without_session).collect();
    let parameters = || url.query().into_iter().flat_map(|query| query.split('&'));
    let kept: Vec<&str> = parameters().filter(|parameter| !is_session(parameter)).collect();
    let all_went = kept.is_empty() && parameters().count() > 0;
    with(url, &path.join("/"), url.query().filter(|_| !all_went).map(|_| kept.join("&")).as_deref())
}

/// Whether a segment of a path is a session, as ASP.NET writes it without cookies: `(S(…))`.
fn is_cookieless(segment: &str) -> bool {
    segment.strip_prefix("(S(").and_then(|rest| rest.strip_suffix("))")).is_some_and(|id| !id.is_empty())
}

/// A segment of a path without the session identifier among its parameters.
fn without_session(segment: &str) -> String {
    let mut parts = segment.split(';');
    let name = parts.next().into_iter();
    name.chain(parts.filter(|parameter| !is_session(parameter))).collect::<Vec<_>>().join(";")
}

/// Whether a parameter is one that carries sessions, by its name.
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
    use crate::site::made::made;

    fn same(form: Form, one: &str, other: &str) -> bool {
        let read = |text: &str| PageUrl::parse(text, &Identity::new(false, &[])).unwrap();
        let (one, other) = (form(&read(one)), form(&read(other)));
        one.is_some() && one == other
    }

    #[test]
    fn forms_take_away_what_urls_differ_in_and_nothing_else() {
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

    fn twins(one: &str, other: &str) -> Site {
        made().page(one, "the same").page(other, "the same").site()
    }

    #[test]
    fn pages_with_the_same_bytes_are_a_group_and_a_byte_more_is_another_page() {
        let site = made().page("/a", "same").page("/b", "same").page("/c", "same ").page("/d", "same").site();
        let told = site.told(find);
        assert_eq!(told.of(Code::DupExact), ["/a /b /d"]);
        assert_eq!(told.message(Code::DupExact), "3 pages have the same bytes.");
        assert_eq!(told.of(Code::DupSlash), [""; 0]);
    }

    #[test]
    fn what_alone_differs_in_the_urls_is_told_as_well() {
        let cases = [
            (Code::DupSlash, "/twin", "/twin/"),
            (Code::DupIndex, "/dir/", "/dir/index.html"),
            (Code::DupIndex, "/dir/", "/dir/default.aspx"),
            (Code::DupCase, "/About", "/about"),
            (Code::DupCase, "/caf%C3%89", "/caf%C3%A9"),
            (Code::DupParamOrder, "/list?a=1&b=2", "/list?b=2&a=1"),
            (Code::DupSession, "/item?id=1&PHPSESSID=0f1e", "/item?id=1&PHPSESSID=a0b1"),
            (Code::DupSession, "/(S(lit3py55t21z5v55vlm25s55))/item", "/(S(a5b2py55t21z5v55vlm25s55))/item"),
            (Code::DupSession, "/item;jsessionid=1?id=1", "/item;jsessionid=2?id=1"),
        ];
        for (code, one, other) in cases {
            assert_eq!(twins(one, other).told(find).of(code).len(), 1, "{one} {other}");
            let differing = made().page(one, "one").page(other, "other").site();
            assert!(differing.told(find).is_nothing(), "{one} {other}");
        }
    }

    #[test]
    fn what_differs_in_more_than_one_way_is_told_as_the_same_bytes_alone() {
        for (one, other) in [("/Twin", "/twin/"), ("/list?a=1&b=2", "/list?a=2&b=1"), ("/item?id=1", "/item?id=2")] {
            let site = twins(one, other);
            let told = site.told(find);
            let forms = FORMS.iter().map(|(code, _)| told.of(*code).len()).sum::<usize>();
            assert_eq!((forms, told.of(Code::DupExact).len()), (0, 1), "{one} {other}");
        }
    }

    #[test]
    fn a_url_with_a_session_differs_from_the_one_without_by_a_session() {
        for (with, without) in [("/item?sid=1", "/item"), ("/a;jsessionid=1/b?x=1", "/a/b?x=1")] {
            assert_eq!(twins(with, without).told(find).of(Code::DupSession).len(), 1, "{with}");
        }
    }

    #[test]
    fn what_stands_beside_a_session_in_the_path_still_counts() {
        for (one, other) in [
            ("/a;v=1;jsessionid=1", "/a;v=2;jsessionid=2"),
            ("/session/a", "/sid/a"),
            ("/a?", "/a"),
            ("/a;jsessionid=1/b", "/a;jsessionid=2/c"),
        ] {
            assert_eq!(twins(one, other).told(find).of(Code::DupSession), [""; 0], "{one} {other}");
        }
    }

    #[test]
    fn a_page_that_gives_way_is_no_duplicate() {
        let html = "<link rel=canonical href=http://example.com/a>";
        assert!(made().page("/a", html).page("/b", html).site().told(find).is_nothing());
        let noindex = made().noindex("/a", &[]).page("/b", "x").page("/c", "x").header("/c", "x-robots-tag", "noindex");
        assert!(noindex.site().told(find).is_nothing());
    }
}
