//! An interrupted crawl resumes at the same place with the same settings, and only on request.
use std::time::Duration;

use mapwright_e2e::files::{contains, files_in};
use mapwright_e2e::kill::{CutCrawl, Interruption, InterruptionSite, Moment, Reference, SeededRng};
use mapwright_e2e::{Command, CommandOutput, Crawl, Workspace, links};
use mapwright_testkit::{FakeSite, ReceivedRequest, Response, assert_listed};

// ---- signals

#[test]
fn sigint_at_any_instant_changes_nothing() {
    signalled(Interruption::Interrupt, if cfg!(feature = "full") { 40 } else { 3 });
}

#[test]
fn sigterm_at_any_instant_changes_nothing() {
    signalled(Interruption::Terminate, if cfg!(feature = "full") { 40 } else { 3 });
}

/// Sends this number of signals at random moments, one or two per crawl. Requests in flight are completed, so no page
/// is fetched again.
#[track_caller]
fn signalled(blow: Interruption, signals: usize) {
    let (ground, mut lot) = (InterruptionSite::of(300), SeededRng::drawn());
    let arguments = ["--max-urls-per-file", "100"];
    let reference = Reference::of(&ground, &arguments);
    let mut sent = 0;
    while sent < signals {
        let mut cut = CutCrawl::begin(&ground, &arguments);
        // Before the start page is fetched, there is nothing to resume, and it is requested again.
        let first = 2 + lot.below(reference.targets - 1);
        let second = first + lot.below(reference.targets + 1 - first);
        for moment in [Moment::Requested(first), Moment::Requested(second)] {
            sent += usize::from(cut.run_until(moment, blow, &reference).is_some());
        }
        drop(cut.run().exited(0));
        let repeats = cut.assert_same(&reference);
        assert!(repeats.lost.iter().all(|lost| *lost == 0), "cut at {first} and {second}: {repeats:?}");
    }
}

#[test]
fn a_signal_before_the_start_page_is_fetched_is_no_failure() {
    let ground = InterruptionSite::of(100);
    let reference = Reference::of(&ground, &[]);
    for blow in [Interruption::Interrupt, Interruption::Terminate] {
        for moment in [Moment::Started, Moment::FirstRequest, Moment::Requested(1)] {
            let mut cut = CutCrawl::begin(&ground, &[]);
            // The signal may come before its handler is installed.
            let _ = cut.run_until(moment, blow, &reference);
            drop(cut.run().exited(0));
            let repeats = cut.assert_same(&reference);
            assert!(repeats.lost.iter().all(|lost| *lost <= 1), "{blow:?} at {moment:?}: {repeats:?}");
        }
    }
}

#[test]
fn a_crawl_that_repeatedly_runs_out_of_time_completes() {
    let ground = InterruptionSite::of(200);
    ground.site().latency(Duration::from_millis(10));
    let arguments = ["--concurrency", "1", "--max-urls-per-file", "100"];
    let reference = Reference::of(&ground, &arguments);
    let mut cut = CutCrawl::begin(&ground, &[&arguments[..], &["--max-time", "1s"]].concat());
    drop(cut.run().exited(4));
    cut.assert_old();
    let mut cuts = 1;
    while cut.run().code != Some(0) {
        cuts += 1;
        assert!(cuts < 20, "it does not come to its end: {} of {}", ground.request_log().progress(), reference.targets);
    }
    let repeats = cut.assert_same(&reference);
    cut.assert_lost_little(&repeats, 1);
}

// ---- the run that is resumed

#[test]
fn crawl_with_the_resume_flag_works_like_resume() {
    let ground = InterruptionSite::of(200);
    let reference = Reference::of(&ground, &[]);
    let mut cut = CutCrawl::begin(&ground, &[]);
    assert!(cut.run_until(Moment::Requested(100), Interruption::Interrupt, &reference).is_some());
    let again = cut.crawl_command().arg("--resume");
    drop(cut.spawn_as(again).wait().exited(0));
    let repeats = cut.assert_same(&reference);
    assert_eq!(repeats.lost, [0, 0]);
}

#[test]
fn crawl_resume_with_nothing_unfinished_begins_a_new_run_and_says_so() {
    let (workspace, site) = (Workspace::new(), small_site());
    for round in 1..=2 {
        let run = workspace.crawl_well(&site.url("/"), &["--resume"]);
        assert_says_one_of(&run, &["nothing to resume", "no unfinished", "nothing unfinished", "new run", "begins"]);
        assert_eq!(site.hits("/a"), round);
    }
}

