//! Patterns that grow without end: calendars, filters, session identifiers, repeating paths.
//!
//! A pattern has a budget only once it is *proven* endless by what its own pages do; large sites of plain numbered
//! names are never touched. Each kind of proof is one function below.

use crate::discovery::Discovery;
use mapwright_web::PageUrl;
use std::collections::{HashMap, HashSet};

/// The watch over the shapes of all URLs that are admitted.
#[derive(Debug)]
pub struct Patterns {
    budget: u64,
    shapes: HashMap<String, Shape>,
    refused: HashMap<String, u64>,
}

/// Shapes watched at once, at most; shapes met later go unwatched.
const MAX_SHAPES: usize = 20_000;
/// `name=value` pairs remembered for one shape, at most: more is no combination of few filters.
const MAX_PAIRS: usize = 64;
/// A chain so long, each page found on the one before, is a calendar's rather than a site's.
const CHAIN: u16 = 100;
/// Path segments beyond which a path is one that grows.
const MANY_SEGMENTS: usize = 20;

#[derive(Debug, Default)]
struct Shape {
    urls: u64,
    longest_chain: u16,
    /// Fresh URLs of other shapes that its pages led to.
    others: u64,
    pairs: HashSet<String>,
    names: HashSet<String>,
    random_values: u64,
    endless: bool,
}

impl Patterns {
    /// A watch that allows `budget` URLs to each pattern proven endless; 0 watches nothing.
    #[must_use]
    pub fn new(budget: u64) -> Self {
        Self { budget, shapes: HashMap::new(), refused: HashMap::new() }
    }

    /// Counts a URL that is about to be queued. Whether its pattern still has room for it.
    pub fn admit(&mut self, found: &Discovery, parent: Option<&PageUrl>) -> bool {
        if self.budget == 0 {
            return true;
        }
        if let Some(pattern) = growing(&found.url) {
            return self.spend(pattern, true);
        }
        let shape = shape(&found.url);
        if let Some(parent) = parent {
            self.credit(parent, &shape);
        }
        let Some(name) = shape else { return true };
        self.learn(&name, found);
        let endless = self.shapes.get(&name).is_some_and(|s| s.endless);
        self.spend(name, endless)
    }

    /// Goes on with a run that was cut, in which the budget of this URL's pattern was spent before its turn.
    pub fn recall_refused(&mut self, url: &PageUrl) {
        let Some(name) = growing(url).or_else(|| shape(url)) else { return };
        let shape = self.shapes.entry(name.clone()).or_default();
        shape.endless = true;
        shape.urls = shape.urls.max(self.budget) + 1;
        *self.refused.entry(name).or_default() += 1;
    }

    /// The patterns whose budget was spent, and how many URLs of each were refused.
    #[must_use]
    pub fn refused(&self) -> Vec<(String, u64)> {
        let mut list: Vec<_> = self.refused.iter().map(|(name, count)| (name.clone(), *count)).collect();
        list.sort();
        list
    }

    fn spend(&mut self, name: String, endless: bool) -> bool {
        if !self.shapes.contains_key(&name) && self.shapes.len() >= MAX_SHAPES {
            return true;
        }
        let shape = self.shapes.entry(name.clone()).or_default();
        shape.urls += 1;
        if !endless || shape.urls <= self.budget {
            return true;
        }
        *self.refused.entry(name).or_default() += 1;
        false
    }

    /// A page that leads to pages of other shapes is worth its place.
    fn credit(&mut self, parent: &PageUrl, child: &Option<String>) {
        let Some(name) = shape(parent) else { return };
        if child.as_ref() != Some(&name)
            && let Some(shape) = self.shapes.get_mut(&name)
        {
            shape.others += 1;
        }
    }

    fn learn(&mut self, name: &str, found: &Discovery) {
        let budget = self.budget;
        let Some(shape) = self.shapes.get_mut(name) else { return };
        shape.longest_chain = shape.longest_chain.max(found.generation);
        for (key, value) in found.url.as_url().query_pairs() {
            shape.random_values += u64::from(looks_random(&value));
            if shape.pairs.len() <= MAX_PAIRS {
                shape.pairs.insert(format!("{key}={value}"));
                shape.names.insert(key.into_owned());
            }
        }
        if shape.urls >= budget {
            shape.endless |= is_chain(shape) || is_facets(shape) || is_session(shape);
        }
    }
}

