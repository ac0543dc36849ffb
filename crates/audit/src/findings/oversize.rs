//! Bodies that are too large.

use crate::code::Code;
use crate::finding::Finding;
use crate::limits::Limits;
use crate::site::Site;

pub(super) fn find(site: &Site, limits: &Limits, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.is_page()) {
        // What was cut has at least one byte more.
        if node.bytes.saturating_add(u64::from(node.body_cut)) > limits.oversize {
            let more = if node.body_cut { "more than " } else { "" };
            let message = format!("The page has {more}{} bytes; the limit is {}.", node.bytes, limits.oversize);
            found.push(Finding::of(Code::Oversize, url).says(message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    fn told(made: crate::site::made::Made) -> Vec<String> {
        let limits = Limits { oversize: 1_000, ..Limits::default() };
        made.site().told(|site, found| find(site, &limits, found)).of(Code::Oversize)
    }

    #[test]
    fn a_page_beyond_the_limit_is_told_and_one_at_it_is_not() {
        let made = made().links("/at", &[]).bytes("/at", 1_000, false).links("/over", &[]).bytes("/over", 1_001, false);
        assert_eq!(told(made), ["/over"]);
    }

    #[test]
    fn a_page_that_was_cut_is_told_where_more_than_the_limit_is_proven() {
        let made = made().links("/short", &[]).bytes("/short", 999, true).links("/cut", &[]).bytes("/cut", 1_000, true);
        assert_eq!(told(made), ["/cut"]);
    }

    #[test]
    fn a_page_of_which_links_were_left_out_is_as_large_as_it_is() {
        assert_eq!(told(made().links("/at", &[]).bytes("/at", 1_000, false).links_cut("/at")), [""; 0]);
    }

    #[test]
    fn files_and_errors_may_be_large() {
        let made = made().file("/film").bytes("/film", 9_999, false).status("/gone", 404).bytes("/gone", 9_999, false);
        assert_eq!(told(made), [""; 0]);
    }
}