#[test]
fn crawl_says_that_a_run_is_unfinished_and_starts_afresh() {
    let (workspace, site) = cut_in_the_middle(&[]);
    let run = workspace.crawl_well(&site.url("/"), &[]);
    assert_says_one_of(&run, &["unfinished", "not finished"]);
    assert_eq!((site.hits("/"), site.hits("/a")), (2, 2));
    assert_listed(&workspace.out(), &site.urls(&["/", "/a", "/held", "/z"]));
    assert_nothing_to_resume(&workspace, &site);
}

#[test]
fn nothing_to_resume_is_reported_and_is_no_error() {
    let (workspace, site) = (Workspace::new(), small_site());
    workspace.crawl_well(&site.url("/"), &[]);
    assert_nothing_to_resume(&workspace, &site);
}

#[test]
fn resume_finds_the_record_by_the_start_url() {
    let (workspace, site) = (Workspace::new(), middle_site());
    let start = site.url("/");
    let crawl = Command::new(["crawl", &start, "-c", "1", "-o", "public"]).within(&workspace);
    kill_while_held(&site, crawl);
    drop(workspace.run(&["resume", &start]).exited(0));
    assert_listed(&workspace.path("public"), &site.urls(&["/", "/a", "/held", "/z"]));
}

#[test]
fn a_wrong_state_directory_is_named() {
    let workspace = Workspace::new();
    let (missing, file) = (workspace.path("not-there"), workspace.file("a-file", "text"));
    for path in [missing.display().to_string(), file] {
        let run = workspace.run(&["resume", "--state", &path]);
        assert!(matches!(run.code, Some(0 | 2)), "{:?}", run.said());
        assert!(run.said().contains(&path), "{}", run.said());
    }
    assert!(!missing.exists(), "it was made");
}

// ---- the settings

#[test]
fn only_changed_settings_are_named() {
    let begun = ["--max-depth", "9", "--exclude", "/never", "--timeout", "20s"];
    let (workspace, site) = cut_in_the_middle(&begun);
    let run = resume(&workspace, &["--max-depth", "8", "--timeout", "20s"]).exited(0);
    assert!(run.stderr.contains("max-depth"), "{}", run.stderr);
    assert!(!run.stderr.contains("exclude") && !run.stderr.contains("timeout"), "{}", run.stderr);
    assert_listed(&workspace.out(), &site.urls(&["/", "/a", "/held", "/z"]));
    let (workspace, site) = cut_in_the_middle(&begun);
    let run = workspace.crawl_well(&site.url("/"), &["--resume", "-c", "1", "--max-depth", "9", "--timeout", "20s"]);
    assert!(run.stderr.contains("exclude") && !run.stderr.contains("max-depth"), "{}", run.stderr);
}

#[test]
fn resume_with_unchanged_settings_names_none() {
    let (workspace, site) = cut_in_the_middle(&["--max-depth", "9"]);
    let run = resume(&workspace, &[]).exited(0);
    assert!(!run.stderr.contains("max-depth") && !run.stderr.contains("concurrency"), "{}", run.stderr);
    assert_listed(&workspace.out(), &site.urls(&["/", "/a", "/held", "/z"]));
}

#[test]
fn a_budget_of_urls_is_shared_by_both_processes() {
    let site = FakeSite::open();
    let pages: Vec<String> = (0..80).map(|number| format!("/page/{number:02}")).collect();
    site.page("/", links(&pages.iter().map(String::as_str).collect::<Vec<_>>())).latency(Duration::from_millis(5));
    site.handler("/page/*", |request: &ReceivedRequest| Response::html(format!("<h1>{}</h1>", request.path())));
    let budget = ["--max-urls", "40", "-c", "2"];
    let complete = Workspace::new();
    complete.crawl_well(&site.url("/"), &budget);
    assert_eq!(complete.listed().len(), 40);
    for blow in [Interruption::Kill, Interruption::Interrupt] {
        let (workspace, before) = (Workspace::new(), site.requests().len());
        let mut crawl = workspace.start_crawl(&site.url("/"), &budget);
        site.wait_for("/page/20", site.hits("/page/20") + 1);
        match blow {
            Interruption::Kill => crawl.process().kill(),
            _ => crawl.process().interrupt(),
        }
        assert_eq!(crawl.wait().code(), blow.code());
        drop(resume(&workspace, &[]).exited(0));
        assert_eq!(workspace.listed(), complete.listed(), "after {blow:?}");
        let mut requested: Vec<String> = site.requests().drain(before..).map(|request| request.target).collect();
        requested.retain(|target| target == "/" || target.starts_with("/page/"));
        let requests = requested.len();
        requested.sort();
        requested.dedup();
        assert_eq!(requested.len(), 40, "after {blow:?}");
        // Requests in flight at a signal are completed; those in flight at a kill are sent again.
        assert!(
            requests <= if blow == Interruption::Kill { 40 + 2 + 64 } else { 40 },
            "{requests} requests after {blow:?}"
        );
    }
}

