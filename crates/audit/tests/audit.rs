//! Audits of small sites, from their record.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod crawled;

use crawled::{AuditRecord, check};
use mapwright_audit::baseline::Baseline;
use mapwright_audit::fail_rules::{FailOn, FailRules};
use mapwright_audit::figures::Tally;
use mapwright_audit::rendered_finding::{RenderedFinding, State};
use mapwright_audit::severities::Severities;
use mapwright_audit::{Audit, Options, Severity, checks};
use mapwright_testcrawl::{Crawled, START, Web, url};

fn complete() -> Options {
    Options { agent: "mapwright".to_owned(), complete: true, ..Options::default() }
}

/// A site with `count` broken links.
fn broken(count: usize) -> Web {
    let lost: String = (0..count).map(|n| format!("<a href=/lost{n}>Lost {n}</a>")).collect();
    Web::for_audit().titled("/", &format!("{lost}<a href=/a>A</a>")).links("/a", &["/"])
}

fn tally(audit: &Audit, code: &str) -> Tally {
    *audit.tallies().iter().find(|tally| tally.check.code == code).unwrap()
}

/// Returns the place of a finding's check in the order of reports.
fn rank(item: &RenderedFinding) -> Option<usize> {
    checks::all().iter().position(|check| *check == item.check)
}

fn states(crawled: &Crawled, audit: &Audit) -> Vec<State> {
    crawled.items_of(audit, "http-4xx").iter().map(|item| item.state).collect()
}

#[test]
fn a_finding_has_a_sample_of_the_links_and_their_exact_count() {
    let pages: Vec<String> = (10..22).map(|n| format!("/p{n}")).collect();
    let targets: Vec<&str> = pages.iter().map(String::as_str).collect();
    let web = pages.iter().enumerate().fold(Web::for_audit().links("/", &targets), |web, (n, page)| {
        let once = format!("<a href=/gone>Lost {n}</a>");
        web.titled(page, &format!("<nav><a href=/>home</a></nav><main>{once} <a href=/gone>again</a></main>"))
    });
    let crawled = web.crawled();
    let found = crawled.items_of(&crawled.audit(&complete()), "http-4xx");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].subject.name(), found[0].severity), (url("/gone").as_str(), Severity::Error));
    assert_eq!((found[0].linked_from.len(), found[0].linked_from_count), (10, Some(12)));
    for (n, link) in found[0].linked_from.iter().enumerate() {
        assert_eq!(
            (link.url.clone(), link.anchor.clone(), link.region_name(), link.nofollow),
            (url(&pages[n]), format!("Lost {n}"), "main", false)
        );
    }
}

#[test]
fn the_region_and_nofollow_of_a_link_are_reported() {
    let web = Web::for_audit()
        .titled("/", "<nav><a href=/gone>In the menu</a></nav><a href=/a>A</a><footer><a href=/hidden>V</a></footer>")
        .titled("/a", "<footer><a rel=nofollow href=/gone>At the foot</a></footer><a href=/>up</a>")
        .titled("/hidden", "<meta name=robots content=nofollow><a href=/gone>Behind it</a>");
    let crawled = web.crawled();
    let found = crawled.items_of(&crawled.audit(&complete()), "http-4xx");
    let links: Vec<_> = found[0].linked_from.iter().map(|l| (l.anchor.as_str(), l.region_name(), l.nofollow)).collect();
    let expected = [("In the menu", "nav", false), ("At the foot", "footer", true), ("Behind it", "body", true)];
    assert_eq!(links, expected);
    assert_eq!(found[0].linked_from_count, Some(3));
}

#[test]
fn only_links_to_missing_elements_are_reported() {
    let web = Web::for_audit()
        .titled("/", "<main><a href=/long#gone>Chapter nine</a></main><a href=/other>other</a>")
        .titled("/other", "<a href=/long#here>Chapter one</a><a href=/long>All</a>")
        .titled("/long", "<h2 id=here>One</h2><a href=/>up</a>");
    let crawled = web.crawled();
    let found = crawled.items_of(&crawled.audit(&complete()), "broken-fragment");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].linked_from_count, Some(1));
    let link = &found[0].linked_from[0];
    assert_eq!((link.url.as_str(), link.anchor.as_str(), link.region_name()), (START, "Chapter nine", "main"));
}

#[test]
fn a_page_with_several_links_to_missing_elements_counts_once() {
    let links = "<nav><a href=/long#x>x</a></nav><main><a href=/long#y>y</a><a href=/long#y>y</a></main>";
    let web =
        Web::for_audit().titled("/", &format!("{links}<a href=/a>a</a>")).titled("/a", links).links("/long", &["/"]);
    let crawled = web.crawled();
    let found = crawled.items_of(&crawled.audit(&complete()), "broken-fragment");
    assert_eq!((found[0].linked_from_count, found[0].linked_from.len()), (Some(2), 2));
}

