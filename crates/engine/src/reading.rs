//! Reads a response: its outcome, its facts, and the URLs that it leads to.

mod retry;

use crate::context::VisitContext;
use crate::discover::{LinkCollector, Prerequisite};
use crate::prerequisite;
use crate::remembered;
use crate::session;
use crate::sitemap_file::{SitemapFile, unfinished};
use jiff::{SignedDuration, Timestamp};
use mapwright_fetch::{BodyState, Fetch, Reply};
use mapwright_frontier::{Finished, MAX_ROBOTS_HOPS, RetryCost, RobotsAnswer, Settlement};
use mapwright_model::{FetchMode, Fingerprint, Outcome, Purpose, Remembered, Reused, Task, Via, Visit};
use mapwright_web::date::WebDate;
use mapwright_web::media::Media;
use mapwright_web::page::facts::LinkKind;
use mapwright_web::page::{Outlinks, WrittenLink};
use mapwright_web::{DocumentHeaders, PageUrl, directives, page};

/// Highest number of characters stored of a validator or a detail.
const MAX_FIELD: usize = 512;
/// Bytes of a body from which its kind is sniffed.
const SNIFFED: usize = 1024;

/// A response, with its request.
struct ResponseReader<'a, C> {
    context: &'a VisitContext<C>,
    task: &'a Task,
    at: Timestamp,
    reply: &'a Reply,
    /// The target, if it is a redirect that can be followed.
    location: Option<PageUrl>,
}

/// Reads the response to `task`.
pub(crate) fn read<C: Fetch>(
    context: &VisitContext<C>,
    mut task: Task,
    at: Timestamp,
    reply: Reply,
) -> Finished<Visit> {
    let mut collector = LinkCollector::new(context, &task);
    let answer =
        ResponseReader { context, task: &task, at, reply: &reply, location: redirect_target(context, &task, &reply) };
    let mut visit = answer.visit_of_head();
    let spelling = answer.spelling();
    let settlement = match answer.retry() {
        Some(settlement) => {
            visit.will_retry = true;
            settlement
        }
        None => match task.purpose {
            Purpose::Robots => answer.robots(&mut collector, &mut visit),
            Purpose::Sitemap | Purpose::Feed => answer.sitemap(&mut collector, &mut visit),
            Purpose::Page => answer.page(&mut collector, &mut visit),
            Purpose::Probe => answer.probe(&mut collector, &mut visit),
            Purpose::External => answer.external(&mut collector, &mut visit),
        },
    };
    let found = collector.into_found();
    task.spelling = spelling.or(task.spelling);
    let finished = Finished { settles: Some((task, settlement)), found, visit: Some(visit) };
    if is_to_be_timed(context, &finished) { to_be_timed(finished) } else { finished }
}

/// Reports whether a page was slow beside other requests, and may have been queued behind them.
fn is_to_be_timed<C>(context: &VisitContext<C>, finished: &Finished<Visit>) -> bool {
    let (Some((task, Settlement::Done)), Some(visit)) = (&finished.settles, &finished.visit) else { return false };
    let is_page = task.purpose == Purpose::Page && matches!(visit.outcome, Outcome::Page | Outcome::File);
    is_page && !task.alone && !task.timed && visit.total.is_some_and(|total| context.is_to_be_timed(total))
}

/// Has a page requested again for its response time. Its discoveries do not wait for that, except for those of a start
/// page, whose scope is not settled before.
fn to_be_timed(mut finished: Finished<Visit>) -> Finished<Visit> {
    let Some((task, settlement)) = &mut finished.settles else { return finished };
    *settlement = Settlement::Retry { after: None, cost: RetryCost::Timing };
    if task.seed {
        finished.found.clear();
    }
    if let Some(visit) = &mut finished.visit {
        visit.will_retry = true;
        visit.links.clear();
        visit.facts = None;
    }
    finished
}

