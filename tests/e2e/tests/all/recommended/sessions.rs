//! Session ids in URLs, recognised by their values.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mapwright_e2e::Crawled;
use mapwright_testkit::ReceivedRequest;

use super::parameters::value;
use super::text::{lot, teasers, things};
use super::town::{SmallSite, assert_left_out, with_links, with_parameter};

/// A generator of session ids without repetition.
#[derive(Debug, Clone, Default)]
struct Sessions(Arc<AtomicU64>);

impl Sessions {
    fn fresh(&self) -> String {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        format!("{:016x}{:016x}", lot("session", number), lot("noisses", number))
    }
}

/// A site of pages that link one another.
fn parish(pages: usize) -> SmallSite {
    let entries: Vec<_> =
        things(pages).iter().map(|thing| (format!("/items/{}", thing.slug), thing.title.clone())).collect();
    let mut town = SmallSite::open(&teasers(&entries));
    for (path, title) in &entries {
        town.article(path, title);
    }
    town
}

#[track_caller]
fn assert_cheap(town: &SmallSite, crawled: &Crawled) {
    let (requests, pages) = (town.site.requests().len(), town.size());
    assert!(requests <= 3 * pages + 60, "{requests} requests for {pages} pages\n{}", crawled.stderr());
}

/// A site with a fresh value in the links of each response.
pub(crate) fn with_fresh_sessions(name: &'static str) -> SmallSite {
    let town = parish(16);
    let sessions = Sessions::default();
    town.rewrite(move |_, html| with_parameter(html, &format!("{name}={}", sessions.fresh())));
    town
}

#[track_caller]
fn check_fresh(name: &'static str) {
    let town = with_fresh_sessions(name);
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, &format!("?{name}="), &["parameter-variant"]);
    assert_cheap(&town, &crawled);
}

#[test]
fn a_fresh_value_in_each_response_is_a_session() {
    check_fresh("s");
}

#[test]
fn a_fresh_token_in_each_response_is_a_session() {
    check_fresh("token");
}

#[test]
fn a_session_under_a_meaningless_name_is_excluded() {
    check_fresh("q7x");
}

#[test]
fn a_session_that_each_page_passes_on_is_excluded() {
    let town = parish(16);
    let sessions = Sessions::default();
    town.rewrite(move |request, html| {
        let session = value(request, "k").map_or_else(|| sessions.fresh(), str::to_owned);
        with_parameter(html, &format!("k={session}"))
    });
    let crawled = town.crawl_exactly();
    assert_cheap(&town, &crawled);
}

#[test]
fn a_fresh_session_beside_a_parameter_that_selects_is_excluded() {
    let entries: Vec<_> =
        things(14).into_iter().zip(0..).map(|(thing, id)| (format!("/read?id={id}"), thing.title)).collect();
    let mut town = SmallSite::open(&teasers(&entries));
    for (path, title) in &entries {
        town.article(path, title);
    }
    let sessions = Sessions::default();
    town.rewrite({
        let sessions = sessions.clone();
        move |_, html| with_parameter(html, &format!("s={}", sessions.fresh()))
    });
    for (path, _) in &entries {
        let (html, sessions) = (town.html(path).to_owned(), sessions.clone());
        town.site.handler(&format!("{path}&*"), move |_| {
            mapwright_testkit::Response::html(with_parameter(&html, &format!("s={}", sessions.fresh())))
        });
    }
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "&s=", &["parameter-variant"]);
    assert_cheap(&town, &crawled);
}

/// The session id in a URL's matrix parameter.
fn carried(request: &ReceivedRequest) -> Option<String> {
    request.path().split_once(";jsessionid=").map(|(_, session)| session.to_owned())
}

#[track_caller]
fn check_matrix_parameter(hands_on: bool) {
    let town = parish(14);
    let sessions = Sessions::default();
    town.rewrite(move |request, html| {
        let session = carried(request).filter(|_| hands_on).unwrap_or_else(|| sessions.fresh());
        with_links(html, |href| format!("{href};jsessionid={}", session.to_uppercase()))
    });
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, ";jsessionid=", &["parameter-variant"]);
    assert_cheap(&town, &crawled);
}

#[test]
fn a_matrix_parameter_with_a_session_that_each_page_passes_on_is_excluded() {
    check_matrix_parameter(true);
}

#[test]
fn a_matrix_parameter_with_a_fresh_session_in_each_response_is_excluded() {
    check_matrix_parameter(false);
}

#[test]
fn values_that_are_the_only_links_to_pages_stay() {
    for name in ["s", "token"] {
        let path = |title: &str| format!("/view?{name}={:016x}{:016x}", lot(title, 1), lot(title, 2));
        let entries: Vec<_> = things(16).into_iter().map(|thing| (path(&thing.title), thing.title)).collect();
        let mut town = SmallSite::open(&teasers(&entries));
        for (path, title) in &entries {
            town.article(path, title);
        }
        let _ = town.crawl_exactly();
    }
}

#[test]
fn fresh_sessions_cost_little_on_a_larger_site() {
    let town = parish(120);
    let sessions = Sessions::default();
    town.rewrite(move |_, html| with_parameter(html, &format!("s={}", sessions.fresh())));
    let crawled = town.crawl_exactly();
    assert_cheap(&town, &crawled);
}
