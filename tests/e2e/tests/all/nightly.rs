//! `mapwright serve` and its jobs with the real binary: manual runs, reloads, ends and kills.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use mapwright_e2e::service::Service;
use mapwright_e2e::{Command, CommandOutput, Workspace, links};
use mapwright_testkit::{FakeSite, ReceivedRequest, Response};
use serde_json::Value;

/// A job on this site, due at an hour at which the tests do not run.
fn shop(site: &FakeSite, more: &str) -> String {
    format!("[job.shop]\nurl = [\"{}\"]\ncron = \"0 0 1 1 *\"\n{more}\n", site.url("/"))
}

fn small_site() -> FakeSite {
    let site = FakeSite::open();
    site.page("/", links(&["a", "b"])).page("/a", "<title>A</title>").page("/b", "<title>B</title>");
    site
}

/// The command in the working directory of `workspace`, with its state root.
#[track_caller]
fn command(workspace: &Workspace, words: &[&str]) -> CommandOutput {
    Command::new(words).args(["--state-root", "root"]).within(workspace).run()
}

#[test]
fn a_job_runs_from_the_command_line_as_on_schedule() {
    let site = small_site();
    let workspace = Workspace::of_service(&shop(&site, ""));
    let dry = command(&workspace, &["run", "shop", "--dry-run"]).exited(0);
    assert!(dry.stdout.contains("nothing was requested or written"), "{}", dry.stdout);
    assert!(site.requests().is_empty() && !workspace.path("root/shop").exists());
    let done = command(&workspace, &["run", "shop"]).exited(0);
    assert!(done.stdout.contains("sitemap.xml"), "{}", done.stdout);
    assert_eq!(mapwright_testkit::listed(&workspace.path("root/shop/sitemaps")).len(), 3);
    assert!(workspace.path("root/shop/reports/report.html").exists());
    let requested = site.requests().len();
    let again = command(&workspace, &["run", "shop"]).exited(0);
    assert!(site.requests().len() > requested, "two runs within a second are two: {}", again.stdout);
    let quiet = command(&workspace, &["run", "shop", "--quiet"]).exited(0);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""), "cron sends no mail of a good run");
    let runs = command(&workspace, &["runs", "--job", "shop"]).exited(0);
    assert_eq!(runs.stdout.lines().filter(|line| line.contains(&site.url("/"))).count(), 3, "{}", runs.stdout);
    let listed = command(&workspace, &["jobs", "list"]).exited(0);
    assert!(listed.stdout.contains("shop: both of") && listed.stdout.contains("done"), "{}", listed.stdout);
}

#[test]
fn the_newest_run_of_a_job_is_its_last_run_unless_it_was_cut() {
    let site = small_site();
    let workspace = Workspace::of_service(&shop(&site, ""));
    let listed = || -> Value {
        let listed = command(&workspace, &["jobs", "list", "--format", "json"]).exited(0);
        serde_json::from_str(&listed.stdout).unwrap_or_else(|error| panic!("no JSON ({error}): {}", listed.stdout))
    };
    let none = listed();
    assert_eq!((&none["last_run"], &none["newest_run"]), (&Value::Null, &Value::Null));
    drop(command(&workspace, &["run", "shop"]).exited(0));
    let done = listed();
    assert_eq!((&done["newest_run"]["number"], &done["newest_run"]["outcome"]), (&1.into(), &"done".into()));
    assert_eq!(done["newest_run"], done["last_run"]);
    let (last, counts) = (&done["last_run"], &done["last_run"]["counts"]);
    let time = |key: &str| last[key].as_str().and_then(|text| text.parse::<Timestamp>().ok()).expect(key);
    assert!(time("started") <= time("ended"), "{done}");
    assert_eq!([&counts["fetched"], &counts["listed"], &last["record_run"]], [3, 3, 1], "{done}");
    assert_eq!(last["reason"], Value::Null);
    site.stall("/b");
    drop(command(&workspace, &["run", "shop", "--max-time", "1s"]).exited(4));
    let cut = listed();
    assert_eq!((&cut["newest_run"]["number"], &cut["newest_run"]["outcome"]), (&2.into(), &"unfinished".into()));
    assert_eq!(cut["last_run"], done["last_run"]);
}

