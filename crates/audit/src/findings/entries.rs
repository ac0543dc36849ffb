//! Entries of the published sitemaps that the crawl found faulty.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Node, NodeStatus, Site, UrlNo};
use mapwright_model::{FailureKind, Unfetched};

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
    match (node.fetch_status, node.status) {
        (NodeStatus::Status, 401 | 403) => Some(Code::SitemapAuth),
        (NodeStatus::Status, 429) => None,
        (NodeStatus::Status, 400..=499) => Some(Code::Sitemap4xx),
        (NodeStatus::Status, 500..=599) => Some(Code::Sitemap5xx),
        (NodeStatus::NoAnswer(FailureKind::TimedOut), _) => Some(Code::SitemapTimeout),
        (NodeStatus::Redirect, _) => Some(Code::SitemapRedirect),
        (NodeStatus::Blocked, _) => Some(Code::SitemapBlocked),
        (NodeStatus::Refused(Unfetched::OutOfScope), _) => Some(Code::SitemapOutOfScope),
        // Files have these in header fields: X-Robots-Tag, Link (RFC 8288, section 3).
        (NodeStatus::Page | NodeStatus::File, _) if node.noindex => Some(Code::SitemapNoindex),
        (NodeStatus::Page, _) if node.target.is_some() => Some(Code::SitemapRedirect),
        (NodeStatus::Page | NodeStatus::File, _) if node.canonical.is_some_and(|canonical| canonical != url) => {
            Some(Code::SitemapCanonicalised)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn each_fault_of_an_entry_has_its_code() {
        let site = builder()
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
        let found = site.run_check(find);
        assert_eq!(found.of(Code::Sitemap4xx), ["/gone", "/removed"]);
        assert_eq!(found.of(Code::Sitemap5xx), ["/oops"]);
        assert_eq!(found.of(Code::SitemapAuth), ["/login", "/staff"]);
        assert_eq!(found.of(Code::SitemapRedirect), ["/moved"]);
        assert_eq!(found.of(Code::SitemapTimeout), ["/slow"]);
        assert_eq!(found.of(Code::SitemapNoindex), ["/noindex"]);
        assert_eq!(found.of(Code::SitemapCanonicalised), ["/variant"]);
        assert_eq!(found.of(Code::SitemapBlocked), ["/private/x"]);
        assert_eq!(found.of(Code::SitemapOutOfScope), ["http://other.example/"]);
        assert_eq!(
            (found.sitemaps(Code::SitemapNoindex), found.target(Code::SitemapRedirect)),
            ("/more.xml".into(), "/".into())
        );
        assert_eq!(found.message(Code::Sitemap5xx), "It is listed, and answers 500.");
    }

    #[test]
    fn a_url_in_no_sitemap_is_no_entry() {
        let site = builder()
            .links("/", &["/gone", "/moved", "/noindex", "/variant"])
            .redirect("/moved", "/")
            .noindex("/noindex", &[])
            .canonical("/variant", "/")
            .feed("/feed.xml", &[("/gone", "2030-01-01")])
            .sitemap("/sitemap.xml", &["/"])
            .site();
        assert!(site.run_check(find).is_nothing());
    }

    #[test]
    fn throttling_and_other_missing_answers_are_no_fault_of_an_entry() {
        let site = builder()
            .throttled("/busy", 429)
            .throttled("/later", 503)
            .silent("/reset", FailureKind::Reset)
            .sitemap("/sitemap.xml", &["/busy", "/later", "/reset"])
            .site();
        assert!(site.run_check(find).is_nothing());
    }

    #[test]
    fn a_page_with_an_instant_refresh_redirects() {
        let site = builder()
            .head("/at-once", "<meta http-equiv=refresh content='0; url=/'>")
            .head("/slowly", "<meta http-equiv=refresh content='9; url=/'>")
            .sitemap("/sitemap.xml", &["/at-once", "/slowly"])
            .site();
        assert_eq!(site.run_check(find).of(Code::SitemapRedirect), ["/at-once"]);
    }

    #[test]
    fn header_fields_of_files_count_like_those_of_pages() {
        let canonical = |path: &str| format!("<{}>; rel=canonical", crate::site::builder::url(path));
        let site = builder()
            .file("/hidden.pdf")
            .header("/hidden.pdf", "x-robots-tag", "noindex")
            .file("/copy.pdf")
            .header("/copy.pdf", "link", &canonical("/"))
            .file("/own.pdf")
            .header("/own.pdf", "link", &canonical("/own.pdf"))
            .sitemap("/sitemap.xml", &["/hidden.pdf", "/copy.pdf", "/own.pdf"])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of(Code::SitemapNoindex), ["/hidden.pdf"]);
        assert_eq!(
            (found.of(Code::SitemapCanonicalised), found.target(Code::SitemapCanonicalised)),
            (vec!["/copy.pdf".into()], "/".into())
        );
    }

    #[test]
    fn a_407_is_a_client_error_like_others() {
        let site = builder().status("/proxy", 407).sitemap("/sitemap.xml", &["/proxy"]).site();
        let found = site.run_check(find);
        assert_eq!((found.of(Code::Sitemap4xx).len(), found.of(Code::SitemapAuth).len()), (1, 0));
    }
}
