//! A finding with its texts, as reports show it.

use crate::check::Check;
use crate::checks;
use crate::severity::Severity;
use mapwright_web::page::facts::Region;
use serde::{Deserialize, Serialize};
use std::io;
use utoipa::ToSchema;

/// The subject of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// One URL: a page, a redirect, a sitemap file.
    Url(String),
    /// Several URLs that belong together: duplicates.
    Urls(Vec<String>),
    /// The entire site, by its start URL.
    Site(String),
    /// A URL pattern, with `*` and `…` for the parts that vary.
    Pattern(String),
}

impl Subject {
    /// Returns the text that names it: its only or first URL, or the pattern.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Url(text) | Self::Site(text) | Self::Pattern(text) => text,
            Self::Urls(urls) => urls.first().map_or("", String::as_str),
        }
    }

    /// Returns the URLs after the first, if there are several.
    #[must_use]
    pub fn others(&self) -> &[String] {
        match self {
            Self::Urls(urls) => urls.get(1..).unwrap_or_default(),
            _ => &[],
        }
    }

    /// Keeps only the first `most` URLs.
    pub(crate) fn truncate(&mut self, most: usize) {
        if let Self::Urls(urls) = self {
            urls.truncate(most);
        }
    }
}

/// The state of a finding relative to earlier audits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Not found before.
    New,
    /// Reported by the previous audit too.
    Persisting,
    /// Reported earlier, then fixed, and found again now.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Referrer {
    /// The page.
    pub url: String,
    /// The link's text.
    pub anchor: String,
    /// The region of the page that holds the link (`nav`, `main`, …).
    pub region: Region,
    /// The link or its page says nofollow.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nofollow: bool,
}

impl Referrer {
    /// Returns the name of the region.
    #[must_use]
    pub fn region_name(&self) -> &'static str {
        match self.region {
            Region::Head => "head",
            Region::Nav => "nav",
            Region::Header => "header",
            Region::Main => "main",
            Region::Aside => "aside",
            Region::Footer => "footer",
            Region::Body => "body",
        }
    }
}

/// One finding, with its evidence. Texts and URLs are as the site gave them: untrusted until they are escaped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenderedFinding {
    /// Its kind.
    #[serde(rename = "code", deserialize_with = "checks::deserialize")]
    pub check: &'static Check,
    /// Its severity, by the settings.
    pub severity: Severity,
    /// Its state relative to earlier audits.
    pub state: State,
    /// It is in the baseline: known, and accepted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub accepted: bool,
    /// Its subject.
    #[serde(flatten)]
    pub subject: Subject,
    /// The problem in this case, in one sentence.
    pub message: String,
    /// Pages that link to the subject: a sample.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub linked_from: Vec<Referrer>,
    /// The number of pages that link to the subject.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linked_from_count: Option<u64>,
    /// The URLs on the way from the subject, first to last: redirects, canonicals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<String>,
    /// The other URL involved: a redirect's final target, a canonical, an alternate.
    #[serde(rename = "final", default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Sitemap files that list it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sitemaps: Vec<String>,
    /// Pages through which the subject was reached: redirects, canonicals, pages that lead into a crawl trap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entrances: Vec<String>,
    /// Example URLs of a pattern.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
}

/// The findings of an audit with their texts, rendered one after another: all of them at once may exceed memory.
pub trait RenderedFindings: Sync {
    /// Returns the number of findings.
    fn len(&self) -> usize;

    /// Returns true if there are no findings.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Passes each finding to `take`: by severity, the highest first, then by code and subject.
    ///
    /// # Errors
    /// Errors of `take`, and of reading the record.
    fn each(&self, take: &mut dyn FnMut(&RenderedFinding) -> io::Result<()>) -> io::Result<()>;
}

impl RenderedFindings for Vec<RenderedFinding> {
    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn each(&self, take: &mut dyn FnMut(&RenderedFinding) -> io::Result<()>) -> io::Result<()> {
        self.iter().try_for_each(take)
    }
}