#[test]
fn the_record_of_a_job_is_found_at_the_place_of_its_settings() {
    let site = small_site();
    let workspace = Workspace::of_service(&shop(&site, "[job.shop.output]\nstate = \"elsewhere\"\n"));
    let none = command(&workspace, &["runs", "--job", "shop"]).exited(2);
    assert!(none.stderr.contains("there is no record in elsewhere"), "{}", none.stderr);
    drop(command(&workspace, &["run", "shop"]).exited(0));
    for words in [&["runs", "--job", "shop"][..], &["explain", "--job", "shop", &site.url("/")]] {
        assert!(command(&workspace, words).exited(0).stdout.contains(&site.url("/")), "{words:?}");
    }
}

#[test]
fn an_invalid_job_is_reported_in_one_line_with_exit_code_2() {
    let workspace = Workspace::of_service("[job.shop]\nurl = [\"http://127.0.0.1:1/\"]\ncron = \"61 * * * *\"\n");
    for words in [["run", "shop"].as_slice(), &["jobs", "list"], &["config", "check"], &["serve", "--listen", ""]] {
        let more = if words[0] == "config" { Vec::new() } else { vec!["--state-root", "root"] };
        let done = Command::new(words).args(more).within(&workspace).run();
        let done = done.exited(2);
        assert_eq!(done.stderr.lines().count(), 1, "{words:?}: {}", done.stderr);
        assert!(done.stderr.contains("job shop, job.cron"), "{words:?}: {}", done.stderr);
    }
    let unknown =
        command(&Workspace::of_service("[job.shop]\nurl = [\"http://127.0.0.1:1/\"]\n"), &["run", "shpo"]).exited(2);
    assert!(unknown.stderr.contains("the jobs are shop"), "{}", unknown.stderr);
}

#[test]
fn each_new_key_of_indexnow_is_different() {
    let workspace = Workspace::of_service("");
    let key = || Command::new(["jobs", "indexnow-key"]).within(&workspace).run().exited(0).stdout;
    let (one, other) = (key(), key());
    assert!(one.trim().len() == 32 && one != other, "{one} {other}");
}

#[cfg(unix)]
#[test]
fn our_secrets_do_not_reach_the_commands_that_carry_files() {
    use std::os::unix::fs::PermissionsExt;
    let site = small_site();
    let workspace = Workspace::of_service(&shop(&site, "[job.shop.publish]\nmirror = [\"command:/bin/sh hook\"]\n"));
    let hook = workspace.path("hook");
    std::fs::write(&hook, "#!/bin/sh\ncat >/dev/null\nenv >&2\nexit 3\n").expect("a script");
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    let file = std::fs::read_to_string(workspace.path("mapwright.toml")).expect("the file");
    workspace.configure(&file.replace("/bin/sh hook", &hook.display().to_string()));
    let run = Command::new(["run", "shop", "--state-root", "root"]).env("MAPWRIGHT_WEBHOOK_SECRET", "hush-hush");
    let failed = run.within(&workspace).run().exited(5);
    assert!(failed.stderr.contains("exit status: 3") && failed.stderr.contains("PWD="), "{}", failed.stderr);
    assert!(!failed.stderr.contains("hush-hush") && !failed.stderr.contains("MAPWRIGHT_"), "{}", failed.stderr);
}

