//! Pages with the same bytes, and such of them whose URLs differ in form alone.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Site, UrlNo};
use mapwright_web::{Identity, PageUrl};
use std::collections::BTreeMap;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut bodies: BTreeMap<u64, Vec<UrlNo>> = BTreeMap::new();
    for (url, node, said) in site.pages() {
        // A page that gives way to another by its canonical is no duplicate any more.
        let own = node.canonical.is_none_or(|canonical| canonical == url);
        if said.hash != 0 && own && !node.noindex && node.target.is_none() {
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
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_index = name.contains('.') && matches!(stem.as_str(), "index" | "default" | "home");
    with(url, if is_index { path.strip_suffix(name).unwrap_or(path) } else { path }, url.query())
}

fn case(url: &PageUrl) -> Option<String> {
    Some(url.as_str().to_lowercase())
}

fn param_order(url: &PageUrl) -> Option<String> {
    let mut parameters: Vec<&str> = url.query()?.split('&').collect();
    parameters.sort_unstable();
    with(url, url.path(), Some(&parameters.join("&")))
}

/// Without the parameter or path part that holds a session identifier; nothing for a URL without one.
fn session(url: &PageUrl) -> Option<String> {
    let parameters = || url.query().into_iter().flat_map(|query| query.split('&'));
    let kept: Vec<&str> = parameters().filter(|parameter| !is_session(parameter)).collect();
    let path = url.path().split(';').next().unwrap_or_default();
    let in_path = url.path().split(';').skip(1).any(is_session);
    let dropped = kept.len() < parameters().count() || in_path;
    let query = (!kept.is_empty()).then(|| kept.join("&"));
    if dropped { with(url, path, query.as_deref()) } else { None }
}

/// Whether a parameter is one that carries sessions, by its name.
fn is_session(parameter: &str) -> bool {
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
}
