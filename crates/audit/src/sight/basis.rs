//! What must have been seen to judge a finding.

use crate::code::{Code, Topic};

/// What must have been seen to say that a finding is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Basis {
    /// That the URL answers, be it with an error.
    Answer,
    /// What the page says.
    Page,
    /// The same, and how long its server took.
    Time,
    /// The same, and what the site answers to a name that cannot exist.
    Probe,
    /// The same, and the answers of the URLs that it leads to.
    Leads(Seen),
    /// The same, and who links to it.
    Links,
    /// The same, and all sitemaps and feeds.
    Known,
    /// What the page says, and all sitemaps.
    Listed(Seen),
    /// A sitemap file.
    File,
    /// The robots file of a host.
    Robots,
    /// All pages.
    Site,
    /// Another site's URL.
    External,
    /// The robots.txt to come, and what holds now.
    WhatIf,
}

/// How much of a URL is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// What is to be done with it; nothing of it itself.
    Known,
    /// It answers, be it with an error.
    Answered,
    /// It answers with a page, a redirect, or that it is not there.
    Read,
}

/// Whether a finding is about what sitemaps and feeds list.
pub(super) fn is_listed(code: Code) -> bool {
    matches!(basis(code), Basis::Listed(_) | Basis::Known)
}

/// What must have been seen to say that a finding of this kind is gone.
pub(super) fn basis(code: Code) -> Basis {
    use Code as C;
    match code {
        C::RobotsMissing | C::RobotsFaulty | C::RobotsUnreachable | C::SitemapUnnamed => Basis::Robots,
        C::Orphan => Basis::Known,
        C::DeadEnd => Basis::Page,
        C::BrokenFragment | C::RedirectLink => Basis::Links,
        C::Slow => Basis::Time,
        C::Soft404 => Basis::Probe,
        C::Oversize | C::MediaType => Basis::Page,
        C::RedirectChain | C::RedirectLoop | C::RedirectToError | C::RedirectToBlocked | C::RedirectOutOfScope => {
            Basis::Leads(Seen::Answered)
        }
        C::CanonicalToError | C::HreflangNot200 => Basis::Leads(Seen::Answered),
        C::CanonicalToRedirect | C::CanonicalToNoindex | C::CanonicalToBlocked => Basis::Leads(Seen::Read),
        C::CanonicalChain | C::CanonicalLoop => Basis::Leads(Seen::Read),
        C::HreflangNoReturn | C::HreflangNoindex | C::HreflangNotCanonical => Basis::Leads(Seen::Read),
        C::Sitemap4xx | C::Sitemap5xx | C::SitemapAuth | C::SitemapTimeout => Basis::Listed(Seen::Answered),
        C::SitemapBlocked | C::SitemapOutOfScope => Basis::Listed(Seen::Answered),
        C::SitemapSeveral | C::SitemapWrongPlace | C::LastmodFuture | C::LastmodStale => Basis::Listed(Seen::Known),
        C::SitemapTooMany | C::SitemapTooBig | C::SitemapMalformed | C::SitemapUnreachable | C::LastmodNow => {
            Basis::File
        }
        C::SitemapOmits | C::SitemapRedirect | C::SitemapNoindex | C::SitemapCanonicalised => Basis::Listed(Seen::Read),
        other => match other.topic() {
            Topic::Site | Topic::Traps => Basis::Site,
            Topic::Reachability | Topic::Duplicates => Basis::Links,
            Topic::Answers => Basis::Answer,
            Topic::External => Basis::External,
            Topic::WhatIf => Basis::WhatIf,
            _ => Basis::Page,
        },
    }
}

/// Whether a finding is about a URL that something leads to, and no file or host.
pub(super) fn is_of_url(code: Code) -> bool {
    !matches!(basis(code), Basis::Site | Basis::Robots | Basis::File)
}