#[test]
fn jobs_next_lists_the_next_runs_in_local_time_of_the_zone() {
    let site = small_site();
    let workspace = Workspace::of_service(&shop(&site, "zone = \"Europe/Berlin\""));
    let next = command(&workspace, &["jobs", "next", "--count", "2"]).exited(0);
    let lines: Vec<&str> = next.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines.iter().all(|line| line.contains("-01-01 00:00:00 CET  shop")), "{lines:?}");
    workspace.configure(&shop(&site, "zone = \"Europe/Berlin\"\nwindow = \"03:00-05:00\""));
    let next = command(&workspace, &["jobs", "next", "--count", "1"]).exited(0);
    assert!(next.stdout.contains("-01-01 03:00:00 CET  shop"), "it waits for its window: {}", next.stdout);
    // One run replaces all those that wait for a window, whatever the random delay (`jitter`) of each.
    let often = shop(&site, "window = \"03:00-05:00\"\njitter = \"30m\"").replace("0 0 1 1 *", "0 */4 1 1 *");
    workspace.configure(&often);
    let next = command(&workspace, &["jobs", "next", "--count", "3"]).exited(0);
    let days: Vec<&str> = next.stdout.lines().filter_map(|line| line.get(4..13)).collect();
    assert_eq!(days, ["-01-01 03", "-01-01 04", "-01-02 03"], "{}", next.stdout);
}

fn outcome(service: &Service, job: &str) -> Option<String> {
    let view = service.job(job);
    view["newest_run"]["outcome"].as_str().map(str::to_owned)
}

#[track_caller]
fn until_done(service: &mut Service, job: &str, days: u64) {
    service.until("the job is done", |service| {
        let (status, body) = service.get(&format!("/api/v1/jobs/{job}/runs"));
        let runs_done = body.matches("\"done\"").count() as u64;
        (status == 200 && runs_done >= days && outcome(service, job)? == "done").then_some(())
    });
}

#[test]
fn the_service_answers_and_runs_jobs_and_ends_in_good_order() {
    let site = small_site();
    let workspace = Workspace::of_service(&shop(&site, ""));
    let mut service = workspace.serve();
    assert_eq!(service.get("/healthz").0, 200);
    assert_eq!(service.get("/readyz").0, 200);
    assert!(service.get("/metrics").1.contains("mapwright_"));
    assert!(service.get("/").1.contains("shop"));
    assert!((200..300).contains(&service.order("shop", "start")));
    until_done(&mut service, "shop", 1);
    assert_eq!(service.order("nothing", "start"), 404);
    let second = Command::new(["serve", "--state-root", "root", "--listen", ""]).within(&workspace).run();
    assert!(second.exited(2).stderr.contains("another service"));
    assert_eq!(service.end(), Some(0));
}

#[cfg(unix)]
#[test]
fn sighup_rejects_a_faulty_file_with_its_line_and_applies_a_valid_one() {
    let site = small_site();
    let workspace = Workspace::of_service(&shop(&site, ""));
    let mut service = workspace.serve();
    workspace.configure("[job.shop]\nurl = [\"http://127.0.0.1:1/\"]\ncorn = \"0 2 * * *\"\n");
    service.reload();
    service.until("the file is refused", |service| service.log().contains("line 3").then_some(()));
    assert!(service.log().contains("stays in force"), "{}", service.log());
    workspace.configure("");
    service.reload();
    service.until("an empty file is refused", |service| service.log().contains("has no jobs").then_some(()));
    assert!((200..300).contains(&service.order("shop", "start")));
    until_done(&mut service, "shop", 1);
    workspace.configure(&format!("{}\n[job.blog]\nurl = [\"{}\"]\n", shop(&site, ""), site.url("/a")));
    service.reload();
    service.until("the new job is there", |service| (service.get("/api/v1/jobs/blog").0 == 200).then_some(()));
}

