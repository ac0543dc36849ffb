//! robots.txt (RFC 9309, and what Google publishes about its own reading): compiled once, asked a million times.

mod agent;
mod build;
mod form;
mod grammar;
mod grams;
mod index;
mod lines;
mod pattern;
mod starts;

use crate::page_url::PageUrl;
use build::Parsed;
use index::RuleIndex;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// How much of a file is read, octets (RFC 9309 2.5: at least this much must be).
pub const MAX_FILE_BYTES: usize = 500 * 1024;
/// Most `Sitemap:` lines remembered.
pub const MAX_SITEMAPS: usize = 10_000;
/// Most faults remembered.
pub const MAX_FAULTS: usize = 100;
/// Longest text of a line in rulings and faults, characters.
pub const MAX_TEXT_CHARS: usize = 500;

pub use grammar::irregular_lines;

/// A compiled robots.txt. Cheap to clone.
#[derive(Clone)]
pub struct Robots {
    parsed: Arc<Parsed>,
}

/// A verdict, and the line that decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// Whether the URL may be fetched.
    pub allowed: bool,
    /// The deciding line; `None` where no rule matched.
    pub line: Option<RuleLine>,
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleLine {
    /// From 1; CR, LF and CRLF end a line.
    pub number: u32,
    /// As in the file, trimmed, at most [`MAX_TEXT_CHARS`] characters.
    pub text: String,
}

/// A line with a flaw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsFault {
    /// From 1.
    pub line: u32,
    /// As in the file, trimmed, at most [`MAX_TEXT_CHARS`] characters.
    pub text: String,
    /// What is wrong with it.
    pub flaw: LineFlaw,
}

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineFlaw {
    /// It says nothing: not `key: value`, an unknown key, a rule outside of any group, a path that starts neither with
    /// `/` nor with `*`.
    NoRule,
    /// It names a sitemap, and not by a whole URL (sitemaps.org, "Specifying the Sitemap location in your robots.txt
    /// file").
    SitemapUrl,
    /// It holds octets that are no UTF-8 (RFC 9309 2.3).
    NoUtf8,
}

impl fmt::Display for RobotsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flaw = match self.flaw {
            LineFlaw::NoRule => "is no rule",
            LineFlaw::SitemapUrl => "names a sitemap by less than its whole URL",
            LineFlaw::NoUtf8 => "is not in UTF-8",
        };
        write!(f, "line {} {flaw}: {}", self.line, self.text)
    }
}

/// The rules that bind one agent, its group chosen once.
#[derive(Debug, Clone, Copy)]
pub struct AgentRules<'r> {
    parsed: &'r Parsed,
    rules: Option<&'r RuleIndex>,
    crawl_delay: Option<f64>,
}

impl Ruling {
    /// Allowed because nothing says otherwise.
    fn by_default() -> Self {
        Ruling { allowed: true, line: None }
    }
}

impl Robots {
    /// Reads the first [`MAX_FILE_BYTES`] of a file; every input is a robots.txt, if only one without rules. Where the
    /// cut falls into a line, that line is left out.
    #[must_use]
    pub fn compile(bytes: &[u8]) -> Robots {
        Robots { parsed: Arc::new(build::parse(bytes)) }
    }

    /// The rules of an origin without a robots.txt (RFC 9309 2.3.1.3).
    #[must_use]
    pub fn allow_all() -> Robots {
        Robots::compile(b"")
    }

    /// The verdict for `url`. `agent` is a product token, or a whole `User-Agent` text, each product of which is tried.
    #[must_use]
    pub fn rule_for(&self, agent: &str, url: &PageUrl) -> Ruling {
        self.rule_for_path(agent, url.path_and_query())
    }

    /// The verdict for a path with its query; it need not be normalised.
    #[must_use]
    pub fn rule_for_path(&self, agent: &str, path_and_query: &str) -> Ruling {
        self.agent(agent).rule(path_and_query)
    }

    /// How many rules it holds, for whatever agents: what it takes in memory.
    #[must_use]
    pub fn count(&self) -> usize {
        self.parsed.count()
    }

    /// Values of the `Sitemap:` lines as written, in order, at most [`MAX_SITEMAPS`].
    #[must_use]
    pub fn sitemaps(&self) -> &[String] {
        &self.parsed.sitemaps
    }

    /// Seconds of the `Crawl-delay` in the group that binds `agent`; of several the longest.
    #[must_use]
    pub fn crawl_delay(&self, agent: &str) -> Option<f64> {
        self.agent(agent).crawl_delay()
    }

    /// Lines that say nothing, in order, at most [`MAX_FAULTS`].
    #[must_use]
    pub fn faults(&self) -> &[RobotsFault] {
        &self.parsed.faults
    }

    /// Whether the file is a web page, an error page most likely.
    #[must_use]
    pub fn looks_like_html(&self) -> bool {
        self.parsed.looks_like_html
    }

    /// Whether the file is longer than [`MAX_FILE_BYTES`], so that its end was not read.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.parsed.cut
    }

    /// The rules that bind `token`: those of its own groups, merged; else those of `*`; else none (RFC 9309 2.2.1).
    #[must_use]
    pub fn agent<'r>(&'r self, token: &str) -> AgentRules<'r> {
        let parsed = &*self.parsed;
        let bound = parsed.agent_for(token);
        AgentRules {
            parsed,
            rules: bound.map(|agent| agent.rules(parsed)),
            crawl_delay: bound.and_then(|agent| agent.crawl_delay),
        }
    }
}

impl AgentRules<'_> {
    /// The verdict for a path with its query. `/robots.txt` itself is always allowed (RFC 9309 2.2.2).
    #[must_use]
    pub fn rule(&self, path_and_query: &str) -> Ruling {
        let Some(rules) = self.rules else { return Ruling::by_default() };
        if path_and_query == "/robots.txt" {
            return Ruling::by_default();
        }
        match rules.deciding(from_slash(path_and_query).as_bytes()) {
            Some(id) => self.parsed.ruling(id),
            None => Ruling::by_default(),
        }
    }

    /// Seconds of the `Crawl-delay` in these groups.
    #[must_use]
    pub fn crawl_delay(&self) -> Option<f64> {
        self.crawl_delay
    }
}

/// A path from its first `/` on, without a fragment.
fn from_slash(path_and_query: &str) -> Cow<'_, str> {
    let text = path_and_query.split_once('#').map_or(path_and_query, |(text, _)| text);
    if text.starts_with('/') { Cow::Borrowed(text) } else { Cow::Owned(format!("/{text}")) }
}

impl fmt::Debug for Robots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parsed.fmt(f)
    }
}
