//! The URLs that belong to a crawl.

use crate::page_url::PageUrl;
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The maximum compiled size of one pattern, in bytes.
const PATTERN_BYTES: usize = 1024 * 1024;

/// The extent of a crawl around its roots, the start URLs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScopeKind {
    /// The origin and the directory of a root: the URLs that a sitemap there may list.
    #[default]
    Path,
    /// The entire origin (scheme, host and port) of a root.
    Host,
    /// Every host at or below a root's registrable domain, under any scheme and port; for a root at an address, a
    /// single-label host or a public suffix, only that host.
    Domain,
    /// Exactly the URLs of the list.
    List,
}

/// The scope's verdict on a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScopeVerdict {
    /// It is crawled.
    In,
    /// It is outside the scope.
    OutOfScope,
    /// It is inside, but a pattern excludes it: an exclude matches, or no include does.
    Excluded,
}

/// The reason why a scope is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScopeError {
    /// The regular expression engine refuses a pattern.
    #[error("the {list} pattern `{pattern}` is no regular expression: {reason}")]
    BadPattern {
        /// `include` or `exclude`.
        list: &'static str,
        /// The pattern as given.
        pattern: String,
        /// The engine's reason, on one line.
        reason: String,
    },
    /// There is neither a root nor a list.
    #[error("the scope has no start URL and no list of URLs; give at least one URL")]
    NoStart,
}

/// The extent of a crawl: a kind, its roots, and patterns over the canonical text of URLs.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "ScopeSettings", into = "ScopeSettings")]
pub struct Scope {
    kind: ScopeKind,
    roots: Vec<PageUrl>,
    /// One for each root; none for [`ScopeKind::List`].
    extents: Vec<RootExtent>,
    list: HashSet<PageUrl>,
    include: Patterns,
    exclude: Patterns,
    /// A URL of the first origin, used if there is no root.
    first_origin_url: PageUrl,
}

/// The stored form of a scope: its arguments.
#[derive(Serialize, Deserialize)]
struct ScopeSettings {
    kind: ScopeKind,
    roots: Vec<PageUrl>,
    list: Vec<PageUrl>,
    include: Vec<String>,
    exclude: Vec<String>,
}

/// The extent of one root.
#[derive(Debug, Clone, PartialEq, Eq)]
enum RootExtent {
    /// Every URL that begins with this text.
    Prefix(String),
    /// This host and all hosts below it.
    DomainOf(String),
    /// This host only.
    HostOf(String),
}

#[derive(Debug, Clone)]
struct Patterns(Vec<Regex>);

impl Scope {
    /// Creates a scope of this `kind` around `roots`. `list` is used for [`ScopeKind::List`] only.
    ///
    /// The patterns are regular expressions, unanchored, matched against the canonical text. With includes, a URL must
    /// match one of them; an exclude that matches wins.
    ///
    /// # Errors
    /// A pattern that does not compile (or compiles to more than 1 MiB), and a scope without any URL.
    pub fn new(
        kind: ScopeKind,
        roots: Vec<PageUrl>,
        list: Vec<PageUrl>,
        include: &[String],
        exclude: &[String],
    ) -> Result<Scope, ScopeError> {
        let first = match kind {
            ScopeKind::List => roots.first().or(list.first()),
            _ => roots.first(),
        };
        let first_origin_url = first.cloned().ok_or(ScopeError::NoStart)?;
        Ok(Scope {
            kind,
            extents: RootExtent::of_all(kind, &roots),
            roots,
            list: list.into_iter().collect(),
            include: Patterns::compile("include", include)?,
            exclude: Patterns::compile("exclude", exclude)?,
            first_origin_url,
        })
    }

    /// The verdict on `url`. Patterns never exclude a root.
    #[must_use]
    pub fn admits(&self, url: &PageUrl) -> ScopeVerdict {
        let inside = match self.kind {
            ScopeKind::List => self.list.contains(url),
            _ => self.extents.iter().any(|reach| reach.holds(url)),
        };
        if !inside {
            ScopeVerdict::OutOfScope
        } else if self.roots.contains(url) || self.patterns_admit(url) {
            ScopeVerdict::In
        } else {
            ScopeVerdict::Excluded
        }
    }

    fn patterns_admit(&self, url: &PageUrl) -> bool {
        let included = self.include.0.is_empty() || self.include.matches(url);
        included && !self.exclude.matches(url)
    }

    /// Moves the root after a start URL, or a page that it led to, redirected out of the scope, and returns the new
    /// root. That is `to`; on another origin, if `to` is in the directory of the old root, it is that directory, so
    /// that the entire site is crawled however many redirects its home page has. With an unknown `from`, `to` is added.
    pub fn move_root(&mut self, from: &PageUrl, to: &PageUrl) -> PageUrl {
        let place = self.roots.iter().position(|root| root == from);
        let before = place.or_else(|| self.extents.iter().position(|reach| reach.holds(from)));
        let root = before.and_then(|at| self.roots.get(at)).map_or_else(|| to.clone(), |root| self.moved(root, to));
        match before {
            Some(_) if self.roots.contains(&root) => {
                let mut at = 0..;
                self.roots.retain(|other| at.next() != before || *other == root);
            }
            Some(at) => self.roots.iter_mut().skip(at).take(1).for_each(|place| place.clone_from(&root)),
            None if self.roots.contains(&root) => {}
            None => self.roots.push(root.clone()),
        }
        self.settle();
        root
    }

