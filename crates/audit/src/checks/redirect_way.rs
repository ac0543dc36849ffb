//! Redirects through several hops, in a loop, to an error, to a blocked or an out-of-scope URL.

use crate::check::{Attributes, Check, RequiredCoverage, SeenLevel, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Chain, ChainEnd, NodeStatus, Site, UrlNo};
use mapwright_model::Unfetched;

pub(super) static CHECKER: Checker = Checker::site(
    find,
    &[&REDIRECT_CHAIN, &REDIRECT_LOOP, &REDIRECT_TO_ERROR, &REDIRECT_TO_BLOCKED, &REDIRECT_OUT_OF_SCOPE],
);

static REDIRECT_CHAIN: Check = Check {
    code: "redirect-chain",
    title: "Redirect chain",
    topic: Topic::Redirects,
    severity: Severity::Warning,
    reason: "The redirect takes more than one hop.",
    fix: "Redirect to the final target at once.",
    needs: RequiredCoverage::Leads(SeenLevel::Read),
    attributes: Attributes::NONE,
};

static REDIRECT_LOOP: Check = Check {
    code: "redirect-loop",
    title: "Redirect loop",
    topic: Topic::Redirects,
    severity: Severity::Error,
    reason: "The redirects lead back to themselves.",
    fix: "Break the loop: one of these URLs has to answer with the page.",
    needs: RequiredCoverage::Leads(SeenLevel::Read),
    attributes: Attributes { is_broken: true, ..Attributes::NONE },
};

static REDIRECT_TO_ERROR: Check = Check {
    code: "redirect-to-error",
    title: "Redirect to an error",
    topic: Topic::Redirects,
    severity: Severity::Error,
    reason: "The redirect leads to a URL that fails.",
    fix: "Redirect to a page that exists, or answer 404 or 410.",
    needs: RequiredCoverage::Leads(SeenLevel::Answered),
    attributes: Attributes::NONE,
};

static REDIRECT_TO_BLOCKED: Check = Check {
    code: "redirect-to-blocked",
    title: "Redirect to a URL blocked by robots.txt",
    topic: Topic::Redirects,
    severity: Severity::Warning,
    reason: "The redirect leads to a URL that robots.txt disallows.",
    fix: "Allow the target in robots.txt, or redirect elsewhere.",
    needs: RequiredCoverage::Leads(SeenLevel::Answered),
    attributes: Attributes { is_about_robots: true, ..Attributes::NONE },
};

static REDIRECT_OUT_OF_SCOPE: Check = Check {
    code: "redirect-out-of-scope",
    title: "Redirect out of scope",
    topic: Topic::Redirects,
    severity: Severity::Notice,
    reason: "The redirect leads out of the crawl's scope.",
    fix: "Link to the target directly, if it is meant.",
    needs: RequiredCoverage::Leads(SeenLevel::Answered),
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _) in site.nodes().filter(|(_, node)| node.fetch_status == NodeStatus::Redirect) {
        let Chain { urls: chain, end } = site.chain(url);
        let Some(last) = chain.last().copied() else {
            found.push(Finding::of(&REDIRECT_LOOP, url).through(vec![url]).says("It redirects to itself."));
            continue;
        };
        if let ChainEnd::Circle(to) = end {
            let looped = Finding::of(&REDIRECT_LOOP, url).through(chain);
            found.push(if to == url { looped } else { looped.says("It leads into a loop of redirects.") });
            continue;
        }
        if chain.len() > 1 {
            let hops = chain.len();
            let finding = Finding::of(&REDIRECT_CHAIN, url).through(chain.clone());
            found.push(if end == ChainEnd::Beyond {
                finding.says(format!("It takes {hops} hops, and they come to no end."))
            } else if site.is_cut_at(last) {
                let limit = site.max_redirects;
                finding.says(format!(
                    "It takes {hops} hops or more: it was not followed to its end (--max-redirects {limit})."
                ))
            } else {
                finding.to(last).says(format!("It takes {hops} hops to {}.", site.text(last)))
            });
        }
        found.extend(fault(site, url, last).map(|finding| finding.to(last).through(chain)));
    }
}

