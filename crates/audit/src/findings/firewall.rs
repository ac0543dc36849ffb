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
        if node.fate == Fate::Throttled || matches!(node.status, 401 | 403 | 429) {
            refused.push(url);
        }
    }
    if answers >= ENOUGH && refused.len() * 2 > answers {
        let message = format!("{} of {answers} answers refuse the crawler (401, 403 or 429).", refused.len());
        found.push(Finding::site(Code::Firewall).says(message).shown_by(refused.into_iter().take(SAMPLE)));
    }
}