/// Treats a 304 Not Modified as a visit of the remembered page, which it revalidates. The fields of the 304 replace the
/// stored ones (RFC 9111 section 4.3.4): where they name another canonical, or another representation, the page is
/// fetched again without conditions.
pub(crate) fn revalidated<C: Fetch>(
    context: &VisitContext<C>,
    task: Task,
    at: Timestamp,
    reply: &Reply,
    memory: &Remembered,
) -> Finished<Visit> {
    let mut collector = LinkCollector::new(context, &task);
    let answer = ResponseReader { context, task: &task, at, reply, location: None };
    let mut visit = answer.visit_of_head();
    let head = answer.head();
    let fresh = page::header_facts(&head, &task.url, &context.reading.page);
    if speaks_of_another(&task, reply) || fresh.canonicals.iter().any(|given| given.url != memory.canonical) {
        return remembered::fetch_plainly(task);
    }
    remembered::reuse_remembered(context, &mut collector, &mut visit, memory, fresh.directives);
    visit.reused = Some(Reused::Revalidated);
    let found = collector.into_found();
    Finished { settles: Some((task, Settlement::Done)), found, visit: Some(visit) }
}

/// Reports whether a 304 Not Modified has a strong validator other than the one that was sent: it then updates no
/// stored response (RFC 9111 section 4.3.4).
fn speaks_of_another(task: &Task, reply: &Reply) -> bool {
    let FetchMode::Conditional(known) = &task.mode else { return false };
    match (known.etag.as_deref(), reply.headers.etag()) {
        (Some(sent), Some(given)) if !given.starts_with("W/") => {
            // Servers add the coding to the tag of a compressed response, and leave it out here.
            let (sent, given) = (opaque(sent), opaque(given));
            !sent.starts_with(given) && !given.starts_with(sent)
        }
        _ => false,
    }
}

/// Returns the text between the quotes of an entity tag.
fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag).trim_matches('"')
}

/// Returns the target of a redirect, if the response is one that can be followed.
fn redirect_target<C>(context: &VisitContext<C>, task: &Task, reply: &Reply) -> Option<PageUrl> {
    PageUrl::join(task.url.as_url(), location(reply)?, encoding_rs::UTF_8, &context.reading.identity).ok()
}

/// Returns the `Location` of a redirect (RFC 9110 section 15.4).
fn location(reply: &Reply) -> Option<&str> {
    reply.headers.location().filter(|_| matches!(reply.status, 300..=303 | 307 | 308))
}

