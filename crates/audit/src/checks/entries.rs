//! Entries of the published sitemaps that the crawl found faulty.

use crate::check::{Attributes, Check, RequiredCoverage, SeenLevel, Topic, Unrequested};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Node, NodeStatus, Site, UrlNo};
use mapwright_model::{FailureKind, Unfetched};

pub(super) static CHECKER: Checker = Checker::site(
    find,
    &[
        &SITEMAP_4XX,
        &SITEMAP_5XX,
        &SITEMAP_AUTH,
        &SITEMAP_REDIRECT,
        &SITEMAP_TIMEOUT,
        &SITEMAP_NOINDEX,
        &SITEMAP_CANONICALISED,
        &SITEMAP_BLOCKED,
        &SITEMAP_OUT_OF_SCOPE,
    ],
);

static SITEMAP_4XX: Check = Check {
    code: "sitemap-4xx",
    title: "Client error in the sitemap",
    topic: Topic::Sitemaps,
    severity: Severity::Error,
    reason: "An entry of the published sitemap answers with a client error.",
    fix: "Take it out of the sitemap, or bring the page back.",
    needs: RequiredCoverage::Listed(SeenLevel::Read),
    attributes: Attributes::NONE,
};

static SITEMAP_5XX: Check = Check {
    code: "sitemap-5xx",
    title: "Server error in the sitemap",
    topic: Topic::Sitemaps,
    severity: Severity::Error,
    reason: "An entry of the published sitemap answers with a server error.",
    fix: "Look into the server's log for the cause.",
    needs: RequiredCoverage::Listed(SeenLevel::Answered),
    attributes: Attributes::NONE,
};

static SITEMAP_AUTH: Check = Check {
    code: "sitemap-auth",
    title: "Login or refused access in the sitemap",
    topic: Topic::Sitemaps,
    severity: Severity::Warning,
    reason: "An entry of the published sitemap answers 401 or 403.",
    fix: "Take it out of the sitemap, or let visitors in.",
    needs: RequiredCoverage::Listed(SeenLevel::Read),
    attributes: Attributes::NONE,
};

static SITEMAP_REDIRECT: Check = Check {
    code: "sitemap-redirect",
    title: "Redirect in the sitemap",
    topic: Topic::Sitemaps,
    severity: Severity::Warning,
    reason: "An entry of the published sitemap redirects.",
    fix: "List the final target.",
    needs: RequiredCoverage::Listed(SeenLevel::Read),
    attributes: Attributes::NONE,
};

static SITEMAP_TIMEOUT: Check = Check {
    code: "sitemap-timeout",
    title: "Timeout in the sitemap",
    topic: Topic::Sitemaps,
    severity: Severity::Warning,
    reason: "An entry of the published sitemap does not answer in time.",
    fix: "Find out what the server waits for.",
    needs: RequiredCoverage::Listed(SeenLevel::Answered),
    attributes: Attributes::NONE,
};

static SITEMAP_NOINDEX: Check = Check {
    code: "sitemap-noindex",
    title: "noindex page in the sitemap",
    topic: Topic::Sitemaps,
    severity: Severity::Error,
    reason: "An entry of the published sitemap says noindex.",
    fix: "Take it out of the sitemap, or remove the noindex.",
    needs: RequiredCoverage::Listed(SeenLevel::Read),
    attributes: Attributes::NONE,
};

static SITEMAP_CANONICALISED: Check = Check {
    code: "sitemap-canonicalised",
    title: "Canonicalised page in the sitemap",
    topic: Topic::Sitemaps,
    severity: Severity::Warning,
    reason: "An entry of the published sitemap names another page as its canonical.",
    fix: "List the canonical instead.",
    needs: RequiredCoverage::Listed(SeenLevel::Read),
    attributes: Attributes::NONE,
};

static SITEMAP_BLOCKED: Check = Check {
    code: "sitemap-blocked",
    title: "URL blocked by robots.txt in the sitemap",
    topic: Topic::Sitemaps,
    severity: Severity::Warning,
    reason: "An entry of the published sitemap is disallowed by robots.txt.",
    fix: "Allow it, or take it out of the sitemap.",
    needs: RequiredCoverage::Listed(SeenLevel::Answered),
    attributes: Attributes { is_about_robots: true, unrequested: Unrequested::Blocked, ..Attributes::NONE },
};

