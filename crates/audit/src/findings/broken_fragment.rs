//! Links to elements that are not there.

use crate::code::Code;
use crate::finding::{Finding, SAMPLE};
use crate::site::Site;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, names) in &site.missing_fragments {
        let listed: Vec<String> = names.iter().take(SAMPLE).map(|missing| format!("#{}", missing.name)).collect();
        let more = names.len().saturating_sub(SAMPLE);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let message = format!("Links name {}{more}, and the page has no such element.", listed.join(", "));
        found.push(Finding::of(Code::BrokenFragment, *url).says(message));
    }
}