/// Each page leads to the next of its kind, and to little else.
fn is_chain(shape: &Shape) -> bool {
    shape.longest_chain >= CHAIN && shape.others * 2 < shape.urls
}

/// Ever new combinations of few filters.
fn is_facets(shape: &Shape) -> bool {
    shape.pairs.len() <= MAX_PAIRS && shape.names.len() >= 3
}

/// Nearly every URL has a value that looks drawn by lot, and its pages lead to little else.
fn is_session(shape: &Shape) -> bool {
    shape.random_values * 10 >= shape.urls * 9 && shape.longest_chain >= 3 && shape.others * 2 < shape.urls
}

/// Long, with letters and digits in ever changing turns, as identifiers drawn by lot are and words with a number are
/// not.
pub(crate) fn looks_random(value: &str) -> bool {
    let plain = value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    let digits: Vec<bool> = value.bytes().filter(u8::is_ascii_alphanumeric).map(|b| b.is_ascii_digit()).collect();
    let turns = digits.iter().zip(digits.iter().skip(1)).filter(|(a, b)| a != b).count();
    plain && value.len() >= LONG_VALUE && turns >= TURNS
}

/// Characters from which on a value may be an identifier drawn by lot.
const LONG_VALUE: usize = 12;
/// Turns from letters to digits, or back, in such a value at least.
const TURNS: usize = 4;

/// The shape of a URL: its path with numbers folded, and whether a query follows. `None` where nothing varies: a plain
/// name is its own shape, and never watched.
#[must_use]
pub fn shape(url: &PageUrl) -> Option<String> {
    let numbered = url.path().split('/').any(is_number);
    if !numbered && url.query().is_none() {
        return None;
    }
    let path: Vec<&str> = url.path().split('/').map(|s| if is_number(s) { "N" } else { s }).collect();
    let query = if url.query().is_some() { "?*" } else { "" };
    Some(format!("{}{}{query}", url.origin(), path.join("/")))
}

pub(crate) fn is_number(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|b| b.is_ascii_digit() || b == b'-')
}

/// The pattern of a path whose segments repeat, or are more than any site's. All such paths below one first segment are
/// one pattern, however the repetition is mixed with others.
pub(crate) fn growing(url: &PageUrl) -> Option<String> {
    let segments = segments(url);
    let grows = segments.len() > MANY_SEGMENTS || repeating(url);
    grows.then(|| format!("{}/{}/…", url.origin(), segments.first().copied().unwrap_or_default()))
}

/// A path whose segments repeat thrice in a row, or are few and come again and again.
pub(crate) fn repeating(url: &PageUrl) -> bool {
    let segments = segments(url);
    let distinct = segments.iter().collect::<HashSet<_>>().len();
    let mixed = segments.len() >= SOME_SEGMENTS && distinct * 3 <= segments.len();
    mixed || (1..=LONGEST_RUN).any(|run| repeats(&segments, run))
}

fn segments(url: &PageUrl) -> Vec<&str> {
    url.path().split('/').filter(|segment| !segment.is_empty()).collect()
}

/// Path segments from which on a third of them being distinct is too few.
const SOME_SEGMENTS: usize = 9;
/// Segments that repeat together, at most.
const LONGEST_RUN: usize = 3;

/// Whether `run` segments stand thrice in a row; numbers apart, which dates and versions repeat.
fn repeats(segments: &[&str], run: usize) -> bool {
    segments.windows(3 * run).any(|window| {
        let mut runs = window.chunks_exact(run);
        let first = runs.next().unwrap_or_default();
        first.iter().any(|s| !is_number(s)) && runs.all(|next| next == first)
    })
}

#[cfg(test)]
#[path = "pattern_tests.rs"]
mod tests;
