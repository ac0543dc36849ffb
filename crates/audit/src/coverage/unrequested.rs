//! URLs that were discovered and not requested, by the site's or the user's rules.

use crate::check::{Check, Unrequested};
use crate::site::{Node, NodeStatus};
use mapwright_model::Unfetched;

/// Returns true if a URL was not requested because of the site's or the user's current rules, and the check is not
/// about such rules: nothing is known of its findings then.
pub(super) fn is_unrequested(check: &Check, node: &Node) -> bool {
    let may_be = check.attributes.unrequested;
    match node.fetch_status {
        NodeStatus::Blocked => may_be != Unrequested::Blocked,
        NodeStatus::Refused(Unfetched::OutOfScope) => may_be != Unrequested::OutOfScope,
        NodeStatus::Refused(Unfetched::Nofollow) => may_be != Unrequested::Nofollow,
        NodeStatus::Refused(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::check;

    #[test]
    fn a_url_that_new_rules_block_is_not_reported_as_fixed() {
        let blocked = Node::answered(NodeStatus::Blocked, 0);
        assert!(is_unrequested(check("http-4xx"), &blocked) && !is_unrequested(check("sitemap-blocked"), &blocked));
        let outside = Node::answered(NodeStatus::Refused(Unfetched::OutOfScope), 0);
        assert!(is_unrequested(check("noindex"), &outside) && !is_unrequested(check("sitemap-out-of-scope"), &outside));
    }
}
