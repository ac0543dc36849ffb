//! Slow answers, by the limit and against the site's own spread.

use crate::code::Code;
use crate::finding::Finding;
use crate::limits::Limits;
use crate::site::Site;

/// Times the usual distance from the median beyond which an answer stands out.
const STANDS_OUT: u32 = 3;

pub(super) fn find(site: &Site, limits: &Limits, found: &mut Vec<Finding>) {
    let answered =
        || site.nodes().filter(|(_, node)| node.status != 0).filter_map(|(url, node)| Some((url, node.millis?)));
    let median = median(answered().map(|(_, millis)| millis).collect());
    let usual = self::median(answered().map(|(_, millis)| millis.abs_diff(median)).collect());
    let limit = u32::try_from(limits.slow.as_millis()).unwrap_or(u32::MAX);
    for (url, millis) in answered().filter(|(_, millis)| *millis > limit) {
        // Where the whole site is slow, no page is excused by the others.
        if median > limit || millis > median.saturating_add(STANDS_OUT * usual) {
            let message = format!(
                "It took {:.1} s; the limit is {:.1} s, and half of the site's answers take at most {:.2} s.",
                f64::from(millis) / 1e3,
                f64::from(limit) / 1e3,
                f64::from(median) / 1e3
            );
            found.push(Finding::of(Code::Slow, url).says(message));
        }
    }
}

fn median(mut values: Vec<u32>) -> u32 {
    let middle = values.len() / 2;
    if values.is_empty() { 0 } else { *values.select_nth_unstable(middle).1 }
}
