//! The topics of findings, in the order of reports.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// The topics of findings, in the order of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// The site itself.
    Site,
    /// Reachability by links.
    Reachability,
    /// Responses.
    Responses,
    /// Redirects and their targets.
    Redirects,
    /// Robots directives.
    Indexability,
    /// Canonicals and their targets.
    Canonicals,
    /// Titles, descriptions, headings and texts of pages, and the form of their URLs.
    Content,
    /// Links and facts that scripts make.
    Scripts,
    /// The sitemaps that the site publishes.
    Sitemaps,
    /// Alternates in other languages.
    Languages,
    /// Duplicates.
    Duplicates,
    /// Crawl traps.
    Traps,
    /// Links to other sites.
    External,
    /// The effects of a robots.txt that is not deployed yet.
    WhatIf,
}

impl Topic {
    /// All topics.
    const ALL: [Self; 14] = [
        Self::Site,
        Self::Reachability,
        Self::Responses,
        Self::Redirects,
        Self::Indexability,
        Self::Canonicals,
        Self::Content,
        Self::Scripts,
        Self::Sitemaps,
        Self::Languages,
        Self::Duplicates,
        Self::Traps,
        Self::External,
        Self::WhatIf,
    ];

    /// The heading used in reports.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Site => "The entire site",
            Self::Reachability => "Reachability",
            Self::Responses => "Responses",
            Self::Redirects => "Redirects",
            Self::Indexability => "Indexability",
            Self::Canonicals => "Canonicals",
            Self::Content => "On the page",
            Self::Scripts => "Scripts",
            Self::Sitemaps => "Published sitemaps",
            Self::Languages => "Languages",
            Self::Duplicates => "Duplicates",
            Self::Traps => "Traps",
            Self::External => "Other sites",
            Self::WhatIf => "What if",
        }
    }
}

impl Serialize for Topic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.title())
    }
}

impl<'de> Deserialize<'de> for Topic {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let title = Cow::<str>::deserialize(deserializer)?;
        let unknown = || D::Error::custom("no topic has this title");
        Self::ALL.into_iter().find(|topic| topic.title() == title).ok_or_else(unknown)
    }
}