/// TLS cannot be enabled by a reload, so a file that enables it is rejected completely.
#[cfg(unix)]
#[test]
fn a_reload_applies_a_file_completely_or_not_at_all() {
    let site = small_site();
    let workspace = Workspace::of_service(&shop(&site, ""));
    let mut service = workspace.serve();
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    for (name, pem) in [("cert.pem", made.cert.pem()), ("key.pem", made.signing_key.serialize_pem())] {
        workspace.file(name, pem);
    }
    let blog = format!("[job.blog]\nurl = [\"{}\"]\n", site.url("/a"));
    let tls = "[serve]\ntls-cert = \"cert.pem\"\ntls-key = \"key.pem\"\n";
    workspace.configure(&format!("{}\n{blog}{tls}", shop(&site, "")));
    service.reload();
    service.until("the file is refused", |service| service.log().contains("TLS cannot be switched").then_some(()));
    assert_eq!(service.get("/api/v1/jobs/blog").0, 404, "{}", service.log());
    workspace.configure(&format!("{}\n{blog}", shop(&site, "")));
    service.reload();
    service.until("the new job is there", |service| (service.get("/api/v1/jobs/blog").0 == 200).then_some(()));
}

#[cfg(unix)]
#[test]
fn the_access_configuration_is_reloaded_at_sighup() {
    let site = small_site();
    let workspace = Workspace::of_service(&shop(&site, ""));
    workspace.file("token", "the-first-token-of-all\n");
    let mut service = workspace.serve_with(&["--token-file", "token"]);
    assert_eq!(service.get("/api/v1/jobs").0, 401);
    assert_eq!(service.get_as("the-first-token-of-all", "/api/v1/jobs").0, 200);
    workspace.file("token", "another-token-by-now\n");
    service.reload();
    service.until("the new token holds", |service| {
        (service.get_as("another-token-by-now", "/api/v1/jobs").0 == 200).then_some(())
    });
    assert_eq!(service.get_as("the-first-token-of-all", "/api/v1/jobs").0, 401);
    assert_eq!(service.end(), Some(0));
}

/// fail2ban reads a log line for each wrong token, with the client's address and without the token
/// (docs/deployment.md).
#[test]
fn wrong_tokens_are_in_the_log_and_failed_runs_are_errors() {
    let site = small_site();
    let workspace = Workspace::of_service(&shop(&site, ""));
    workspace.file("token", "the-first-token-of-all\n");
    let service = workspace.serve_with(&["--token-file", "token"]);
    for _ in 0..40 {
        assert!([401, 429].contains(&service.get_as("guessed-by-somebody", "/api/v1/jobs").0));
    }
    let log = service.log();
    let refused = |why: &str| {
        log.lines().filter(|line| line.contains(&format!("WARN login refused: {why} from=127.0.0.1 "))).count()
    };
    assert!(refused("it is wrong") > 0 && refused("too many attempts") > 0, "{log}");
    assert_eq!(refused("it is wrong") + refused("too many attempts"), 40, "{log}");
    assert!(!log.contains("guessed") && !log.contains("first-token"), "{log}");
    drop(service);
    site.answer("/", Response::new(500));
    let mut service = workspace.serve_with(&["--listen", "127.0.0.1:0"]);
    assert!((200..300).contains(&service.order("shop", "start")));
    service.until("it has failed", |service| (outcome(service, "shop")? == "failed").then_some(()));
    service.until("the log says so", |service| {
        service.log().lines().any(|line| line.contains("ERROR a run ended job=\"shop\" outcome=failed")).then_some(())
    });
}

/// A service in the middle of a job of 300 pages, once this page was requested.
fn under_way(page: usize) -> (FakeSite, Workspace, Service) {
    let site = FakeSite::open();
    let names: Vec<String> = (0..300).map(|number| format!("p{number}")).collect();
    site.page("/", links(&names.iter().map(String::as_str).collect::<Vec<_>>()));
    site.answer("/p*", Response::html("<title>One of many</title>").delay(Duration::from_millis(20)));
    let workspace = Workspace::of_service(&shop(&site, "[job.shop.crawl]\nconcurrency = 2"));
    let mut service = workspace.serve();
    service.order("shop", "start");
    service.until("it is under way", |_| (site.hits(&format!("/p{page}")) > 0).then_some(()));
    (site, workspace, service)
}

