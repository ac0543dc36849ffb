//! Temporary redirects that look permanent: to another page of the site that answers well, in however many steps. Those
//! to other sites, to logins and by language are rightly temporary, and those that lead nowhere must not last.

use super::{language_choice, soft_404};
use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Site, WayEnd};
use mapwright_web::PageUrl;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let lost = soft_404::redirecting(site);
    let redirects = site.nodes().filter(|(_, node)| node.fate == Fate::Redirect);
    for (url, node) in redirects.filter(|(url, _)| !lost.contains(url)) {
        let Some(target) = node.target.filter(|_| matches!(node.status, 302 | 307)) else { continue };
        if language_choice::is_choice(site, url) || leads_back(site.text(url), site.text(target)) {
            continue;
        }
        let way = site.way(url);
        let end = way.last().filter(|_| way.end == WayEnd::There).map(|last| site.node(last).fate);
        if matches!(end, Some(Fate::Page | Fate::File)) {
            let message = format!("It redirects to {} with {}.", site.text(target), node.status);
            found.push(Finding::of(Code::RedirectTemporary, url).to(target).says(message));
        }
    }
}

/// Whether a target remembers where it was come from, in a parameter: a login or another gate, which leads back.
fn leads_back(url: &str, target: &str) -> bool {
    let (Some(url), Some(target)) = (PageUrl::recorded(url), PageUrl::recorded(target)) else { return false };
    let path = url.path_and_query();
    let comes_from = |value: &str| value == url.as_str() || value == path || value == url.path();
    url.path().len() > 1 && target.as_url().query_pairs().any(|(_, value)| comes_from(&value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    #[test]
    fn temporary_redirects_to_pages_of_the_site_are_told() {
        let made = made().links("/new", &[]).file("/file").redirect_with(302, "/to-file", "/file");
        let made = [301, 302, 303, 307, 308]
            .iter()
            .fold(made, |made, status| made.redirect_with(*status, &format!("/{status}"), "/new"));
        let site = made.site();
        let told = site.told(find);
        assert_eq!(told.of(Code::RedirectTemporary), ["/302", "/307", "/to-file"]);
        assert_eq!(told.message(Code::RedirectTemporary), "It redirects to http://example.com/new with 302.");
    }

    #[test]
    fn those_to_other_sites_logins_and_errors_are_rightly_temporary() {
        let site = made()
            .redirect_with(302, "/away", "http://other.example/")
            .redirect_with(302, "/members", "/login")
            .status("/login", 401)
            .redirect_with(302, "/account?tab=1", "/enter?next=%2Faccount%3Ftab%3D1")
            .redirect_with(302, "/cart", "/enter?back=http%3A%2F%2Fexample.com%2Fcart&x=1")
            .links("/enter?next=%2Faccount%3Ftab%3D1", &[])
            .links("/enter?back=http%3A%2F%2Fexample.com%2Fcart&x=1", &[])
            .redirect_with(302, "/lost", "/gone")
            .redirect_with(302, "/old", "/lost")
            .site();
        assert!(site.told(find).is_nothing());
    }

    #[test]
    fn the_end_of_the_way_decides_and_a_loop_has_none() {
        let site = made()
            .redirect_with(302, "/self", "/self")
            .redirect_with(302, "/a", "/b")
            .redirect_with(307, "/b", "/a")
            .redirect_with(302, "/in", "/a")
            .redirect_with(302, "/1", "/2")
            .redirect_with(301, "/2", "/end")
            .links("/end", &[])
            .site();
        assert_eq!(site.told(find).of(Code::RedirectTemporary), ["/1"]);
    }
}
