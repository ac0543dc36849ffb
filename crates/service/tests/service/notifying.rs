//! Notifications about failing runs, and how they are delivered.

use crate::fixture::Fixture;
use crate::hook::Hook;
use crate::mail::MailServer;
use mapwright_engine::NoObserver;
use mapwright_service::{Clock, JobFilter, JobRunState, JobRunner, RunKey, deliver};
use mapwright_testkit::{FakeSite, ReceivedRequest, Response};
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

const SHOP: &str = "[job.shop]\nurl = [\"{site}/\"]\n";
const DUE: [&str; 4] = ["2026-11-01T02:00:00Z", "2026-11-02T02:00:00Z", "2026-11-03T02:00:00Z", "2026-11-04T02:00:00Z"];

/// Runs a job, delivers its notifications, and returns the state of the run.
async fn run(fixture: &Fixture, file: &str, due: &str) -> &'static str {
    let (outcome, _) = fixture.run(file, "shop", due).await;
    let job = Arc::new(fixture.job(file, "shop").unwrap());
    deliver(&fixture.job_store(), JobFilter::All, || vec![Arc::clone(&job)], jiff::Timestamp::now).await.unwrap();
    outcome.state.as_str()
}

#[tokio::test]
async fn a_message_links_the_page_of_its_run() {
    let (fixture, hook) = (Fixture::new(), Hook::open());
    let job = Arc::new(fixture.job(&format!("{SHOP}{}", hook.section()), "shop").unwrap());
    let link = "https://board.example/".parse().ok();
    let runner = JobRunner { job: Arc::clone(&job), job_store: fixture.job_store(), link, clock: Clock::real() };
    runner.run(RunKey::first(DUE[0].parse().unwrap()), Arc::new(NoObserver), CancellationToken::new()).await.unwrap();
    deliver(&fixture.job_store(), JobFilter::All, || vec![Arc::clone(&job)], jiff::Timestamp::now).await.unwrap();
    // The dashboard's tests request this path.
    assert_eq!(hook.received()[0]["link"], "https://board.example/jobs/shop/runs/1");
}

/// Serves twenty linked pages, so that a later run can list only one of them.
fn large(fixture: &Fixture) {
    let links: String = (0..20).map(|page| format!("<a href=/p{page}>{page}</a> ")).collect();
    fixture.site.page("/", format!("<title>Home</title>{links}"));
    for page in 0..20 {
        fixture.site.page(&format!("/p{page}"), format!("<title>{page}</title><p>page {page}</p>"));
    }
}

#[tokio::test]
async fn a_sitemap_refused_again_is_reported_again_only_if_something_else_changed() {
    let (fixture, hook) = (Fixture::new(), Hook::open());
    let file = format!("{SHOP}{}", hook.section());
    large(&fixture);
    run(&fixture, &file, DUE[0]).await;
    let first = hook.received().len();
    fixture.site.page("/", "<title>Home</title><p>nothing here</p>");
    assert_eq!(run(&fixture, &file, DUE[1]).await, "refused");
    assert_eq!(run(&fixture, &file, DUE[2]).await, "refused");
    assert_eq!(hook.kinds()[first..], ["refused"]);
    fixture.site.page("/", "<title>Home</title><p>nothing here but <a href=/gone>this</a></p>");
    assert_eq!(run(&fixture, &file, DUE[3]).await, "refused");
    assert_eq!(hook.kinds()[first..], ["refused", "refused"]);
    assert!(hook.received().last().unwrap()["findings"]["new"]["count"].as_u64() > Some(0), "the link is new");
}

