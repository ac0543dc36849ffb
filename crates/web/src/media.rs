//! Media types: the declared type of a response, and the one detected from its first bytes (MIME Sniffing 7).

mod kind;
mod sniff;

pub use kind::MediaKind;

use serde::{Deserialize, Serialize};

/// The media type of a response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Media {
    /// The essence of the `Content-Type`, lower case; `None` if it is missing, empty, unparsable or unspecific (`*/*`,
    /// `unknown/unknown`, `application/unknown`).
    pub declared: Option<String>,
    /// The effective kind: the declared type, else the sniffed one.
    pub kind: MediaKind,
    /// The kind sniffed from the first bytes; `None` for an empty body.
    pub sniffed: Option<MediaKind>,
}

impl Media {
    /// Determines the type by the `Content-Type` and the first 1,445 bytes of the body.
    #[must_use]
    pub fn of(content_type: Option<&str>, first: &[u8]) -> Media {
        let declared = content_type.and_then(essence);
        let sniffed = sniff::kind(first);
        let kind = declared.as_deref().map_or(sniffed.unwrap_or(MediaKind::Other), kind_of);
        Media { declared, kind, sniffed }
    }

    /// Returns true if the response is read for links.
    #[must_use]
    pub fn is_page(&self) -> bool {
        matches!(self.kind, MediaKind::Html | MediaKind::Xhtml)
    }

    /// Returns true for machine-readable data (JSON, CSV, XML, a feed): usually the content of a page in another form.
    #[must_use]
    pub fn is_data(&self) -> bool {
        let is_json = |declared: &str| declared.ends_with("/json") || declared.ends_with("+json");
        matches!(self.kind, MediaKind::Xml | MediaKind::Feed | MediaKind::Text)
            || self.declared.as_deref().is_some_and(is_json)
    }

    /// Returns true if the content contradicts the declared type.
    ///
    /// Bytes without a signature are weak evidence: any text may be HTML, and XML may be XHTML, a feed or an image. An
    /// unspecific type (`application/octet-stream`) cannot be contradicted.
    #[must_use]
    pub fn contradicted(&self) -> bool {
        use MediaKind::{Feed, Html, Image, Other, Pdf, Text, Xhtml, Xml};
        let (Some(declared), Some(sniffed)) = (self.declared.as_deref(), self.sniffed) else { return false };
        let vague = declared == "application/octet-stream";
        match (self.kind, sniffed) {
            _ if vague => false,
            (Html | Xhtml, Html | Xhtml | Xml | Text) => false,
            (Xml | Feed, Xhtml | Xml | Feed | Text) => false,
            (Text, Text | Xml | Feed) => false,
            // SVG is text.
            (Image, Image | Xml | Text) => declared != "image/svg+xml" && sniffed != Image,
            // A file may have any content but a page.
            (Other, sniffed) => matches!(sniffed, Html | Xhtml),
            (kind, Other) => !matches!(kind, Pdf | Image),
            (kind, sniffed) => kind != sniffed,
        }
    }
}

/// A set of kinds of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds(u16);

impl Kinds {
    /// All kinds.
    pub const ALL: Kinds = Kinds(u16::MAX);
    /// The kinds that are read for links: HTML and XHTML.
    pub const PAGES: Kinds = Kinds(1 << MediaKind::Html as u16 | 1 << MediaKind::Xhtml as u16);

    /// Adds one kind.
    #[must_use]
    pub const fn and(self, kind: MediaKind) -> Kinds {
        Kinds(self.0 | 1 << kind as u16)
    }

    /// Returns true if this kind is in the set.
    #[must_use]
    pub const fn contains(self, kind: MediaKind) -> bool {
        self.0 & 1 << kind as u16 != 0
    }
}

/// The kind that a `Content-Type` declares; `None` if it declares none and the bytes must be sniffed.
#[must_use]
pub fn declared_kind(content_type: Option<&str>) -> Option<MediaKind> {
    content_type.and_then(essence).map(|essence| kind_of(&essence))
}

fn kind_of(essence: &str) -> MediaKind {
    match essence {
        "text/html" => MediaKind::Html,
        "application/xhtml+xml" => MediaKind::Xhtml,
        "application/pdf" | "application/x-pdf" => MediaKind::Pdf,
        "application/rss+xml" | "application/atom+xml" | "application/rdf+xml" => MediaKind::Feed,
        _ if essence.starts_with("image/") => MediaKind::Image,
        "text/xml" | "application/xml" => MediaKind::Xml,
        _ if essence.ends_with("+xml") => MediaKind::Xml,
        _ if essence.starts_with("text/") => MediaKind::Text,
        _ => MediaKind::Other,
    }
}

/// The type and subtype of a `Content-Type`, lower case. The last valid one of several values joined by commas counts.
#[must_use]
pub fn essence(content_type: &str) -> Option<String> {
    content_type.split(',').rev().find_map(|value| {
        let essence = value.split(';').next().unwrap_or_default().trim();
        let (kind, subtype) = essence.split_once('/')?;
        let known = !matches!(subtype, "*" | "unknown");
        (is_token(kind) && is_token(subtype) && known).then(|| essence.to_ascii_lowercase())
    })
}

/// The `charset` parameter of a `Content-Type`. In a list it is that of the last type, or of an earlier one of the same
/// essence (Fetch, "extract a MIME type"); a comma before it may stand for a semicolon.
#[must_use]
pub fn charset(content_type: &str) -> Option<&str> {
    let (mut last, mut charset) = (None, None);
    for (at, value) in unquoted(content_type, ',').enumerate() {
        let given = charset_in(value, at == 0);
        let essence = essence(value);
        match essence {
            None if value.contains('/') => {}
            Some(_) if essence != last => (last, charset) = (essence, given),
            _ => charset = given.or(charset),
        }
    }
    charset
}

/// The first `charset` parameter of one value; the beginning of the list is no parameter.
fn charset_in(value: &str, first: bool) -> Option<&str> {
    unquoted(value, ';').skip(usize::from(first)).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']).trim();
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then_some(value)
    })
}

/// Splits a field's value at separators outside quoted strings (RFC 9110 section 5.6.4).
fn unquoted(value: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    value.split(move |character| {
        let literal = std::mem::take(&mut escaped);
        match character {
            '"' if !literal => quoted = !quoted,
            '\\' => escaped = quoted && !literal,
            _ => return character == separator && !quoted,
        }
        false
    })
}

/// HTTP token code points.
fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}
