//! robots.txt (RFC 9309, and Google's published behaviour): compiled once, matched millions of times.

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

/// The number of octets read of a file (RFC 9309 2.5 requires at least this much).
pub const MAX_FILE_BYTES: usize = 500 * 1024;
/// The maximum number of `Sitemap:` lines kept.
pub const MAX_SITEMAPS: usize = 10_000;
/// The maximum number of faults kept.
pub const MAX_FAULTS: usize = 100;
/// The maximum length of a line's text in rulings and faults, in characters.
pub const MAX_TEXT_CHARS: usize = 500;

pub use grammar::irregular_lines;

/// A compiled robots.txt. Cheap to clone.
#[derive(Clone)]
pub struct Robots {
    parsed: Arc<Parsed>,
}

/// A verdict, and the deciding line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// The URL may be fetched.
    pub allowed: bool,
    /// The deciding line; `None` if no rule matched.
    pub line: Option<RuleLine>,
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleLine {
    /// The number of the line, from 1; CR, LF and CRLF end a line.
    pub number: u32,
    /// The text as in the file, trimmed, at most [`MAX_TEXT_CHARS`] characters.
    pub text: String,
}

/// A faulty line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsFault {
    /// The number of the line, from 1.
    pub line: u32,
    /// The text as in the file, trimmed, at most [`MAX_TEXT_CHARS`] characters.
    pub text: String,
    /// The kind of fault.
    pub flaw: LineFlaw,
}

/// The kind of fault of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineFlaw {
    /// It has no meaning: not `key: value`, an unknown key, a rule outside of any group, or a path that starts with
    /// neither `/` nor `*`.
    NoRule,
    /// It names a sitemap, but not by an absolute URL (sitemaps.org, "Specifying the Sitemap location in your
    /// robots.txt file").
    SitemapUrl,
    /// It contains octets that are not UTF-8 (RFC 9309 2.3).
    NoUtf8,
}

impl fmt::Display for RobotsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flaw = match self.flaw {
            LineFlaw::NoRule => "is no rule",
            LineFlaw::SitemapUrl => "names a sitemap by less than its absolute URL",
            LineFlaw::NoUtf8 => "is not in UTF-8",
        };
        write!(f, "line {} {flaw}: {}", self.line, self.text)
    }
}

/// The rules for one agent, whose group is chosen once.
#[derive(Debug, Clone, Copy)]
pub struct AgentRules<'r> {
    parsed: &'r Parsed,
    rules: Option<&'r RuleIndex>,
    crawl_delay: Option<f64>,
}

impl Ruling {
    /// Allowed because no rule matches.
    fn by_default() -> Self {
        Ruling { allowed: true, line: None }
    }
}

impl Robots {
    /// Parses the first [`MAX_FILE_BYTES`] of a file; every input is a valid robots.txt, possibly without rules. A line
    /// that the limit cuts is left out.
    #[must_use]
    pub fn compile(bytes: &[u8]) -> Robots {
        Robots { parsed: Arc::new(build::parse(bytes)) }
    }

    /// The rules of an origin without a robots.txt (RFC 9309 2.3.1.3).
    #[must_use]
    pub fn allow_all() -> Robots {
        Robots::compile(b"")
    }

    /// The verdict for `url`. `agent` is a product token, or a full `User-Agent` text, each product of which is looked
    /// up.
    #[must_use]
    pub fn rule_for(&self, agent: &str, url: &PageUrl) -> Ruling {
        self.rule_for_path(agent, url.path_and_query())
    }

    /// The verdict for a path with its query, which need not be normalized.
    #[must_use]
    pub fn rule_for_path(&self, agent: &str, path_and_query: &str) -> Ruling {
        self.agent(agent).rule(path_and_query)
    }

    /// The number of rules for all agents, which determines the memory used.
    #[must_use]
    pub fn count(&self) -> usize {
        self.parsed.count()
    }

    /// Values of the `Sitemap:` lines as written, in order, at most [`MAX_SITEMAPS`].
    #[must_use]
    pub fn sitemaps(&self) -> &[String] {
        &self.parsed.sitemaps
    }

    /// Seconds of the `Crawl-delay` in the group for `agent`; the longest of several.
    #[must_use]
    pub fn crawl_delay(&self, agent: &str) -> Option<f64> {
        self.agent(agent).crawl_delay()
    }

    /// Lines without meaning, in order, at most [`MAX_FAULTS`].
    #[must_use]
    pub fn faults(&self) -> &[RobotsFault] {
        &self.parsed.faults
    }

    /// Returns true if the file is a web page, most likely an error page.
    #[must_use]
    pub fn looks_like_html(&self) -> bool {
        self.parsed.looks_like_html
    }

    /// Returns true if the file is longer than [`MAX_FILE_BYTES`], so that its end was not read.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.parsed.cut
    }

    /// The rules for `token`: those of its own groups, merged; else those of `*`; else none (RFC 9309 2.2.1).
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

/// A path from its first `/`, without a fragment.
fn from_slash(path_and_query: &str) -> Cow<'_, str> {
    let text = path_and_query.split_once('#').map_or(path_and_query, |(text, _)| text);
    if text.starts_with('/') { Cow::Borrowed(text) } else { Cow::Owned(format!("/{text}")) }
}

impl fmt::Debug for Robots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parsed.fmt(f)
    }
}
