//! The steps after a publication: mirrors, search engines, other host names.

use crate::fixture::Fixture;
use mapwright_crawl::explain::explain;
use mapwright_service::{JobRunState, RunOutcome};
use mapwright_store::Record;
use mapwright_testkit::{FakeSite, ReceivedRequest, Response};
use std::os::unix::fs::PermissionsExt;

const DUE: [&str; 5] = [
    "2026-11-01T02:00:00Z",
    "2026-11-02T02:00:00Z",
    "2026-11-03T02:00:00Z",
    "2026-11-04T02:00:00Z",
    "2026-11-05T02:00:00Z",
];

/// Returns a job with these lines in `[job.shop.publish]`.
fn shop(lines: &str) -> String {
    format!("[job.shop]\nurl = [\"{{site}}/\"]\ntask = \"sitemap\"\n[job.shop.publish]\n{lines}\n")
}

/// Returns the URLs that were submitted to an engine, request by request.
fn received(engine: &FakeSite) -> Vec<Vec<String>> {
    let urls = |request: &ReceivedRequest| {
        let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
        let mut urls: Vec<String> =
            body["urlList"].as_array().unwrap().iter().map(|url| url.as_str().unwrap().to_owned()).collect();
        urls.sort();
        urls
    };
    engine.requests_for("/indexnow").iter().map(urls).collect()
}

#[tokio::test]
async fn only_changed_and_waiting_urls_are_submitted_to_engines() {
    let fixture = Fixture::new();
    let engine = FakeSite::open();
    engine
        .handler("/indexnow", |_: &ReceivedRequest| Response::new(200))
        .handler("/ping", |_: &ReceivedRequest| Response::new(200));
    std::fs::write(fixture.root.path().join("key"), "0123456789abcdef\n").unwrap();
    let file = shop(&format!(
        "indexnow = [\"{}\"]\nindexnow-key-file = \"{{root}}/key\"\nping = [\"{}?at={{sitemap}}\"]",
        engine.url("/indexnow"),
        engine.url("/ping")
    ));
    fixture.run(&file, "shop", DUE[0]).await;
    assert_eq!(received(&engine), [fixture.site.urls(&["/", "/a", "/b"])]);
    let ping = engine.requests_for("/ping").remove(0).target;
    assert!(ping.ends_with("sitemap.xml") && ping.contains("at=http%3A%2F%2F127.0.0.1"), "{ping}");

    fixture.run(&file, "shop", DUE[1]).await;
    assert_eq!((received(&engine).len(), engine.hits("/ping")), (1, 1), "nothing changed");

    fixture.site.page("/a", "<title>A</title><p>another text</p>");
    engine.handler("/indexnow", |_: &ReceivedRequest| Response::new(429));
    let (outcome, _) = fixture.run(&file, "shop", DUE[2]).await;
    assert_eq!(outcome.state, JobRunState::Done, "what an engine refuses spoils no run");
    engine.handler("/indexnow", |_: &ReceivedRequest| Response::new(202));
    fixture.run(&file, "shop", DUE[3]).await;
    let changed = vec![fixture.site.url("/a")];
    assert_eq!(received(&engine)[1..], [changed.clone(), changed], "what was left over is sent the next run");
    fixture.run(&file, "shop", DUE[4]).await;
    assert_eq!(received(&engine).len(), 3);
}

#[tokio::test]
async fn after_a_refused_run_only_changes_since_the_publication_are_submitted() {
    let (fixture, engine) = (Fixture::new(), FakeSite::open());
    engine.handler("/indexnow", |_: &ReceivedRequest| Response::new(200));
    let file = notifying(&fixture, &engine, "sitemap");
    let home = "<title>Home</title><a href=/a>a</a> <a href=/b>b</a> <a href=/c>c</a>";
    fixture.site.page("/", home).page("/c", "<title>C</title><p>third</p>");
    fixture.run(&file, "shop", DUE[0]).await;
    // The sitemap shrinks too much, and the one page that stays beside the start changes.
    fixture.site.page("/", "<title>Home</title><p>nothing</p>").page("/a", "<title>A</title><p>another text</p>");
    assert_eq!(fixture.run(&file, "shop", DUE[1]).await.0.state, JobRunState::Refused);
    assert_eq!(received(&engine).len(), 1);
    fixture.site.page("/", home).status("/c", 404);
    assert_eq!(fixture.run(&file, "shop", DUE[2]).await.0.state, JobRunState::Done);
    let received = received(&engine).pop().unwrap();
    assert!(!received.contains(&fixture.site.url("/b")), "it never left, nor changed: {received:?}");
    assert!(received.contains(&fixture.site.url("/a")) && received.contains(&fixture.site.url("/c")), "{received:?}");
}