/// Returns the finding about the final target of a redirect.
fn fault(site: &Site, url: UrlNo, last: UrlNo) -> Option<Finding> {
    let node = site.node(last);
    let text = site.text(last);
    match node.fetch_status {
        _ if node.fails() && node.status > 0 => {
            let message = format!("It leads to {text}, which answers {}.", node.status);
            Some(Finding::of(&REDIRECT_TO_ERROR, url).says(message))
        }
        _ if node.fails() => {
            Some(Finding::of(&REDIRECT_TO_ERROR, url).says(format!("It leads to {text}, which gives no answer.")))
        }
        NodeStatus::Blocked => Some(Finding::of(&REDIRECT_TO_BLOCKED, url)),
        NodeStatus::Refused(Unfetched::OutOfScope) => Some(Finding::of(&REDIRECT_OUT_OF_SCOPE, url)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn more_than_one_hop_is_a_chain() {
        let site = builder().redirect("/1", "/2").redirect("/2", "/3").redirect("/3", "/end").links("/end", &[]).site();
        let found = site.run_check(find);
        assert_eq!(found.of("redirect-chain"), ["/1", "/2"], "/3 takes one hop");
        assert_eq!(
            (found.chain("redirect-chain"), found.target("redirect-chain")),
            ("/2 /3 /end".into(), "/end".into())
        );
        assert_eq!(found.message("redirect-chain"), "It takes 3 hops to http://example.com/end.");
    }

    #[test]
    fn redirects_that_lead_back_are_a_loop() {
        let site =
            builder().redirect("/a", "/b").redirect("/b", "/c").redirect("/c", "/a").redirect("/self", "/self").site();
        let found = site.run_check(find);
        assert_eq!(found.of("redirect-loop"), ["/a", "/b", "/c", "/self"]);
        assert_eq!(found.chain("redirect-loop"), "/b /c");
        assert_eq!(found.of("redirect-chain"), [""; 0]);
    }

    #[test]
    fn a_redirect_into_a_loop_is_reported_as_a_loop() {
        let site = builder().redirect("/in", "/a").redirect("/a", "/b").redirect("/b", "/a").site();
        let found = site.run_check(find);
        assert_eq!(
            (found.of("redirect-loop"), found.of("redirect-chain")),
            (vec!["/a".into(), "/b".into(), "/in".into()], vec![])
        );
        let into_itself = builder().redirect("/in", "/self").redirect("/self", "/self").site();
        let found = into_itself.run_check(find);
        assert_eq!(found.of("redirect-loop"), ["/in", "/self"]);
        assert_eq!(
            (found.message("redirect-loop"), found.chain("redirect-loop")),
            ("It leads into a loop of redirects.".into(), "/self".into())
        );
        assert_eq!(found.target("redirect-loop"), "");
    }

    #[test]
    fn a_chain_beyond_the_limit_is_endless_too() {
        let site =
            builder().many(0..60, |builder, n| builder.redirect(&format!("/{n}"), &format!("/{}", n + 1))).site();
        let found = site.run_check(find);
        assert_eq!(found.target("redirect-chain"), "");
        assert!(found.of("redirect-to-error").contains(&"/59".to_owned()), "/60 answers 404");
    }

    #[test]
    fn a_chain_cut_at_the_limit_of_the_crawl_has_no_final_target() {
        let builder = builder().redirect("/1", "/2").redirect("/2", "/3").refused("/3", Unfetched::Redirects, "/2");
        let site = Site { max_redirects: 1, ..builder.site() };
        let found = site.run_check(find);
        assert_eq!((found.of("redirect-chain"), found.target("redirect-chain")), (vec!["/1".into()], String::new()));
        let message = "It takes 2 hops or more: it was not followed to its end (--max-redirects 1).";
        assert_eq!(found.message("redirect-chain"), message);
    }

    #[test]
    fn each_fault_of_the_final_target_has_its_code() {
        let site = builder()
            .robots("User-agent: *\nDisallow: /private/")
            .redirect("/to-404", "/gone")
            .redirect("/to-500", "/oops")
            .status("/oops", 500)
            .redirect("/to-silence", "/silent")
            .silent("/silent", mapwright_model::FailureKind::Reset)
            .redirect("/to-blocked", "/private/x")
            .redirect("/away", "http://other.example/")
            .redirect("/to-file", "/file")
            .file("/file")
            .redirect("/to-busy", "/busy")
            .throttled("/busy", 503)
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("redirect-to-error"), ["/to-404", "/to-500", "/to-silence"]);
        assert_eq!(found.of("redirect-to-blocked"), ["/to-blocked"]);
        assert_eq!(found.of("redirect-out-of-scope"), ["/away"]);
        assert_eq!(found.target("redirect-out-of-scope"), "http://other.example/");
        assert_eq!(found.message("redirect-to-error"), "It leads to http://example.com/gone, which answers 404.");
    }

    #[test]
    fn an_error_at_the_end_of_a_chain_is_reported_for_each_redirect() {
        let site = builder().redirect("/1", "/2").redirect("/2", "/gone").site();
        let found = site.run_check(find);
        assert_eq!(
            (found.of("redirect-to-error"), found.of("redirect-chain")),
            (vec!["/1".into(), "/2".into()], vec!["/1".into()])
        );
    }
}