#[tokio::test]
async fn the_changes_of_a_failed_run_are_reported_and_the_next_run_submits_them_to_engines() {
    let (fixture, hook, engine) = (Fixture::new(), Hook::open(), FakeSite::open());
    engine.handler("/indexnow", |_: &ReceivedRequest| Response::new(200));
    std::fs::write(fixture.root.path().join("key"), "0123456789abcdef\n").unwrap();
    let script = fixture.root.path().join("hook");
    let write = |text: &str| {
        std::fs::write(&script, text).unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    let publish = format!(
        "[job.shop.publish]\nmirror = [\"command:{{root}}/hook\"]\nindexnow = [\"{}\"]\n\
         indexnow-key-file = \"{{root}}/key\"\n",
        engine.url("/indexnow")
    );
    let file = format!("{SHOP}{publish}{}", hook.section());
    write("#!/bin/sh\ncat >/dev/null\n");
    run(&fixture, &file, DUE[0]).await;
    let (received, requested) = (hook.received().len(), engine.hits("/indexnow"));

    fixture.site.page("/", "<title>Home</title><a href=/a>a</a> <a href=/b>b</a> <a href=/c>c</a>");
    fixture.site.page("/c", "<title>C</title><p>third</p>");
    write("#!/bin/sh\nexit 3\n");
    assert_eq!(run(&fixture, &file, DUE[1]).await, "failed");
    assert_eq!(hook.received()[received]["added"]["examples"], serde_json::json!([fixture.site.url("/c")]));
    assert_eq!(engine.hits("/indexnow"), requested);

    write("#!/bin/sh\ncat >/dev/null\n");
    assert_eq!(run(&fixture, &file, DUE[2]).await, "done");
    assert_eq!(hook.kinds()[received..], ["failed", "recovered"]);
    let urls = String::from_utf8_lossy(&engine.requests_for("/indexnow").pop().unwrap().body).into_owned();
    assert!(urls.contains(&fixture.site.url("/c")), "{urls}");
}

#[tokio::test]
async fn another_failure_is_reported_during_an_incident() {
    let (fixture, hook) = (Fixture::new(), Hook::open());
    let script = fixture.root.path().join("hook");
    std::fs::write(&script, "#!/bin/sh\ncat >/dev/null\ndate +%N >&2\nexit 3\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let file = format!("{SHOP}[job.shop.publish]\nmirror = [\"command:{{root}}/hook\"]\n{}", hook.section());
    run(&fixture, &file, DUE[0]).await;
    run(&fixture, &file, DUE[1]).await;
    assert_eq!(hook.kinds(), ["failed"], "the same incident in other words");
    fixture.site.status("/", 500);
    assert_eq!(run(&fixture, &file, DUE[2]).await, "failed");
    assert_eq!(run(&fixture, &file, DUE[3]).await, "failed");
    assert_eq!(hook.kinds(), ["failed", "failed"]);
    assert!(hook.received()[1]["reason"].as_str().unwrap().contains("500"), "{}", hook.received()[1]);
}

#[tokio::test]
async fn after_a_refused_run_changes_are_counted_from_the_published_sitemap() {
    let (fixture, hook) = (Fixture::new(), Hook::open());
    let file = format!("{SHOP}{}", hook.section());
    large(&fixture);
    run(&fixture, &file, DUE[0]).await;
    fixture.site.page("/", "<title>Home</title><p>nothing here</p>");
    assert_eq!(run(&fixture, &file, DUE[1]).await, "refused");
    large(&fixture);
    fixture.site.status("/p7", 404);
    assert_eq!(run(&fixture, &file, DUE[2]).await, "done");
    let received = hook.received().pop().unwrap();
    assert_eq!((&received["kind"], &received["added"]["count"]), (&"recovered".into(), &0.into()));
    assert_eq!(received["removed"]["examples"], serde_json::json!([fixture.site.url("/p7")]));
    assert_eq!((&received["listed_before"], &received["listed"]), (&21.into(), &20.into()));
}

#[tokio::test]
async fn an_audit_between_two_runs_reports_no_change_of_the_sitemap() {
    let (fixture, hook) = (Fixture::new(), Hook::open());
    let file = format!("{SHOP}{}", hook.section());
    let audit = file.replace("[job.shop]\n", "[job.shop]\ntask = \"audit\"\n");
    large(&fixture);
    run(&fixture, &file, DUE[0]).await;
    fixture.site.status("/p7", 404);
    assert_eq!(run(&fixture, &audit, DUE[1]).await, "done");
    let received = hook.received().pop().unwrap();
    assert_eq!(
        (&received["listed_before"], &received["listed"], &received["removed"]["count"]),
        (&21.into(), &21.into(), &0.into())
    );
    assert!(received["findings"]["new"]["count"].as_u64() > Some(0), "{received}");
    assert_eq!(run(&fixture, &file, DUE[2]).await, "done");
    let received = hook.received().pop().unwrap();
    assert_eq!(received["removed"]["examples"], serde_json::json!([fixture.site.url("/p7")]));
    assert_eq!((&received["listed_before"], &received["listed"]), (&21.into(), &20.into()));
}

#[tokio::test]
async fn a_site_that_goes_down_is_reported_once_and_the_run_is_resumed() {
    let (fixture, hook) = (Fixture::new(), Hook::open());
    let file = format!("{SHOP}[job.shop.fetch]\nretries = 0\n{}", hook.section());
    let links: String = (0..200).map(|page| format!("<a href=/p{page}>{page}</a> ")).collect();
    let home = Response::html(format!("<title>Home</title>{links}"));
    fixture.site.first_n("/", 1, home.clone()).close("/").close("/p*");
    assert_eq!(run(&fixture, &file, DUE[0]).await, "unfinished");
    assert_eq!(run(&fixture, &file, DUE[1]).await, "unfinished");
    assert_eq!(hook.kinds(), ["failed"]);
    assert!(hook.received()[0]["reason"].as_str().unwrap().contains("went down"));
    fixture.site.answer("/", home).answer("/p*", Response::html("<title>One of many</title>"));
    assert_eq!(run(&fixture, &file, DUE[2]).await, "done");
    assert_eq!(hook.kinds(), ["failed", "recovered"]);
}

#[tokio::test]
async fn a_watchdog_gets_a_heartbeat_of_successful_runs_only() {
    let (fixture, watchdog) = (Fixture::new(), FakeSite::open());
    watchdog.answer("/beat", Response::new(200));
    let file = format!("{SHOP}[job.shop.notify]\nheartbeat = \"{}\"\n", watchdog.url("/beat"));
    assert_eq!(run(&fixture, &file, DUE[0]).await, "done");
    assert_eq!(watchdog.hits("/beat"), 1);
    fixture.site.status("/", 500);
    assert_eq!(run(&fixture, &file, DUE[1]).await, "failed");
    assert_eq!(watchdog.hits("/beat"), 1);
    watchdog.status("/beat", 404);
    fixture.site.page("/", "<title>Home</title><a href=/a>a</a> <a href=/b>b</a>");
    assert_eq!(run(&fixture, &file, DUE[2]).await, "done", "a watchdog that is gone spoils no run");
}

#[tokio::test]
async fn changes_come_by_e_mail() {
    let (fixture, server) = (Fixture::new(), MailServer::open());
    let file = format!(
        "{SHOP}[notify]\nto = [\"mailto:web@shop.example\"]\nsmtp-host = \"127.0.0.1\"\nsmtp-port = {}\n\
         smtp-tls = \"none\"\nmail-from = \"mapwright@shop.example\"\n",
        server.port
    );
    run(&fixture, &file, DUE[0]).await;
    server.got();
    fixture.site.status("/b", 404);
    run(&fixture, &file, DUE[1]).await;
    let mail = server.got();
    assert_eq!((&mail["from"], &mail["to"][0]), (&"mapwright@shop.example".into(), &"web@shop.example".into()));
    let text = mail["data"].as_str().unwrap();
    assert!(text.contains("1 page removed") && text.contains(&fixture.site.url("/b")), "{text}");
    run(&fixture, &file, DUE[2]).await;
    assert!(server.got_nothing(), "nothing changed");
}

#[tokio::test]
async fn a_run_by_hand_does_not_deliver_the_notifications_of_other_jobs() {
    let (fixture, hook) = (Fixture::new(), Hook::open());
    let file = format!("{SHOP}[job.blog]\nurl = [\"{{site}}/a\"]\n{}", hook.section());
    for job in ["shop", "blog"] {
        fixture.run(&file, job, DUE[0]).await;
        fixture.site.status("/a", 404).status("/", 404);
        fixture.run(&file, job, DUE[1]).await;
        fixture.site.page("/a", "<title>A</title>");
    }
    let job_store = fixture.job_store();
    let job = |job| Arc::new(fixture.job(&file, job).unwrap());
    deliver(&job_store, JobFilter::Of("blog"), || vec![job("blog")], jiff::Timestamp::now).await.unwrap();
    assert!(hook.received().iter().all(|received| received["job"] == "blog"), "{:?}", hook.received());
    let before = hook.received().len();
    let all = vec![job("blog"), job("shop")];
    assert!(deliver(&job_store, JobFilter::All, || all.clone(), jiff::Timestamp::now).await.unwrap() > 0, "they wait");
    assert!(hook.received().split_off(before).iter().all(|received| received["job"] == "shop"));
}

#[tokio::test]
async fn a_run_killed_after_its_crawl_is_reported_by_the_next_one() {
    let (fixture, hook) = (Fixture::new(), Hook::open());
    let file = format!("{SHOP}{}", hook.section());
    run(&fixture, &file, DUE[0]).await;
    let first = hook.received().len();
    fixture.site.page("/", "<title>Home</title><a href=/a>a</a> <a href=/b>b</a> <a href=/c>c</a>");
    fixture.site.page("/c", "<title>C</title>");
    fixture.run(&file, "shop", DUE[1]).await;
    // The state that a kill before the run was settled leaves.
    let job_store = rusqlite::Connection::open(fixture.root.path().join("service.sqlite")).unwrap();
    job_store.execute_batch("UPDATE job_run SET state = 'running', ended = NULL WHERE id = 2").unwrap();
    job_store
        .execute_batch("DELETE FROM outbox_notification WHERE state = 'waiting'; PRAGMA foreign_keys = OFF")
        .unwrap();
    job_store
        .execute_batch("DELETE FROM outbox_message WHERE id NOT IN (SELECT message FROM outbox_notification)")
        .unwrap();
    run(&fixture, &file, DUE[2]).await;
    let received = hook.received().split_off(first);
    assert_eq!(received.len(), 1, "{received:?}");
    assert_eq!((&received[0]["scheduled_for"], &received[0]["added"]["count"]), (&DUE[1].into(), &1.into()));
    let runs = fixture.job_store().runs("shop", None, 10).unwrap();
    assert!(runs.iter().all(|job_run| job_run.state == JobRunState::Done), "{runs:?}");
}

#[tokio::test]
async fn advice_about_the_site_is_given_once() {
    let (fixture, hook) = (Fixture::new(), Hook::open());
    let file = format!("{SHOP}{}", hook.section());
    run(&fixture, &file, DUE[0]).await;
    let advice = |received: &serde_json::Value| received["hints"].as_array().unwrap().len();
    assert_eq!(advice(&hook.received()[0]), 1, "robots.txt does not name the sitemap");
    assert_eq!(fixture.job_store().runs("shop", None, 1).unwrap()[0].hints.len(), 1);
    fixture.site.status("/b", 404);
    run(&fixture, &file, DUE[1]).await;
    assert_eq!((hook.received().len(), advice(&hook.received()[1])), (2, 0), "it is known");
}

#[tokio::test]
async fn messages_go_through_the_proxy_that_is_named() {
    let (fixture, proxy) = (Fixture::new(), FakeSite::open());
    proxy.handler("/*", |_: &ReceivedRequest| Response::new(204));
    let file =
        format!("{SHOP}[notify]\nto = [\"webhook:http://hooks.example/hook\"]\nnotify-proxy = \"{}\"\n", proxy.base());
    run(&fixture, &file, DUE[0]).await;
    let targets: Vec<String> = proxy.requests().into_iter().map(|request| request.target).collect();
    assert_eq!(targets, ["http://hooks.example/hook"]);
}

#[tokio::test]
async fn the_password_of_a_start_url_is_neither_reported_nor_stored() {
    let (fixture, hook) = (Fixture::new(), Hook::open());
    let start = fixture.site.base().replace("http://", "http://me:hush-hush@");
    let file = format!("{SHOP}{}", hook.section()).replace("{site}", &start);
    run(&fixture, &file, DUE[0]).await;
    assert!(fixture.site.requests().iter().any(|request| request.header("authorization").is_some()));
    assert_eq!(hook.received()[0]["site"], format!("{}/", fixture.site.base()));
    for name in ["service.sqlite", "service.sqlite-wal", "shop/record.sqlite"] {
        let bytes = std::fs::read(fixture.root.path().join(name)).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&bytes).contains("hush-hush"), "{name}");
    }
    assert!(!format!("{:?}", fixture.job(&file, "shop").unwrap()).contains("hush-hush"));
}