#[test]
fn a_link_that_visitors_cannot_click_is_no_link_to_an_orphan() {
    let next = "<link rel=next href=/orphan><a href=/>home</a>";
    let web = Web::for_audit()
        .links("/", &["/a"])
        .titled("/a", next)
        .sitemap("/sitemap.xml", &["/", "/orphan"])
        .links("/orphan", &["/"]);
    let crawled = web.crawled();
    let found = crawled.items_of(&crawled.audit(&complete()), "orphan");
    assert_eq!((found[0].linked_from.len(), found[0].linked_from_count), (0, Some(0)));
}

#[test]
fn findings_are_sorted_by_severity_code_and_subject() {
    let crawled = broken(3).sitemap("/sitemap.xml", &["/", "/a", "/orphan"]).links("/orphan", &["/"]).crawled();
    let items = crawled.items(&crawled.audit(&complete()));
    let order: Vec<_> = items.iter().map(|item| (item.severity, rank(item), item.subject.name().to_owned())).collect();
    assert!(order.is_sorted(), "{order:?}");
    let severities: Vec<Severity> = order.iter().map(|one| one.0).collect();
    assert!(Severity::ALL.iter().all(|severity| severities.contains(severity)), "{severities:?}");
}

#[test]
fn findings_are_new_then_persist_are_fixed_and_regress() {
    let mut crawled = broken(2).crawled();
    let first = crawled.audited(&complete());
    assert_eq!(states(&crawled, &first), [State::New, State::New]);
    assert_eq!((tally(&first, "http-4xx").new_or_regressed, first.fixed().len()), (2, 0));

    crawled.again(&broken(1));
    let second = crawled.audited(&complete());
    assert_eq!(states(&crawled, &second), [State::Persisting]);
    let fixed: Vec<_> = second.fixed().iter().filter(|one| one.check.code == "http-4xx").collect();
    assert_eq!((fixed.len(), fixed[0].subject.as_str()), (1, url("/lost1").as_str()));
    let counts = tally(&second, "http-4xx");
    assert_eq!((counts.count, counts.new_or_regressed, counts.fixed), (1, 0, 1));

    crawled.again(&broken(3));
    let third = crawled.audited(&complete());
    assert_eq!(states(&crawled, &third), [State::Persisting, State::Regressed, State::New]);
    assert_eq!(tally(&third, "http-4xx").new_or_regressed, 2);
}

#[test]
fn the_same_run_audited_again_gives_the_same_result() {
    let mut crawled = broken(2).crawled();
    crawled.audited(&complete());
    crawled.again(&broken(0));
    crawled.audited(&complete());
    crawled.again(&broken(3));
    let first = crawled.audited(&complete());
    for _ in 0..2 {
        let again = crawled.audited(&complete());
        assert_eq!(crawled.items(&again), crawled.items(&first));
        assert_eq!(
            (again.tallies(), again.fixed(), again.figures()),
            (first.tallies(), first.fixed(), first.figures())
        );
    }
}

#[test]
fn an_audit_that_is_not_stored_leaves_no_trace() {
    let mut crawled = broken(1).crawled();
    crawled.audit(&complete());
    crawled.again(&broken(1));
    let audit = crawled.audit(&complete());
    assert_eq!(states(&crawled, &audit), [State::New]);
    assert_eq!(audit.figures().history.len(), 1);
}

#[test]
fn an_incomplete_run_reports_nothing_as_fixed_and_its_findings_persist() {
    let mut crawled = broken(2).crawled();
    crawled.audited(&complete());
    crawled.again(&broken(1));
    let cut = crawled.audited(&Options { complete: false, ..complete() });
    assert_eq!(cut.fixed(), []);
    assert!(cut.notes()[0].starts_with("The crawl was cut short"), "{:?}", cut.notes());
    crawled.again(&broken(2));
    let audit = crawled.audited(&complete());
    assert_eq!(states(&crawled, &audit), [State::Persisting, State::Persisting]);
}

#[test]
fn the_history_holds_the_earlier_audits_and_this_one() {
    let mut crawled = broken(2).crawled();
    crawled.audited(&complete());
    crawled.again(&broken(5));
    let audit = crawled.audited(&complete());
    let errors: Vec<_> = audit.figures().history.iter().map(|past| (past.run, past.errors)).collect();
    assert_eq!(errors, [(1, 2), (2, 5)]);
}

