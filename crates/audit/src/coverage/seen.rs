//! The coverage of one URL by a run.

use crate::check::SeenLevel;
use crate::site::{Node, NodeStatus};
use mapwright_model::Unfetched;

/// Returns true if a URL was seen to this degree.
pub(super) fn is_seen(node: &Node, seen: SeenLevel) -> bool {
    match node.fetch_status {
        NodeStatus::Page | NodeStatus::File | NodeStatus::Redirect => true,
        NodeStatus::Status => node.status < 500 || seen != SeenLevel::Read,
        NodeStatus::NoAnswer(_) | NodeStatus::Broken => seen != SeenLevel::Read,
        // The site itself says not to fetch the URL, which counts as an answer.
        NodeStatus::Blocked
        | NodeStatus::Refused(Unfetched::OutOfScope | Unfetched::Nofollow | Unfetched::Resource) => true,
        _ => seen == SeenLevel::Known,
    }
}

/// Returns true if a URL was requested, with any result.
pub(super) fn is_requested(node: &Node) -> bool {
    let failed = matches!(
        node.fetch_status,
        NodeStatus::Status | NodeStatus::NoAnswer(_) | NodeStatus::Broken | NodeStatus::Throttled
    );
    failed || matches!(node.fetch_status, NodeStatus::Page | NodeStatus::File | NodeStatus::Redirect)
}

/// Returns true if a URL of another site was requested and answered, or gave no answer. If its robots.txt or the
/// address guard forbids the request, or if it throttles (429; RFC 6585, section 4), nothing is known of it.
pub(super) fn is_answered(node: &Node) -> bool {
    match node.fetch_status {
        NodeStatus::Page | NodeStatus::File | NodeStatus::Redirect | NodeStatus::NoAnswer(_) | NodeStatus::Broken => {
            true
        }
        NodeStatus::Status => node.status != 429,
        _ => false,
    }
}

/// Returns true if the links of a discovered URL are unknown, because it could not be read or was not requested. A URL
/// known only as an image has no links.
pub(super) fn is_closed(node: &Node) -> bool {
    let is_left_alone = match node.fetch_status {
        NodeStatus::Blocked | NodeStatus::Guarded => true,
        NodeStatus::Refused(why) => why != Unfetched::Resource,
        _ => false,
    };
    is_left_alone || is_unread(node)
}

/// Returns true if the links of a page are unknown, though an earlier run read it and this run was to request it.
pub(super) fn is_unread(node: &Node) -> bool {
    match node.fetch_status {
        NodeStatus::NotReached | NodeStatus::RobotsUnavailable | NodeStatus::NoAnswer(_) | NodeStatus::Broken => true,
        NodeStatus::Throttled | NodeStatus::Failed | NodeStatus::Refused(Unfetched::Depth) => true,
        NodeStatus::Status => node.status >= 500 || node.status == 429,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_model::FailureKind::TimedOut;

    #[test]
    fn an_unreached_or_failing_page_hides_the_targets_of_its_links() {
        let hidden = [
            Node::answered(NodeStatus::NotReached, 0),
            Node::answered(NodeStatus::Refused(Unfetched::Depth), 0),
            Node::answered(NodeStatus::Throttled, 429),
            Node::answered(NodeStatus::Status, 503),
            Node::answered(NodeStatus::NoAnswer(TimedOut), 0),
            Node::answered(NodeStatus::RobotsUnavailable, 0),
        ];
        assert!(hidden.iter().all(is_unread));
        let open = [
            Node::answered(NodeStatus::Page, 200),
            Node::answered(NodeStatus::Status, 404),
            Node::answered(NodeStatus::Refused(Unfetched::Excluded), 0),
        ];
        assert!(!open.iter().any(is_unread), "read, gone, or not wished for");
    }

    #[test]
    fn an_unrequested_page_hides_the_pages_below_it() {
        let refused = [Unfetched::Excluded, Unfetched::OutOfScope, Unfetched::Nofollow, Unfetched::Endless];
        let closed = refused.map(NodeStatus::Refused).into_iter().chain([
            NodeStatus::Blocked,
            NodeStatus::Guarded,
            NodeStatus::Throttled,
        ]);
        assert!(closed.map(|fetch_status| Node::answered(fetch_status, 0)).all(|node| is_closed(&node)));
        let open = [
            Node::answered(NodeStatus::Page, 200),
            Node::answered(NodeStatus::Status, 404),
            Node::answered(NodeStatus::Refused(Unfetched::Resource), 0),
        ];
        assert!(!open.iter().any(is_closed), "read, gone, or never a page");
    }

    #[test]
    fn an_unrequested_url_of_another_site_is_not_fixed() {
        let not_requested = [
            NodeStatus::Blocked,
            NodeStatus::RobotsUnavailable,
            NodeStatus::Guarded,
            NodeStatus::Throttled,
            NodeStatus::Failed,
        ];
        assert!(!not_requested.map(|fetch_status| Node::answered(fetch_status, 0)).iter().any(is_answered));
        assert!(
            !is_answered(&Node::answered(NodeStatus::Status, 429))
                && !is_answered(&Node::answered(NodeStatus::Refused(Unfetched::OutOfScope), 0))
        );
        let requested = [
            Node::answered(NodeStatus::Page, 200),
            Node::answered(NodeStatus::Status, 500),
            Node::answered(NodeStatus::NoAnswer(TimedOut), 0),
        ];
        assert!(requested.iter().all(is_answered));
    }

    #[test]
    fn an_error_shows_that_a_url_answers_but_not_its_page() {
        let error = Node::answered(NodeStatus::Status, 500);
        assert!(is_seen(&error, SeenLevel::Answered) && !is_seen(&error, SeenLevel::Read));
        let gone = Node::answered(NodeStatus::Status, 404);
        assert!(is_seen(&gone, SeenLevel::Read), "there is no page to be faulty");
        let busy = Node::answered(NodeStatus::Throttled, 503);
        assert!(!is_seen(&busy, SeenLevel::Answered) && is_seen(&busy, SeenLevel::Known));
    }
}
