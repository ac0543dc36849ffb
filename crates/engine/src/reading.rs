//! From an answer to what it says: its outcome, its facts, and the URLs it leads to.

use crate::desk::Desk;
use crate::discover::{Finds, Prerequisite};
use crate::prerequisite;
use crate::remembered::{self, Remembered};
use crate::session;
use crate::sitemap_file::{SitemapFile, unfinished};
use crate::visit;
use crate::visited::{Carried, Outcome, Seal, Visit};
use jiff::{SignedDuration, Timestamp};
use mapwright_fetch::{BodyState, Fetch, Reply};
use mapwright_frontier::{Cost, Finished, MAX_ROBOTS_HOPS, Mode, Purpose, RobotsAnswer, Settlement, Target, Task, Via};
use mapwright_web::date::WebDate;
use mapwright_web::media::Media;
use mapwright_web::page::facts::LinkKind;
use mapwright_web::page::{Outlinks, WrittenLink};
use mapwright_web::{Head, PageUrl, Spelling, directives, page};
use std::time::Duration;

/// Characters of a validator or of a detail that are kept.
const MAX_FIELD: usize = 512;
/// Bytes of a body that its kind is sniffed from.
const SNIFFED: usize = 1024;

/// An answer, and what it answers.
struct Answer<'a, C> {
    desk: &'a Desk<C>,
    task: &'a Task,
    at: Timestamp,
    reply: &'a Reply,
    /// Where it redirects to, if it is a redirect that can be followed.
    location: Option<PageUrl>,
}

/// Reads the answer to `task`.
pub(crate) fn read<C: Fetch>(desk: &Desk<C>, mut task: Task, at: Timestamp, reply: Reply) -> Finished<Visit> {
    let mut finds = Finds::new(desk, &task);
    let answer = Answer { desk, task: &task, at, reply: &reply, location: redirect_target(desk, &task, &reply) };
    let mut visit = answer.noted();
    let spelling = answer.spelling();
    let settlement = match answer.retry() {
        Some(again) => {
            visit.to_be_tried_again = true;
            again
        }
        None => match task.purpose {
            Purpose::Robots => answer.robots(&mut finds, &mut visit),
            Purpose::Sitemap | Purpose::Feed => answer.sitemap(&mut finds, &mut visit),
            Purpose::Page => answer.page(&mut finds, &mut visit),
            Purpose::Probe => answer.probe(&mut finds, &mut visit),
            Purpose::External => answer.external(&mut finds, &mut visit),
        },
    };
    let found = finds.into_found();
    task.spelling = spelling.or(task.spelling);
    let finished = Finished { settles: Some((task, settlement)), found, visit: Some(visit) };
    if is_to_be_timed(desk, &finished) { to_be_timed(finished) } else { finished }
}

/// Whether a page was slow beside other requests, and may have waited behind them.
fn is_to_be_timed<C>(desk: &Desk<C>, finished: &Finished<Visit>) -> bool {
    let (Some((task, Settlement::Done)), Some(visit)) = (&finished.settles, &finished.visit) else { return false };
    let is_page = task.purpose == Purpose::Page && matches!(visit.outcome, Outcome::Page | Outcome::File);
    is_page && !task.alone && !task.timed && visit.total.is_some_and(|total| desk.is_to_be_timed(total))
}

/// Lets a page be requested again for its time. What it leads to need not wait for that, but for a start page's: where
/// its links belong is not settled before.
fn to_be_timed(mut finished: Finished<Visit>) -> Finished<Visit> {
    let Some((task, settlement)) = &mut finished.settles else { return finished };
    *settlement = Settlement::Again { after: None, cost: Cost::Time };
    if task.seed {
        finished.found.clear();
    }
    if let Some(visit) = &mut finished.visit {
        visit.to_be_tried_again = true;
        visit.links.clear();
        visit.facts = None;
    }
    finished
}

/// Lets what is remembered stand for an answer that says "not modified". Its own fields replace those that came before
/// (RFC 9111 section 4.3.4): where they name another canonical, or speak of another representation, the page is asked
/// for as a whole.
pub(crate) fn vouched<C: Fetch>(
    desk: &Desk<C>,
    task: Task,
    at: Timestamp,
    reply: &Reply,
    memory: &Remembered,
) -> Finished<Visit> {
    let mut finds = Finds::new(desk, &task);
    let answer = Answer { desk, task: &task, at, reply, location: None };
    let mut visit = answer.noted();
    let head = answer.head();
    let fresh = page::header_facts(&head, &task.url, &desk.reading.page);
    if speaks_of_another(&task, reply) || fresh.canonicals.iter().any(|given| given.url != memory.canonical) {
        return remembered::fetch_plainly(task);
    }
    remembered::stand_for(desk, &mut finds, &mut visit, memory, fresh.directives);
    visit.carried = Some(Carried::Vouched);
    let found = finds.into_found();
    Finished { settles: Some((task, Settlement::Done)), found, visit: Some(visit) }
}

