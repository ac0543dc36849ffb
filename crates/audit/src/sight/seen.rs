//! What a run saw of a URL.

use crate::site::{Fate, Node};
use mapwright_frontier::Unfetched;

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

/// Whether so much of a URL was seen.
pub(super) fn is_seen(node: &Node, seen: Seen) -> bool {
    match node.fate {
        Fate::Page | Fate::File | Fate::Redirect => true,
        Fate::Status => node.status < 500 || seen != Seen::Read,
        Fate::NoAnswer(_) | Fate::Broken => seen != Seen::Read,
        // It is known not to be fetched by what the site says, which is an answer of its own.
        Fate::Blocked | Fate::Refused(Unfetched::OutOfScope | Unfetched::Nofollow | Unfetched::Resource) => true,
        _ => seen == Seen::Known,
    }
}

/// Whether a URL was asked for, whatever came of it.
pub(super) fn is_asked(node: &Node) -> bool {
    let failed = matches!(node.fate, Fate::Status | Fate::NoAnswer(_) | Fate::Broken | Fate::Throttled);
    failed || matches!(node.fate, Fate::Page | Fate::File | Fate::Redirect)
}

/// Whether another site's URL was asked for and answered, or was silent. Where its robots.txt or the address guard
/// forbids to ask, and where it asks to be left alone (RFC 6585, section 4), nothing is known of it.
pub(super) fn is_answered(node: &Node) -> bool {
    match node.fate {
        Fate::Page | Fate::File | Fate::Redirect | Fate::NoAnswer(_) | Fate::Broken => true,
        Fate::Status => node.status != 429,
        _ => false,
    }
}

/// Whether nobody looked at what a URL leads to, though it was met: it could not be read, or was to be left alone. What
/// is known only as an image leads nowhere.
pub(super) fn is_closed(node: &Node) -> bool {
    let is_left_alone = match node.fate {
        Fate::Blocked | Fate::Guarded => true,
        Fate::Refused(why) => why != Unfetched::Resource,
        _ => false,
    };
    is_left_alone || is_unread(node)
}

/// Whether nothing can be said of who a page links to, which was a page once and is wished for still.
pub(super) fn is_unread(node: &Node) -> bool {
    match node.fate {
        Fate::NotReached | Fate::RobotsUnavailable | Fate::NoAnswer(_) | Fate::Broken => true,
        Fate::Throttled | Fate::Failed | Fate::Refused(Unfetched::Depth) => true,
        Fate::Status => node.status >= 500 || node.status == 429,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_fetch::FailureKind::TimedOut;

    fn node(fate: Fate, status: u16) -> Node {
        let mut node = Node::default();
        (node.fate, node.status) = (fate, status);
        node
    }

    #[test]
    fn a_page_that_was_not_reached_or_has_a_bad_hour_hides_whom_it_links_to() {
        let hidden = [
            node(Fate::NotReached, 0),
            node(Fate::Refused(Unfetched::Depth), 0),
            node(Fate::Throttled, 429),
            node(Fate::Status, 503),
            node(Fate::NoAnswer(TimedOut), 0),
            node(Fate::RobotsUnavailable, 0),
        ];
        assert!(hidden.iter().all(is_unread));
        let open = [node(Fate::Page, 200), node(Fate::Status, 404), node(Fate::Refused(Unfetched::Excluded), 0)];
        assert!(!open.iter().any(is_unread), "read, gone, or not wished for");
    }

    #[test]
    fn a_page_that_is_left_alone_hides_what_lies_below_it() {
        let refused = [Unfetched::Excluded, Unfetched::OutOfScope, Unfetched::Nofollow, Unfetched::Endless];
        let closed = refused.map(Fate::Refused).into_iter().chain([Fate::Blocked, Fate::Guarded, Fate::Throttled]);
        assert!(closed.map(|fate| node(fate, 0)).all(|node| is_closed(&node)));
        let open = [node(Fate::Page, 200), node(Fate::Status, 404), node(Fate::Refused(Unfetched::Resource), 0)];
        assert!(!open.iter().any(is_closed), "read, gone, or never a page");
    }

    #[test]
    fn another_sites_url_that_was_not_asked_for_is_not_mended() {
        let unasked = [Fate::Blocked, Fate::RobotsUnavailable, Fate::Guarded, Fate::Throttled, Fate::Failed];
        assert!(!unasked.map(|fate| node(fate, 0)).iter().any(is_answered));
        assert!(!is_answered(&node(Fate::Status, 429)) && !is_answered(&node(Fate::Refused(Unfetched::OutOfScope), 0)));
        let asked = [node(Fate::Page, 200), node(Fate::Status, 500), node(Fate::NoAnswer(TimedOut), 0)];
        assert!(asked.iter().all(is_answered));
    }

    #[test]
    fn an_error_says_that_a_url_answers_and_nothing_of_its_page() {
        let error = node(Fate::Status, 500);
        assert!(is_seen(&error, Seen::Answered) && !is_seen(&error, Seen::Read));
        let gone = node(Fate::Status, 404);
        assert!(is_seen(&gone, Seen::Read), "there is no page to be faulty");
        let busy = node(Fate::Throttled, 503);
        assert!(!is_seen(&busy, Seen::Answered) && is_seen(&busy, Seen::Known));
    }
}
