//! Entries of the published sitemaps, against what the crawl saw of them.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Node, Site, UrlNo};
use mapwright_fetch::FailureKind;
use mapwright_frontier::Unfetched;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, files) in site.listed_in() {
        let node = site.node(url);
        let Some(code) = fault(&node, url) else { continue };
        let finding = Finding::of(code, url).in_sitemaps(&files);
        found.push(match (code, node.target, node.canonical) {
            (Code::SitemapRedirect, Some(target), _) => {
                finding.to(target).says(format!("It is listed, and redirects to {}.", site.text(target)))
            }
            (Code::SitemapCanonicalised, _, Some(canonical)) => {
                finding.to(canonical).says(format!("It is listed, and its canonical is {}.", site.text(canonical)))
            }
            _ if node.status >= 400 => finding.says(format!("It is listed, and answers {}.", node.status)),
            _ => finding,
        });
    }
}

fn fault(node: &Node, url: UrlNo) -> Option<Code> {
    match (node.fate, node.status) {
        (Fate::Status, 401 | 403) => Some(Code::SitemapAuth),
        (Fate::Status, 429) => None,
        (Fate::Status, 400..=499) => Some(Code::Sitemap4xx),
        (Fate::Status, 500..=599) => Some(Code::Sitemap5xx),
        (Fate::NoAnswer(FailureKind::TimedOut), _) => Some(Code::SitemapTimeout),
        (Fate::Redirect, _) => Some(Code::SitemapRedirect),
        (Fate::Blocked, _) => Some(Code::SitemapBlocked),
        (Fate::Refused(Unfetched::OutOfScope), _) => Some(Code::SitemapOutOfScope),
        // Files say it in their head: X-Robots-Tag, Link (RFC 8288, section 3).
        (Fate::Page | Fate::File, _) if node.noindex => Some(Code::SitemapNoindex),
        (Fate::Page, _) if node.target.is_some() => Some(Code::SitemapRedirect),
        (Fate::Page | Fate::File, _) if node.canonical.is_some_and(|canonical| canonical != url) => {
            Some(Code::SitemapCanonicalised)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    #[test]
    fn what_is_wrong_with_an_entry_is_told_by_kind() {
        let site = made()
            .robots("User-agent: *\nDisallow: /private/")
            .links("/", &["/gone", "/oops"])
            .status("/removed", 410)
            .status("/oops", 500)
            .status("/login", 401)
            .status("/staff", 403)
            .redirect("/moved", "/")
            .silent("/slow", FailureKind::TimedOut)
            .noindex("/noindex", &[])
            .canonical("/variant", "/")
            .canonical("/self", "/self")
            .file("/file")
            .sitemap("/sitemap.xml", &["/", "/gone", "/removed", "/oops", "/login", "/staff", "/moved", "/slow"])
            .sitemap("/more.xml", &["/noindex", "/variant", "/self", "/file", "/private/x", "http://other.example/"])
            .site();
        let told = site.told(find);
        assert_eq!(told.of(Code::Sitemap4xx), ["/gone", "/removed"]);
        assert_eq!(told.of(Code::Sitemap5xx), ["/oops"]);
        assert_eq!(told.of(Code::SitemapAuth), ["/login", "/staff"]);
        assert_eq!(told.of(Code::SitemapRedirect), ["/moved"]);
        assert_eq!(told.of(Code::SitemapTimeout), ["/slow"]);
        assert_eq!(told.of(Code::SitemapNoindex), ["/noindex"]);
        assert_eq!(told.of(Code::SitemapCanonicalised), ["/variant"]);
        assert_eq!(told.of(Code::SitemapBlocked), ["/private/x"]);
        assert_eq!(told.of(Code::SitemapOutOfScope), ["http://other.example/"]);
        assert_eq!(
            (told.sitemaps(Code::SitemapNoindex), told.target(Code::SitemapRedirect)),
            ("/more.xml".into(), "/".into())
        );
        assert_eq!(told.message(Code::Sitemap5xx), "It is listed, and answers 500.");
    }

    #[test]
    fn what_no_sitemap_lists_is_no_entry() {
        let site = made()
            .links("/", &["/gone", "/moved", "/noindex", "/variant"])
            .redirect("/moved", "/")
            .noindex("/noindex", &[])
            .canonical("/variant", "/")
            .feed("/feed.xml", &[("/gone", "2030-01-01")])
            .sitemap("/sitemap.xml", &["/"])
            .site();
        assert!(site.told(find).is_nothing());
    }

    #[test]
    fn throttling_and_silence_of_other_causes_are_no_fault_of_an_entry() {
        let site = made()
            .throttled("/busy", 429)
            .throttled("/later", 503)
            .silent("/reset", FailureKind::Reset)
            .sitemap("/sitemap.xml", &["/busy", "/later", "/reset"])
            .site();
        assert!(site.told(find).is_nothing());
    }

    #[test]
    fn a_page_that_sends_visitors_on_at_once_redirects() {
        let site = made()
            .head("/at-once", "<meta http-equiv=refresh content='0; url=/'>")
            .head("/slowly", "<meta http-equiv=refresh content='9; url=/'>")
            .sitemap("/sitemap.xml", &["/at-once", "/slowly"])
            .site();
        assert_eq!(site.told(find).of(Code::SitemapRedirect), ["/at-once"]);
    }

    #[test]
    fn files_say_by_their_head_what_pages_say() {
        let canonical = |path: &str| format!("<{}>; rel=canonical", crate::site::made::url(path));
        let site = made()
            .file("/veiled.pdf")
            .header("/veiled.pdf", "x-robots-tag", "noindex")
            .file("/copy.pdf")
            .header("/copy.pdf", "link", &canonical("/"))
            .file("/own.pdf")
            .header("/own.pdf", "link", &canonical("/own.pdf"))
            .sitemap("/sitemap.xml", &["/veiled.pdf", "/copy.pdf", "/own.pdf"])
            .site();
        let told = site.told(find);
        assert_eq!(told.of(Code::SitemapNoindex), ["/veiled.pdf"]);
        assert_eq!(
            (told.of(Code::SitemapCanonicalised), told.target(Code::SitemapCanonicalised)),
            (vec!["/copy.pdf".into()], "/".into())
        );
    }

    #[test]
    fn a_status_of_proxies_is_a_client_error_like_others() {
        let site = made().status("/proxy", 407).sitemap("/sitemap.xml", &["/proxy"]).site();
        let told = site.told(find);
        assert_eq!((told.of(Code::Sitemap4xx).len(), told.of(Code::SitemapAuth).len()), (1, 0));
    }
}