#[test]
fn sigterm_saves_the_current_run_and_the_next_service_resumes_it() {
    let (site, workspace, service) = under_way(50);
    assert_eq!(service.end(), Some(0));
    let requested = site.requests().len();
    let mut again = workspace.serve();
    until_done(&mut again, "shop", 1);
    let twice = site.requests().len() - 302;
    assert!(requested > 50 && twice < 10, "{twice} requests were made twice");
}

#[test]
fn a_job_that_is_running_is_not_run_twice() {
    let (_site, workspace, mut service) = under_way(20);
    let refused = command(&workspace, &["run", "shop"]).exited(2);
    assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
    until_done(&mut service, "shop", 1);
    let days = service.get("/api/v1/jobs/shop/runs").1;
    assert!(!days.contains("\"failed\"") && !days.contains("\"unfinished\""), "{days}");
}

#[test]
fn two_runs_of_one_job_are_not_concurrent() {
    let site = small_site();
    site.latency(Duration::from_millis(300));
    let hook = FakeSite::open();
    let workspace =
        Workspace::of_service(&format!("{}\n[notify]\nto = [\"webhook:{}\"]\n", shop(&site, ""), hook.url("/hook")));
    let start = || Command::new(["run", "shop", "--state-root", "root"]).within(&workspace).spawn();
    let (one, other) = (start(), start());
    let (one, other) = (one.wait(), other.wait());
    let mut codes = [one.code, other.code];
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(2)], "{}\n{}", one.stderr, other.stderr);
    let said = one.stderr + &other.stderr;
    assert!(said.contains("is running already") && said.contains("is not delivered"), "{said}");
    assert!(
        hook.requests_for("/hook").iter().all(|reported| !String::from_utf8_lossy(&reported.body).contains("failed"))
    );
}

#[test]
fn a_test_message_goes_to_every_receiver_and_each_response_is_reported() {
    let (site, hook) = (small_site(), FakeSite::open());
    hook.answer("/good", Response::new(204)).answer("/bad", Response::new(403)).answer("/beat", Response::new(200));
    let report = |paths: &[&str]| {
        let urls: Vec<String> = paths.iter().map(|path| format!("\"webhook:{}\"", hook.url(path))).collect();
        format!("[notify]\nto = [{}]\nheartbeat = \"{}\"\n", urls.join(", "), hook.url("/beat"))
    };
    let workspace = Workspace::of_service(&format!("{}{}", shop(&site, ""), report(&["/good", "/bad"])));
    let reported = command(&workspace, &["notify", "test", "shop"]).exited(5);
    let lines: Vec<&str> = reported.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{}", reported.stdout);
    assert!(lines[0].starts_with("shop: webhook:") && lines[0].ends_with(": delivered"), "{}", reported.stdout);
    assert!(lines[1].contains("not delivered: ") && lines[1].contains("403"), "{}", reported.stdout);
    assert!(
        lines[2].starts_with("shop: heartbeat:127.0.0.1") && lines[2].ends_with("delivered"),
        "{}",
        reported.stdout
    );
    let body: Value = serde_json::from_slice(&hook.requests_for("/good")[0].body).expect("JSON");
    assert_eq!((&body["kind"], &body["job"]), (&"test".into(), &"shop".into()));
    assert_eq!(site.requests().len(), 0, "nothing is crawled for it");
    workspace.configure(&format!("{}{}", shop(&site, ""), report(&["/good"])));
    drop(command(&workspace, &["notify", "test"]).exited(0));
    let service = workspace.serve();
    let before = hook.requests_for("/good").len();
    assert_eq!(service.order("shop", "test"), 200, "the dashboard's button does the same");
    assert_eq!(hook.requests_for("/good").len(), before + 1);
    drop(service);
    assert!(command(&workspace, &["notify", "test", "none"]).exited(2).stderr.contains("the jobs are shop"));
    workspace.configure(&shop(&site, ""));
    assert!(command(&workspace, &["notify", "test"]).exited(2).stderr.contains("no receiver is configured"));
}