#[test]
fn a_depth_limit_applies_to_both_processes() {
    let ground = InterruptionSite::of(400);
    let reference = Reference::of(&ground, &[]);
    // One request at a time, so that no page is found by a longer path first.
    let depth = ["--max-depth", "2", "--concurrency", "1"];
    drop(CutCrawl::begin(&ground, &depth).run().exited(0));
    let requested = ground.request_log().targets();
    assert!(requested.len() < reference.targets, "the depth is no limit on this site");
    let mut cut = CutCrawl::begin(&ground, &depth);
    assert!(cut.run_until(Moment::Requested(requested.len() / 2), Interruption::Kill, &reference).is_some());
    drop(cut.run().exited(0));
    assert_eq!(ground.request_log().targets(), requested);
}

#[test]
fn a_moved_scope_is_kept() {
    let site = FakeSite::open();
    let port = site.port();
    let at = |host: &str, path: &str| format!("http://{host}:{port}{path}");
    let pages: Vec<String> = (0..60).map(|number| format!("/page/{number:02}")).collect();
    let inside = links(&pages.iter().map(String::as_str).collect::<Vec<_>>());
    let outside = links(&[&at("apex.test", "/page/99")]);
    site.redirect("//apex.test/", &at("www.apex.test", "/"), 301).page("//www.apex.test/", inside + &outside);
    site.handler("//www.apex.test/page/*", |request: &ReceivedRequest| {
        Response::html(format!("<h1>{}</h1>", request.path()))
    });
    site.latency(Duration::from_millis(5));
    let workspace = Workspace::new();
    let hosts = ["apex.test", "www.apex.test"];
    let crawl = Crawl::from(&[at("apex.test", "/")]).within(&workspace).hosts(&site, &hosts);
    let mut crawl = crawl.args(["-c", "2"]).spawn();
    site.wait_for("/page/30", 1);
    crawl.process().kill();
    drop(crawl.wait());
    drop(resume(&workspace, &[]).exited(0));
    let expected: Vec<String> =
        pages.iter().map(|path| at("www.apex.test", path)).chain([at("www.apex.test", "/")]).collect();
    assert_listed(&workspace.out(), &expected);
}

/// If the resumed crawl continued, it would exclude the queue as disallowed: a robots.txt that answers 5xx disallows
/// everything (RFC 9309 section 2.3.1.4).
#[test]
fn a_site_that_answers_only_errors_after_the_resume_keeps_its_queue() {
    let site = FakeSite::open();
    let pages: Vec<String> = (0..60).map(|number| format!("/page/{number:02}")).collect();
    let paths: Vec<&str> = pages.iter().map(String::as_str).collect();
    site.page("/", links(&paths)).latency(Duration::from_millis(5));
    let good = |request: &ReceivedRequest| Response::html(format!("<h1>{}</h1>", request.path()));
    site.handler("/page/*", good);
    let workspace = Workspace::new();
    let mut crawl = workspace.start_crawl(&site.url("/"), &["-c", "2"]);
    site.wait_for("/page/20", 1);
    crawl.process().interrupt();
    drop(crawl.wait());
    site.status("/robots.txt", 503).status("/page/*", 503);
    drop(resume(&workspace, &[]).exited(4));
    assert!(files_in(&workspace.out()).is_empty(), "nothing is published");
    site.status("/robots.txt", 404).handler("/page/*", good);
    drop(resume(&workspace, &[]).exited(0));
    assert_eq!(workspace.listed().len(), 1 + pages.len());
}

// ---- secrets

/// The password of the example in RFC 7617, section 2, raw and percent-encoded; the base64 of user and password in the
/// header; and a token.
const SECRETS: [&str; 4] = ["open sesame", "open%20sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ", "t0k3n-f0r-all"];

#[test]
fn a_password_is_not_in_the_record_and_is_required_again() {
    let option = ["--auth", "Aladdin:open sesame"];
    assert_requested_again(root_of, &option, &option, &["--auth"]);
}

#[test]
fn a_header_is_not_in_the_record_and_is_required_again() {
    let option = ["-H", "Authorization: Bearer t0k3n-f0r-all"];
    assert_requested_again(root_of, &option, &option, &["--header"]);
}

#[test]
fn a_password_in_the_start_url_is_not_in_the_record_and_is_required_again() {
    let start = |site: &FakeSite| root_of(site).replace("http://", "http://Aladdin:open%20sesame@");
    assert_requested_again(start, &[], &["--auth", "Aladdin:open sesame"], &["password", "credential", "--auth"]);
}

/// Pages that are refused without the secret are not gone, so the old sitemap must stay.
#[test]
fn a_resumed_crawl_that_lacks_its_secret_publishes_nothing() {
    let site = secret_site();
    let workspace = cut_with_secret(&site, &root_of(&site), &["--auth", "Aladdin:open sesame"]);
    drop(resume(&workspace, &[]));
    assert!(workspace.published().is_empty(), "it published {:?}", workspace.listed());
}

