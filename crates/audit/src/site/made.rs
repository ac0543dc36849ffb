//! Sites for the tests of findings, told URL by URL.
//!
//! A test says what the web answers, and [`Made::site`] does with it what a crawl and its record do: pages are HTML, read
//! by [`mapwright_web::page::read`]; what they lead to is found and asked for, robots.txt permitting; the rows that come
//! of it go through the functions of [`super::load`]. Verdicts (`listed`, `reason`) are those of
//! [`mapwright_verdict::judge`]. Depth is as the record counts it: a click for each link that is followed, none for a
//! redirect.
//!
//! What a test leaves out: the start page `/` is a plain page; what the web lacks answers 404; hosts other than
//! `example.com` are out of scope unless they answer; a page that nothing leads to was met all the same.

mod crawl;
mod listing;
mod told;
mod variants;

use super::{Fate, Site};
use crawl::Crawl;
use jiff::Timestamp;
use listing::Listing;
use mapwright_engine::Outcome;
use mapwright_fetch::FailureKind;
use mapwright_frontier::Unfetched;
use mapwright_store::ParameterRow;
use mapwright_web::PageUrl;
use std::collections::BTreeMap;

/// When the run begins, and every answer comes.
pub(crate) const NOW: &str = "2030-06-15T12:00:00Z";

/// What a URL answers.
#[derive(Debug, Clone)]
struct Answer {
    outcome: Outcome,
    status: u16,
    body: String,
    header: Vec<(&'static str, String)>,
    location: Option<String>,
    failure: Option<FailureKind>,
    refused: Option<Unfetched>,
    found_on: Option<String>,
    robots_status: Option<u16>,
    millis: u32,
    bytes: Option<u64>,
    cut: bool,
    links_cut: bool,
}

/// A site that is being told.
#[derive(Debug, Default)]
pub(crate) struct Made {
    starts: Vec<String>,
    url_list: Vec<String>,
    startless: bool,
    answers: BTreeMap<String, Answer>,
    external: BTreeMap<String, Answer>,
    probe: Option<Answer>,
    robots: Option<String>,
    robots_at: Option<String>,
    robots_target: Option<String>,
    robots_failed: Option<(Fate, u16)>,
    listings: BTreeMap<String, Listing>,
    changed: Vec<(String, Timestamp)>,
    parameters: Vec<ParameterRow>,
}

/// A site that says nothing yet.
pub(crate) fn made() -> Made {
    Made::default()
}

/// The URL of a path.
pub(crate) fn url(path: &str) -> String {
    let text = if path.contains("://") { path.to_owned() } else { format!("http://example.com{path}") };
    parse(&text).as_str().to_owned()
}

fn parse(text: &str) -> PageUrl {
    PageUrl::recorded(text).unwrap()
}

fn answer(outcome: Outcome, status: u16, body: &str) -> Answer {
    Answer {
        outcome,
        status,
        body: body.to_owned(),
        header: vec![("content-type", "text/html".to_owned())],
        location: None,
        failure: None,
        refused: None,
        found_on: None,
        robots_status: None,
        millis: 50,
        bytes: None,
        cut: false,
        links_cut: false,
    }
}

fn redirect(status: u16, target: &str) -> Answer {
    Answer { location: Some(url(target)), ..answer(Outcome::Redirect, status, "") }
}

fn silence(kind: FailureKind) -> Answer {
    Answer { failure: Some(kind), ..answer(Outcome::NoAnswer, 0, "") }
}

impl Made {
    /// The crawl begins here, and not at `/`.
    pub(crate) fn start(mut self, path: &str) -> Self {
        self.starts.push(url(path));
        self
    }

    /// URLs that the user listed.
    pub(crate) fn url_list(mut self, paths: &[&str]) -> Self {
        self.url_list.extend(paths.iter().map(|path| url(path)));
        self
    }

