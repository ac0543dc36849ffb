//! Sites whose firewall refuses the crawler: most answers are refusals.

use crate::code::Code;
use crate::finding::{Finding, SAMPLE};
use crate::site::{Fate, Site};

/// Answers from which on a share means something.
const ENOUGH: usize = 3;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut answers = 0;
    let mut refused = Vec::new();
    for (url, node) in site.nodes().filter(|(_, node)| node.status != 0) {
        answers += 1;
        // A login asks for credentials (RFC 9110 section 15.5.2): it refuses everybody alike.
        if node.fate == Fate::Throttled || matches!(node.status, 403 | 429) {
            refused.push(url);
        }
    }
    if answers >= ENOUGH && refused.len() * 2 > answers {
        let message = format!("{} of {answers} answers refuse the crawler (403, 429 or a challenge).", refused.len());
        found.push(Finding::site(Code::Firewall).says(message).shown_by(refused.into_iter().take(SAMPLE)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    fn answers(refused: usize, status: u16, fine: usize) -> Site {
        made()
            .start("/0")
            .many(0..refused, |made, n| made.status(&format!("/{n}"), status))
            .many(refused..refused + fine, |made, n| made.links(&format!("/{n}"), &[]))
            .site()
    }

    #[test]
    fn a_site_most_of_whose_answers_are_refusals_is_told() {
        let site = answers(12, 403, 2);
        let told = site.told(find);
        assert_eq!(told.of(Code::Firewall), ["the site"]);
        assert_eq!(told.message(Code::Firewall), "12 of 14 answers refuse the crawler (403, 429 or a challenge).");
        assert_eq!(told.examples(Code::Firewall).split(' ').count(), SAMPLE);
    }

    #[test]
    fn half_of_the_answers_are_not_most_and_two_answers_say_little() {
        assert!(answers(3, 403, 3).told(find).is_nothing());
        assert!(!answers(4, 403, 3).told(find).is_nothing());
        assert!(answers(2, 403, 0).told(find).is_nothing());
        assert!(!answers(3, 403, 0).told(find).is_nothing());
    }

    #[test]
    fn throttling_is_a_refusal_and_errors_are_none() {
        let busy = made().throttled("/", 503).throttled("/a", 429).throttled("/b", 429).site();
        assert!(!busy.told(find).is_nothing());
        assert!(answers(9, 404, 0).told(find).is_nothing() && answers(9, 500, 0).told(find).is_nothing());
    }

    #[test]
    fn a_login_is_no_firewall() {
        assert!(answers(9, 401, 0).told(find).is_nothing());
    }
}
