//! Sites for the tests of findings, described URL by URL.
//!
//! A test describes the answers of the web, and [`SiteBuilder::site`] does with them what a crawl and its record do:
//! pages are HTML, read by [`mapwright_web::page::read`]; the URLs that they lead to are discovered and requested if
//! robots.txt permits; the resulting rows go through the functions of [`super::load`]. Verdicts (`listed`, `reason`)
//! are those of [`mapwright_verdict::judge`]. Depth is as the record counts it: a click for each link that is followed,
//! none for a redirect.
//!
//! Defaults: the start page `/` is a plain page; URLs without an answer answer 404; hosts other than `example.com` are
//! out of scope unless they answer; a page that no link leads to is discovered all the same.

mod answer;
mod check_result;
mod crawl;
mod link_sets;
mod listing;
mod rendering;
mod sitemaps;
mod variants;

pub(crate) use answer::{NOW, url};

use super::NodeStatus;
use answer::{Answer, answer, redirect, silence};
use jiff::Timestamp;
use listing::Listing;
use mapwright_model::{FailureKind, Outcome, Unfetched};
use mapwright_store::ParameterRow;
use std::collections::BTreeMap;

/// The builder of a site.
#[derive(Debug, Default)]
pub(crate) struct SiteBuilder {
    starts: Vec<String>,
    url_list: Vec<String>,
    startless: bool,
    answers: BTreeMap<String, Answer>,
    external: BTreeMap<String, Answer>,
    probe: Option<Answer>,
    robots: Option<String>,
    robots_at: Option<String>,
    robots_target: Option<String>,
    robots_failed: Option<(NodeStatus, u16)>,
    listings: BTreeMap<String, Listing>,
    changed: Vec<(String, Timestamp)>,
    parameters: Vec<ParameterRow>,
}

/// Returns the builder of an empty site.
pub(crate) fn builder() -> SiteBuilder {
    SiteBuilder::default()
}

impl SiteBuilder {
    /// Starts the crawl here instead of at `/`.
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

    /// Adds pages by number.
    pub(crate) fn many(self, numbers: std::ops::Range<usize>, say: impl Fn(Self, usize) -> Self) -> Self {
        numbers.fold(self, say)
    }

    /// A URL that answers 200 with a file that is not a page.
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

    /// A URL that is throttled with this status.
    pub(crate) fn throttled(self, path: &str, status: u16) -> Self {
        self.answers(path, answer(Outcome::Throttled, status, ""))
    }

    /// A URL that is discovered on `found_on`, and not fetched.
    pub(crate) fn refused(self, path: &str, why: Unfetched, found_on: &str) -> Self {
        let found_on = Some(url(found_on));
        self.answers(path, Answer { refused: Some(why), found_on, ..answer(Outcome::Refused, 0, "") })
    }

    fn change(mut self, path: &str, change: impl FnOnce(&mut Answer)) -> Self {
        change(self.answers.get_mut(&url(path)).expect("an answer is reported before what is special about it"));
        self
    }

    /// Adds a header field to the answer of this URL.
    pub(crate) fn header(self, path: &str, name: &'static str, value: &str) -> Self {
        self.change(path, |answer| answer.header.insert(0, (name, value.to_owned())))
    }

    /// Removes the media type of this answer.
    pub(crate) fn typeless(self, path: &str) -> Self {
        self.change(path, |answer| answer.header.retain(|(name, _)| *name != "content-type"))
    }

    /// Sets the response time.
    pub(crate) fn takes(self, path: &str, millis: u32) -> Self {
        self.change(path, |answer| answer.millis = millis)
    }

    /// Marks that links of the page were left out.
    pub(crate) fn links_cut(self, path: &str) -> Self {
        self.change(path, |answer| answer.links_cut = true)
    }

    /// Sets the size of the body, and whether it was truncated there.
    pub(crate) fn bytes(self, path: &str, bytes: u64, cut: bool) -> Self {
        self.change(path, |answer| (answer.bytes, answer.cut) = (Some(bytes), cut))
    }

    /// A robots.txt, which the crawl obeys.
    pub(crate) fn robots(self, text: &str) -> Self {
        Self { robots: Some(text.to_owned()), ..self }
    }

    /// A request for robots.txt that answers this status; 0 for no answer.
    pub(crate) fn no_robots(self, status: u16) -> Self {
        let fetch_status = if status == 0 { NodeStatus::NoAnswer(FailureKind::TimedOut) } else { NodeStatus::Status };
        Self { robots_failed: Some((fetch_status, status)), ..self }
    }

    /// Moves the robots.txt of the site to this URL of another host.
    pub(crate) fn robots_at(self, robots: &str) -> Self {
        Self { robots_at: Some(robots.to_owned()), ..self }
    }

    /// A request for robots.txt of another host that answers this status.
    pub(crate) fn no_robots_at(self, robots: &str, status: u16) -> Self {
        self.no_robots(status).robots_at(robots)
    }

    /// Makes robots.txt redirect to this URL, where its text is.
    pub(crate) fn robots_redirect(self, target: &str) -> Self {
        Self { robots_target: Some(url(target)), ..self }
    }

    /// A URL that may not be requested, because its host's robots.txt cannot be fetched.
    pub(crate) fn unavailable(self, path: &str) -> Self {
        self.answers(path, Answer { robots_status: Some(503), ..answer(Outcome::Refused, 0, "") })
    }

    /// Sets the answer to the probe of a name that cannot exist.
    pub(crate) fn probe(self, status: u16, html: &str) -> Self {
        let outcome = if status == 200 { Outcome::Page } else { Outcome::Status };
        Self { probe: Some(answer(outcome, status, html)), ..self }
    }

    /// The site redirects names that cannot exist.
    pub(crate) fn probe_redirect(self, target: &str) -> Self {
        Self { probe: Some(redirect(302, target)), ..self }
    }

    /// Sets the answer of another site's URL to the check of external links.
    pub(crate) fn external(mut self, url: &str, status: u16) -> Self {
        let outcome = match status {
            200..=299 => Outcome::File,
            429 => Outcome::Throttled,
            _ => Outcome::Status,
        };
        self.external.insert(url.to_owned(), answer(outcome, status, ""));
        self
    }

    /// A file of this media type that the check of resources requests.
    pub(crate) fn external_file(self, url: &str, media_type: &str) -> Self {
        self.external_bytes(url, media_type, 0)
    }

    /// A file of this media type and so many bytes that the check of resources requests.
    pub(crate) fn external_bytes(mut self, url: &str, media_type: &str, bytes: u64) -> Self {
        let header = vec![("content-type", media_type.to_owned())];
        self.external.insert(url.to_owned(), Answer { header, bytes: Some(bytes), ..answer(Outcome::File, 200, "") });
        self
    }

    /// Notes that a style sheet names a URL that the check of resources requests.
    pub(crate) fn named_by(mut self, url: &str, sheet: &str) -> Self {
        self.external.get_mut(url).unwrap().found_on = Some(sheet.to_owned());
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

    /// A page that was last seen unchanged at this time, and changed since.
    pub(crate) fn changed_after(mut self, path: &str, time: &str) -> Self {
        self.changed.push((url(path), time.parse().unwrap()));
        self
    }
}