    /// URLs that the user listed, with no start URL beside them.
    pub(crate) fn list_alone(self, paths: &[&str]) -> Self {
        Self { startless: true, ..self.url_list(paths) }
    }

    fn answers(mut self, path: &str, answer: Answer) -> Self {
        self.answers.insert(url(path), answer);
        self
    }

    /// A page of exactly this HTML.
    pub(crate) fn page(self, path: &str, html: &str) -> Self {
        self.answers(path, answer(Outcome::Page, 200, html))
    }

    /// A page with a title and a line of its own, that links to these.
    pub(crate) fn links(self, path: &str, targets: &[&str]) -> Self {
        let links: String = targets.iter().map(|target| format!("<a href='{target}'>to {target}</a>")).collect();
        self.page(path, &format!("<title>{path}</title><body>This is {path}. {links}"))
    }

    /// A page with these tags in its head, a title and a line of its own.
    pub(crate) fn head(self, path: &str, tags: &str) -> Self {
        self.page(path, &format!("<title>{path}</title>{tags}<body>This is {path}."))
    }

    /// A page that says noindex, and links to these.
    pub(crate) fn noindex(self, path: &str, targets: &[&str]) -> Self {
        self.links(path, targets).header(path, "x-robots-tag", "noindex")
    }

    /// A page whose canonical is this.
    pub(crate) fn canonical(self, path: &str, target: &str) -> Self {
        let tag = format!("<link rel=canonical href='{}'>", url(target));
        self.head(path, &tag)
    }

    /// A page with these alternates, each a code and a URL.
    pub(crate) fn alternates(self, path: &str, pairs: &[(&str, &str)]) -> Self {
        let tag = |(code, target): &(&str, &str)| format!("<link rel=alternate hreflang='{code}' href='{target}'>");
        let tags: String = pairs.iter().map(tag).collect();
        self.head(path, &tags)
    }

    /// So many pages, told by number.
    pub(crate) fn many(self, numbers: std::ops::Range<usize>, tell: impl Fn(Self, usize) -> Self) -> Self {
        numbers.fold(self, tell)
    }

    /// 200 with what is no page.
    pub(crate) fn file(self, path: &str) -> Self {
        self.answers(path, answer(Outcome::File, 200, "%PDF-1.7"))
    }

    /// A permanent redirect.
    pub(crate) fn redirect(self, path: &str, target: &str) -> Self {
        self.redirect_with(301, path, target)
    }

    /// A redirect of this status.
    pub(crate) fn redirect_with(self, status: u16, path: &str, target: &str) -> Self {
        self.answers(path, redirect(status, target))
    }

    /// Any other status.
    pub(crate) fn status(self, path: &str, status: u16) -> Self {
        self.answers(path, answer(Outcome::Status, status, ""))
    }

    /// No answer.
    pub(crate) fn silent(self, path: &str, kind: FailureKind) -> Self {
        self.answers(path, silence(kind))
    }

    /// An answer that breaks off.
    pub(crate) fn broken(self, path: &str) -> Self {
        self.answers(path, answer(Outcome::Broken, 200, ""))
    }

    /// The server asks to be left alone.
    pub(crate) fn throttled(self, path: &str, status: u16) -> Self {
        self.answers(path, answer(Outcome::Throttled, status, ""))
    }

    /// Known, and not to be fetched.
    pub(crate) fn refused(self, path: &str, why: Unfetched, found_on: &str) -> Self {
        let found_on = Some(url(found_on));
        self.answers(path, Answer { refused: Some(why), found_on, ..answer(Outcome::Refused, 0, "") })
    }

    fn change(mut self, path: &str, change: impl FnOnce(&mut Answer)) -> Self {
        change(self.answers.get_mut(&url(path)).expect("an answer is told before what is special about it"));
        self
    }

    /// A header field of what was told of this URL.
    pub(crate) fn header(self, path: &str, name: &'static str, value: &str) -> Self {
        self.change(path, |answer| answer.header.insert(0, (name, value.to_owned())))
    }

