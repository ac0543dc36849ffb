//! The answer of an origin for a name that cannot exist.

use super::urls::UrlNo;
use mapwright_web::page::facts::Sketch;

/// The site's answer to the probe of a name that cannot exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// The URL.
    pub url: UrlNo,
    /// The status.
    pub status: u16,
    /// The hash of its bytes.
    pub hash: u64,
    /// The sketch of its text.
    pub sketch: Option<Sketch>,
    /// Its title.
    pub title: Option<Box<str>>,
    /// Bytes of visible text.
    pub text_bytes: u32,
    /// The target of its redirect.
    pub target: Option<UrlNo>,
}

impl Probe {
    /// Returns true if it shows how the site answers for such names: a server error, no answer and throttling do not.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        (200..500).contains(&self.status) && self.status != 429
    }
}
