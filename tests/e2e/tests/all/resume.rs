//! A crawl that was cut goes on where it was, as it was, and only where that was asked for.
use std::time::Duration;

use mapwright_e2e::desk::{Desk, Run, contains, files_in};
use mapwright_e2e::kill::{Blow, CutCrawl, Ground, Lot, Moment, Reference};
use mapwright_e2e::{Command, Crawl, links};
use mapwright_testkit::{Request, Response, Site, assert_listed};

// ---- signals

#[test]
fn sigint_at_any_instant_changes_nothing() {
    signalled(Blow::Interrupt, if cfg!(feature = "full") { 40 } else { 3 });
}

#[test]
fn sigterm_at_any_instant_changes_nothing() {
    signalled(Blow::Terminate, if cfg!(feature = "full") { 40 } else { 3 });
}

/// Sends so many signals at random instants, one or two to a crawl. What was in flight is let to its end, so that
/// nothing at all is fetched again.
#[track_caller]
fn signalled(blow: Blow, signals: usize) {
    let (ground, mut lot) = (Ground::of(300), Lot::drawn());
    let arguments = ["--max-urls-per-file", "100"];
    let reference = Reference::of(&ground, &arguments);
    let mut sent = 0;
    while sent < signals {
        let mut cut = CutCrawl::begin(&ground, &arguments);
        // Before the start page has come there is nothing to go on with, and it is asked for again.
        let first = 2 + lot.below(reference.targets - 1);
        let second = first + lot.below(reference.targets + 1 - first);
        for moment in [Moment::Asked(first), Moment::Asked(second)] {
            sent += usize::from(cut.run_until(moment, blow, &reference).is_some());
        }
        drop(cut.run().exited(0));
        let repeats = cut.assert_same(&reference);
        assert!(repeats.lost.iter().all(|lost| *lost == 0), "cut at {first} and {second}: {repeats:?}");
    }
}

#[test]
fn a_signal_before_the_start_page_has_come_fails_nothing() {
    let ground = Ground::of(100);
    let reference = Reference::of(&ground, &[]);
    for blow in [Blow::Interrupt, Blow::Terminate] {
        for moment in [Moment::Started, Moment::FirstRequest, Moment::Asked(1)] {
            let mut cut = CutCrawl::begin(&ground, &[]);
            // It may have come too early: before the signal is listened for.
            let _ = cut.run_until(moment, blow, &reference);
            drop(cut.run().exited(0));
            let repeats = cut.assert_same(&reference);
            assert!(repeats.lost.iter().all(|lost| *lost <= 1), "{blow:?} at {moment:?}: {repeats:?}");
        }
    }
}

#[test]
fn a_crawl_that_is_out_of_time_again_and_again_comes_to_its_end() {
    let ground = Ground::of(200);
    ground.site().latency(Duration::from_millis(10));
    let arguments = ["--concurrency", "1", "--max-urls-per-file", "100"];
    let reference = Reference::of(&ground, &arguments);
    let mut cut = CutCrawl::begin(&ground, &[&arguments[..], &["--max-time", "1s"]].concat());
    drop(cut.run().exited(4));
    cut.assert_old();
    let mut cuts = 1;
    while cut.run().code != Some(0) {
        cuts += 1;
        assert!(cuts < 20, "it does not come to its end: {} of {}", ground.ledger().progress(), reference.targets);
    }
    let repeats = cut.assert_same(&reference);
    cut.assert_lost_little(&repeats, 1);
}

// ---- what is gone on with

#[test]
fn crawl_resume_goes_on_as_resume_does() {
    let ground = Ground::of(200);
    let reference = Reference::of(&ground, &[]);
    let mut cut = CutCrawl::begin(&ground, &[]);
    assert!(cut.run_until(Moment::Asked(100), Blow::Interrupt, &reference).is_some());
    let again = cut.crawl_command().arg("--resume");
    drop(cut.spawn_as(again).wait().exited(0));
    let repeats = cut.assert_same(&reference);
    assert_eq!(repeats.lost, [0, 0]);
}

#[test]
fn crawl_resume_with_nothing_unfinished_begins_a_new_run_and_says_so() {
    let (desk, site) = (Desk::new(), small_site());
    for round in 1..=2 {
        let run = desk.crawl_well(&site.url("/"), &["--resume"]);
        assert_says_one_of(&run, &["nothing to resume", "no unfinished", "nothing unfinished", "new run", "begins"]);
        assert_eq!(site.hits("/a"), round);
    }
}

