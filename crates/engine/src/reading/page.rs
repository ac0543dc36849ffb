//! Reads a page: its outcome, its facts and its links.

use super::ResponseReader;
use super::rendered::{AfterScripts, Merged};
use crate::discover::LinkCollector;
use crate::render::text_has_grown;
use crate::response::{RedirectTarget, ResponseClass};
use crate::session;
use mapwright_fetch::{Fetch, Reply};
use mapwright_frontier::{RetryCost, Settlement};
use mapwright_model::{Content, Outcome, OwnLinks, PageContent, Purpose, Rendering, Target, Task, Via, Visit};
use mapwright_web::media::Media;
use mapwright_web::page::facts::LinkKind;
use mapwright_web::page::{Outlinks, WrittenLink};
use mapwright_web::{PageFacts, page};

impl<C: Fetch> ResponseReader<'_, C> {
    pub(super) fn page(&self, collector: &mut LinkCollector<'_>, visit: &mut Visit) -> Settlement {
        if let Some(redirect) = self.response.redirect() {
            self.redirect(redirect, collector, visit);
            return Settlement::Done;
        }
        let is_page = visit.response.media.as_ref().is_some_and(Media::is_page);
        visit.outcome = self.outcome(is_page);
        if self.response.class == ResponseClass::Challenge {
            return Settlement::Done;
        }
        match self.document(collector, is_page) {
            DocumentRead::Page(mut content, target) => {
                visit.response.target = target;
                self.note_rendering(&mut content, visit);
                visit.content = Content::Page(content);
                visit.relinked = collector.take_relinked();
                Settlement::Done
            }
            DocumentRead::Session => {
                collector.forget();
                *visit = Visit { will_retry: true, ..self.visit_of_head() };
                Settlement::Retry { after: None, cost: RetryCost::Nothing }
            }
        }
    }

    /// Notes how the page was rendered. Its bytes no longer say what it is then.
    fn note_rendering(&self, content: &mut PageContent, visit: &mut Visit) {
        match self.rendered {
            Some(Ok(rendered)) => {
                content.rendering = Some(Box::new(rendered.rendering.clone()));
                let fingerprint = &mut visit.response.fingerprint;
                fingerprint.hash = Some(self.context.reading.keys.hash(rendered.html.as_bytes()));
                if text_has_grown(&content.facts) {
                    // The header dates the document, which is not where this text comes from.
                    fingerprint.last_modified = None;
                }
            }
            Some(Err(failure)) => {
                let failure = Some(failure.to_string());
                content.rendering = Some(Box::new(Rendering { failure, ..Rendering::default() }));
            }
            None => {}
        }
    }

    /// Returns the outcome, other than a redirect.
    fn outcome(&self, is_page: bool) -> Outcome {
        match (&self.response.class, self.response.status) {
            (ResponseClass::Challenge | ResponseClass::Throttled, _) => Outcome::Throttled,
            (ResponseClass::Broken, 200 | 203) => Outcome::Broken,
            (ResponseClass::Success, 200 | 203) if is_page => Outcome::Page,
            (ResponseClass::Success, 200 | 203) => Outcome::File,
            _ => Outcome::Status,
        }
    }

    /// Notes a redirect. A hop to a known URL may be a cookie wall that now lets the crawler through: with a cookie or,
    /// on the way from a start URL, by any other state on the server.
    fn redirect(&self, redirect: &RedirectTarget, collector: &mut LinkCollector<'_>, visit: &mut Visit) {
        let target = collector.find(&redirect.url, Via::Redirect);
        let is_hop = self.task.route.hops > 0 && (redirect.sets_cookie || self.task.route.seed);
        if is_hop && matches!(target, Target::Known(_)) {
            collector.after_cookie_wall(&redirect.url);
        }
        visit.outcome = Outcome::Redirect;
        visit.response.target = Some(target);
    }

    /// Reads the document. Links of error responses are not taken: an error page leads nowhere.
    fn document(&self, collector: &mut LinkCollector<'_>, is_page: bool) -> DocumentRead {
        let head = self.head();
        let (limits, url) = (&self.context.reading.page, &self.task.url);
        let document = is_page.then(|| page::Document::decode(&self.reply.body, &head));
        let (mut facts, links) = match &document {
            Some(document) => document.read(&head, url, limits),
            None => page::read_header(&head, url, limits),
        };
        if self.keeps_session(&links) {
            return DocumentRead::Session;
        }
        facts.dates.retain(|date| !self.is_time_of_answer(&date.date));
        let (base, scripted);
        let after = match (&document, self.rendered) {
            (Some(document), Some(Ok(rendered))) => {
                (base, scripted) = (self.base_of(rendered), document.after_scripts(&rendered.html));
                let (facts, links) = scripted.read(&head, &base, limits);
                Some(AfterScripts { facts, links, rendering: &rendered.rendering })
            }
            _ => None,
        };
        let (content, target) = match after {
            Some(after) => {
                let merged = self.merge(facts, after, collector);
                self.content_after_scripts(merged, links, collector)
            }
            None => self.content(facts, links, collector),
        };
        DocumentRead::Page(Box::new(content), target)
    }

    /// Returns the content of a document, and the target of an instant refresh.
    fn content(
        &self,
        facts: PageFacts,
        links: Outlinks<'_>,
        collector: &mut LinkCollector<'_>,
    ) -> (PageContent, Option<Target>) {
        let binding = self.binding_of(&facts);
        let mut content = PageContent { facts, binding, ..PageContent::default() };
        let mut target = None;
        if matches!(self.reply.status, 200 | 203) {
            content.canonical = collector.canonical(&content.facts);
            target = collector.refresh(&content.facts);
            let left_out;
            (content.links, left_out) = collector.links(links, binding.nofollow);
            content.facts.leave_links_out(left_out);
            content.own_links = OwnLinks { before: count(collector.take_own().len()), added: 0 };
        }
        (content, target)
    }

    /// Returns the content of a document whose scripts ran; `links` are those without scripts.
    fn content_after_scripts(
        &self,
        merged: Merged<'_>,
        links: Outlinks<'_>,
        collector: &mut LinkCollector<'_>,
    ) -> (PageContent, Option<Target>) {
        let binding = self.binding_of(&merged.facts);
        let (facts, canonical) = (merged.facts, merged.canonical);
        let mut content = PageContent { facts, canonical, binding, ..PageContent::default() };
        let refresh = collector.refresh(&content.facts);
        let left_out;
        (content.links, left_out) = collector.links(links, binding.nofollow);
        content.facts.leave_links_out(left_out);
        let own = collector.take_own();
        let redirect = self.merge_links(&mut content, merged.links, merged.rendering, collector);
        let added = collector.take_own().difference(&own).count();
        content.own_links = OwnLinks { before: count(own.len()), added: count(added) };
        (content, refresh.or(redirect))
    }

    /// Reports whether the links carry a session because no cookie was sent; the cookie is stored now.
    fn keeps_session(&self, links: &Outlinks<'_>) -> bool {
        let Task { tries, purpose, url, .. } = self.task;
        let Reply { headers, sent_cookies, .. } = self.reply;
        if tries.to_itself || *purpose != Purpose::Page || headers.get("set-cookie").is_none() {
            return false;
        }
        let origin = url.origin();
        let anchors = links.written.iter().filter(|link| link.kind() == LinkKind::Anchor).map(WrittenLink::href);
        let links = anchors.map(|href| href.strip_prefix(origin.as_str()).unwrap_or(href));
        let cookie = session::cookie_of(headers.all("set-cookie"), sent_cookies, links);
        cookie.is_some_and(|cookie| self.context.fetcher.keep_cookie(url, cookie))
    }
}

fn count(links: usize) -> u32 {
    u32::try_from(links).unwrap_or(u32::MAX)
}

/// The result of reading a document.
enum DocumentRead {
    /// The document itself, and the target of an instant refresh.
    Page(Box<PageContent>, Option<Target>),
    /// The document as clients without a cookie see it: it is to be requested once more.
    Session,
}
