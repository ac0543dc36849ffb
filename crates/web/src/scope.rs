//! Which URLs belong to a crawl.

use crate::page_url::PageUrl;
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Bound on the compiled size of one pattern, bytes.
const PATTERN_BYTES: usize = 1024 * 1024;

/// How far a crawl reaches from its roots, the start URLs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScopeKind {
    /// The origin and the directory of a root: what a sitemap at that place may list.
    #[default]
    Path,
    /// The whole origin (scheme, host and port) of a root.
    Host,
    /// Every host at or below a root's registrable domain, whatever scheme and port; of a root at an address, a
    /// single-label host or a public suffix that host alone.
    Domain,
    /// Exactly the URLs of the list.
    List,
}

/// What the scope says about a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Admission {
    /// It is to be crawled.
    In,
    /// It lies outside.
    OutOfScope,
    /// It lies inside, and a pattern keeps it out: an exclude that matches, or includes of which none does.
    Excluded,
}

/// Why a scope cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScopeError {
    /// A pattern that the regular expression engine refuses.
    #[error("the {list} pattern `{pattern}` is no regular expression: {reason}")]
    BadPattern {
        /// `include` or `exclude`.
        list: &'static str,
        /// The pattern as given.
        pattern: String,
        /// The engine's reason, on one line.
        reason: String,
    },
    /// Neither a root nor a list.
    #[error("the scope has no start URL and no list of URLs; give at least one URL")]
    NoStart,
}

/// The bounds of a crawl: a kind, its roots, and patterns over the canonical text of URLs.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "ScopeSettings", into = "ScopeSettings")]
pub struct Scope {
    kind: ScopeKind,
    roots: Vec<PageUrl>,
    /// One for each root; none under [`ScopeKind::List`].
    reaches: Vec<Reach>,
    list: HashSet<PageUrl>,
    include: Patterns,
    exclude: Patterns,
    /// A URL of the first origin, should there be no root.
    anchor: PageUrl,
}

/// The scope as it is stored: its arguments.
#[derive(Serialize, Deserialize)]
struct ScopeSettings {
    kind: ScopeKind,
    roots: Vec<PageUrl>,
    list: Vec<PageUrl>,
    include: Vec<String>,
    exclude: Vec<String>,
}

/// How far one root reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Reach {
    /// Every URL whose text starts so.
    Prefix(String),
    /// This host and all below it.
    DomainOf(String),
    /// This host alone.
    HostOf(String),
}

#[derive(Debug, Clone)]
struct Patterns(Vec<Regex>);

impl Scope {
    /// A scope of this `kind` around `roots`. `list` counts under [`ScopeKind::List`] only.
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
        let anchor = first.cloned().ok_or(ScopeError::NoStart)?;
        Ok(Scope {
            kind,
            reaches: Reach::of_all(kind, &roots),
            roots,
            list: list.into_iter().collect(),
            include: Patterns::compile("include", include)?,
            exclude: Patterns::compile("exclude", exclude)?,
            anchor,
        })
    }

    /// Whether `url` is to be crawled. A root is never refused by a pattern.
    #[must_use]
    pub fn admits(&self, url: &PageUrl) -> Admission {
        let inside = match self.kind {
            ScopeKind::List => self.list.contains(url),
            _ => self.reaches.iter().any(|reach| reach.holds(url)),
        };
        if !inside {
            Admission::OutOfScope
        } else if self.roots.contains(url) || self.patterns_admit(url) {
            Admission::In
        } else {
            Admission::Excluded
        }
    }

    fn patterns_admit(&self, url: &PageUrl) -> bool {
        let included = self.include.0.is_empty() || self.include.matches(url);
        included && !self.exclude.matches(url)
    }

    /// A start URL, or what it led to, redirected out of the scope: gives the root that takes the place of its own. That
    /// is `to`; on another origin, where `to` lies in the directory of the root before, it is that directory, so that
    /// a site is crawled as a whole in however many steps its home page moves. With an unknown `from`, `to` is added.
    pub fn move_root(&mut self, from: &PageUrl, to: &PageUrl) -> PageUrl {
        let place = self.roots.iter().position(|root| root == from);
        let before = place.or_else(|| self.reaches.iter().position(|reach| reach.holds(from)));
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

    /// What becomes of a root that redirected.
    fn moved(&self, root: &PageUrl, to: &PageUrl) -> PageUrl {
        let keeps = self.kind == ScopeKind::Path && root.origin() != to.origin();
        if keeps && to.path().starts_with(root.directory()) { to.with_path(root.directory()) } else { to.clone() }
    }

    /// The start URLs as redirects had moved them when a crawl was cut: it goes on with them.
    pub fn set_roots(&mut self, roots: Vec<PageUrl>) {
        self.roots = roots;
        self.settle();
    }

    fn settle(&mut self) {
        self.reaches = Reach::of_all(self.kind, &self.roots);
        if let Some(first) = self.roots.first() {
            self.anchor.clone_from(first);
        }
    }

    /// The start URLs, as far as redirects have moved them.
    #[must_use]
    pub fn roots(&self) -> &[PageUrl] {
        &self.roots
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> ScopeKind {
        self.kind
    }

    /// Where a sitemap of this scope belongs: the root of the first root's host, where a file can lie, whatever looks like
    /// a directory in the paths below.
    #[must_use]
    pub fn sitemap_directory(&self) -> PageUrl {
        self.anchor.with_path("/")
    }
}

impl Reach {
    fn of_all(kind: ScopeKind, roots: &[PageUrl]) -> Vec<Reach> {
        let reach: fn(&PageUrl) -> Reach = match kind {
            ScopeKind::Path => |root| Reach::Prefix(format!("{}{}", root.origin_text(), root.directory())),
            ScopeKind::Host => |root| Reach::Prefix(format!("{}/", root.origin_text())),
            ScopeKind::Domain => Reach::around,
            // The list alone decides.
            ScopeKind::List => return Vec::new(),
        };
        roots.iter().map(reach).collect()
    }

    fn around(root: &PageUrl) -> Reach {
        let name = bare(root.host());
        match root.as_url().host() {
            Some(url::Host::Domain(_)) => match psl::domain_str(name) {
                Some(domain) => Reach::DomainOf(domain.to_owned()),
                None => Reach::HostOf(name.to_owned()),
            },
            _ => Reach::HostOf(name.to_owned()),
        }
    }

    fn holds(&self, url: &PageUrl) -> bool {
        match self {
            Reach::Prefix(prefix) => url.as_str().starts_with(prefix),
            Reach::HostOf(host) => bare(url.host()) == host,
            Reach::DomainOf(domain) => match bare(url.host()).strip_suffix(domain.as_str()) {
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

/// The engine draws the pattern over several lines; its last line is the reason.
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
