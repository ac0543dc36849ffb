//! What a page says, as far as findings ask.

use super::UrlNo;
use mapwright_web::page::facts::{PlacedDirectives, Sketch};

/// What a page says.
#[derive(Debug, Clone, Default)]
pub struct Said {
    /// Hash of its bytes.
    pub hash: u64,
    /// Its title.
    pub title: Option<Box<str>>,
    /// What its text is told from nearly the same ones by.
    pub sketch: Option<Sketch>,
    /// Bytes of visible text.
    pub text_bytes: u32,
    /// Count of scripts.
    pub scripts: u32,
    /// Its canonicals.
    pub canonicals: Canonicals,
    /// Its robots directives.
    pub directives: Box<[PlacedDirectives]>,
    /// Its alternates in other languages.
    pub alternates: Box<[Alternate]>,
    /// Where a refresh leads, and after how many seconds.
    pub refresh: Option<Box<(Option<UrlNo>, u64)>>,
    /// The sets of its links.
    pub sets: Box<[u32]>,
}

/// The canonicals of a page. Which of them counts is in its [`Node`](super::Node).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Canonicals {
    /// There is one, good or bad, wherever.
    pub given: bool,
    /// Those in head and header, where they differ.
    pub differing: Box<[Box<str>]>,
    /// One in head or header that is relative, as written.
    pub relative: Option<Box<str>>,
    /// One in the body, as written.
    pub outside_head: Option<Box<str>>,
}

/// An alternate in another language.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Alternate {
    /// The code as written.
    pub code: Box<str>,
    /// Where it points; nothing where that is no URL of the record.
    pub url: Option<UrlNo>,
}