    /// It is sent without a media type.
    pub(crate) fn typeless(self, path: &str) -> Self {
        self.change(path, |answer| answer.header.retain(|(name, _)| *name != "content-type"))
    }

    /// It takes so long.
    pub(crate) fn takes(self, path: &str, millis: u32) -> Self {
        self.change(path, |answer| answer.millis = millis)
    }

    /// Links of it were left out.
    pub(crate) fn links_cut(self, path: &str) -> Self {
        self.change(path, |answer| answer.links_cut = true)
    }

    /// It has so many bytes, and was cut there or not.
    pub(crate) fn bytes(self, path: &str, bytes: u64, cut: bool) -> Self {
        self.change(path, |answer| (answer.bytes, answer.cut) = (Some(bytes), cut))
    }

    /// A robots.txt, which holds for the crawl.
    pub(crate) fn robots(self, text: &str) -> Self {
        Self { robots: Some(text.to_owned()), ..self }
    }

    /// No robots.txt, but this status; 0 for no answer.
    pub(crate) fn no_robots(self, status: u16) -> Self {
        let fate = if status == 0 { Fate::NoAnswer(FailureKind::TimedOut) } else { Fate::Status };
        Self { robots_failed: Some((fate, status)), ..self }
    }

    /// The robots.txt that was told, or is not there, is this one of another host.
    pub(crate) fn robots_at(self, robots: &str) -> Self {
        Self { robots_at: Some(robots.to_owned()), ..self }
    }

    /// No robots.txt of another host, but this status.
    pub(crate) fn no_robots_at(self, robots: &str, status: u16) -> Self {
        self.no_robots(status).robots_at(robots)
    }

    /// robots.txt redirects to where the one that was told stands.
    pub(crate) fn robots_redirect(self, target: &str) -> Self {
        Self { robots_target: Some(url(target)), ..self }
    }

    /// It may not be asked for, because its host's robots.txt cannot be had.
    pub(crate) fn unavailable(self, path: &str) -> Self {
        self.answers(path, Answer { robots_status: Some(503), ..answer(Outcome::Refused, 0, "") })
    }

    /// What the site answers to a name that cannot exist.
    pub(crate) fn probe(self, status: u16, html: &str) -> Self {
        let outcome = if status == 200 { Outcome::Page } else { Outcome::Status };
        Self { probe: Some(answer(outcome, status, html)), ..self }
    }

    /// The site redirects names that cannot exist.
    pub(crate) fn probe_redirect(self, target: &str) -> Self {
        Self { probe: Some(redirect(302, target)), ..self }
    }

    /// What another site's URL answers to the check.
    pub(crate) fn external(mut self, url: &str, status: u16) -> Self {
        let outcome = match status {
            200..=299 => Outcome::File,
            429 => Outcome::Throttled,
            _ => Outcome::Status,
        };
        self.external.insert(url.to_owned(), answer(outcome, status, ""));
        self
    }

    /// Another site's URL that redirects.
    pub(crate) fn external_redirect(mut self, url: &str, target: &str) -> Self {
        self.external.insert(url.to_owned(), redirect(301, target));
        self
    }

    /// Another site's URL that gives no answer.
    pub(crate) fn external_silent(mut self, url: &str, kind: FailureKind) -> Self {
        self.external.insert(url.to_owned(), silence(kind));
        self
    }

    /// A page that was last seen at this time before it changed.
    pub(crate) fn changed_after(mut self, path: &str, time: &str) -> Self {
        self.changed.push((url(path), time.parse().unwrap()));
        self
    }

    /// What a run sees of it all.
    pub(crate) fn site(mut self) -> Site {
        if self.starts.is_empty() && !self.startless {
            self.starts.push(url("/"));
            if !self.answers.contains_key(&url("/")) {
                self = self.links("/", &[]);
            }
        }
        Crawl::default().run(&self)
    }
}
