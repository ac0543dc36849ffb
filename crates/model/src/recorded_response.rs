//! The response to a request, as the record stores it.

use crate::discovery::Target;
use crate::failure_kind::FailureKind;
use mapwright_web::media::Media;
use std::time::Duration;

/// The response to a request, or the failure without one.
#[derive(Debug, Clone, Default)]
pub struct RecordedResponse {
    /// The status, if there was a response head.
    pub status: Option<u16>,
    /// The cause, if there was no response.
    pub failure: Option<FailureKind>,
    /// Description of the failure; bounded.
    pub detail: Option<String>,
    /// Time to the first byte of the head.
    pub first_byte: Option<Duration>,
    /// Duration of the entire attempt.
    pub total: Option<Duration>,
    /// Bytes on the wire.
    pub wire_bytes: u64,
    /// Bytes of the decoded body.
    pub body_bytes: u64,
    /// The body was longer than the limit, and was cut there.
    pub cut: bool,
    /// The media type of the body.
    pub media: Option<Media>,
    /// The fingerprint of the body.
    pub fingerprint: Fingerprint,
    /// The target of a redirect or an instant refresh.
    pub target: Option<Target>,
}

/// The fingerprint of a response body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fingerprint {
    /// `ETag`, bounded.
    pub etag: Option<String>,
    /// `Last-Modified` as sent, bounded.
    pub last_modified: Option<String>,
    /// Keyed hash of the decoded body.
    pub hash: Option<u64>,
}