/// Whether a "not modified" bears a strong validator that is not the one that was sent: it updates nothing that is known
/// (RFC 9111 section 4.3.4).
fn speaks_of_another(task: &Task, reply: &Reply) -> bool {
    let Mode::Conditional(known) = &task.mode else { return false };
    match (known.etag.as_deref(), reply.headers.etag()) {
        (Some(sent), Some(given)) if !given.starts_with("W/") => {
            // Servers add the coding to the tag of what they pack, and forget it here.
            let (sent, given) = (opaque(sent), opaque(given));
            !sent.starts_with(given) && !given.starts_with(sent)
        }
        _ => false,
    }
}

/// What stands between the quotes of an entity tag.
fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag).trim_matches('"')
}

/// A server error that no load is the cause of: 501 Not Implemented, 505 HTTP Version Not Supported.
fn is_final(status: u16) -> bool {
    matches!(status, 501 | 505)
}

/// The target of a redirect, if the answer is one that can be followed.
fn redirect_target<C>(desk: &Desk<C>, task: &Task, reply: &Reply) -> Option<PageUrl> {
    PageUrl::join(task.url.as_url(), location(reply)?, encoding_rs::UTF_8, &desk.reading.identity).ok()
}

/// What a redirect gives as its target (RFC 9110 section 15.4).
fn location(reply: &Reply) -> Option<&str> {
    reply.headers.location().filter(|_| matches!(reply.status, 300..=303 | 307 | 308))
}

