//! The part of a response's body that is read.

use crate::request::Request;
use mapwright_web::media::{Kinds, declared_kind};

/// Number of bytes that are read of a document of which only the beginning is needed: small documents are read
/// completely, which keeps the connection usable.
const MAX_BEGINNING: u64 = 256 << 10;

/// The part of a response's body that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyNeed {
    /// All of it: without it the attempt fails.
    Complete,
    /// As much as arrives: the head has the information that counts.
    Optional,
    /// At most this many bytes: the head has the information that counts.
    Prefix(u64),
}

impl BodyNeed {
    /// The part of the body that is needed of a response to `request` with this `Content-Type`. The head is enough for
    /// redirects and errors (RFC 9110, sections 15.4 to 15.6), and for the existence of a document that is not parsed.
    pub(crate) fn of(request: &Request, is_success: bool, content_type: Option<&str>) -> Self {
        let kind = declared_kind(content_type);
        let is_read = kind.is_none_or(|kind| Kinds::PAGES.contains(kind)) || request.full_body_kinds == Kinds::ALL;
        match kind {
            _ if is_read && is_success => Self::Complete,
            Some(kind) if !request.full_body_kinds.contains(kind) => Self::Prefix(MAX_BEGINNING.min(request.max_body)),
            _ => Self::Optional,
        }
    }
}