#[test]
fn crawl_says_that_a_run_is_unfinished_and_starts_afresh() {
    let (desk, site) = cut_in_the_middle(&[]);
    let run = desk.crawl_well(&site.url("/"), &[]);
    assert_says_one_of(&run, &["unfinished", "not finished"]);
    assert_eq!((site.hits("/"), site.hits("/a")), (2, 2));
    assert_listed(&desk.out(), &site.urls(&["/", "/a", "/held", "/z"]));
    assert_nothing_to_resume(&desk, &site);
}

#[test]
fn where_nothing_is_to_resume_it_says_so_and_is_content() {
    let (desk, site) = (Desk::new(), small_site());
    desk.crawl_well(&site.url("/"), &[]);
    assert_nothing_to_resume(&desk, &site);
}

#[test]
fn resume_finds_the_record_by_the_start_url() {
    let (desk, site) = (Desk::new(), middle_site());
    let start = site.url("/");
    let crawl = Command::new(["crawl", &start, "-c", "1", "-o", "public"]).within(desk.workspace());
    kill_while_held(&site, crawl);
    drop(desk.run(&["resume", &start]).exited(0));
    assert_listed(&desk.path("public"), &site.urls(&["/", "/a", "/held", "/z"]));
}

#[test]
fn a_wrong_state_directory_is_named() {
    let desk = Desk::new();
    let (missing, file) = (desk.path("not-there"), desk.file("a-file", "text"));
    for path in [missing.display().to_string(), file] {
        let run = desk.run(&["resume", "--state", &path]);
        assert!(matches!(run.done.code, Some(0 | 2)), "{:?}", run.done);
        assert!(run.said().contains(&path), "{}", run.said());
    }
    assert!(!missing.exists(), "it was made");
}

// ---- the settings

#[test]
fn changed_settings_are_named_and_they_alone() {
    let begun = ["--max-depth", "9", "--exclude", "/never", "--timeout", "20s"];
    let (desk, site) = cut_in_the_middle(&begun);
    let run = resume(&desk, &["--max-depth", "8", "--timeout", "20s"]).exited(0);
    assert!(run.err().contains("max-depth"), "{}", run.err());
    assert!(!run.err().contains("exclude") && !run.err().contains("timeout"), "{}", run.err());
    assert_listed(&desk.out(), &site.urls(&["/", "/a", "/held", "/z"]));
    let (desk, site) = cut_in_the_middle(&begun);
    let run = desk.crawl_well(&site.url("/"), &["--resume", "-c", "1", "--max-depth", "9", "--timeout", "20s"]);
    assert!(run.err().contains("exclude") && !run.err().contains("max-depth"), "{}", run.err());
}

#[test]
fn resume_with_unchanged_settings_names_none() {
    let (desk, site) = cut_in_the_middle(&["--max-depth", "9"]);
    let run = resume(&desk, &[]).exited(0);
    assert!(!run.err().contains("max-depth") && !run.err().contains("concurrency"), "{}", run.err());
    assert_listed(&desk.out(), &site.urls(&["/", "/a", "/held", "/z"]));
}

#[test]
fn a_budget_of_urls_is_spent_once_over_both_halves() {
    let site = Site::open();
    let pages: Vec<String> = (0..80).map(|number| format!("/page/{number:02}")).collect();
    site.page("/", links(&pages.iter().map(String::as_str).collect::<Vec<_>>())).latency(Duration::from_millis(5));
    site.handler("/page/*", |request: &Request| Response::html(format!("<h1>{}</h1>", request.path())));
    let budget = ["--max-urls", "40", "-c", "2"];
    let whole = Desk::new();
    whole.crawl_well(&site.url("/"), &budget);
    assert_eq!(whole.listed().len(), 40);
    for blow in [Blow::Kill, Blow::Interrupt] {
        let (desk, before) = (Desk::new(), site.requests().len());
        let mut crawl = desk.start_crawl(&site.url("/"), &budget);
        site.wait_for("/page/20", site.hits("/page/20") + 1);
        match blow {
            Blow::Kill => crawl.process().kill(),
            _ => crawl.process().interrupt(),
        }
        assert_eq!(crawl.wait().code(), blow.code());
        drop(resume(&desk, &[]).exited(0));
        assert_eq!(desk.listed(), whole.listed(), "after {blow:?}");
        let mut asked: Vec<String> = site.requests().drain(before..).map(|request| request.target).collect();
        asked.retain(|target| target == "/" || target.starts_with("/page/"));
        let requests = asked.len();
        asked.sort();
        asked.dedup();
        assert_eq!(asked.len(), 40, "after {blow:?}");
        // What was in flight at a signal is let to its end; what was at a kill is asked for again.
        assert!(requests <= if blow == Blow::Kill { 40 + 2 + 64 } else { 40 }, "{requests} requests after {blow:?}");
    }
}