impl<C: Fetch> Answer<'_, C> {
    /// What the head and the sizes say, whatever the answer is for.
    fn noted(&self) -> Visit {
        let bounded = |text: &str| text.chars().take(MAX_FIELD).collect::<String>();
        let reply = self.reply;
        let first = reply.body.get(..SNIFFED).unwrap_or(&reply.body);
        let whole = reply.body_state.is_whole();
        Visit {
            status: Some(reply.status),
            first_byte: Some(reply.first_byte),
            total: Some(reply.total),
            wire_bytes: reply.wire_bytes,
            body_bytes: self.body_bytes(),
            cut: reply.body_state == BodyState::Cut,
            detail: if let BodyState::Broken(why) = &reply.body_state { Some(bounded(why)) } else { None },
            media: Some(Media::of(reply.headers.content_type(), first)),
            seal: Seal {
                etag: reply.headers.etag().map(bounded),
                last_modified: self.last_modified().map(bounded),
                hash: whole.then(|| self.desk.reading.keys.hash(&reply.body)),
            },
            ..Visit::new(self.task.clone(), self.at, Outcome::Status)
        }
    }

    /// Bytes of the decoded body; of one that was not taken whole since it is not read, what its head says.
    fn body_bytes(&self) -> u64 {
        let taken = self.reply.body.len() as u64;
        let length = || self.reply.headers.get("content-length")?.trim().parse().ok();
        match &self.reply.body_state {
            BodyState::Enough if self.reply.headers.get("content-encoding").is_none() => length().unwrap_or(taken),
            _ => taken,
        }
    }

    /// `Last-Modified`, unless it is the time of the answer: that tells nothing of the document, and no later answer
    /// could be compared with it (RFC 9110 section 8.8.2.2).
    fn last_modified(&self) -> Option<&str> {
        let text = self.reply.headers.last_modified()?;
        let modified = WebDate::parse_http(text)?.earliest();
        let (answered, near) = self.answered();
        (answered.duration_since(modified) > near).then_some(text)
    }

    /// The time of the answer, and how near to it a date may have been made for it: by the server's own clock, if it
    /// tells that.
    fn answered(&self) -> (Timestamp, SignedDuration) {
        match self.reply.headers.get("date").and_then(WebDate::parse_http) {
            Some(date) => (date.earliest(), SignedDuration::from_secs(1)),
            None => (self.at, SignedDuration::from_secs(5)),
        }
    }

    /// Whether a date that a page gives of itself is the second at which it was made for us: that tells nothing of when
    /// it was changed. (The second alone: a page may well have been changed shortly before. A day says nothing of it.)
    fn is_time_of_answer(&self, date: &WebDate) -> bool {
        let (answered, _) = self.answered();
        date.earliest() == date.latest() && answered.as_second() == date.earliest().as_second()
    }

    /// The part of the head that says something of the document.
    fn head(&self) -> Head<'_> {
        let headers = &self.reply.headers;
        Head {
            content_type: headers.content_type(),
            links: headers.all("link").collect(),
            robots: headers.all("x-robots-tag").collect(),
            refresh: headers.get("refresh"),
        }
    }

    fn is_broken(&self) -> bool {
        matches!(self.reply.body_state, BodyState::Broken(_))
    }

    /// How long the server asks to be left alone.
    fn wait(&self) -> Option<Duration> {
        mapwright_fetch::retry_after(&self.reply.headers, self.at)
    }

    /// Whether the task is to be tried again.
    fn retry(&self) -> Option<Settlement> {
        let (desk, task) = (self.desk, self.task);
        if self.wants_cookie() || self.spelling().is_some() {
            return Some(Settlement::Again { after: None, cost: Cost::Nothing });
        }
        if task.purpose == Purpose::External {
            return self.asks_whole().then_some(Settlement::Again { after: None, cost: Cost::Try });
        }
        let broken = self.is_broken() && matches!(self.reply.status, 200..=299);
        if self.wants_confirmation() {
            return Some(Settlement::Again { after: self.wait(), cost: self.cost() });
        }
        let failing = matches!(self.reply.status, 429 | 500..=599) && !is_final(self.reply.status) || broken;
        let wait = self.wait();
        let too_long = wait.is_some_and(|wait| wait > desk.max_retry_after);
        if !failing || too_long || task.attempt >= desk.retries {
            return None;
        }
        Some(match task.purpose {
            Purpose::Robots => Settlement::Robots(RobotsAnswer::Again(wait)),
            _ => Settlement::Again { after: wait, cost: self.cost() },
        })
    }

    /// The page redirects to itself, to see whether a cookie comes back.
    fn wants_cookie(&self) -> bool {
        let task = self.task;
        let to_itself = self.location.as_ref() == Some(&task.url);
        to_itself && self.reply.set_cookie && !task.to_itself && task.purpose == Purpose::Page
    }

    /// A hop that leads to a URL known before may be a gate that it redirected to, and let us through: with a cookie,
    /// or, on the way from a start URL, by whatever else it remembers us by.
    fn may_open(&self, target: Option<&Target>) -> bool {
        let task = self.task;
        task.hops > 0 && matches!(target, Some(Target::Known(_))) && (self.reply.set_cookie || task.seed)
    }

    /// The page redirects to itself, in another spelling: browsers follow that, and reach it.
    fn spelling(&self) -> Option<Spelling> {
        let (task, identity) = (self.task, &self.desk.reading.identity);
        if task.to_itself || !matches!(task.purpose, Purpose::Page | Purpose::External) {
            return None;
        }
        Spelling::of(location(self.reply)?, task.url.as_url(), &task.url, identity)
    }

    /// Servers that limit their clients answer so; nginx says 503 unless it is told otherwise.
    fn cost(&self) -> Cost {
        if matches!(self.reply.status, 429 | 503) { Cost::TryUnlessTurnedAway } else { Cost::Try }
    }

    /// An error of a page is confirmed by a second try before an audit speaks of it, a refusal among them: firewalls
    /// and sessions that have just ended refuse once.
    fn wants_confirmation(&self) -> bool {
        let (desk, task, status) = (self.desk, self.task, self.reply.status);
        let error = matches!(status, 400..=599) && status != 429;
        let wait = self.wait().unwrap_or_default();
        desk.audits && error && task.purpose == Purpose::Page && task.attempt == 0 && wait <= desk.max_retry_after
    }

    /// Another site's server that is unhappy with a question for a head alone may answer one for the whole.
    fn asks_whole(&self) -> bool {
        visit::is_first_check(self.task) && self.reply.status >= 400 && !self.throttles()
    }

    /// The server asks to be left alone, or its firewall challenges us: that is no broken page.
    fn throttles(&self) -> bool {
        let wait = self.wait();
        let status = self.reply.status;
        let asks = status == 429 || (status == 503 && wait.is_some());
        asks || wait.is_some_and(|w| w > self.desk.max_retry_after) || self.is_challenge()
    }

    /// A firewall asks whether we are a person, by the headers that Cloudflare and AWS WAF give their challenges: the
    /// page behind it was not served, whatever the status says. (Where it says 401 or 403, it says enough.)
    fn is_challenge(&self) -> bool {
        let header = |name: &str| self.reply.headers.get(name).unwrap_or_default().trim().to_ascii_lowercase();
        let asks = header("cf-mitigated") == "challenge"
            || matches!(header("x-amzn-waf-action").as_str(), "challenge" | "captcha");
        asks && !matches!(self.reply.status, 401 | 403)
    }

    fn robots(&self, finds: &mut Finds<'_>, visit: &mut Visit) -> Settlement {
        let reading = &self.desk.reading;
        Settlement::Robots(match (self.reply.status, &self.location) {
            (_, Some(url)) => {
                visit.outcome = Outcome::Redirect;
                visit.target = Some(finds.find(url, Via::Resource));
                // Followed no further it counts as unavailable, and as one that answers 4xx it names no sitemap.
                if self.task.hops >= MAX_ROBOTS_HOPS {
                    prerequisite::usual_sitemap(self.task, reading, finds);
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
                prerequisite::robots(&self.reply.body, self.task, reading, finds)
            }
            (429 | 500..=599, None) => RobotsAnswer::Status(self.reply.status),
            _ => {
                prerequisite::usual_sitemap(self.task, reading, finds);
                RobotsAnswer::Free
            }
        })
    }

    fn sitemap(&self, finds: &mut Finds<'_>, visit: &mut Visit) -> Settlement {
        let task = self.task;
        if let Some(url) = &self.location {
            visit.outcome = Outcome::Redirect;
            visit.target = Some(finds.find(url, Via::Resource));
            let file = Prerequisite { purpose: task.purpose, level: task.level, invited: task.invited };
            finds.prerequisite(url, Via::Redirect, file);
        } else if matches!(self.reply.status, 200 | 203) {
            visit.outcome = Outcome::File;
            let file = SitemapFile::new(task, &self.reply.body, self.reply.headers.content_type());
            let (entries, is_finished) = file.entries(&self.desk.reading, finds);
            visit.entries = entries;
            if self.desk.audits && task.purpose == Purpose::Sitemap {
                visit.faults = file.faults(visit.cut, self.at);
            }
            // What lies beyond the limit of what is read is told of by a rule of the protocol.
            visit.unfinished = !is_finished && !visit.cut;
            if self.desk.audits && visit.unfinished {
                visit.faults.push(unfinished());
            }
        } else if self.throttles() {
            visit.outcome = Outcome::Throttled;
        }
        Settlement::Done
    }

    fn page(&self, finds: &mut Finds<'_>, visit: &mut Visit) -> Settlement {
        if let Some(url) = &self.location {
            visit.outcome = Outcome::Redirect;
            visit.target = Some(finds.find(url, Via::Redirect));
            if self.may_open(visit.target.as_ref()) {
                finds.back(url);
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
        if self.say(finds, visit) == Said::Session {
            finds.forget();
            *visit = Visit { to_be_tried_again: true, ..self.noted() };
            return Settlement::Again { after: None, cost: Cost::Nothing };
        }
        Settlement::Done
    }

    /// What the site says of a name that cannot exist: its text is kept, and it leads nowhere.
    fn probe(&self, finds: &mut Finds<'_>, visit: &mut Visit) -> Settlement {
        let settlement = self.page(finds, visit);
        visit.links.clear();
        finds.forget();
        settlement
    }

    /// Whether another site's URL answers.
    fn external(&self, finds: &mut Finds<'_>, visit: &mut Visit) -> Settlement {
        visit.outcome = match (&self.location, self.reply.status) {
            (Some(_), _) => Outcome::Redirect,
            (None, 200..=299) => Outcome::File,
            (None, _) if self.throttles() => Outcome::Throttled,
            (None, _) => Outcome::Status,
        };
        visit.target = self.location.as_ref().map(|url| finds.find(url, Via::Redirect));
        Settlement::Done
    }

    /// What the document says. Links of answers that are no success are not taken: an error page leads nowhere.
    fn say(&self, finds: &mut Finds<'_>, visit: &mut Visit) -> Said {
        let head = self.head();
        let (limits, url) = (&self.desk.reading.page, &self.task.url);
        let is_page = visit.media.as_ref().is_some_and(Media::is_page);
        let document = is_page.then(|| page::Document::decode(&self.reply.body, &head));
        let (mut facts, links) = match &document {
            Some(document) => document.read(&head, url, limits),
            None => page::read_header(&head, url, limits),
        };
        if self.keeps_session(&links) {
            return Said::Session;
        }
        facts.dates.retain(|date| !self.is_time_of_answer(&date.date));
        let agents: Vec<&str> = self.desk.reading.agents.iter().map(String::as_str).collect();
        visit.binding = directives::binding(&facts.directives, &agents, self.at);
        if matches!(self.reply.status, 200 | 203) {
            visit.canonical = finds.canonical(&facts);
            visit.target = finds.refresh(&facts);
            let (links, left_out) = finds.links(links, visit.binding.nofollow);
            visit.links = links;
            facts.leave_links_out(left_out);
            visit.again = finds.take_again();
        }
        visit.facts = Some(Box::new(facts));
        Said::Page
    }

    /// Whether the links carry a session for want of a cookie, which is kept now.
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
        cookie.is_some_and(|cookie| self.desk.fetcher.keep_cookie(url, cookie))
    }
}

/// What a document was read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    /// What it is.
    Page,
    /// What it is to those without a cookie: it is to be requested once more.
    Session,
}
