//! robots.txt (RFC 9309, and Google's published behaviour): compiled once, matched millions of times.

mod agent;
mod fault;
mod form;
mod grams;
mod index;
mod irregular_lines;
mod limits;
mod lines;
mod parser;
mod pattern;
mod rule;
mod ruling;
mod starts;

use crate::page_url::PageUrl;
use index::RuleIndex;
use parser::Parsed;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

pub use fault::{LineFlaw, RobotsFault};
pub use irregular_lines::irregular_lines;
pub use limits::{MAX_FAULTS, MAX_FILE_BYTES, MAX_SITEMAPS, MAX_TEXT_CHARS};
pub use ruling::{RuleLine, Ruling};

/// A compiled robots.txt. Cheap to clone.
#[derive(Clone)]
pub struct Robots {
    parsed: Arc<Parsed>,
}

/// The rules for one agent, whose group is chosen once.
#[derive(Debug, Clone, Copy)]
pub struct AgentRules<'r> {
    parsed: &'r Parsed,
    rules: Option<&'r RuleIndex>,
    crawl_delay: Option<f64>,
}

impl Robots {
    /// Parses the first [`MAX_FILE_BYTES`] of a file; every input is a valid robots.txt, possibly without rules. A line
    /// that the limit cuts is left out.
    #[must_use]
    pub fn compile(bytes: &[u8]) -> Robots {
        Robots { parsed: Arc::new(parser::parse(bytes)) }
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
