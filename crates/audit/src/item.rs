//! A finding spelled out, as reports show it.

use crate::code::Code;
use crate::severity::Severity;
use serde::Serialize;
use std::io;

/// What a finding is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// One URL: a page, a redirect, a sitemap file.
    Url(String),
    /// Several URLs that belong together: duplicates.
    Urls(Vec<String>),
    /// The site as a whole, by its start URL.
    Site(String),
    /// A pattern of URLs, `*` and `…` standing for what varies.
    Pattern(String),
}

impl Subject {
    /// The one text that names it: its only or first URL, or the pattern.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Url(text) | Self::Site(text) | Self::Pattern(text) => text,
            Self::Urls(urls) => urls.first().map_or("", String::as_str),
        }
    }

    /// The URLs beside the first, where there are several.
    #[must_use]
    pub fn others(&self) -> &[String] {
        match self {
            Self::Urls(urls) => urls.get(1..).unwrap_or_default(),
            _ => &[],
        }
    }

    /// Leaves out all but the first so many URLs.
    pub(crate) fn truncate(&mut self, most: usize) {
        if let Self::Urls(urls) = self {
            urls.truncate(most);
        }
    }
}

/// How a finding stands to the audits before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Not found before.
    New,
    /// Found by the audit before, too.
    Persisting,
    /// Found once, then gone, and back now.
    Regressed,
}

impl State {
    /// The word used in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Persisting => "persisting",
            Self::Regressed => "regressed",
        }
    }
}

/// A page that links to the subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Referrer {
    /// The page.
    pub url: String,
    /// The link's text.
    pub anchor: String,
    /// The region of the page that it stands in (`nav`, `main`, …).
    pub region: &'static str,
    /// It says nofollow, or stands on a page that does.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub nofollow: bool,
}

/// One finding, with its evidence. Texts and URLs are as the site gave them: hostile until they are escaped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Its kind.
    pub code: Code,
    /// How grave it is, by the settings.
    pub severity: Severity,
    /// How it stands to the audits before.
    pub state: State,
    /// It stands in the baseline: known, and accepted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub accepted: bool,
    /// What it is about.
    #[serde(flatten)]
    pub subject: Subject,
    /// What is wrong here, in one sentence.
    pub message: String,
    /// Pages that link to the subject: a sample.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub linked_from: Vec<Referrer>,
    /// How many pages link to it in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linked_from_count: Option<u64>,
    /// The URLs on the way from the subject, first to last: redirects, canonicals.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<String>,
    /// The other URL that it is about: a redirect's final target, a canonical, an alternate.
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Sitemap files that list it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sitemaps: Vec<String>,
    /// Pages through which it was reached: redirects, canonicals, pages that lead into a trap.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entrances: Vec<String>,
    /// URLs that show a pattern.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
}

/// The findings of an audit, spelled out one after another: all of them at once may be more than memory holds.
pub trait Items: Sync {
    /// How many there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Hands over each, the gravest first, then by code and subject.
    ///
    /// # Errors
    /// Those of `take`, and where the record cannot be read.
    fn each(&self, take: &mut dyn FnMut(&Item) -> io::Result<()>) -> io::Result<()>;
}

impl Items for Vec<Item> {
    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn each(&self, take: &mut dyn FnMut(&Item) -> io::Result<()>) -> io::Result<()> {
        self.iter().try_for_each(take)
    }
}
