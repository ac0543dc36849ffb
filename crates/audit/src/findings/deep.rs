//! Pages far from the start.

use crate::code::Code;
use crate::finding::Finding;
use crate::limits::Limits;
use crate::site::{Node, Site, UrlNo};

pub(super) fn find(site: &Site, limits: &Limits, found: &mut Vec<Finding>) {
    tell(site, limits, |_, node| node.depth, found);
}

/// The same where links are not those that the record counted clicks by.
pub(super) fn find_anew(site: &Site, limits: &Limits, found: &mut Vec<Finding>) {
    let clicks = site.clicks();
    tell(site, limits, |url, _| clicks.get(url as usize).copied().flatten(), found);
}

fn tell(site: &Site, limits: &Limits, depth: impl Fn(UrlNo, &Node) -> Option<u32>, found: &mut Vec<Finding>) {
    for (url, node, _) in site.pages() {
        if let Some(depth) = depth(url, node).filter(|depth| *depth > limits.deep) {
            let message = format!("The page is {depth} clicks from the start; the limit is {}.", limits.deep);
            found.push(Finding::of(Code::Deep, url).says(message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    fn chain() -> Site {
        made().links("/", &["/1"]).many(1..9, |made, n| made.links(&format!("/{n}"), &[&format!("/{}", n + 1)])).site()
    }

    #[test]
    fn a_page_beyond_the_limit_is_told_and_one_at_it_is_not() {
        let (site, limits) = (chain(), Limits { deep: 5, ..Limits::default() });
        let told = site.told(|site, found| find(site, &limits, found));
        assert_eq!(told.of(Code::Deep), ["/6", "/7", "/8"], "/9 is no page");
        assert_eq!(told.message(Code::Deep), "The page is 6 clicks from the start; the limit is 5.");
    }

    #[test]
    fn clicks_are_counted_from_the_start_though_a_list_names_the_page_and_from_the_list_where_there_is_no_start() {
        let limits = Limits { deep: 2, ..Limits::default() };
        let deep = |made: crate::site::made::Made| {
            let site = made.links("/1", &["/2"]).links("/2", &["/3"]).links("/3", &["/4"]).links("/4", &[]).site();
            site.told(|site, found| find(site, &limits, found)).of(Code::Deep)
        };
        assert_eq!(deep(made().links("/", &["/1"]).url_list(&["/1", "/3"])), ["/3", "/4"]);
        assert_eq!(deep(made().list_alone(&["/1"])), ["/4"]);
    }

    #[test]
    fn the_shortest_way_counts_a_redirect_costs_no_click_and_nofollow_is_no_way() {
        let limits = Limits { deep: 1, ..Limits::default() };
        let site = made()
            .page("/", "<a href=/old>old</a><a rel=nofollow href=/far>far</a><a href=/closed>closed</a>")
            .page("/closed", "<meta name=robots content=nofollow><a href=/far>far</a>")
            .redirect("/old", "/new")
            .links("/new", &["/near"])
            .links("/near", &["/far", "/new"])
            .links("/far", &[])
            .links("/lost", &["/lost"])
            .site();
        let told = site.told(|site, found| find(site, &limits, found));
        assert_eq!(told.of(Code::Deep), ["/far", "/near"], "no way leads to /lost");
    }
}
