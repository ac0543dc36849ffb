//! The nightly service and its jobs, by the real binary: run by hand, reloaded, ended, killed.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use mapwright_e2e::service::{Post, Service};
use mapwright_e2e::{Command, Done, links};
use mapwright_testkit::{Request, Response, Site};
use serde_json::Value;

/// A job on this site, due at an hour at which no test runs it by itself.
fn shop(site: &Site, more: &str) -> String {
    format!("[job.shop]\nurl = [\"{}\"]\ncron = \"0 0 1 1 *\"\n{more}\n", site.url("/"))
}

fn small_site() -> Site {
    let site = Site::open();
    site.page("/", links(&["a", "b"])).page("/a", "<title>A</title>").page("/b", "<title>B</title>");
    site
}

/// The command in the working directory of `post`, with its state root.
#[track_caller]
fn command(post: &Post, words: &[&str]) -> Done {
    Command::new(words).args(["--state-root", "root"]).within(post.workspace()).run()
}

#[test]
fn a_job_runs_from_the_command_line_as_it_would_at_night() {
    let site = small_site();
    let post = Post::new(&shop(&site, ""));
    let dry = command(&post, &["run", "shop", "--dry-run"]).exited(0);
    assert!(dry.stdout.contains("nothing was asked for or written"), "{}", dry.stdout);
    assert!(site.requests().is_empty() && !post.state("shop").exists());
    let done = command(&post, &["run", "shop"]).exited(0);
    assert!(done.stdout.contains("sitemap.xml"), "{}", done.stdout);
    assert_eq!(mapwright_testkit::listed(&post.state("shop/sitemaps")).len(), 3);
    assert!(post.state("shop/reports/report.html").exists());
    let asked = site.requests().len();
    let again = command(&post, &["run", "shop"]).exited(0);
    assert!(site.requests().len() > asked, "two runs within a second are two: {}", again.stdout);
    let quiet = command(&post, &["run", "shop", "--quiet"]).exited(0);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""), "cron sends no mail of a good night");
    let runs = command(&post, &["runs", "--job", "shop"]).exited(0);
    assert_eq!(runs.stdout.lines().filter(|line| line.contains(&site.url("/"))).count(), 3, "{}", runs.stdout);
    let listed = command(&post, &["jobs", "list"]).exited(0);
    assert!(listed.stdout.contains("shop: both of") && listed.stdout.contains("done"), "{}", listed.stdout);
}

#[test]
fn the_record_of_a_job_is_found_where_its_settings_put_it() {
    let site = small_site();
    let post = Post::new(&shop(&site, "[job.shop.output]\nstate = \"elsewhere\"\n"));
    let none = command(&post, &["runs", "--job", "shop"]).exited(2);
    assert!(none.stderr.contains("there is no record in elsewhere"), "{}", none.stderr);
    drop(command(&post, &["run", "shop"]).exited(0));
    for words in [&["runs", "--job", "shop"][..], &["explain", "--job", "shop", &site.url("/")]] {
        assert!(command(&post, words).exited(0).stdout.contains(&site.url("/")), "{words:?}");
    }
}

#[test]
fn what_is_wrong_with_a_job_is_told_in_one_line_with_code_2() {
    let post = Post::new("[job.shop]\nurl = [\"http://127.0.0.1:1/\"]\ncron = \"61 * * * *\"\n");
    for words in [["run", "shop"].as_slice(), &["jobs", "list"], &["config", "check"], &["serve", "--listen", ""]] {
        let more = if words[0] == "config" { Vec::new() } else { vec!["--state-root", "root"] };
        let done = Command::new(words).args(more).within(post.workspace()).run();
        let done = done.exited(2);
        assert_eq!(done.stderr.lines().count(), 1, "{words:?}: {}", done.stderr);
        assert!(done.stderr.contains("job shop, job.cron"), "{words:?}: {}", done.stderr);
    }
    let unknown = command(&Post::new("[job.shop]\nurl = [\"http://127.0.0.1:1/\"]\n"), &["run", "shpo"]).exited(2);
    assert!(unknown.stderr.contains("the jobs are shop"), "{}", unknown.stderr);
}