static SITEMAP_OUT_OF_SCOPE: Check = Check {
    code: "sitemap-out-of-scope",
    title: "URL out of scope in the sitemap",
    topic: Topic::Sitemaps,
    severity: Severity::Notice,
    reason: "An entry of the published sitemap lies out of the crawl's scope.",
    fix: "List it in a sitemap of its own site; --scope widens the crawl.",
    needs: RequiredCoverage::Listed(SeenLevel::Answered),
    attributes: Attributes { unrequested: Unrequested::OutOfScope, ..Attributes::NONE },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, files) in site.listed_in() {
        let node = site.node(url);
        let Some(check) = fault(&node, url) else { continue };
        let finding = Finding::of(check, url).in_sitemaps(&files);
        found.push(if let Some(target) = node.target.filter(|_| check == &SITEMAP_REDIRECT) {
            finding.to(target).says(format!("It is listed, and redirects to {}.", site.text(target)))
        } else if let Some(canonical) = node.canonical.filter(|_| check == &SITEMAP_CANONICALISED) {
            finding.to(canonical).says(format!("It is listed, and its canonical is {}.", site.text(canonical)))
        } else if node.status >= 400 {
            finding.says(format!("It is listed, and answers {}.", node.status))
        } else {
            finding
        });
    }
}

fn fault(node: &Node, url: UrlNo) -> Option<&'static Check> {
    match (node.fetch_status, node.status) {
        (NodeStatus::Status, 401 | 403) => Some(&SITEMAP_AUTH),
        (NodeStatus::Status, 429) => None,
        (NodeStatus::Status, 400..=499) => Some(&SITEMAP_4XX),
        (NodeStatus::Status, 500..=599) => Some(&SITEMAP_5XX),
        (NodeStatus::NoAnswer(FailureKind::TimedOut), _) => Some(&SITEMAP_TIMEOUT),
        (NodeStatus::Redirect, _) => Some(&SITEMAP_REDIRECT),
        (NodeStatus::Blocked, _) => Some(&SITEMAP_BLOCKED),
        (NodeStatus::Refused(Unfetched::OutOfScope), _) => Some(&SITEMAP_OUT_OF_SCOPE),
        // Files have these in header fields: X-Robots-Tag, Link (RFC 8288, section 3).
        (NodeStatus::Page | NodeStatus::File, _) if node.noindex => Some(&SITEMAP_NOINDEX),
        (NodeStatus::Page, _) if node.target.is_some() => Some(&SITEMAP_REDIRECT),
        (NodeStatus::Page | NodeStatus::File, _) if node.canonical.is_some_and(|canonical| canonical != url) => {
            Some(&SITEMAP_CANONICALISED)
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
        assert_eq!(found.of("sitemap-4xx"), ["/gone", "/removed"]);
        assert_eq!(found.of("sitemap-5xx"), ["/oops"]);
        assert_eq!(found.of("sitemap-auth"), ["/login", "/staff"]);
        assert_eq!(found.of("sitemap-redirect"), ["/moved"]);
        assert_eq!(found.of("sitemap-timeout"), ["/slow"]);
        assert_eq!(found.of("sitemap-noindex"), ["/noindex"]);
        assert_eq!(found.of("sitemap-canonicalised"), ["/variant"]);
        assert_eq!(found.of("sitemap-blocked"), ["/private/x"]);
        assert_eq!(found.of("sitemap-out-of-scope"), ["http://other.example/"]);
        assert_eq!(
            (found.sitemaps("sitemap-noindex"), found.target("sitemap-redirect")),
            ("/more.xml".into(), "/".into())
        );
        assert_eq!(found.message("sitemap-5xx"), "It is listed, and answers 500.");
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
        assert_eq!(site.run_check(find).of("sitemap-redirect"), ["/at-once"]);
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
        assert_eq!(found.of("sitemap-noindex"), ["/hidden.pdf"]);
        assert_eq!(
            (found.of("sitemap-canonicalised"), found.target("sitemap-canonicalised")),
            (vec!["/copy.pdf".into()], "/".into())
        );
    }

    #[test]
    fn a_407_is_a_client_error_like_others() {
        let site = builder().status("/proxy", 407).sitemap("/sitemap.xml", &["/proxy"]).site();
        let found = site.run_check(find);
        assert_eq!((found.of("sitemap-4xx").len(), found.of("sitemap-auth").len()), (1, 0));
    }
}
