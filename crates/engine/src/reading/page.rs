//! Reads a page: its outcome, its facts and its links.

use super::ResponseReader;
use crate::discover::LinkCollector;
use crate::session;
use mapwright_fetch::{Fetch, Reply};
use mapwright_frontier::{RetryCost, Settlement};
use mapwright_model::{Outcome, Purpose, Task, Via, Visit};
use mapwright_web::media::Media;
use mapwright_web::page::facts::LinkKind;
use mapwright_web::page::{Outlinks, WrittenLink};
use mapwright_web::{directives, page};

impl<C: Fetch> ResponseReader<'_, C> {
    pub(super) fn page(&self, collector: &mut LinkCollector<'_>, visit: &mut Visit) -> Settlement {
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
