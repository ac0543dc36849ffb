//! Dates in the site's own sitemaps.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use super::entries::{LONG_AGO, dated};
use super::label::LabelSubject;
use super::page::{Page, key};
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;
use crate::living::dates::w3c;
use crate::living::{Dice, prose};
use crate::response::Response;

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![future(), always_now(), all_at_once(), just_built(), stale(), slow_clock()]
}

const MAP: &str = "/dated.xml";

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock that shows a time after 1970");
    i64::try_from(since.as_secs()).expect("a clock that shows a time before the end of all time")
}

fn future() -> LabelledSite {
    let mut site = SiteBuilder::new("lastmod-future", &["lastmod-future", "lastmod-now"]);
    let map = dated(&[
        (site.url("/to-come"), "2999-12-31"),
        (site.url("/to-come-exactly"), "2999-12-31T23:59:59+01:00"),
        (site.url("/dated"), LONG_AGO),
        (site.url("/undated"), ""),
        (site.url("/on-the-future"), "2024-12-31T23:59:59Z"),
    ]);
    for path in ["/to-come", "/to-come-exactly", "/dated", "/undated"] {
        site.put(Page::at(path).unlisted());
    }
    site.put(Page::at("/on-the-future").title("The year 2999").unlisted())
        .sitemap(MAP, map)
        .all_have("lastmod-future", &["/to-come", "/to-come-exactly"])
        .expect_not("lastmod-future", "/dated", "long ago")
        .expect_not("lastmod-future", "/undated", "no date at all")
        .expect_not("lastmod-future", "/on-the-future", "the page speaks of the future; its date is past");
    site.open()
}

fn always_now() -> LabelledSite {
    let mut site = SiteBuilder::new("lastmod-now", &["lastmod-now"]);
    site.named = vec![MAP.to_owned()];
    site.plain(12);
    let urls: Vec<String> = (1..=12).map(|number| site.url(&format!("/plain/{number}"))).collect();
    site.handler(MAP, move |_| {
        let now = w3c(now());
        Response::xml(dated(&urls.iter().map(|url| (url.clone(), now.as_str())).collect::<Vec<_>>()))
    });
    let accepted = vec![LabelSubject::Site, site.site.subject(MAP)];
    site.has_any("lastmod-now", accepted);
    site.open()
}

/// All entries have the same date, but it does not change.
fn all_at_once() -> LabelledSite {
    let mut site = SiteBuilder::new("lastmod-once", &["lastmod-now", "lastmod-future"]);
    site.named = vec![MAP.to_owned()];
    site.plain(12);
    let moment = w3c(now() - 86_400);
    let entries: Vec<_> = (1..=12).map(|number| (site.url(&format!("/plain/{number}")), moment.as_str())).collect();
    let map = dated(&entries);
    site.unlinked_answer(MAP, Response::xml(map))
        .site_unlike("lastmod-now", "every entry has the same date, which is that of yesterday's release");
    let file = site.site.subject(MAP);
    site.false_positive("lastmod-now", file, "every entry has the same date, which is that of yesterday's release");
    site.open()
}

/// The sitemap was written shortly before the audit.
fn just_built() -> LabelledSite {
    let mut site = SiteBuilder::new("lastmod-built", &["lastmod-now"]);
    site.named = vec![MAP.to_owned()];
    site.plain(12);
    let moment = w3c(now() - 41);
    let entries: Vec<_> = (1..=12).map(|number| (site.url(&format!("/plain/{number}")), moment.as_str())).collect();
    let map = dated(&entries);
    let why = "the site was built shortly before the audit, and the dates stay";
    let file = site.site.subject(MAP);
    site.unlinked_answer(MAP, Response::xml(map)).site_unlike("lastmod-now", why).false_positive(
        "lastmod-now",
        file,
        why,
    );
    site.open()
}

/// Each request has other dates, by a clock that is behind. The second run sees that they move.
fn slow_clock() -> LabelledSite {
    let mut site = SiteBuilder::new("lastmod-slow-clock", &["lastmod-now"]);
    site.named = vec![MAP.to_owned()];
    site.plain(12);
    let urls: Vec<String> = (1..=12).map(|number| site.url(&format!("/plain/{number}"))).collect();
    let requests = AtomicI64::new(0);
    site.handler(MAP, move |_| {
        let moment = w3c(now() - 30 + requests.fetch_add(5, Ordering::Relaxed));
        Response::xml(dated(&urls.iter().map(|url| (url.clone(), moment.as_str())).collect::<Vec<_>>()))
    });
    site.site.runs = 2;
    let accepted = vec![LabelSubject::Site, site.site.subject(MAP)];
    site.has_any("lastmod-now", accepted);
    site.open()
}

/// Between the first run and the second two pages change, and the sitemap has a new date for one of them. The second
/// run sees the change, so that for the third it is one that an earlier run saw.
fn stale() -> LabelledSite {
    let mut site = SiteBuilder::new("lastmod-stale", &["lastmod-stale"]);
    site.named = vec![MAP.to_owned()];
    for path in ["/stale", "/renewed", "/still"] {
        site.put(Page::at(path));
    }
    site.plain(5)
        .expect_code("lastmod-stale", "/stale")
        .expect_not("lastmod-stale", "/renewed", "it changed, and its date with it")
        .expect_not("lastmod-stale", "/still", "an old date of a page that has not changed");
    site.site.runs = 3;
    site.site.turn = |site, run| match run {
        1 => publish(site, LONG_AGO),
        2 => {
            rewrite(site, &["/stale", "/renewed"]);
            // The visit that sees the change follows this.
            publish(site, &w3c(now()));
        }
        _ => {}
    };
    site.open()
}

/// Publishes a sitemap with this date for the page whose date is true.
fn publish(site: &LabelledSite, renewed: &str) {
    let entries = [(site.url("/stale"), LONG_AGO), (site.url("/renewed"), renewed), (site.url("/still"), LONG_AGO)];
    site.site.answer(MAP, Response::xml(dated(&entries)));
}

fn rewrite(site: &LabelledSite, paths: &[&str]) {
    for path in paths {
        let mut dice = Dice::of(&[key(path), 2]);
        let text = (0..4).map(|_| prose::paragraph(&mut dice)).collect();
        site.site.answer(path, Page::at(path).paragraphs(text).response(&site.base, "/"));
    }
}
