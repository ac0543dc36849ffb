//! Temporary redirects that look permanent: to another page of the site that answers well. Those to other sites and to
//! logins are rightly temporary.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Site};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.fate == Fate::Redirect) {
        let Some(target) = node.target.filter(|_| matches!(node.status, 302 | 307)) else { continue };
        if matches!(site.node(target).fate, Fate::Page | Fate::File | Fate::Redirect) {
            let message = format!("It redirects to {} with {}.", site.text(target), node.status);
            found.push(Finding::of(Code::RedirectTemporary, url).to(target).says(message));
        }
    }
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
            .redirect_with(302, "/lost", "/gone")
            .site();
        assert!(site.told(find).is_nothing());
    }
}
