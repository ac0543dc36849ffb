//! What follows a publication: mirrors, search engines, other host names.

use crate::desk::Desk;
use mapwright_jobs::explain::explain;
use mapwright_jobs::service::{JobRunState, Kept};
use mapwright_store::Record;
use mapwright_testkit::{Request, Response, Site};
use std::os::unix::fs::PermissionsExt;

const NIGHTS: [&str; 5] = [
    "2026-11-01T02:00:00Z",
    "2026-11-02T02:00:00Z",
    "2026-11-03T02:00:00Z",
    "2026-11-04T02:00:00Z",
    "2026-11-05T02:00:00Z",
];

/// A job whose sitemaps go further by these lines of `[job.shop.publish]`.
fn shop(lines: &str) -> String {
    format!("[job.shop]\nurl = [\"{{site}}/\"]\ntask = \"sitemap\"\n[job.shop.publish]\n{lines}\n")
}

/// The URLs that an engine was told, request by request.
fn told(engine: &Site) -> Vec<Vec<String>> {
    let urls = |request: &Request| {
        let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
        let mut urls: Vec<String> =
            body["urlList"].as_array().unwrap().iter().map(|url| url.as_str().unwrap().to_owned()).collect();
        urls.sort();
        urls
    };
    engine.requests_for("/indexnow").iter().map(urls).collect()
}

#[tokio::test]
async fn engines_hear_of_changed_urls_alone_and_of_those_left_over() {
    let desk = Desk::new();
    let engine = Site::open();
    engine.handler("/indexnow", |_: &Request| Response::new(200)).handler("/ping", |_: &Request| Response::new(200));
    std::fs::write(desk.root.path().join("key"), "0123456789abcdef\n").unwrap();
    let file = shop(&format!(
        "indexnow = [\"{}\"]\nindexnow-key-file = \"{{root}}/key\"\nping = [\"{}?at={{sitemap}}\"]",
        engine.url("/indexnow"),
        engine.url("/ping")
    ));
    desk.keep(&file, "shop", NIGHTS[0]).await;
    assert_eq!(told(&engine), [desk.site.urls(&["/", "/a", "/b"])]);
    let ping = engine.requests_for("/ping").remove(0).target;
    assert!(ping.ends_with("sitemap.xml") && ping.contains("at=http%3A%2F%2F127.0.0.1"), "{ping}");

    desk.keep(&file, "shop", NIGHTS[1]).await;
    assert_eq!((told(&engine).len(), engine.hits("/ping")), (1, 1), "nothing changed");

    desk.site.page("/a", "<title>A</title><p>another text</p>");
    engine.handler("/indexnow", |_: &Request| Response::new(429));
    let (kept, _) = desk.keep(&file, "shop", NIGHTS[2]).await;
    assert_eq!(kept.state, JobRunState::Done, "what an engine refuses spoils no night");
    engine.handler("/indexnow", |_: &Request| Response::new(202));
    desk.keep(&file, "shop", NIGHTS[3]).await;
    let changed = vec![desk.site.url("/a")];
    assert_eq!(told(&engine)[1..], [changed.clone(), changed], "what was left over is sent the next night");
    desk.keep(&file, "shop", NIGHTS[4]).await;
    assert_eq!(told(&engine).len(), 3);
}

#[tokio::test]
async fn engines_hear_after_a_refused_night_of_what_changed_since_the_publication_alone() {
    let (desk, engine) = (Desk::new(), Site::open());
    engine.handler("/indexnow", |_: &Request| Response::new(200));
    let file = telling(&desk, &engine, "sitemap");
    let home = "<title>Home</title><a href=/a>a</a> <a href=/b>b</a> <a href=/c>c</a>";
    desk.site.page("/", home).page("/c", "<title>C</title><p>third</p>");
    desk.keep(&file, "shop", NIGHTS[0]).await;
    // The sitemap shrinks too far; the one page that stays beside the start changes meanwhile.
    desk.site.page("/", "<title>Home</title><p>nothing</p>").page("/a", "<title>A</title><p>another text</p>");
    assert_eq!(desk.keep(&file, "shop", NIGHTS[1]).await.0.state, JobRunState::Refused);
    assert_eq!(told(&engine).len(), 1);
    desk.site.page("/", home).status("/c", 404);
    assert_eq!(desk.keep(&file, "shop", NIGHTS[2]).await.0.state, JobRunState::Done);
    let told = told(&engine).pop().unwrap();
    assert!(!told.contains(&desk.site.url("/b")), "it never left, nor changed: {told:?}");
    assert!(told.contains(&desk.site.url("/a")) && told.contains(&desk.site.url("/c")), "{told:?}");
}

