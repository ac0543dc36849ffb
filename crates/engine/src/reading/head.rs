//! Reads the head of a response: what all purposes store of it.

use super::ResponseReader;
use jiff::{SignedDuration, Timestamp};
use mapwright_fetch::{BodyState, Fetch};
use mapwright_model::{Fingerprint, Outcome, RecordedResponse, Visit};
use mapwright_web::DocumentHeaders;
use mapwright_web::date::WebDate;
use mapwright_web::media::Media;
use mapwright_web::page::SecurityHeaders;

/// Highest number of characters stored of a validator or a detail.
const MAX_FIELD: usize = 512;
/// Bytes of a body from which its kind is sniffed.
const SNIFFED: usize = 1024;

impl<C: Fetch> ResponseReader<'_, C> {
    /// Returns a visit with the data of the head and the sizes, for any purpose.
    pub(super) fn visit_of_head(&self) -> Visit {
        let bounded = |text: &str| text.chars().take(MAX_FIELD).collect::<String>();
        let reply = self.reply;
        let first = reply.body.get(..SNIFFED).unwrap_or(&reply.body);
        let is_complete = reply.body_state.is_complete();
        let response = RecordedResponse {
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
            ..RecordedResponse::default()
        };
        Visit { response, ..Visit::new(self.task.clone(), self.at, Outcome::Status) }
    }

    /// Returns the size of the decoded body; for a body that was not downloaded, or not completely, because it is not
    /// read, the `Content-Length`.
    fn body_bytes(&self) -> u64 {
        let taken = self.reply.body.len() as u64;
        let length = || self.reply.headers.get("content-length")?.trim().parse().ok();
        match &self.reply.body_state {
            _ if self.task.is_first_check() && self.reply.headers.get("content-encoding").is_none() => {
                length().unwrap_or(taken)
            }
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
    pub(super) fn is_time_of_answer(&self, date: &WebDate) -> bool {
        let (answered, _) = self.answered();
        date.earliest() == date.latest() && answered.as_second() == date.earliest().as_second()
    }

    /// Returns the header fields that describe the document.
    pub(super) fn head(&self) -> DocumentHeaders<'_> {
        let headers = &self.reply.headers;
        DocumentHeaders {
            content_type: headers.content_type(),
            links: headers.all("link").collect(),
            robots: headers.all("x-robots-tag").collect(),
            refresh: headers.get("refresh"),
            security: SecurityHeaders::of(|name| headers.get(name)),
        }
    }
}