#[test]
fn a_depth_holds_for_both_halves() {
    let ground = Ground::of(400);
    let reference = Reference::of(&ground, &[]);
    // One by one, so that no page is found by a longer way first.
    let depth = ["--max-depth", "2", "--concurrency", "1"];
    drop(CutCrawl::begin(&ground, &depth).run().exited(0));
    let asked = ground.ledger().targets();
    assert!(asked.len() < reference.targets, "the depth is no limit on this site");
    let mut cut = CutCrawl::begin(&ground, &depth);
    assert!(cut.run_until(Moment::Asked(asked.len() / 2), Blow::Kill, &reference).is_some());
    drop(cut.run().exited(0));
    assert_eq!(ground.ledger().targets(), asked);
}

#[test]
fn a_scope_that_has_moved_stays_where_it_is() {
    let site = Site::open();
    let port = site.port();
    let at = |host: &str, path: &str| format!("http://{host}:{port}{path}");
    let pages: Vec<String> = (0..60).map(|number| format!("/page/{number:02}")).collect();
    let inside = links(&pages.iter().map(String::as_str).collect::<Vec<_>>());
    let outside = links(&[&at("apex.test", "/page/99")]);
    site.redirect("//apex.test/", &at("www.apex.test", "/"), 301).page("//www.apex.test/", inside + &outside);
    site.handler("//www.apex.test/page/*", |request: &Request| Response::html(format!("<h1>{}</h1>", request.path())));
    site.latency(Duration::from_millis(5));
    let desk = Desk::new();
    let hosts = ["apex.test", "www.apex.test"];
    let crawl = Crawl::from(&[at("apex.test", "/")]).within(desk.workspace()).hosts(&site, &hosts);
    let mut crawl = crawl.args(["-c", "2"]).spawn();
    site.wait_for("/page/30", 1);
    crawl.process().kill();
    drop(crawl.wait());
    drop(resume(&desk, &[]).exited(0));
    let expected: Vec<String> =
        pages.iter().map(|path| at("www.apex.test", path)).chain([at("www.apex.test", "/")]).collect();
    assert_listed(&desk.out(), &expected);
}

/// What failed then would be settled as forbidden: a robots.txt that answers 5xx forbids all (RFC 9309 section 2.3.1.4).
#[test]
fn a_site_that_answers_errors_alone_when_gone_on_with_keeps_its_queue() {
    let site = Site::open();
    let pages: Vec<String> = (0..60).map(|number| format!("/page/{number:02}")).collect();
    let paths: Vec<&str> = pages.iter().map(String::as_str).collect();
    site.page("/", links(&paths)).latency(Duration::from_millis(5));
    let good = |request: &Request| Response::html(format!("<h1>{}</h1>", request.path()));
    site.handler("/page/*", good);
    let desk = Desk::new();
    let mut crawl = desk.start_crawl(&site.url("/"), &["-c", "2"]);
    site.wait_for("/page/20", 1);
    crawl.process().interrupt();
    drop(crawl.wait());
    site.status("/robots.txt", 503).status("/page/*", 503);
    drop(resume(&desk, &[]).exited(4));
    assert!(files_in(&desk.out()).is_empty(), "nothing is published");
    site.status("/robots.txt", 404).handler("/page/*", good);
    drop(resume(&desk, &[]).exited(0));
    assert_eq!(desk.listed().len(), 1 + pages.len());
}

// ---- secrets

/// The example of RFC 7617, section 2: user, password, and both as they stand in the header.
const SECRETS: [&str; 4] = ["open sesame", "open%20sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ", "t0k3n-f0r-all"];

#[test]
fn a_password_is_not_in_the_record_and_is_asked_for_again() {
    let option = ["--auth", "Aladdin:open sesame"];
    assert_asked_for_again(root_of, &option, &option, &["--auth"]);
}

#[test]
fn a_header_is_not_in_the_record_and_is_asked_for_again() {
    let option = ["-H", "Authorization: Bearer t0k3n-f0r-all"];
    assert_asked_for_again(root_of, &option, &option, &["--header"]);
}

#[test]
fn a_password_in_the_start_url_is_not_in_the_record_and_is_asked_for_again() {
    let start = |site: &Site| root_of(site).replace("http://", "http://Aladdin:open%20sesame@");
    assert_asked_for_again(start, &[], &["--auth", "Aladdin:open sesame"], &["password", "credential", "--auth"]);
}

/// What was a page with the secret and is a refusal without it has not gone: the old sitemap is worth more.
#[test]
fn a_resumed_crawl_that_lacks_its_secret_publishes_nothing() {
    let site = secret_site();
    let desk = cut_with_secret(&site, &root_of(&site), &["--auth", "Aladdin:open sesame"]);
    drop(resume(&desk, &[]));
    assert!(desk.published().is_empty(), "it published {:?}", desk.listed());
}

