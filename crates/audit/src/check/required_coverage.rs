//! The part of a site that a run must have seen to say that a finding is gone.

/// The degree to which a run has seen a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SeenLevel {
    /// The decision about the URL is known, even if it was not requested.
    Known,
    /// The URL answers, even with an error.
    Answered,
    /// The URL answers with a page, a redirect, or that it does not exist.
    Read,
}

/// The part of a site that a run must have seen to say that a finding is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequiredCoverage {
    /// The URL answers, even with an error.
    Answer,
    /// The URL answers with a status. A transient failure says neither that the page exists nor that it does not.
    Status,
    /// The content of the page.
    Page,
    /// The content of the page, and its response time.
    Time,
    /// The content of the page, and the site's answer to the probe of a name that cannot exist.
    Probe,
    /// The content of the page, and the answers of the URLs that it leads to. A hop that fails in one run is still part
    /// of a chain.
    Leads(SeenLevel),
    /// The content of the page, and either a link to it or all sitemaps and feeds.
    Known,
    /// The URL to this degree, and all sitemaps.
    Listed(SeenLevel),
    /// The content of a page that belongs in a sitemap, and all sitemaps.
    Omitted,
    /// The content of the page, or any request: a requested URL is not disallowed, whichever page links to it.
    Disallowed,
    /// A sitemap file.
    File,
    /// A sitemap file, or any response of it.
    FileResponse,
    /// The robots file of a host.
    Robots,
    /// The robots file of a host, or any failure of it.
    RobotsResponse,
    /// The robots file of a host, and all sitemaps.
    RobotsAndSitemaps,
    /// All pages.
    Site,
    /// A URL of another site.
    External,
    /// The robots.txt that is not deployed yet, and the current one.
    WhatIf,
}

impl RequiredCoverage {
    /// Returns true if the finding is about entries of sitemaps and feeds.
    pub(crate) fn is_of_entries(self) -> bool {
        matches!(self, Self::Listed(_) | Self::Omitted | Self::Known)
    }

    /// Returns true if the finding is about a URL that something leads to, and not about a file or a host.
    pub(crate) fn is_of_url(self) -> bool {
        !matches!(
            self,
            Self::Site
                | Self::Robots
                | Self::RobotsResponse
                | Self::RobotsAndSitemaps
                | Self::File
                | Self::FileResponse
        )
    }
}