    /// The new root after a redirect.
    fn moved(&self, root: &PageUrl, to: &PageUrl) -> PageUrl {
        let keeps = self.kind == ScopeKind::Path && root.origin() != to.origin();
        if keeps && to.path().starts_with(root.directory()) { to.with_path(root.directory()) } else { to.clone() }
    }

    /// Sets the start URLs as redirects had moved them when a crawl was interrupted, which resumes with them.
    pub fn set_roots(&mut self, roots: Vec<PageUrl>) {
        self.roots = roots;
        self.settle();
    }

    fn settle(&mut self) {
        self.extents = RootExtent::of_all(self.kind, &self.roots);
        if let Some(first) = self.roots.first() {
            self.first_origin_url.clone_from(first);
        }
    }

    /// The start URLs, as moved by redirects.
    #[must_use]
    pub fn roots(&self) -> &[PageUrl] {
        &self.roots
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> ScopeKind {
        self.kind
    }

    /// The directory of a sitemap for this scope: the top of the first root's host, where a file can be placed,
    /// whatever looks like a directory in the paths.
    #[must_use]
    pub fn sitemap_directory(&self) -> PageUrl {
        self.first_origin_url.with_path("/")
    }
}

impl RootExtent {
    fn of_all(kind: ScopeKind, roots: &[PageUrl]) -> Vec<RootExtent> {
        let reach: fn(&PageUrl) -> RootExtent = match kind {
            ScopeKind::Path => |root| RootExtent::Prefix(format!("{}{}", root.origin_text(), root.directory())),
            ScopeKind::Host => |root| RootExtent::Prefix(format!("{}/", root.origin_text())),
            ScopeKind::Domain => RootExtent::around,
            // Only the list counts.
            ScopeKind::List => return Vec::new(),
        };
        roots.iter().map(reach).collect()
    }

    fn around(root: &PageUrl) -> RootExtent {
        let name = bare(root.host());
        match root.as_url().host() {
            Some(url::Host::Domain(_)) => match psl::domain_str(name) {
                Some(domain) => RootExtent::DomainOf(domain.to_owned()),
                None => RootExtent::HostOf(name.to_owned()),
            },
            _ => RootExtent::HostOf(name.to_owned()),
        }
    }

    fn holds(&self, url: &PageUrl) -> bool {
        match self {
            RootExtent::Prefix(prefix) => url.as_str().starts_with(prefix),
            RootExtent::HostOf(host) => bare(url.host()) == host,
            RootExtent::DomainOf(domain) => match bare(url.host()).strip_suffix(domain.as_str()) {
                Some(below) => below.is_empty() || below.ends_with('.'),
                None => false,
            },
        }
    }
}

/// A host name without the dot of the DNS root.
fn bare(host: &str) -> &str {
    host.strip_suffix('.').unwrap_or(host)
}

impl Patterns {
    fn compile(list: &'static str, patterns: &[String]) -> Result<Patterns, ScopeError> {
        let compile = |pattern: &String| {
            RegexBuilder::new(pattern).size_limit(PATTERN_BYTES).build().map_err(|error| ScopeError::BadPattern {
                list,
                pattern: pattern.clone(),
                reason: last_line(&error.to_string()),
            })
        };
        patterns.iter().map(compile).collect::<Result<_, _>>().map(Patterns)
    }

    fn matches(&self, url: &PageUrl) -> bool {
        self.0.iter().any(|pattern| pattern.is_match(url.as_str()))
    }

    fn texts(&self) -> Vec<String> {
        self.0.iter().map(|pattern| pattern.as_str().to_owned()).collect()
    }
}

/// The engine prints the pattern over several lines; its last line is the reason.
fn last_line(text: &str) -> String {
    let line = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or(text).trim();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

impl TryFrom<ScopeSettings> for Scope {
    type Error = ScopeError;

    fn try_from(stored: ScopeSettings) -> Result<Scope, ScopeError> {
        Scope::new(stored.kind, stored.roots, stored.list, &stored.include, &stored.exclude)
    }
}

impl From<Scope> for ScopeSettings {
    fn from(scope: Scope) -> ScopeSettings {
        let mut list: Vec<PageUrl> = scope.list.into_iter().collect();
        list.sort_unstable();
        ScopeSettings {
            kind: scope.kind,
            roots: scope.roots,
            list,
            include: scope.include.texts(),
            exclude: scope.exclude.texts(),
        }
    }
}
