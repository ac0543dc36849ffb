//! Robots directives of pages: `meta name=robots` and `X-Robots-Tag`, by Google's published behaviour.

use crate::date::WebDate;
use crate::page::fact_location::FactLocation;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The maximum number, and the maximum size in bytes of each, of the directives without effect on a crawl that are kept
/// of one tag or value.
const MAX_OTHERS: usize = 32;
const MAX_OTHER: usize = 64;

/// The maximum number of agents in one `X-Robots-Tag` value.
const MAX_SCOPES: usize = 64;

/// Known directives without effect on a crawl.
const KNOWN: [&str; 15] = [
    "indexifembedded",
    "noai",
    "noarchive",
    "nocache",
    "noimageai",
    "noimageindex",
    "noodp",
    "nopagereadaloud",
    "nositelinkssearchbox",
    "nosnippet",
    "notranslate",
    "noydir",
    "max-snippet",
    "max-image-preview",
    "max-video-preview",
];

/// Directives that have a colon and a value: no agents.
const VALUED: [&str; 4] = ["max-image-preview", "max-snippet", "max-video-preview", "unavailable_after"];

/// The content of one robots tag or header value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Directives {
    /// `noindex` or `none`.
    pub noindex: bool,
    /// `nofollow` or `none`.
    pub nofollow: bool,
    /// `index` or `all`.
    pub index: bool,
    /// `follow` or `all`.
    pub follow: bool,
    /// `unavailable_after: DATE`; the earliest of several.
    pub unavailable_after: Option<WebDate>,
    /// Every other directive, lower case; bounded in count and length.
    pub other: Vec<String>,
    /// The first directive that is repeated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated: Option<String>,
}

impl Directives {
    /// Parses the `content` of a robots meta tag: complete tokens between commas, in any case.
    #[must_use]
    pub fn parse_meta(content: &str) -> Directives {
        let mut directives = Directives::default();
        let mut segments = content.split(',').peekable();
        while let Some(segment) = segments.next() {
            directives.take(segment.trim(), &mut segments);
        }
        directives
    }

    /// Adds one directive. A date may contain a comma (`Sun, 06 Nov 1994 …`), so it may consume the next segment too.
    fn take<'v>(&mut self, directive: &str, rest: &mut std::iter::Peekable<impl Iterator<Item = &'v str>>) {
        if let Some((name, value)) = directive.split_once(':')
            && name.trim_end().eq_ignore_ascii_case("unavailable_after")
        {
            self.note_again("unavailable_after");
            self.expire(value.trim(), rest);
            return;
        }
        let directive = directive.to_ascii_lowercase();
        self.note_again(&directive);
        match directive.as_str() {
            "" => {}
            "noindex" => self.noindex = true,
            "nofollow" => self.nofollow = true,
            "none" => (self.noindex, self.nofollow) = (true, true),
            "index" => self.index = true,
            "follow" => self.follow = true,
            "all" => (self.index, self.follow) = (true, true),
            other if self.other.len() < MAX_OTHERS && other.len() <= MAX_OTHER => {
                self.other.push(other.to_owned());
            }
            _ => {}
        }
    }

    /// Records a repeated directive.
    fn note_again(&mut self, directive: &str) {
        let given = match directive {
            "noindex" => self.noindex,
            "nofollow" => self.nofollow,
            "none" => self.noindex && self.nofollow,
            "index" => self.index,
            "follow" => self.follow,
            "all" => self.index && self.follow,
            "unavailable_after" => self.unavailable_after.is_some(),
            other => self.other.iter().any(|known| known == other),
        };
        if given && self.repeated.is_none() {
            self.repeated = Some(directive.to_owned());
        }
    }

    fn expire<'v>(&mut self, value: &str, rest: &mut std::iter::Peekable<impl Iterator<Item = &'v str>>) {
        let date = WebDate::parse_loose(value).or_else(|| {
            let joined = WebDate::parse_loose(&format!("{value},{}", rest.peek()?))?;
            rest.next();
            Some(joined)
        });
        let earlier = |date: &WebDate| self.unavailable_after.as_ref().is_none_or(|old| date.latest() < old.latest());
        if let Some(date) = date.filter(earlier) {
            self.unavailable_after = Some(date);
        }
    }

    /// Returns true if any directive is known, which distinguishes a tag for a crawler from other metadata.
    pub(crate) fn says_something_known(&self) -> bool {
        let effective = self.noindex || self.nofollow || self.index || self.follow || self.unavailable_after.is_some();
        let name = |other: &String| other.split(':').next().unwrap_or_default().trim().to_owned();
        effective || self.other.iter().any(|other| KNOWN.contains(&name(other).as_str()))
    }
}

/// Parses one `X-Robots-Tag` value: directives by the agent (lower case) that they address, `None` for all.
///
/// A name before a colon that is no directive addresses an agent: the directives up to the next such name are for it.
#[must_use]
pub fn parse_x_robots(value: &str) -> Vec<(Option<String>, Directives)> {
    let mut scopes = vec![(None, Directives::default())];
    let mut segments = value.split(',').peekable();
    while let Some(segment) = segments.next() {
        let mut directive = segment.trim();
        while let Some((agent, rest)) = agent_of(directive) {
            if scopes.len() >= MAX_SCOPES {
                break;
            }
            scopes.push((Some(agent.to_ascii_lowercase()), Directives::default()));
            directive = rest.trim();
        }
        if let Some((_, directives)) = scopes.last_mut() {
            directives.take(directive, &mut segments);
        }
    }
    scopes.retain(|(_, directives)| *directives != Directives::default());
    scopes
}

/// The agent that a segment begins with, and the rest of the segment.
fn agent_of(segment: &str) -> Option<(&str, &str)> {
    let (name, rest) = segment.split_once(':')?;
    let name = name.trim();
    let is_directive = VALUED.iter().any(|valued| valued.eq_ignore_ascii_case(name));
    let is_token = !name.is_empty() && !name.contains(char::is_whitespace);
    (is_token && !is_directive).then_some((name, rest))
}

/// The effective directives of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The page must not be listed.
    pub noindex: bool,
    /// The page's links must not be followed.
    pub nofollow: bool,
    /// An `unavailable_after` lies in the past.
    pub expired: bool,
}

/// Combines all directives of a page: generic ones and those for one of `agents` apply, and the most restrictive wins.
/// `now` is compared with `unavailable_after`.
pub fn binding<'a>(all: impl IntoIterator<Item = &'a PlacedDirectives>, agents: &[&str], now: Timestamp) -> Binding {
    let mut binding = Binding::default();
    for placed in all {
        let binds = match placed.agent.as_deref() {
            None | Some("*" | "robots") => true,
            Some(agent) => agents.iter().any(|ours| ours.eq_ignore_ascii_case(agent)),
        };
        if binds {
            let directives = &placed.directives;
            binding.noindex |= directives.noindex;
            binding.nofollow |= directives.nofollow;
            binding.expired |= directives.unavailable_after.as_ref().is_some_and(|date| date.latest() < now);
        }
    }
    binding
}

/// Robots directives and their place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacedDirectives {
    /// The addressed agent, lower case; `None` for `robots` and for headers without a name.
    pub agent: Option<String>,
    /// The directives.
    pub directives: Directives,
    /// The place of the tag or header.
    pub place: FactLocation,
}