#[tokio::test]
async fn after_an_audit_the_changes_since_the_publication_are_submitted() {
    let (fixture, engine) = (Fixture::new(), FakeSite::open());
    engine.handler("/indexnow", |_: &ReceivedRequest| Response::new(200));
    let (file, audit) = (notifying(&fixture, &engine, "both"), notifying(&fixture, &engine, "audit"));
    let home = "<title>Home</title><a href=/a>a</a> <a href=/b>b</a>";
    fixture.site.page("/", home).page("/a", "<title>A</title><p>one</p>").page("/b", "<title>B</title><p>two</p>");
    fixture.run(&file, "shop", DUE[0]).await;
    fixture.site.page("/a", "<title>A</title><p>another text</p>");
    fixture.run(&audit, "shop", DUE[1]).await;
    assert_eq!(received(&engine).len(), 1, "nothing was published");
    fixture.run(&file, "shop", DUE[2]).await;
    assert_eq!(received(&engine)[1..], [vec![fixture.site.url("/a")]]);
}

#[tokio::test]
async fn a_mirror_that_fails_fails_the_run_and_the_next_run_updates_it() {
    let fixture = Fixture::new();
    let hook = fixture.root.path().join("hook");
    let write = |text: &str| {
        std::fs::write(&hook, text).unwrap();
        std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    let engine = FakeSite::open();
    engine.handler("/ping", |_: &ReceivedRequest| Response::new(200));
    let ping = engine.url("/ping?at={sitemap}");
    let file = shop(&format!("mirror = [\"command:{{root}}/hook {{root}}/received\"]\nping = [\"{ping}\"]"));
    write("#!/bin/sh\necho no room >&2\nexit 3\n");
    let (outcome, job_run) = fixture.run(&file, "shop", DUE[0]).await;
    assert_eq!((outcome.state, job_run.state), (JobRunState::Failed, JobRunState::Failed));
    assert!(job_run.reason.contains("no room"), "{}", job_run.reason);
    assert_eq!(engine.hits("/ping"), 0);
    write("#!/bin/sh\ncat >\"$1\"\n");
    let (outcome, _) = fixture.run(&file, "shop", DUE[1]).await;
    assert_eq!(outcome.state, JobRunState::Done);
    let received: serde_json::Value = serde_json::from_str(&fixture.file("received")).unwrap();
    assert_eq!(received["entry_point"]["name"], "sitemap.xml");
    assert_eq!(engine.hits("/ping"), 1, "who was to hear of it the run before hears of it now");
}

#[tokio::test]
async fn a_mirror_that_fails_does_not_delay_the_others() {
    let fixture = Fixture::new();
    for (name, text) in [("bad", "#!/bin/sh\nexit 3\n"), ("good", "#!/bin/sh\ncat >\"$1\"\n")] {
        let hook = fixture.root.path().join(name);
        std::fs::write(&hook, text).unwrap();
        std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let file = shop("mirror = [\"command:{root}/bad\", \"command:{root}/good {root}/received\"]");
    let (outcome, job_run) = fixture.run(&file, "shop", DUE[0]).await;
    assert_eq!(outcome.state, JobRunState::Failed, "{}", job_run.reason);
    assert!(fixture.file("received").contains("sitemap.xml"));
}

/// A receiver that refuses the sitemap (missing permission, wrong address) gets it again after the fault is fixed.
#[tokio::test]
async fn a_refused_sitemap_is_submitted_again_by_the_next_run() {
    let (fixture, engine) = (Fixture::new(), FakeSite::open());
    let file = shop(&format!("ping = [\"{}\"]", engine.url("/ping?at={sitemap}")));
    for (job_run, (status, hits)) in DUE.into_iter().zip([(404, 1), (200, 2), (200, 2)]) {
        engine.handler("/ping", move |_: &ReceivedRequest| Response::new(status));
        assert_eq!(fixture.run(&file, "shop", job_run).await.0.state, JobRunState::Done);
        assert_eq!(engine.hits("/ping"), hits, "{job_run}");
    }
}

#[tokio::test]
async fn one_host_is_crawled_and_another_published() {
    let fixture = Fixture::new();
    let host = fixture.site.base().replace("http://", "");
    let file = shop(&format!("rewrite-host = [\"{host}=https://www.shop.example\"]"));
    let (outcome, job_run) = fixture.run(&file, "shop", DUE[0]).await;
    assert_eq!(outcome.state, JobRunState::Done);
    let sitemap = fixture.file("shop/sitemaps/sitemap.xml");
    assert!(sitemap.contains("<loc>https://www.shop.example/a</loc>"), "{sitemap}");
    assert!(!sitemap.contains(&host), "{sitemap}");
    let record = Record::open_to_read(&fixture.root.path().join("shop")).unwrap();
    let (url, _) = explain(&record, "https://www.shop.example/a").unwrap().expect("known as it was published");
    assert_eq!(url.as_str(), fixture.site.url("/a"));
    assert!(explain(&record, "https://other.example/a").unwrap().is_none());
    let lines: Vec<&str> = report_lines(&outcome);
    assert_eq!(lines, ["Sitemap: https://www.shop.example/sitemap.xml"]);
    let received = &job_run.hints[0];
    assert!(
        received.starts_with("see that https://www.shop.example/robots.txt, which was not requested, has"),
        "{received}"
    );
}

/// Returns a job that submits its changes to this engine.
fn notifying(fixture: &Fixture, engine: &FakeSite, task: &str) -> String {
    std::fs::write(fixture.root.path().join("key"), "0123456789abcdef\n").unwrap();
    let lines = format!("indexnow = [\"{}\"]\nindexnow-key-file = \"{{root}}/key\"", engine.url("/indexnow"));
    shop(&lines).replace("task = \"sitemap\"", &format!("task = \"{task}\""))
}

#[tokio::test]
async fn the_file_that_proves_the_key_is_published_beside_the_sitemap() {
    let (fixture, engine) = (Fixture::new(), FakeSite::open());
    engine.handler("/indexnow", |_: &ReceivedRequest| Response::new(200));
    let hook = fixture.root.path().join("hook");
    std::fs::write(&hook, "#!/bin/sh\ncat >\"$1\"\n").unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let file = notifying(&fixture, &engine, "sitemap") + "mirror = [\"command:{root}/hook {root}/received\"]\n";
    fixture.run(&file, "shop", DUE[0]).await;
    assert_eq!(fixture.file("shop/sitemaps/0123456789abcdef.txt"), "0123456789abcdef");
    assert!(fixture.file("received").contains("0123456789abcdef.txt"), "mirrors get it too");
}

#[tokio::test]
async fn a_key_that_is_not_accepted_yet_loses_no_url() {
    let (fixture, engine) = (Fixture::new(), FakeSite::open());
    let file = notifying(&fixture, &engine, "sitemap");
    engine.handler("/indexnow", |_: &ReceivedRequest| Response::new(403));
    fixture.run(&file, "shop", DUE[0]).await;
    engine.handler("/indexnow", |_: &ReceivedRequest| Response::new(200));
    fixture.run(&file, "shop", DUE[1]).await;
    assert_eq!(received(&engine).pop().unwrap(), fixture.site.urls(&["/", "/a", "/b"]));
}

#[tokio::test]
async fn an_engine_is_not_called_before_its_retry_after_has_passed() {
    let (fixture, engine) = (Fixture::new(), FakeSite::open());
    let file = notifying(&fixture, &engine, "sitemap");
    engine.handler("/indexnow", |_: &ReceivedRequest| Response::new(429).header("Retry-After", "86400"));
    fixture.run(&file, "shop", DUE[0]).await;
    fixture.run(&file, "shop", DUE[1]).await;
    assert_eq!(engine.hits("/indexnow"), 1, "the day is not over");
    let job_store = rusqlite::Connection::open(fixture.root.path().join("service.sqlite")).unwrap();
    job_store.execute("UPDATE indexnow_pause SET until = 0", []).unwrap();
    engine.handler("/indexnow", |_: &ReceivedRequest| Response::new(200));
    fixture.run(&file, "shop", DUE[2]).await;
    assert_eq!(received(&engine).pop().unwrap().len(), 3);
}

#[tokio::test]
async fn a_job_without_a_sitemap_stores_nothing_for_engines() {
    let (fixture, engine) = (Fixture::new(), FakeSite::open());
    fixture.run(&notifying(&fixture, &engine, "audit"), "shop", DUE[0]).await;
    let job_store = rusqlite::Connection::open(fixture.root.path().join("service.sqlite")).unwrap();
    let unsent: i64 = job_store.query_row("SELECT count(*) FROM indexnow_queue", [], |row| row.get(0)).unwrap();
    assert_eq!((unsent, engine.requests().len()), (0, 0));
}

/// Returns the lines that robots.txt lacks.
fn report_lines(outcome: &RunOutcome) -> Vec<&str> {
    outcome.report.as_ref().unwrap().robots_lines.iter().map(|line| line.line.as_str()).collect()
}
