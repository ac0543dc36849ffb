//! The basis of a finding: what a run must have seen to say that the finding is gone.

use super::seen::SeenLevel;
use crate::code::{Code, Topic};
use crate::site::{Node, NodeStatus};
use mapwright_model::Unfetched;
use mapwright_verdict::Reason;

/// The part of a site that a run must have seen to say that a finding is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequiredCoverage {
    /// The URL answers, even with an error.
    Answer,
    /// The URL answers with a status.
    Status,
    /// The content of the page.
    Page,
    /// The content of the page, and its response time.
    Time,
    /// The content of the page, and the site's answer to the probe of a name that cannot exist.
    Probe,
    /// The content of the page, and the answers of the URLs that it leads to.
    Leads(SeenLevel),
    /// The content of the page, and either a link to it or all sitemaps and feeds.
    Known,
    /// The content of the page, and all sitemaps.
    Listed(SeenLevel),
    /// A sitemap file.
    File,
    /// The robots file of a host.
    Robots,
    /// All pages.
    Site,
    /// A URL of another site.
    External,
    /// The robots.txt that is not deployed yet, and the current one.
    WhatIf,
}

/// Returns true if a finding is about entries of sitemaps and feeds.
pub(super) fn is_listed(code: Code) -> bool {
    matches!(required_coverage(code), RequiredCoverage::Listed(_) | RequiredCoverage::Known)
}

/// Returns what a run must have seen to say that a finding of this kind is gone.
pub(super) fn required_coverage(code: Code) -> RequiredCoverage {
    use Code as C;
    match code {
        C::RobotsMissing | C::RobotsFaulty | C::RobotsUnreachable | C::SitemapUnnamed => RequiredCoverage::Robots,
        C::ResourceBroken => RequiredCoverage::External,
        C::Orphan => RequiredCoverage::Known,
        C::Slow => RequiredCoverage::Time,
        C::Soft404 => RequiredCoverage::Probe,
        // A transient failure says neither that the page exists nor that it does not.
        C::Oversize | C::MediaType | C::Http4xx | C::OddAnswer | C::Auth => RequiredCoverage::Page,
        C::Http5xx => RequiredCoverage::Status,
        C::RedirectToError | C::RedirectToBlocked | C::RedirectOutOfScope => {
            RequiredCoverage::Leads(SeenLevel::Answered)
        }
        // A hop that fails in one run is still part of the chain.
        C::RedirectChain | C::RedirectLoop | C::RedirectTemporary => RequiredCoverage::Leads(SeenLevel::Read),
        C::CanonicalToError | C::HreflangNot200 => RequiredCoverage::Leads(SeenLevel::Answered),
        C::CanonicalToRedirect | C::CanonicalToNoindex | C::CanonicalToBlocked => {
            RequiredCoverage::Leads(SeenLevel::Read)
        }
        C::CanonicalChain | C::CanonicalLoop => RequiredCoverage::Leads(SeenLevel::Read),
        C::HreflangNoReturn | C::HreflangNoindex | C::HreflangNotCanonical => RequiredCoverage::Leads(SeenLevel::Read),
        C::Sitemap5xx | C::SitemapTimeout => RequiredCoverage::Listed(SeenLevel::Answered),
        C::Sitemap4xx | C::SitemapAuth => RequiredCoverage::Listed(SeenLevel::Read),
        C::SitemapBlocked | C::SitemapOutOfScope => RequiredCoverage::Listed(SeenLevel::Answered),
        C::SitemapSeveral | C::SitemapWrongPlace | C::LastmodFuture | C::LastmodStale => {
            RequiredCoverage::Listed(SeenLevel::Known)
        }
        C::SitemapTooMany | C::SitemapTooBig | C::SitemapMalformed | C::SitemapUnreachable | C::LastmodNow => {
            RequiredCoverage::File
        }
        // Links to the variants of a parameter are seen by reading the pages of its pattern.
        C::ParamSession | C::ParamSort | C::ParamNoEffect => RequiredCoverage::Site,
        C::SitemapOmits | C::SitemapRedirect | C::SitemapNoindex | C::SitemapCanonicalised => {
            RequiredCoverage::Listed(SeenLevel::Read)
        }
        other => match other.topic() {
            Topic::Site | Topic::Traps => RequiredCoverage::Site,
            Topic::Responses => RequiredCoverage::Answer,
            Topic::External => RequiredCoverage::External,
            Topic::WhatIf => RequiredCoverage::WhatIf,
            _ => RequiredCoverage::Page,
        },
    }
}

/// Returns true if a finding is about a URL that something leads to, and not about a file or a host.
pub(super) fn is_of_url(code: Code) -> bool {
    !matches!(required_coverage(code), RequiredCoverage::Site | RequiredCoverage::Robots | RequiredCoverage::File)
}

/// Returns true if a finding exists only as long as a page links to the URL, by any link.
pub(super) fn rests_on_links(code: Code) -> bool {
    matches!(code, Code::BrokenFragment | Code::RedirectLink | Code::RobotsBlockedLinked)
}

/// Returns true if a finding says that robots.txt disallows something, which a run that ignores robots.txt cannot
/// check.
pub(super) fn speaks_of_robots(code: Code) -> bool {
    use Code as C;
    matches!(
        code,
        C::StartExcluded | C::RobotsBlockedLinked | C::SitemapBlocked | C::CanonicalToBlocked | C::RedirectToBlocked
    )
}

/// Returns true if the part of a page beyond the bytes that were read may refute the finding.
pub(super) fn may_be_refuted_behind(code: Code) -> bool {
    use Code as C;
    matches!(code, C::DeadEnd | C::BrokenFragment | C::CanonicalMissing | C::DupExact | C::Oversize)
}

/// Returns true if a URL was discovered but not requested because of the site's or the user's current rules, and the
/// finding is not about such rules.
pub(super) fn is_not_requested(code: Code, node: &Node) -> bool {
    use Code as C;
    match node.fetch_status {
        NodeStatus::Blocked => !matches!(
            code,
            C::StartExcluded
                | C::RobotsBlockedLinked
                | C::SitemapBlocked
                | C::SitemapSeveral
                | C::WhatifBlocks
                | C::WhatifFrees
        ),
        NodeStatus::Refused(Unfetched::OutOfScope) => code != C::SitemapOutOfScope,
        NodeStatus::Refused(Unfetched::Nofollow) => code != C::NofollowOnly,
        NodeStatus::Refused(_) => true,
        NodeStatus::Page => code == Code::SitemapOmits && node.reason == Some(Reason::NoList),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_belongs_in_no_sitemap_is_not_checked_for_its_absence() {
        let mut page = Node::answered(NodeStatus::Page, 200);
        page.reason = Some(Reason::NoList);
        assert!(is_not_requested(Code::SitemapOmits, &page) && !is_not_requested(Code::CanonicalMissing, &page));
    }

    #[test]
    fn a_url_that_new_rules_block_is_not_reported_as_fixed() {
        let blocked = Node::answered(NodeStatus::Blocked, 0);
        assert!(is_not_requested(Code::Http4xx, &blocked) && !is_not_requested(Code::SitemapBlocked, &blocked));
        let outside = Node::answered(NodeStatus::Refused(Unfetched::OutOfScope), 0);
        assert!(is_not_requested(Code::Noindex, &outside) && !is_not_requested(Code::SitemapOutOfScope, &outside));
    }
}