/// The messages that a webhook received, with all copies, by their id.
fn notifications(hook: &FakeSite) -> BTreeMap<String, Vec<Value>> {
    let mut notifications: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for request in hook.requests_for("/hook") {
        let body: Value = serde_json::from_slice(&request.body).expect("JSON");
        notifications.entry(body["id"].as_str().expect("an id").to_owned()).or_default().push(body);
    }
    notifications
}

/// The number of kills over all runs.
const KILLS: usize = if cfg!(feature = "full") { 100 } else { 10 };

#[test]
fn kills_lose_no_run_and_no_message_and_break_no_publication() {
    let site = FakeSite::open();
    let hook = FakeSite::open();
    hook.handler("/hook", |_: &ReceivedRequest| Response::new(204));
    let workspace = Workspace::of_service(&format!(
        "{}\n[job.shop.crawl]\nconcurrency = 4\n[job.shop.sitemap]\nmax-urls-per-file = 20\n\
         [notify]\nto = [\"webhook:{}\"]\n",
        shop(&site, ""),
        hook.url("/hook")
    ));
    let (mut kills, mut day) = (0, 0);
    while kills < KILLS {
        day += 1;
        publish_site(&site, day);
        let mut service = workspace.serve();
        service.order("shop", "start");
        kills += kill_through_a_run(&workspace, &mut service, day);
        until_done(&mut service, "shop", day);
        service.until("the run is reported", |_| (notifications(&hook).len() as u64 >= day).then_some(()));
        assert_complete(&workspace, day);
        assert_eq!(service.end(), Some(0));
    }
    let notifications = notifications(&hook);
    assert_eq!(notifications.len() as u64, day, "a message is missing or doubled: {:?}", notifications.keys());
    for (id, copies) in &notifications {
        assert!(copies.iter().all(|copy| copy == &copies[0]), "{id} differs from itself");
    }
    println!(
        "{kills} kills over {day} runs; delivered twice: {}",
        notifications.values().filter(|c| c.len() > 1).count()
    );
}

/// Publishes sixty pages, one of which is new in each run while an old one is removed.
fn publish_site(site: &FakeSite, day: u64) {
    let names: Vec<String> = (day..day + 60).map(|number| format!("p{number}")).collect();
    site.page("/", links(&names.iter().map(String::as_str).collect::<Vec<_>>()));
    site.status(&format!("/p{}", day - 1), 404);
    for name in &names {
        let page = Response::html(format!("<title>{name}</title><p>{name}</p>")).delay(Duration::from_millis(5));
        site.answer(&format!("/{name}"), page);
    }
}

/// Kills the service at moments spread over the run, including publication and notification, and restarts it each time.
/// Returns the number of kills.
fn kill_through_a_run(workspace: &Workspace, service: &mut Service, day: u64) -> usize {
    let mut kills = 0;
    for step in 0..5_u64 {
        let instant = Duration::from_millis(20 + (step * 97 + day * 31) % 400);
        let began = Instant::now();
        service.until("the instant of the kill", |_| (began.elapsed() >= instant).then_some(()));
        service.kill();
        *service = workspace.serve();
        kills += 1;
    }
    kills
}

/// Asserts that the published sitemap is complete: each part of the index can be read, and all pages of the site are
/// listed.
#[track_caller]
fn assert_complete(workspace: &Workspace, day: u64) {
    let listed = mapwright_testkit::listed(&workspace.path("root/shop/sitemaps"));
    let expected: BTreeSet<String> =
        (day..day + 60).map(|number| format!("/p{number}")).chain(["/".to_owned()]).collect();
    let paths: BTreeSet<String> =
        listed.iter().filter_map(|url| url.splitn(4, '/').nth(3).map(|path| format!("/{path}"))).collect();
    assert_eq!(paths, expected);
}