#[tokio::test]
async fn engines_hear_after_an_audit_of_what_changed_since_the_publication() {
    let (desk, engine) = (Desk::new(), Site::open());
    engine.handler("/indexnow", |_: &Request| Response::new(200));
    let (file, audit) = (telling(&desk, &engine, "both"), telling(&desk, &engine, "audit"));
    let home = "<title>Home</title><a href=/a>a</a> <a href=/b>b</a>";
    desk.site.page("/", home).page("/a", "<title>A</title><p>one</p>").page("/b", "<title>B</title><p>two</p>");
    desk.keep(&file, "shop", NIGHTS[0]).await;
    desk.site.page("/a", "<title>A</title><p>another text</p>");
    desk.keep(&audit, "shop", NIGHTS[1]).await;
    assert_eq!(told(&engine).len(), 1, "nothing was published");
    desk.keep(&file, "shop", NIGHTS[2]).await;
    assert_eq!(told(&engine)[1..], [vec![desk.site.url("/a")]]);
}

#[tokio::test]
async fn a_mirror_that_fails_fails_the_night_and_is_made_up_for() {
    let desk = Desk::new();
    let hook = desk.root.path().join("hook");
    let write = |text: &str| {
        std::fs::write(&hook, text).unwrap();
        std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    let engine = Site::open();
    engine.handler("/ping", |_: &Request| Response::new(200));
    let ping = engine.url("/ping?at={sitemap}");
    let file = shop(&format!("mirror = [\"command:{{root}}/hook {{root}}/told\"]\nping = [\"{ping}\"]"));
    write("#!/bin/sh\necho no room >&2\nexit 3\n");
    let (kept, night) = desk.keep(&file, "shop", NIGHTS[0]).await;
    assert_eq!((kept.state, night.outcome), (JobRunState::Failed, JobRunState::Failed));
    assert!(night.why.contains("no room"), "{}", night.why);
    assert_eq!(engine.hits("/ping"), 0);
    write("#!/bin/sh\ncat >\"$1\"\n");
    let (kept, _) = desk.keep(&file, "shop", NIGHTS[1]).await;
    assert_eq!(kept.state, JobRunState::Done);
    let told: serde_json::Value = serde_json::from_str(&desk.file("told")).unwrap();
    assert_eq!(told["entry_point"]["name"], "sitemap.xml");
    assert_eq!(engine.hits("/ping"), 1, "who was to hear of it the night before hears of it now");
}

#[tokio::test]
async fn a_mirror_that_fails_keeps_no_other_behind() {
    let desk = Desk::new();
    for (name, text) in [("bad", "#!/bin/sh\nexit 3\n"), ("good", "#!/bin/sh\ncat >\"$1\"\n")] {
        let hook = desk.root.path().join(name);
        std::fs::write(&hook, text).unwrap();
        std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let file = shop("mirror = [\"command:{root}/bad\", \"command:{root}/good {root}/told\"]");
    let (kept, night) = desk.keep(&file, "shop", NIGHTS[0]).await;
    assert_eq!(kept.state, JobRunState::Failed, "{}", night.why);
    assert!(desk.file("told").contains("sitemap.xml"));
}

/// Who refuses the sitemap (a right that is missing, an address that is wrong) hears of it once that is mended.
#[tokio::test]
async fn a_refusal_of_the_sitemap_is_made_up_for() {
    let (desk, engine) = (Desk::new(), Site::open());
    let file = shop(&format!("ping = [\"{}\"]", engine.url("/ping?at={sitemap}")));
    for (night, (status, hits)) in NIGHTS.into_iter().zip([(404, 1), (200, 2), (200, 2)]) {
        engine.handler("/ping", move |_: &Request| Response::new(status));
        assert_eq!(desk.keep(&file, "shop", night).await.0.state, JobRunState::Done);
        assert_eq!(engine.hits("/ping"), hits, "{night}");
    }
}

#[tokio::test]
async fn one_host_is_crawled_and_another_published() {
    let desk = Desk::new();
    let host = desk.site.base().replace("http://", "");
    let file = shop(&format!("rewrite-host = [\"{host}=https://www.shop.example\"]"));
    let (kept, night) = desk.keep(&file, "shop", NIGHTS[0]).await;
    assert_eq!(kept.state, JobRunState::Done);
    let sitemap = desk.file("shop/sitemaps/sitemap.xml");
    assert!(sitemap.contains("<loc>https://www.shop.example/a</loc>"), "{sitemap}");
    assert!(!sitemap.contains(&host), "{sitemap}");
    let record = Record::open_to_read(&desk.root.path().join("shop")).unwrap();
    let (url, _) = explain(&record, "https://www.shop.example/a").unwrap().expect("known as it was published");
    assert_eq!(url.as_str(), desk.site.url("/a"));
    assert!(explain(&record, "https://other.example/a").unwrap().is_none());
    let lines: Vec<&str> = report_lines(&kept);
    assert_eq!(lines, ["Sitemap: https://www.shop.example/sitemap.xml"]);
    let told = &night.advice[0];
    assert!(told.starts_with("see that https://www.shop.example/robots.txt, which was not asked for, has"), "{told}");
}

/// A job that tells this engine of what changes.
fn telling(desk: &Desk, engine: &Site, task: &str) -> String {
    std::fs::write(desk.root.path().join("key"), "0123456789abcdef\n").unwrap();
    let lines = format!("indexnow = [\"{}\"]\nindexnow-key-file = \"{{root}}/key\"", engine.url("/indexnow"));
    shop(&lines).replace("task = \"sitemap\"", &format!("task = \"{task}\""))
}

#[tokio::test]
async fn the_file_that_proves_the_key_is_published_beside_the_sitemap() {
    let (desk, engine) = (Desk::new(), Site::open());
    engine.handler("/indexnow", |_: &Request| Response::new(200));
    let hook = desk.root.path().join("hook");
    std::fs::write(&hook, "#!/bin/sh\ncat >\"$1\"\n").unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let file = telling(&desk, &engine, "sitemap") + "mirror = [\"command:{root}/hook {root}/told\"]\n";
    desk.keep(&file, "shop", NIGHTS[0]).await;
    assert_eq!(desk.file("shop/sitemaps/0123456789abcdef.txt"), "0123456789abcdef");
    assert!(desk.file("told").contains("0123456789abcdef.txt"), "mirrors get it too");
}

#[tokio::test]
async fn a_key_that_is_not_accepted_yet_loses_no_url() {
    let (desk, engine) = (Desk::new(), Site::open());
    let file = telling(&desk, &engine, "sitemap");
    engine.handler("/indexnow", |_: &Request| Response::new(403));
    desk.keep(&file, "shop", NIGHTS[0]).await;
    engine.handler("/indexnow", |_: &Request| Response::new(200));
    desk.keep(&file, "shop", NIGHTS[1]).await;
    assert_eq!(told(&engine).pop().unwrap(), desk.site.urls(&["/", "/a", "/b"]));
}

#[tokio::test]
async fn an_engine_that_asks_to_wait_is_left_alone_so_long() {
    let (desk, engine) = (Desk::new(), Site::open());
    let file = telling(&desk, &engine, "sitemap");
    engine.handler("/indexnow", |_: &Request| Response::new(429).header("Retry-After", "86400"));
    desk.keep(&file, "shop", NIGHTS[0]).await;
    desk.keep(&file, "shop", NIGHTS[1]).await;
    assert_eq!(engine.hits("/indexnow"), 1, "the day is not over");
    let ledger = rusqlite::Connection::open(desk.root.path().join("service.sqlite")).unwrap();
    ledger.execute("UPDATE rest SET until = 0", []).unwrap();
    engine.handler("/indexnow", |_: &Request| Response::new(200));
    desk.keep(&file, "shop", NIGHTS[2]).await;
    assert_eq!(told(&engine).pop().unwrap().len(), 3);
}

#[tokio::test]
async fn a_job_without_a_sitemap_notes_nothing_for_engines() {
    let (desk, engine) = (Desk::new(), Site::open());
    desk.keep(&telling(&desk, &engine, "audit"), "shop", NIGHTS[0]).await;
    let ledger = rusqlite::Connection::open(desk.root.path().join("service.sqlite")).unwrap();
    let unsent: i64 = ledger.query_row("SELECT count(*) FROM unsent", [], |row| row.get(0)).unwrap();
    assert_eq!((unsent, engine.requests().len()), (0, 0));
}

/// The lines that robots.txt needs.
fn report_lines(kept: &Kept) -> Vec<&str> {
    kept.report.as_ref().unwrap().robots_lines.iter().map(|line| line.line.as_str()).collect()
}