#[test]
fn findings_in_the_baseline_are_accepted_and_break_no_rule() {
    let mut crawled = broken(2).crawled();
    let baseline = Baseline::read(&crawled.audit(&complete()).baseline().to_json()).unwrap();
    let options = Options { baseline, ..complete() };
    let gate = FailRules { fail_on: vec![FailOn::read("notice").unwrap()], max_broken: Some(0) };

    let accepted = crawled.audit(&options);
    assert!(crawled.items(&accepted).iter().all(|item| item.accepted));
    assert_eq!(Severity::ALL.map(|severity| accepted.count(severity)), [0, 0, 0]);
    assert_eq!(gate.broken_rules(&accepted), [""; 0]);

    crawled.again(&broken(3));
    let audit = crawled.audit(&options);
    assert_eq!(audit.unaccepted().collect::<Vec<_>>(), [(check("http-4xx"), url("/lost2").as_str())]);
    let counts = tally(&audit, "http-4xx");
    assert_eq!((counts.count, counts.accepted, audit.count(Severity::Error)), (3, 2, 1));
    assert_eq!(gate.broken_rules(&audit), ["--fail-on notice: 1 finding", "--max-broken 0: 1 URL is broken"]);
}

#[test]
fn rules_say_which_of_them_is_broken_and_by_how_much() {
    let crawled = broken(2).crawled();
    let audit = crawled.audit(&complete());
    let broken =
        |rule: &str| FailRules { fail_on: vec![FailOn::read(rule).unwrap()], max_broken: None }.broken_rules(&audit);
    assert_eq!(broken("error"), ["--fail-on error: 2 findings"]);
    assert_eq!(broken("http-4xx"), ["--fail-on http-4xx: 2 findings"]);
    assert_eq!(broken("robots-missing"), ["--fail-on robots-missing: 1 finding"]);
    assert_eq!(broken("http-5xx"), [""; 0]);
    let all: u64 = audit.tallies().iter().map(|tally| tally.count).sum();
    assert_eq!(broken("notice"), [format!("--fail-on notice: {all} findings")]);
    assert!(FailOn::read("loud").is_err());
}

#[test]
fn broken_urls_are_counted_once_against_the_limit() {
    let crawled = broken(2).links("/a", &["/lost0", "/lost1"]).crawled();
    let audit = crawled.audit(&complete());
    let broken = |most| FailRules { fail_on: Vec::new(), max_broken: Some(most) }.broken_rules(&audit);
    assert_eq!(broken(2), [""; 0]);
    assert_eq!(broken(1), ["--max-broken 1: 2 URLs are broken"]);
}

#[test]
fn a_redirect_loop_is_broken_and_for_a_redirect_to_an_error_its_target_counts() {
    let web = Web::for_audit().links("/", &["/loop-a", "/old"]).redirect("/loop-a", "/loop-b");
    let crawled = web.redirect("/loop-b", "/loop-a").redirect("/old", "/gone").crawled();
    let gate = FailRules { fail_on: Vec::new(), max_broken: Some(2) };
    assert_eq!(gate.broken_rules(&crawled.audit(&complete())), ["--max-broken 2: 3 URLs are broken"]);
}

#[test]
fn severities_are_changed_and_kinds_are_muted_by_the_settings() {
    let mut crawled = broken(1).crawled();
    crawled.audited(&complete());
    let mut severities = Severities::default();
    severities.set("http-4xx=notice").unwrap();
    severities.mute("robots-missing").unwrap();
    crawled.again(&broken(1));
    let audit = crawled.audited(&Options { severities, ..complete() });
    assert_eq!(crawled.items_of(&audit, "http-4xx")[0].severity, Severity::Notice);
    assert_eq!(audit.count(Severity::Error), 0);
    assert!(crawled.items_of(&audit, "robots-missing").is_empty());
    assert!(audit.fixed().iter().all(|one| one.check.code != "robots-missing"), "what is muted is not fixed");
}

#[test]
fn the_funnel_counts_the_pages_of_the_site() {
    let crawled = Web::for_audit()
        .answer("/robots.txt", 200, "text/plain", "User-agent: *\nDisallow: /private/")
        .links("/", &["/a", "/gone", "/private/x", "http://other.example/"])
        .links("/a", &["/"])
        .titled("/noindex", "<meta name=robots content=noindex><a href=/>up</a>")
        .sitemap("/sitemap.xml", &["/", "/noindex"])
        .crawled();
    let audit = crawled.audit(&complete());
    let funnel = audit.figures().funnel;
    assert_eq!((funnel.discovered, funnel.fetched, funnel.indexable, funnel.in_sitemap), (5, 4, 2, 1));
    let statuses: Vec<_> = audit.figures().statuses.iter().map(|bar| (bar.label.as_str(), bar.count)).collect();
    assert_eq!(statuses, [("200", 3), ("404", 1), ("blocked by robots.txt", 1)]);
}

#[test]
fn redirects_are_followed_up_to_the_limit_of_the_run() {
    let followed = |settings: &str| {
        let mut web = Web::for_audit().links("/", &[]);
        web.plan.settings = settings.to_owned();
        mapwright_audit::site::load(web.crawled().record(), "mapwright").unwrap().max_redirects
    };
    assert_eq!(followed("{}"), 10, "what was not chosen is not in the record");
    assert_eq!(followed("{\"fetch.max-redirects\": \"3\"}"), 3);
}