#[tokio::test]
async fn findings_are_counted_as_the_report_counts_them() {
    let (fixture, hook) = (Fixture::new(), Hook::open());
    let file = format!("{SHOP}[job.shop.output]\nout = \"{{root}}/out\"\n{}", hook.section());
    let title = |title: &dyn Fn(u32) -> String| {
        for page in 0..20 {
            fixture.site.page(&format!("/p{page}"), format!("<title>{}</title><p>page {page}</p>", title(page)));
        }
    };
    large(&fixture);
    run(&fixture, &file, DUE[0]).await;
    title(&|_| "Same".to_owned());
    run(&fixture, &file, DUE[1]).await;
    let new = hook.received().pop().unwrap()["findings"]["new"].clone();
    assert_eq!((&new["count"], &new["lines"][0]["code"]), (&1.into(), &"dup-title".into()), "{new}");
    assert_eq!(new["lines"][0]["examples"].as_array().map(Vec::len), Some(1));
    assert_eq!(reported_by_audit(&fixture, "dup-title"), (1, 0));
    title(&|page| page.to_string());
    run(&fixture, &file, DUE[2]).await;
    let fixed = hook.received().pop().unwrap()["findings"]["fixed"].clone();
    assert_eq!(fixed["count"], 20, "each page is fixed: {fixed}");
    assert_eq!(reported_by_audit(&fixture, "dup-title"), (0, 20));
}

/// Returns the numbers of new and of fixed findings of a kind in the newest report.
fn reported_by_audit(fixture: &Fixture, code: &str) -> (u64, u64) {
    let report: serde_json::Value = serde_json::from_str(&fixture.file("shop/reports/report.json")).unwrap();
    let rule = report["rules"].as_array().unwrap().iter().find(|rule| rule["code"] == code).unwrap();
    let count = |name: &str| rule[name].as_u64().unwrap();
    (count("fresh"), count("fixed"))
}