#[test]
fn a_new_key_of_indexnow_is_another_each_time() {
    let post = Post::new("");
    let key = || Command::new(["jobs", "indexnow-key"]).within(post.workspace()).run().exited(0).stdout;
    let (one, other) = (key(), key());
    assert!(one.trim().len() == 32 && one != other, "{one} {other}");
}

#[cfg(unix)]
#[test]
fn our_secrets_do_not_reach_the_commands_that_carry_files() {
    use std::os::unix::fs::PermissionsExt;
    let site = small_site();
    let post = Post::new(&shop(&site, "[job.shop.publish]\nmirror = [\"command:/bin/sh hook\"]\n"));
    let hook = post.workspace().path().join("hook");
    std::fs::write(&hook, "#!/bin/sh\ncat >/dev/null\nenv >&2\nexit 3\n").expect("a script");
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    let file = std::fs::read_to_string(post.workspace().path().join("mapwright.toml")).expect("the file");
    post.write(&file.replace("/bin/sh hook", &hook.display().to_string()));
    let run = Command::new(["run", "shop", "--state-root", "root"]).env("MAPWRIGHT_WEBHOOK_SECRET", "hush-hush");
    let failed = run.within(post.workspace()).run().exited(5);
    assert!(failed.stderr.contains("exit status: 3") && failed.stderr.contains("PWD="), "{}", failed.stderr);
    assert!(!failed.stderr.contains("hush-hush") && !failed.stderr.contains("MAPWRIGHT_"), "{}", failed.stderr);
}

#[test]
fn jobs_next_tells_the_next_nights_by_the_clocks_of_the_zone() {
    let site = small_site();
    let post = Post::new(&shop(&site, "zone = \"Europe/Berlin\""));
    let next = command(&post, &["jobs", "next", "--count", "2"]).exited(0);
    let lines: Vec<&str> = next.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines.iter().all(|line| line.contains("-01-01 00:00:00 CET  shop")), "{lines:?}");
    post.write(&shop(&site, "zone = \"Europe/Berlin\"\nwindow = \"03:00-05:00\""));
    let next = command(&post, &["jobs", "next", "--count", "1"]).exited(0);
    assert!(next.stdout.contains("-01-01 03:00:00 CET  shop"), "it waits for its window: {}", next.stdout);
    // One run stands for all that wait for a window, whatever chance puts each of them off by.
    let often = shop(&site, "window = \"03:00-05:00\"\njitter = \"30m\"").replace("0 0 1 1 *", "0 */4 1 1 *");
    post.write(&often);
    let next = command(&post, &["jobs", "next", "--count", "3"]).exited(0);
    let days: Vec<&str> = next.stdout.lines().filter_map(|line| line.get(4..13)).collect();
    assert_eq!(days, ["-01-01 03", "-01-01 04", "-01-02 03"], "{}", next.stdout);
}

fn outcome(service: &Service, job: &str) -> Option<String> {
    let view = service.job(job);
    view["newest_run"]["outcome"].as_str().map(str::to_owned)
}

#[track_caller]
fn until_done(service: &mut Service, job: &str, nights: u64) {
    service.until("the job is done", |service| {
        let (status, body) = service.get(&format!("/api/v1/jobs/{job}/runs"));
        let nights_done = body.matches("\"done\"").count() as u64;
        (status == 200 && nights_done >= nights && outcome(service, job)? == "done").then_some(())
    });
}