fn root_of(site: &FakeSite) -> String {
    site.url("/")
}

/// Interrupts a crawl with a secret, and asserts that the secret is never in the record. Resumed with the secret, the
/// crawl completes; without it, the output contains one of these words.
#[track_caller]
fn assert_requested_again(start: impl Fn(&FakeSite) -> String, begun: &[&str], again: &[&str], words: &[&str]) {
    let site = secret_site();
    let workspace = cut_with_secret(&site, &start(&site), begun);
    drop(resume(&workspace, again).exited(0));
    assert_listed(&workspace.out(), &site.urls(&["/", "/a", "/held", "/z"]));
    assert_no_secret(&workspace);
    let site = secret_site();
    let workspace = cut_with_secret(&site, &start(&site), begun);
    assert_says_one_of(&resume(&workspace, &[]), words);
}

/// Kills a crawl with a secret in the middle.
#[track_caller]
fn cut_with_secret(site: &FakeSite, start: &str, option: &[&str]) -> Workspace {
    let workspace = Workspace::new();
    let state = workspace.state().display().to_string();
    let out = workspace.out().display().to_string();
    let arguments = [&["crawl", start, "-c", "1", "--state", &state, "--out", &out], option].concat();
    kill_while_held(site, Command::new(arguments).within(&workspace));
    assert!(!files_in(&workspace.state()).is_empty());
    assert_no_secret(&workspace);
    workspace
}

#[track_caller]
fn assert_no_secret(workspace: &Workspace) {
    for (name, bytes) in files_in(&workspace.state()) {
        for secret in SECRETS {
            assert!(!contains(&bytes, secret), "{secret:?} is in {name}");
        }
    }
}

/// The site of [`middle_site`], protected by a secret.
fn secret_site() -> FakeSite {
    let site = FakeSite::open();
    site.handler("/*", |request: &ReceivedRequest| match request.header("authorization") {
        None => Response::html("<h1>Who are you?</h1>").status(401).header("WWW-Authenticate", "Basic realm=x"),
        Some(_) if request.path() == "/" => Response::html(links(&["/a", "/held", "/z"])),
        Some(_) if request.path() == "/robots.txt" || request.path() == "/sitemap.xml" => Response::new(404),
        Some(_) => Response::html(format!("<h1>{}</h1>", request.path())),
    });
    site.first_n("/held", 1, mapwright_testkit::ServerAction::stall_after([]));
    site
}

// ---- helpers

/// A site of four pages. The third does not answer its first request, so that a crawl with one request at a time stops
/// in the middle.
fn middle_site() -> FakeSite {
    let site = small_site();
    site.first_n("/held", 1, mapwright_testkit::ServerAction::stall_after([]));
    site
}

fn small_site() -> FakeSite {
    let site = FakeSite::open();
    site.page("/", links(&["/a", "/held", "/z"])).page("/a", "<h1>A</h1>");
    site.page("/held", "<h1>Held</h1>").page("/z", "<h1>Z</h1>");
    site
}

/// Kills a crawl with these further arguments in the middle.
#[track_caller]
fn cut_in_the_middle(arguments: &[&str]) -> (Workspace, FakeSite) {
    let (workspace, site) = (Workspace::new(), middle_site());
    let mut crawl = workspace.start_crawl(&site.url("/"), &[&["-c", "1"], arguments].concat());
    site.wait_for("/held", 1);
    crawl.process().kill();
    drop(crawl.wait());
    (workspace, site)
}

#[track_caller]
fn kill_while_held(site: &FakeSite, crawl: Command) {
    let mut process = crawl.spawn();
    site.wait_for("/held", 1);
    process.kill();
    assert_eq!(process.wait().code, None);
}

#[track_caller]
fn resume(workspace: &Workspace, arguments: &[&str]) -> CommandOutput {
    workspace.run(&[&["resume", "--state", &workspace.state().display().to_string()], arguments].concat())
}

#[track_caller]
fn assert_nothing_to_resume(workspace: &Workspace, site: &FakeSite) {
    let (before, requested) = (workspace.published(), site.requests().len());
    let run = resume(workspace, &[]).exited(0);
    assert_says_one_of(&run, &["nothing to resume", "no unfinished", "nothing unfinished", "not unfinished"]);
    assert!(workspace.published() == before, "the sitemap has changed");
    assert_eq!(site.requests().len(), requested, "the site was requested");
}

#[track_caller]
fn assert_says_one_of(run: &CommandOutput, words: &[&str]) {
    let said = run.said().to_lowercase();
    assert!(words.iter().any(|word| said.contains(word)), "it says none of {words:?}: {said}");
}
