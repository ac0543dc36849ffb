//! What must have been seen to judge a finding.

use super::seen::Seen;
use crate::code::{Code, Topic};
use crate::site::{Fate, Node};
use mapwright_frontier::Unfetched;
use mapwright_verdict::Reason;

/// What must have been seen to say that a finding is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Basis {
    /// That the URL answers, be it with an error.
    Answer,
    /// That the URL answers with a status.
    Status,
    /// What the page says.
    Page,
    /// The same, and how long its server took.
    Time,
    /// The same, and what the site answers to a name that cannot exist.
    Probe,
    /// The same, and the answers of the URLs that it leads to.
    Leads(Seen),
    /// The same, and who links to it or all sitemaps and feeds.
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

/// Whether a finding is about what sitemaps and feeds list.
pub(super) fn is_listed(code: Code) -> bool {
    matches!(basis(code), Basis::Listed(_) | Basis::Known)
}

/// What must have been seen to say that a finding of this kind is gone.
pub(super) fn basis(code: Code) -> Basis {
    use Code as C;
    match code {
        C::RobotsMissing | C::RobotsFaulty | C::RobotsUnreachable | C::SitemapUnnamed => Basis::Robots,
        C::ResourceBroken => Basis::External,
        C::Orphan => Basis::Known,
        C::Slow => Basis::Time,
        C::Soft404 => Basis::Probe,
        // An answer of the hour says neither that there is such a page, nor that there is none.
        C::Oversize | C::MediaType | C::Http4xx | C::OddAnswer | C::Auth => Basis::Page,
        C::Http5xx => Basis::Status,
        C::RedirectToError | C::RedirectToBlocked | C::RedirectOutOfScope => Basis::Leads(Seen::Answered),
        // A hop that fails for a night leads on all the same.
        C::RedirectChain | C::RedirectLoop | C::RedirectTemporary => Basis::Leads(Seen::Read),
        C::CanonicalToError | C::HreflangNot200 => Basis::Leads(Seen::Answered),
        C::CanonicalToRedirect | C::CanonicalToNoindex | C::CanonicalToBlocked => Basis::Leads(Seen::Read),
        C::CanonicalChain | C::CanonicalLoop => Basis::Leads(Seen::Read),
        C::HreflangNoReturn | C::HreflangNoindex | C::HreflangNotCanonical => Basis::Leads(Seen::Read),
        C::Sitemap5xx | C::SitemapTimeout => Basis::Listed(Seen::Answered),
        C::Sitemap4xx | C::SitemapAuth => Basis::Listed(Seen::Read),
        C::SitemapBlocked | C::SitemapOutOfScope => Basis::Listed(Seen::Answered),
        C::SitemapSeveral | C::SitemapWrongPlace | C::LastmodFuture | C::LastmodStale => Basis::Listed(Seen::Known),
        C::SitemapTooMany | C::SitemapTooBig | C::SitemapMalformed | C::SitemapUnreachable | C::LastmodNow => {
            Basis::File
        }
        // What links to the variants of a parameter is seen by reading the pages of its pattern.
        C::ParamSession | C::ParamSort | C::ParamNoEffect => Basis::Site,
        C::SitemapOmits | C::SitemapRedirect | C::SitemapNoindex | C::SitemapCanonicalised => Basis::Listed(Seen::Read),
        other => match other.topic() {
            Topic::Site | Topic::Traps => Basis::Site,
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

/// Whether a finding is there only as long as a page links to the URL, by whatever link.
pub(super) fn rests_on_links(code: Code) -> bool {
    matches!(code, Code::BrokenFragment | Code::RedirectLink | Code::RobotsBlockedLinked)
}

/// Whether a finding is that robots.txt disallows something, which a run that does not obey it cannot tell.
pub(super) fn speaks_of_robots(code: Code) -> bool {
    use Code as C;
    matches!(
        code,
        C::StartExcluded | C::RobotsBlockedLinked | C::SitemapBlocked | C::CanonicalToBlocked | C::RedirectToBlocked
    )
}

/// Whether what stands behind the bytes that were read of a page may say otherwise.
pub(super) fn may_be_refuted_behind(code: Code) -> bool {
    use Code as C;
    matches!(code, C::DeadEnd | C::BrokenFragment | C::CanonicalMissing | C::DupExact | C::Oversize)
}

/// Whether a URL was met and left alone by what the site or the user says now, which is not what a finding speaks of.
pub(super) fn is_not_asked(code: Code, node: &Node) -> bool {
    use Code as C;
    match node.fate {
        Fate::Blocked => !matches!(
            code,
            C::StartExcluded
                | C::RobotsBlockedLinked
                | C::SitemapBlocked
                | C::SitemapSeveral
                | C::WhatifBlocks
                | C::WhatifFrees
        ),
        Fate::Refused(Unfetched::OutOfScope) => code != C::SitemapOutOfScope,
        Fate::Refused(Unfetched::Nofollow) => code != C::NofollowOnly,
        Fate::Refused(_) => true,
        Fate::Page => code == Code::SitemapOmits && node.reason == Some(Reason::NoList),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(fate: Fate, status: u16) -> Node {
        let mut node = Node::default();
        (node.fate, node.status) = (fate, status);
        node
    }

    #[test]
    fn what_is_to_be_in_no_sitemap_is_not_judged_for_lacking_there() {
        let mut page = node(Fate::Page, 200);
        page.reason = Some(Reason::NoList);
        assert!(is_not_asked(Code::SitemapOmits, &page) && !is_not_asked(Code::CanonicalMissing, &page));
    }

    #[test]
    fn what_is_left_alone_by_new_rules_is_not_mended_by_them() {
        let blocked = node(Fate::Blocked, 0);
        assert!(is_not_asked(Code::Http4xx, &blocked) && !is_not_asked(Code::SitemapBlocked, &blocked));
        let outside = node(Fate::Refused(Unfetched::OutOfScope), 0);
        assert!(is_not_asked(Code::Noindex, &outside) && !is_not_asked(Code::SitemapOutOfScope, &outside));
    }
}