#[test]
fn the_service_answers_and_runs_jobs_and_ends_in_good_order() {
    let site = small_site();
    let post = Post::new(&shop(&site, ""));
    let mut service = post.serve();
    assert_eq!(service.get("/healthz").0, 200);
    assert_eq!(service.get("/readyz").0, 200);
    assert!(service.get("/metrics").1.contains("mapwright_"));
    assert!(service.get("/").1.contains("shop"));
    assert!((200..300).contains(&service.order("shop", "start")));
    until_done(&mut service, "shop", 1);
    assert_eq!(service.order("nothing", "start"), 404);
    let second = Command::new(["serve", "--state-root", "root", "--listen", ""]).within(post.workspace()).run();
    assert!(second.exited(2).stderr.contains("another service"));
    assert_eq!(service.end(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_faulty_file_is_refused_at_sighup_with_its_line_and_a_right_one_is_taken() {
    let site = small_site();
    let post = Post::new(&shop(&site, ""));
    let mut service = post.serve();
    post.write("[job.shop]\nurl = [\"http://127.0.0.1:1/\"]\ncorn = \"0 2 * * *\"\n");
    service.reload();
    service.until("the file is refused", |service| service.log().contains("line 3").then_some(()));
    assert!(service.log().contains("all goes on as before"), "{}", service.log());
    post.write("");
    service.reload();
    service.until("an empty file is refused", |service| service.log().contains("has no jobs").then_some(()));
    assert!((200..300).contains(&service.order("shop", "start")));
    until_done(&mut service, "shop", 1);
    post.write(&format!("{}\n[job.blog]\nurl = [\"{}\"]\n", shop(&site, ""), site.url("/a")));
    service.reload();
    service.until("the new job is there", |service| (service.get("/api/v1/jobs/blog").0 == 200).then_some(()));
}

/// TLS cannot be switched on while the service runs: nothing else of the file is taken then.
#[cfg(unix)]
#[test]
fn a_file_is_taken_completely_or_not_at_all() {
    let site = small_site();
    let post = Post::new(&shop(&site, ""));
    let mut service = post.serve();
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    for (name, pem) in [("cert.pem", made.cert.pem()), ("key.pem", made.signing_key.serialize_pem())] {
        post.workspace().file(name, pem);
    }
    let blog = format!("[job.blog]\nurl = [\"{}\"]\n", site.url("/a"));
    let tls = "[serve]\ntls-cert = \"cert.pem\"\ntls-key = \"key.pem\"\n";
    post.write(&format!("{}\n{blog}{tls}", shop(&site, "")));
    service.reload();
    service.until("the file is refused", |service| service.log().contains("TLS cannot be switched").then_some(()));
    assert_eq!(service.get("/api/v1/jobs/blog").0, 404, "{}", service.log());
    post.write(&format!("{}\n{blog}", shop(&site, "")));
    service.reload();
    service.until("the new job is there", |service| (service.get("/api/v1/jobs/blog").0 == 200).then_some(()));
}

#[cfg(unix)]
#[test]
fn who_may_look_is_read_again_at_sighup() {
    let site = small_site();
    let post = Post::new(&shop(&site, ""));
    post.workspace().file("token", "the-first-token-of-all\n");
    let mut service = post.serve_with(&["--token-file", "token"]);
    assert_eq!(service.get("/api/v1/jobs").0, 401);
    assert_eq!(service.get_as("the-first-token-of-all", "/api/v1/jobs").0, 200);
    post.workspace().file("token", "another-token-by-now\n");
    service.reload();
    service.until("the new token holds", |service| {
        (service.get_as("another-token-by-now", "/api/v1/jobs").0 == 200).then_some(())
    });
    assert_eq!(service.get_as("the-first-token-of-all", "/api/v1/jobs").0, 401);
    assert_eq!(service.end(), Some(0));
}

/// What fail2ban reads (docs/deployment.md): a line for each wrong token, with its address, and without the token.
#[test]
fn wrong_tokens_are_in_the_log_and_failed_runs_are_errors() {
    let site = small_site();
    let post = Post::new(&shop(&site, ""));
    post.workspace().file("token", "the-first-token-of-all\n");
    let service = post.serve_with(&["--token-file", "token"]);
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
    let mut service = post.serve_with(&["--listen", "127.0.0.1:0"]);
    assert!((200..300).contains(&service.order("shop", "start")));
    service.until("it has failed", |service| (outcome(service, "shop")? == "failed").then_some(()));
    service.until("the log says so", |service| {
        service.log().lines().any(|line| line.contains("ERROR a night ended job=\"shop\" outcome=failed")).then_some(())
    });
}

/// A service in the middle of a job of 300 pages, once this page was asked for.
fn under_way(page: usize) -> (Site, Post, Service) {
    let site = Site::open();
    let names: Vec<String> = (0..300).map(|number| format!("p{number}")).collect();
    site.page("/", links(&names.iter().map(String::as_str).collect::<Vec<_>>()));
    site.answer("/p*", Response::html("<title>One of many</title>").delay(Duration::from_millis(20)));
    let post = Post::new(&shop(&site, "[job.shop.crawl]\nconcurrency = 2"));
    let mut service = post.serve();
    service.order("shop", "start");
    service.until("it is under way", |_| (site.hits(&format!("/p{page}")) > 0).then_some(()));
    (site, post, service)
}

#[test]
fn sigterm_saves_what_runs_and_the_next_service_goes_on() {
    let (site, post, service) = under_way(50);
    assert_eq!(service.end(), Some(0));
    let asked = site.requests().len();
    let mut again = post.serve();
    until_done(&mut again, "shop", 1);
    let twice = site.requests().len() - 302;
    assert!(asked > 50 && twice < 10, "{twice} requests were made twice");
}

#[test]
fn a_job_that_is_running_is_not_run_twice() {
    let (_site, post, mut service) = under_way(20);
    let refused = command(&post, &["run", "shop"]).exited(2);
    assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
    until_done(&mut service, "shop", 1);
    let nights = service.get("/api/v1/jobs/shop/runs").1;
    assert!(!nights.contains("\"failed\"") && !nights.contains("\"unfinished\""), "{nights}");
}

#[test]
fn two_runs_of_one_job_do_not_meet() {
    let site = small_site();
    site.latency(Duration::from_millis(300));
    let hook = Site::open();
    let post = Post::new(&format!("{}\n[notify]\ntell = [\"webhook:{}\"]\n", shop(&site, ""), hook.url("/hook")));
    let start = || Command::new(["run", "shop", "--state-root", "root"]).within(post.workspace()).spawn();
    let (one, other) = (start(), start());
    let (one, other) = (one.wait(), other.wait());
    let mut codes = [one.code, other.code];
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(2)], "{}\n{}", one.stderr, other.stderr);
    let said = one.stderr + &other.stderr;
    assert!(said.contains("is running already") && said.contains("is not delivered"), "{said}");
    assert!(hook.requests_for("/hook").iter().all(|told| !String::from_utf8_lossy(&told.body).contains("failed")));
}

#[test]
fn a_test_message_goes_to_every_receiver_and_what_each_answers_is_told() {
    let (site, hook) = (small_site(), Site::open());
    hook.answer("/good", Response::new(204)).answer("/bad", Response::new(403)).answer("/beat", Response::new(200));
    let tell = |paths: &[&str]| {
        let urls: Vec<String> = paths.iter().map(|path| format!("\"webhook:{}\"", hook.url(path))).collect();
        format!("[notify]\ntell = [{}]\nheartbeat = \"{}\"\n", urls.join(", "), hook.url("/beat"))
    };
    let post = Post::new(&format!("{}{}", shop(&site, ""), tell(&["/good", "/bad"])));
    let told = command(&post, &["notify", "test", "shop"]).exited(5);
    let lines: Vec<&str> = told.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{}", told.stdout);
    assert!(lines[0].starts_with("shop: webhook:") && lines[0].ends_with(": delivered"), "{}", told.stdout);
    assert!(lines[1].contains("not delivered: ") && lines[1].contains("403"), "{}", told.stdout);
    assert!(lines[2].starts_with("shop: heartbeat:127.0.0.1") && lines[2].ends_with("delivered"), "{}", told.stdout);
    let body: Value = serde_json::from_slice(&hook.requests_for("/good")[0].body).expect("JSON");
    assert_eq!((&body["kind"], &body["job"]), (&"test".into(), &"shop".into()));
    assert_eq!(site.requests().len(), 0, "nothing is crawled for it");
    post.write(&format!("{}{}", shop(&site, ""), tell(&["/good"])));
    drop(command(&post, &["notify", "test"]).exited(0));
    let service = post.serve();
    let before = hook.requests_for("/good").len();
    assert_eq!(service.order("shop", "test"), 200, "the dashboard's button does the same");
    assert_eq!(hook.requests_for("/good").len(), before + 1);
    drop(service);
    assert!(command(&post, &["notify", "test", "none"]).exited(2).stderr.contains("the jobs are shop"));
    post.write(&shop(&site, ""));
    assert!(command(&post, &["notify", "test"]).exited(2).stderr.contains("nobody is told"));
}

/// Messages that came to a webhook: by identity, how often and what.
fn letters(hook: &Site) -> BTreeMap<String, Vec<Value>> {
    let mut letters: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for request in hook.requests_for("/hook") {
        let body: Value = serde_json::from_slice(&request.body).expect("JSON");
        letters.entry(body["id"].as_str().expect("an id").to_owned()).or_default().push(body);
    }
    letters
}

/// How many kills, over how many nights.
const KILLS: usize = if cfg!(feature = "full") { 100 } else { 10 };

#[test]
fn kills_lose_no_run_and_no_message_and_break_no_publication() {
    let site = Site::open();
    let hook = Site::open();
    hook.handler("/hook", |_: &Request| Response::new(204));
    let post = Post::new(&format!(
        "{}\n[job.shop.crawl]\nconcurrency = 4\n[job.shop.sitemap]\nmax-urls-per-file = 20\n\
         [notify]\ntell = [\"webhook:{}\"]\n",
        shop(&site, ""),
        hook.url("/hook")
    ));
    let (mut kills, mut night) = (0, 0);
    while kills < KILLS {
        night += 1;
        publish_site(&site, night);
        let mut service = post.serve();
        service.order("shop", "start");
        kills += kill_through_a_night(&post, &mut service, night);
        until_done(&mut service, "shop", night);
        service.until("the night is told", |_| (letters(&hook).len() as u64 >= night).then_some(()));
        assert_whole(&post, night);
        assert_eq!(service.end(), Some(0));
    }
    let letters = letters(&hook);
    assert_eq!(letters.len() as u64, night, "a message is missing or doubled: {:?}", letters.keys());
    for (id, copies) in &letters {
        assert!(copies.iter().all(|copy| copy == &copies[0]), "{id} differs from itself");
    }
    println!(
        "{kills} kills over {night} nights; delivered twice: {}",
        letters.values().filter(|c| c.len() > 1).count()
    );
}

/// Sixty pages, one of which is new each night, and one of which goes.
fn publish_site(site: &Site, night: u64) {
    let names: Vec<String> = (night..night + 60).map(|number| format!("p{number}")).collect();
    site.page("/", links(&names.iter().map(String::as_str).collect::<Vec<_>>()));
    site.status(&format!("/p{}", night - 1), 404);
    for name in &names {
        let page = Response::html(format!("<title>{name}</title><p>{name}</p>")).delay(Duration::from_millis(5));
        site.answer(&format!("/{name}"), page);
    }
}

/// Kills the service at instants spread over the night, publication and message included, and starts it again each
/// time: how often.
fn kill_through_a_night(post: &Post, service: &mut Service, night: u64) -> usize {
    let mut kills = 0;
    for step in 0..5_u64 {
        let instant = Duration::from_millis(20 + (step * 97 + night * 31) % 400);
        let began = Instant::now();
        service.until("the instant of the kill", |_| (began.elapsed() >= instant).then_some(()));
        service.kill();
        *service = post.serve();
        kills += 1;
    }
    kills
}

/// The sitemap there is whole: each part that the index names can be read, and lists what the site has.
#[track_caller]
fn assert_whole(post: &Post, night: u64) {
    let listed = mapwright_testkit::listed(&post.state("shop/sitemaps"));
    let expected: BTreeSet<String> =
        (night..night + 60).map(|number| format!("/p{number}")).chain(["/".to_owned()]).collect();
    let paths: BTreeSet<String> =
        listed.iter().filter_map(|url| url.splitn(4, '/').nth(3).map(|path| format!("/{path}"))).collect();
    assert_eq!(paths, expected);
}
