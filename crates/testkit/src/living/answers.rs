//! The responses of a living site, including those to conditional requests.

use std::time::{SystemTime, UNIX_EPOCH};

use super::dates;
use super::page::{Page, State};
use super::render::Rendering;
use super::section::{ConditionalSupport, Modified, Tag};
use super::traffic::TrafficLog;
use super::world::{FOUNDED, World};
use crate::request::ReceivedRequest;
use crate::response::Response;

/// The served site: its pages, the instants of its runs, and its traffic.
#[derive(Debug)]
pub(super) struct Answers {
    pub(super) world: World,
    /// The second of each run, from the first.
    pub(super) instants: Vec<i64>,
    pub(super) traffic_log: TrafficLog,
    fetches: u64,
}

/// The validators in the head of a response.
struct Validators {
    tag: Option<String>,
    modified: Option<i64>,
}

impl Answers {
    pub(super) fn of(world: World) -> Answers {
        Answers { world, instants: Vec::new(), traffic_log: TrafficLog::default(), fetches: 0 }
    }

    /// The second in which the text of a page last changed.
    pub(super) fn written(&self, page: &Page) -> i64 {
        if page.changed_in == 0 { page.written } else { self.instant(page.changed_in) }
    }

    /// Answers a request and counts it.
    pub(super) fn answer(&mut self, request: &ReceivedRequest) -> Response {
        self.fetches += 1;
        let response = self.respond(request).header("Date", dates::http_date(now()));
        let section = self.world.pages.get(request.path()).map(|page| page.section);
        let bytes = response.to_bytes();
        self.traffic_log.note(self.world.day, section, request, &bytes);
        response
    }

    fn respond(&self, request: &ReceivedRequest) -> Response {
        if request.path() == "/robots.txt" {
            return Response::text("User-agent: *\nDisallow: /search\n");
        }
        let Some(page) = self.world.pages.get(request.path()) else { return refusal(404) };
        match &page.state {
            State::Gone(status) => refusal(*status),
            State::Moved(to) => Response::redirect(301, to),
            State::Here if page.failing_in == self.world.day => refusal(503),
            State::Here => self.show(request, page),
        }
    }

    fn show(&self, request: &ReceivedRequest, page: &Page) -> Response {
        let body = Rendering { world: &self.world, page, at: self.written(page), fetch: self.fetches }.html();
        let validators = Validators { tag: self.tag(page, &body), modified: self.modified(page) };
        let mut response = match validators.spare(request, page) {
            true => Response::new(304),
            false if page.section.gzip && accepts_gzip(request) => Response::html(body).gzip(),
            false => Response::html(body),
        };
        if let Some(tag) = &validators.tag {
            response = response.header("ETag", tag);
        }
        if let Some(second) = validators.modified {
            response = response.header("Last-Modified", dates::http_date(second));
        }
        if page.hidden.is_some_and(|hidden| hidden.by_header) {
            response = response.header("X-Robots-Tag", "noindex");
        }
        response.header("Vary", "Accept-Encoding").header("Cache-Control", "no-cache")
    }

    fn tag(&self, page: &Page, body: &str) -> Option<String> {
        match page.section.tag {
            Tag::Missing => None,
            Tag::Strong => Some(format!("\"{:016x}\"", digest(body))),
            Tag::Weak => Some(format!("W/\"{}-{}\"", page.number, page.changed_in)),
            Tag::Fixed => Some(format!("\"page-{}\"", page.number)),
            Tag::Fresh => Some(format!("\"{:x}-{:x}\"", self.world.day, self.fetches)),
        }
    }

    fn modified(&self, page: &Page) -> Option<i64> {
        let written = self.written(page);
        match page.section.modified {
            Modified::Missing => None,
            Modified::Honest => Some(written),
            Modified::Now => Some(now()),
            Modified::OfBytes => Some(written.max(self.instant(self.bytes_changed_in(page)))),
            Modified::OfDeploy => Some(written.max(self.instant(self.world.deployed_in)).max(FOUNDED)),
        }
    }

    /// The run before which any byte of a page last changed.
    fn bytes_changed_in(&self, page: &Page) -> u32 {
        let quiet = super::DayKind::of(self.world.day) == super::DayKind::Quiet;
        let last_loud = if quiet { self.world.day - 1 } else { self.world.day };
        let dynamic_boilerplate = if page.dynamic_boilerplate.is_some() && last_loud > 1 { last_loud } else { 0 };
        dynamic_boilerplate.max(page.marked_in).max(self.world.deployed_in)
    }

    /// The second of a run; 0 for a run that did not happen.
    fn instant(&self, day: u32) -> i64 {
        let index = usize::try_from(day).unwrap_or(0).checked_sub(1);
        index.and_then(|index| self.instants.get(index)).copied().unwrap_or(0)
    }
}

impl Validators {
    /// Returns whether a request is answered with 304.
    fn spare(&self, request: &ReceivedRequest, page: &Page) -> bool {
        let conditional = page.section.conditional;
        if let Some(known) = request.header("if-none-match") {
            let fits = |tag: &str| known.split(',').any(|known| opaque(known) == opaque(tag));
            return matches!(conditional, ConditionalSupport::NoneMatch | ConditionalSupport::Both)
                && self.tag.as_deref().is_some_and(fits);
        }
        let Some(since) = request.header("if-modified-since").and_then(dates::read_http_date) else { return false };
        matches!(conditional, ConditionalSupport::ModifiedSince | ConditionalSupport::Both)
            && self.modified.is_some_and(|second| second <= since)
    }
}

/// The part of an entity tag that the weak comparison uses (RFC 9110, section 8.8.3.2).
fn opaque(tag: &str) -> &str {
    tag.trim().trim_start_matches("W/")
}

fn accepts_gzip(request: &ReceivedRequest) -> bool {
    request.header("accept-encoding").is_some_and(|codings| codings.contains("gzip"))
}

fn refusal(status: u16) -> Response {
    Response::html(format!("<!doctype html><title>{status}</title><p>There is nothing to see here.")).status(status)
}

/// FNV-1a: equal for equal bytes, in every build.
fn digest(body: &str) -> u64 {
    body.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
