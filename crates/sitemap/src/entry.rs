//! One entry of a sitemap.

use std::fmt;
use std::str::FromStr;

use crate::Lastmod;

/// One page as a sitemap lists it: the protocol's `url` element.
///
/// ```
/// use mapwright_sitemap::{ChangeFreq, Entry};
///
/// let mut entry = Entry::new("https://www.example.com/");
/// entry.lastmod = "2026-05-06".parse().ok();
/// entry.changefreq = Some(ChangeFreq::Weekly);
/// assert_eq!(entry.loc, "https://www.example.com/");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The absolute `http` or `https` URL, already escaped as URLs are. XML escaping is done when writing.
    pub loc: String,
    /// The time of the page's last change, if known.
    pub lastmod: Option<Lastmod>,
    /// The frequency of the page's changes: a hint to search engines, which most of them ignore.
    pub changefreq: Option<ChangeFreq>,
    /// The weight among the site's own pages, 0.0 to 1.0. Written rounded to hundredths and clamped; NaN is left out.
    pub priority: Option<f32>,
}

impl Entry {
    /// Creates an entry with a location only.
    pub fn new(loc: impl Into<String>) -> Self {
        Self { loc: loc.into(), lastmod: None, changefreq: None, priority: None }
    }

    /// Returns the entry with this date.
    #[must_use]
    pub fn with_lastmod(mut self, lastmod: Lastmod) -> Self {
        self.lastmod = Some(lastmod);
        self
    }

    /// The priority in hundredths, clamped to 0 to 100; `None` if it is absent or NaN.
    pub(crate) fn priority_hundredths(&self) -> Option<u8> {
        let priority = self.priority.filter(|p| !p.is_nan())?;
        // Clamped to 0..=100, so the conversion is exact.
        Some((priority * 100.0).round().clamp(0.0, 100.0) as u8)
    }
}

/// The seven values of `changefreq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeFreq {
    /// Changes each time it is accessed.
    Always,
    /// About every hour.
    Hourly,
    /// About every day.
    Daily,
    /// About every week.
    Weekly,
    /// About every month.
    Monthly,
    /// About every year.
    Yearly,
    /// Archived: does not change any more.
    Never,
}

impl ChangeFreq {
    /// All seven, from the most to the least frequent.
    pub const ALL: [Self; 7] =
        [Self::Always, Self::Hourly, Self::Daily, Self::Weekly, Self::Monthly, Self::Yearly, Self::Never];

    /// The protocol's word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Hourly => "hourly",
            Self::Daily => "daily",
            Self::Weekly => "weekly",
            Self::Monthly => "monthly",
            Self::Yearly => "yearly",
            Self::Never => "never",
        }
    }
}

impl fmt::Display for ChangeFreq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that is none of the seven values of `changefreq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a changefreq: use one of always, hourly, daily, weekly, monthly, yearly, never")]
pub struct UnknownChangeFreq;

impl FromStr for ChangeFreq {
    type Err = UnknownChangeFreq;

    /// Accepts exactly the words of the protocol's schema: lower case, without white space.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|freq| freq.as_str() == text).ok_or(UnknownChangeFreq)
    }
}