impl<C: Fetch> ResponseReader<'_, C> {
    /// Returns a visit with the data of the head and the sizes, for any purpose.
    fn visit_of_head(&self) -> Visit {
        let bounded = |text: &str| text.chars().take(MAX_FIELD).collect::<String>();
        let reply = self.reply;
        let first = reply.body.get(..SNIFFED).unwrap_or(&reply.body);
        let is_complete = reply.body_state.is_complete();
        Visit {
            status: Some(reply.status),
            first_byte: Some(reply.first_byte),
            total: Some(reply.total),
            wire_bytes: reply.wire_bytes,
            body_bytes: self.body_bytes(),
            cut: reply.body_state == BodyState::Cut,
            detail: if let BodyState::Broken(why) = &reply.body_state { Some(bounded(why)) } else { None },
            media: Some(Media::of(reply.headers.content_type(), first)),
            fingerprint: Fingerprint {
                etag: reply.headers.etag().map(bounded),
                last_modified: self.last_modified().map(bounded),
                hash: is_complete.then(|| self.context.reading.keys.hash(&reply.body)),
            },
            ..Visit::new(self.task.clone(), self.at, Outcome::Status)
        }
    }

    /// Returns the size of the decoded body; for a body that was not downloaded completely because it is not read, the
    /// `Content-Length`.
    fn body_bytes(&self) -> u64 {
        let taken = self.reply.body.len() as u64;
        let length = || self.reply.headers.get("content-length")?.trim().parse().ok();
        match &self.reply.body_state {
            BodyState::Enough if self.reply.headers.get("content-encoding").is_none() => length().unwrap_or(taken),
            _ => taken,
        }
    }

    /// Returns `Last-Modified`, unless it is the time of the response: that says nothing about the document, and no
    /// later response could be compared with it (RFC 9110 section 8.8.2.2).
    fn last_modified(&self) -> Option<&str> {
        let text = self.reply.headers.last_modified()?;
        let modified = WebDate::parse_http(text)?.earliest();
        let (answered, near) = self.answered();
        (answered.duration_since(modified) > near).then_some(text)
    }

    /// Returns the time of the response by the server's own clock, if it has a `Date`, and the distance within which
    /// another date may have been generated for it.
    fn answered(&self) -> (Timestamp, SignedDuration) {
        match self.reply.headers.get("date").and_then(WebDate::parse_http) {
            Some(date) => (date.earliest(), SignedDuration::from_secs(1)),
            None => (self.at, SignedDuration::from_secs(5)),
        }
    }

    /// Reports whether a date in a page is the second in which the page was generated for this response: that says
    /// nothing about the time of its last change. (Only the same second counts: a page may well have changed shortly
    /// before. A plain day is never such a date.)
    fn is_time_of_answer(&self, date: &WebDate) -> bool {
        let (answered, _) = self.answered();
        date.earliest() == date.latest() && answered.as_second() == date.earliest().as_second()
    }

    /// Returns the header fields that describe the document.
    fn head(&self) -> DocumentHeaders<'_> {
        let headers = &self.reply.headers;
        DocumentHeaders {
            content_type: headers.content_type(),
            links: headers.all("link").collect(),
            robots: headers.all("x-robots-tag").collect(),
            refresh: headers.get("refresh"),
        }
    }

    fn is_broken(&self) -> bool {
        matches!(self.reply.body_state, BodyState::Broken(_))
    }

    fn robots(&self, collector: &mut LinkCollector<'_>, visit: &mut Visit) -> Settlement {
        let reading = &self.context.reading;
        Settlement::Robots(match (self.reply.status, &self.location) {
            (_, Some(url)) => {
                visit.outcome = Outcome::Redirect;
                visit.target = Some(collector.find(url, Via::Resource));
                // A redirect that is followed no further counts as unavailable and, like a 4xx, names no sitemap.
                if self.task.hops >= MAX_ROBOTS_HOPS {
                    prerequisite::usual_sitemap(self.task, reading, collector);
                }
                RobotsAnswer::Hop(url.clone())
            }
            (200..=299, None) if self.is_broken() => {
                visit.outcome = Outcome::Broken;
                RobotsAnswer::Silent("reset")
            }
            (200..=299, None) => {
                visit.outcome = Outcome::File;
                visit.robots_text = Some(String::from_utf8_lossy(&self.reply.body).into_owned());
                prerequisite::robots(&self.reply.body, self.task, reading, collector)
            }
            (429 | 500..=599, None) => RobotsAnswer::Status(self.reply.status),
            _ => {
                prerequisite::usual_sitemap(self.task, reading, collector);
                RobotsAnswer::Free
            }
        })
    }

    fn sitemap(&self, collector: &mut LinkCollector<'_>, visit: &mut Visit) -> Settlement {
        let task = self.task;
        if let Some(url) = &self.location {
            visit.outcome = Outcome::Redirect;
            visit.target = Some(collector.find(url, Via::Resource));
            let file = Prerequisite { purpose: task.purpose, level: task.level, named_by_robots: task.named_by_robots };
            collector.prerequisite(url, Via::Redirect, file);
        } else if matches!(self.reply.status, 200 | 203) {
            visit.outcome = Outcome::File;
            let file = SitemapFile::new(task, &self.reply.body, self.reply.headers.content_type());
            let (entries, is_finished) = file.entries(&self.context.reading, collector);
            visit.entries = entries;
            if self.context.audits && task.purpose == Purpose::Sitemap {
                visit.faults = file.faults(visit.cut, self.at);
            }
            // A rule of the protocol reports a file that exceeds the read limit.
            visit.unfinished = !is_finished && !visit.cut;
            if self.context.audits && visit.unfinished {
                visit.faults.push(unfinished());
            }
        } else if self.throttles() {
            visit.outcome = Outcome::Throttled;
        }
        Settlement::Done
    }

    fn page(&self, collector: &mut LinkCollector<'_>, visit: &mut Visit) -> Settlement {
        if let Some(url) = &self.location {
            visit.outcome = Outcome::Redirect;
            visit.target = Some(collector.find(url, Via::Redirect));
            if self.may_open(visit.target.as_ref()) {
                collector.after_cookie_wall(url);
            }
            return Settlement::Done;
        }
        if self.is_challenge() {
            visit.outcome = Outcome::Throttled;
            return Settlement::Done;
        }
        let is_page = visit.media.as_ref().is_some_and(Media::is_page);
        visit.outcome = match self.reply.status {
            200 | 203 if self.is_broken() => Outcome::Broken,
            200 | 203 if is_page => Outcome::Page,
            200 | 203 => Outcome::File,
            _ if self.throttles() => Outcome::Throttled,
            _ => Outcome::Status,
        };
        if self.read_document(collector, visit) == DocumentRead::Session {
            collector.forget();
            *visit = Visit { will_retry: true, ..self.visit_of_head() };
            return Settlement::Retry { after: None, cost: RetryCost::Nothing };
        }
        Settlement::Done
    }

    /// Reads the response to a probe of a URL that cannot exist: its text is stored, and its links are dropped.
    fn probe(&self, collector: &mut LinkCollector<'_>, visit: &mut Visit) -> Settlement {
        let settlement = self.page(collector, visit);
        visit.links.clear();
        collector.forget();
        settlement
    }

    /// Reads the response to a check of an external URL.
    fn external(&self, collector: &mut LinkCollector<'_>, visit: &mut Visit) -> Settlement {
        visit.outcome = match (&self.location, self.reply.status) {
            (Some(_), _) => Outcome::Redirect,
            (None, 200..=299) => Outcome::File,
            (None, _) if self.throttles() => Outcome::Throttled,
            (None, _) => Outcome::Status,
        };
        visit.target = self.location.as_ref().map(|url| collector.find(url, Via::Redirect));
        Settlement::Done
    }

    /// Reads the document. Links of error responses are not taken: an error page leads nowhere.
    fn read_document(&self, collector: &mut LinkCollector<'_>, visit: &mut Visit) -> DocumentRead {
        let head = self.head();
        let (limits, url) = (&self.context.reading.page, &self.task.url);
        let is_page = visit.media.as_ref().is_some_and(Media::is_page);
        let document = is_page.then(|| page::Document::decode(&self.reply.body, &head));
        let (mut facts, links) = match &document {
            Some(document) => document.read(&head, url, limits),
            None => page::read_header(&head, url, limits),
        };
        if self.keeps_session(&links) {
            return DocumentRead::Session;
        }
        facts.dates.retain(|date| !self.is_time_of_answer(&date.date));
        let agents: Vec<&str> = self.context.reading.agents.iter().map(String::as_str).collect();
        visit.binding = directives::binding(&facts.directives, &agents, self.at);
        if matches!(self.reply.status, 200 | 203) {
            visit.canonical = collector.canonical(&facts);
            visit.target = collector.refresh(&facts);
            let (links, left_out) = collector.links(links, visit.binding.nofollow);
            visit.links = links;
            facts.leave_links_out(left_out);
            visit.relinked = collector.take_relinked();
        }
        visit.facts = Some(Box::new(facts));
        DocumentRead::Page
    }

    /// Reports whether the links carry a session because no cookie was sent; the cookie is stored now.
    fn keeps_session(&self, links: &Outlinks<'_>) -> bool {
        let Task { to_itself, purpose, url, .. } = self.task;
        let Reply { headers, sent_cookies, .. } = self.reply;
        if *to_itself || *purpose != Purpose::Page || headers.get("set-cookie").is_none() {
            return false;
        }
        let origin = url.origin();
        let anchors = links.written.iter().filter(|link| link.kind() == LinkKind::Anchor).map(WrittenLink::href);
        let links = anchors.map(|href| href.strip_prefix(origin.as_str()).unwrap_or(href));
        let cookie = session::cookie_of(headers.all("set-cookie"), sent_cookies, links);
        cookie.is_some_and(|cookie| self.context.fetcher.keep_cookie(url, cookie))
    }
}

/// The result of reading a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DocumentRead {
    /// The document itself.
    Page,
    /// The document as clients without a cookie see it: it is to be requested once more.
    Session,
}