fn root_of(site: &Site) -> String {
    site.url("/")
}

/// A crawl that was begun with a secret is cut. The secret is not in the record; given again, the crawl comes to its
/// end, and the secret is not in the record still; not given, the user is told, in one of these words.
#[track_caller]
fn assert_asked_for_again(start: impl Fn(&Site) -> String, begun: &[&str], again: &[&str], words: &[&str]) {
    let site = secret_site();
    let desk = cut_with_secret(&site, &start(&site), begun);
    drop(resume(&desk, again).exited(0));
    assert_listed(&desk.out(), &site.urls(&["/", "/a", "/held", "/z"]));
    assert_no_secret(&desk);
    let site = secret_site();
    let desk = cut_with_secret(&site, &start(&site), begun);
    assert_says_one_of(&resume(&desk, &[]), words);
}

/// A crawl with a secret that was killed in the middle.
#[track_caller]
fn cut_with_secret(site: &Site, start: &str, option: &[&str]) -> Desk {
    let desk = Desk::new();
    let state = desk.state().display().to_string();
    let out = desk.out().display().to_string();
    let arguments = [&["crawl", start, "-c", "1", "--state", &state, "--out", &out], option].concat();
    kill_while_held(site, Command::new(arguments).within(desk.workspace()));
    assert!(!files_in(&desk.state()).is_empty());
    assert_no_secret(&desk);
    desk
}

#[track_caller]
fn assert_no_secret(desk: &Desk) {
    for (name, bytes) in files_in(&desk.state()) {
        for secret in SECRETS {
            assert!(!contains(&bytes, secret), "{secret:?} is in {name}");
        }
    }
}

/// As [`middle_site`], for those who are let in alone.
fn secret_site() -> Site {
    let site = Site::open();
    site.handler("/*", |request: &Request| match request.header("authorization") {
        None => Response::html("<h1>Who are you?</h1>").status(401).header("WWW-Authenticate", "Basic realm=x"),
        Some(_) if request.path() == "/" => Response::html(links(&["/a", "/held", "/z"])),
        Some(_) if request.path() == "/robots.txt" || request.path() == "/sitemap.xml" => Response::new(404),
        Some(_) => Response::html(format!("<h1>{}</h1>", request.path())),
    });
    site.first_n("/held", 1, mapwright_testkit::Answer::stall_after([]));
    site
}

// ---- support

/// Four pages; the third gives no answer the first time, so that a crawl that asks one by one stands in the middle.
fn middle_site() -> Site {
    let site = small_site();
    site.first_n("/held", 1, mapwright_testkit::Answer::stall_after([]));
    site
}

fn small_site() -> Site {
    let site = Site::open();
    site.page("/", links(&["/a", "/held", "/z"])).page("/a", "<h1>A</h1>");
    site.page("/held", "<h1>Held</h1>").page("/z", "<h1>Z</h1>");
    site
}

/// A crawl with these further arguments that was killed in the middle.
#[track_caller]
fn cut_in_the_middle(arguments: &[&str]) -> (Desk, Site) {
    let (desk, site) = (Desk::new(), middle_site());
    let mut crawl = desk.start_crawl(&site.url("/"), &[&["-c", "1"], arguments].concat());
    site.wait_for("/held", 1);
    crawl.process().kill();
    drop(crawl.wait());
    (desk, site)
}

#[track_caller]
fn kill_while_held(site: &Site, crawl: Command) {
    let mut process = crawl.spawn();
    site.wait_for("/held", 1);
    process.kill();
    assert_eq!(process.wait().code, None);
}

#[track_caller]
fn resume(desk: &Desk, arguments: &[&str]) -> Run {
    desk.run(&[&["resume", "--state", &desk.state().display().to_string()], arguments].concat())
}

#[track_caller]
fn assert_nothing_to_resume(desk: &Desk, site: &Site) {
    let (before, asked) = (desk.published(), site.requests().len());
    let run = resume(desk, &[]).exited(0);
    assert_says_one_of(&run, &["nothing to resume", "no unfinished", "nothing unfinished", "not unfinished"]);
    assert!(desk.published() == before, "the sitemap has changed");
    assert_eq!(site.requests().len(), asked, "the site was asked");
}

#[track_caller]
fn assert_says_one_of(run: &Run, words: &[&str]) {
    let said = run.said().to_lowercase();
    assert!(words.iter().any(|word| said.contains(word)), "it says none of {words:?}: {said}");
}
