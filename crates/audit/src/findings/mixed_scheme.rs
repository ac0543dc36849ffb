//! Sites that are linked, or answer, under http and https side by side.

use crate::code::Code;
use crate::finding::{Finding, SAMPLE};
use crate::site::{Site, UrlNo};
use std::collections::HashMap;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    // Hosts of the site, and the scheme under which their pages answer most.
    let mut hosts: HashMap<String, (usize, usize)> = HashMap::new();
    for (url, ..) in site.pages() {
        let (secure, host) = parts(site.text(url));
        let (http, https) = hosts.entry(host.to_owned()).or_default();
        *(if secure { https } else { http }) += 1;
    }
    let mut odd: Vec<UrlNo> = Vec::new();
    for (url, node) in site.nodes() {
        let (secure, host) = parts(site.text(url));
        let Some((http, https)) = hosts.get(host) else { continue };
        let other = secure != (https >= http);
        if other && (node.is_page() || site.inlinks(url).clicked() > 0) {
            odd.push(url);
        }
    }
    if let Some(first) = odd.first() {
        let message =
            format!("{} URLs are linked or answer under the other scheme, such as {}.", odd.len(), site.text(*first));
        let pages: Vec<UrlNo> = odd.iter().map(|url| site.inlinks(*url).first).filter(|page| *page != 0).collect();
        let finding = Finding::site(Code::MixedScheme).says(message).entered_from(pages);
        found.push(finding.shown_by(odd.into_iter().take(SAMPLE)));
    }
}

/// Whether a URL is https, and its host without port: the schemes' ports differ.
fn parts(url: &str) -> (bool, &str) {
    let (scheme, rest) = url.split_once("://").unwrap_or_default();
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    (scheme == "https", host)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    #[test]
    fn a_site_linked_under_both_schemes_is_told_with_the_page_that_links() {
        let site = made()
            .start("https://example.com/")
            .links("https://example.com/", &["https://example.com/a", "http://example.com/b"])
            .links("https://example.com/a", &[])
            .redirect("http://example.com/b", "https://example.com/b")
            .links("https://example.com/b", &[])
            .site();
        let told = site.told(find);
        assert_eq!(told.of(Code::MixedScheme), ["the site"]);
        assert_eq!(
            (told.examples(Code::MixedScheme), told.entrances(Code::MixedScheme)),
            ("/b".into(), "https://example.com/".into())
        );
    }

    #[test]
    fn a_page_that_answers_under_the_other_scheme_is_enough() {
        let site = made().links("/", &["/a"]).links("/a", &[]).links("https://example.com:8443/a", &[]).site();
        let told = site.told(find);
        assert_eq!(told.examples(Code::MixedScheme), "https://example.com:8443/a");
    }

    #[test]
    fn a_redirect_to_the_sites_scheme_and_links_to_other_sites_are_no_mixture() {
        let site = made()
            .start("http://example.com/")
            .redirect("http://example.com/", "https://example.com/")
            .links("https://example.com/", &["http://other.example/", "http://www.example.com/"])
            .site();
        assert!(site.told(find).is_nothing());
    }
}
