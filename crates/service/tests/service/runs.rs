//! Single runs: their publications, stored results and notifications.

use crate::fixture::Fixture;
use mapwright_engine::{Event, NoObserver, Observer};
use mapwright_service::{Clock, JobFilter, JobRunState, JobRunner, JobStore, KeptReports, RunKey, deliver};
use mapwright_testkit::{FakeSite, ReceivedRequest, Response};
use std::io::Read;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

const SHOP: &str = r#"
[job.shop]
url = ["{site}/"]
cron = "0 2 * * *"
"#;

const FIRST: &str = "2026-11-01T02:00:00Z";
const SECOND: &str = "2026-11-02T02:00:00Z";
const THIRD: &str = "2026-11-03T02:00:00Z";

#[tokio::test]
async fn a_run_publishes_audits_and_is_stored() {
    let fixture = Fixture::new();
    let (outcome, job_run) = fixture.run(SHOP, "shop", FIRST).await;
    assert_eq!((outcome.state, outcome.reason.as_str()), (JobRunState::Done, ""));
    assert!(fixture.file("shop/sitemaps/sitemap.xml").contains(&fixture.site.url("/a")));
    assert!(fixture.file("shop/reports/report.html").contains("<html"));
    assert_eq!(
        (job_run.state.as_str(), job_run.record_run, job_run.key.scheduled_for.to_string().as_str()),
        ("done", Some(1), FIRST)
    );
    assert_eq!((job_run.counts.listed, job_run.counts.fetched, job_run.counts.added), (3, 3, 0));
    assert!(job_run.counts.took_ms > 0 && job_run.counts.bytes > 0);
    assert!(job_run.ended.unwrap() >= job_run.started.unwrap());
}

#[tokio::test]
async fn the_reports_of_the_runs_that_the_record_keeps_are_kept() {
    let fixture = Fixture::new();
    let file = format!("{SHOP}[job.shop.record]\nkeep-runs = 2\n");
    let kept = KeptReports::of(&fixture.root.path().join("shop"));
    for (at, runs) in [(FIRST, vec![1]), (SECOND, vec![2, 1]), (THIRD, vec![3, 2])] {
        fixture.run(&file, "shop", at).await;
        assert_eq!(kept.runs(), runs);
    }
    let mut report = String::new();
    kept.open(2).unwrap().read_to_string(&mut report).unwrap();
    assert!(report.contains("\"run\": {\"number\":2,"), "{report}");
    assert_eq!(kept.open(1).err().unwrap().kind(), std::io::ErrorKind::NotFound);
    assert!(fixture.file("shop/reports/report.json").contains("\"run\": {\"number\":3,"));
}

/// An observer that panics, as a defect would.
struct Defect;

impl Observer for Defect {
    fn see(&self, _: &Event<'_>) {
        panic!("a defect, made by a test");
    }
}

#[tokio::test]
async fn a_defect_fails_only_its_run_and_the_next_one_runs() {
    let fixture = Fixture::new();
    let job = Arc::new(fixture.job(SHOP, "shop").unwrap());
    let runner = JobRunner { job, job_store: fixture.job_store(), link: None, clock: Clock::real() };
    let outcome =
        runner.run(RunKey::first(FIRST.parse().unwrap()), Arc::new(Defect), CancellationToken::new()).await.unwrap();
    assert_eq!(outcome.state, JobRunState::Failed);
    assert!(outcome.reason.contains("please report it"), "{}", outcome.reason);
    let (outcome, _) = fixture.run(SHOP, "shop", SECOND).await;
    assert_eq!(outcome.state, JobRunState::Done, "{}", outcome.reason);
}

#[tokio::test]
async fn a_job_makes_what_its_task_says() {
    let fixture = Fixture::new();
    let of = |task: &str| SHOP.replace("cron =", &format!("task = \"{task}\"\ncron ="));
    fixture.run(&of("sitemap"), "shop", FIRST).await;
    assert!(fixture.root.path().join("shop/sitemaps/sitemap.xml").exists());
    assert!(!fixture.root.path().join("shop/reports").exists());
    let other = of("audit").replace("job.shop", "job.audited");
    let (outcome, _) = fixture.run(&other, "audited", FIRST).await;
    assert_eq!(outcome.state, JobRunState::Done);
    assert!(fixture.root.path().join("audited/reports/report.html").exists());
    assert!(!fixture.root.path().join("audited/sitemaps").exists());
}

#[tokio::test]
async fn the_changes_of_a_run_are_counted() {
    let fixture = Fixture::new();
    fixture.run(SHOP, "shop", FIRST).await;
    fixture.site.page("/", "<title>Home</title><a href=/a>a</a> <a href=/c>c</a> <a href=/gone>gone</a>");
    fixture.site.page("/c", "<title>C</title><p>third</p>").status("/b", 404);
    let (_, job_run) = fixture.run(SHOP, "shop", SECOND).await;
    assert_eq!((job_run.counts.added, job_run.counts.removed, job_run.counts.listed), (1, 1, 3));
    assert!(job_run.counts.new >= 1, "the broken link is new: {:?}", job_run.counts);
    fixture.site.page("/", "<title>Home</title><a href=/a>a</a> <a href=/c>c</a>");
    let (_, job_run) = fixture.run(SHOP, "shop", THIRD).await;
    assert!(job_run.counts.fixed >= 1, "the broken link is gone: {:?}", job_run.counts);
}

#[tokio::test]
async fn a_shrinking_sitemap_is_refused_and_a_site_that_is_down_fails() {
    let fixture = Fixture::new();
    for page in 0..20 {
        fixture.site.page(&format!("/p{page}"), format!("<title>{page}</title><p>page {page}</p>"));
    }
    let links: String = (0..20).map(|page| format!("<a href=/p{page}>{page}</a> ")).collect();
    fixture.site.page("/", format!("<title>Home</title>{links}"));
    fixture.run(SHOP, "shop", FIRST).await;
    let published = fixture.file("shop/sitemaps/sitemap.xml");
    fixture.site.page("/", "<title>Home</title><p>nothing here</p>");
    let (outcome, job_run) = fixture.run(SHOP, "shop", SECOND).await;
    assert_eq!((outcome.state, job_run.state), (JobRunState::Refused, JobRunState::Refused));
    assert!(job_run.reason.contains("from 21 to 1"), "{}", job_run.reason);
    assert_eq!(fixture.file("shop/sitemaps/sitemap.xml"), published);
    fixture.site.status("/", 500);
    let (outcome, job_run) = fixture.run(SHOP, "shop", THIRD).await;
    assert_eq!((outcome.state, job_run.state), (JobRunState::Failed, JobRunState::Failed));
    assert!(job_run.reason.contains("500"), "{}", job_run.reason);
    assert_eq!(fixture.file("shop/sitemaps/sitemap.xml"), published);
}

/// Returns the kinds of the notifications that a webhook received, in order.
fn received(hook: &FakeSite) -> Vec<String> {
    let kind = |request: &ReceivedRequest| {
        let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
        body["kind"].as_str().unwrap_or_else(|| panic!("{body}")).to_owned()
    };
    hook.requests_for("/hook").iter().map(kind).collect()
}

#[tokio::test]
async fn only_changes_are_notified() {
    let fixture = Fixture::new();
    let hook = FakeSite::open();
    hook.handler("/hook", |_: &ReceivedRequest| Response::new(204));
    let file = format!("{SHOP}\n[notify]\nto = [\"webhook:{}\"]\n", hook.url("/hook"));
    let job_store = fixture.job_store();
    let job = Arc::new(fixture.job(&file, "shop").unwrap());
    let deliver = || async {
        deliver(&job_store, JobFilter::All, || vec![Arc::clone(&job)], jiff::Timestamp::now).await.unwrap()
    };

    fixture.run(&file, "shop", FIRST).await;
    deliver().await;
    let first = received(&hook).len();
    fixture.run(&file, "shop", SECOND).await;
    deliver().await;
    assert_eq!(received(&hook).len(), first, "nothing changed: {:?}", received(&hook));

    fixture.site.status("/", 500);
    fixture.run(&file, "shop", THIRD).await;
    fixture.run(&file, "shop", "2026-11-04T02:00:00Z").await;
    deliver().await;
    fixture.site.status("/", 404);
    fixture.run(&file, "shop", "2026-11-05T02:00:00Z").await;
    fixture.site.status("/", 410);
    fixture.run(&file, "shop", "2026-11-06T02:00:00Z").await;
    fixture.site.robots("User-agent: *\nDisallow: /\n");
    fixture.run(&file, "shop", "2026-11-07T02:00:00Z").await;
    fixture.site.status("/robots.txt", 503);
    fixture.run(&file, "shop", "2026-11-08T02:00:00Z").await;
    deliver().await;
    fixture.site.robots("");
    fixture.site.page("/", "<title>Home</title><a href=/a>a</a> <a href=/b>b</a>");
    fixture.run(&file, "shop", "2026-11-09T02:00:00Z").await;
    deliver().await;
    let received: Vec<String> = received(&hook).split_off(first);
    let expected = ["failed", "failed", "failed", "failed", "recovered"];
    assert_eq!(received, expected, "the same incident is reported once, another while it lasts");
    assert_eq!(deliver().await, 0, "nothing is reported twice");
}

#[tokio::test]
async fn a_run_that_was_settled_halfway_is_not_crawled_again() {
    let fixture = Fixture::new();
    fixture.run(SHOP, "shop", FIRST).await;
    let hits = fixture.site.hits("/a");
    // The state that a kill between the end of the crawl and the update of the job store leaves.
    let job_store = rusqlite::Connection::open(fixture.root.path().join("service.sqlite")).unwrap();
    job_store.execute("UPDATE job_run SET state = 'running', ended = NULL", []).unwrap();
    let (outcome, job_run) = fixture.run(SHOP, "shop", FIRST).await;
    assert_eq!((outcome.state, job_run.record_run), (JobRunState::Done, Some(1)));
    assert_eq!(fixture.site.hits("/a"), hits);
}

#[tokio::test]
async fn a_run_crawls_although_the_one_before_it_began_by_a_clock_that_was_ahead() {
    let fixture = Fixture::new();
    fixture.run(SHOP, "shop", SECOND).await;
    let record = rusqlite::Connection::open(fixture.root.path().join("shop/record.sqlite")).unwrap();
    record.execute("UPDATE run SET started = started + 1000 * 86400000, ended = ended + 1000 * 86400000", []).unwrap();
    drop(record);
    let hits = fixture.site.hits("/a");
    let (outcome, job_run) = fixture.run(SHOP, "shop", FIRST).await;
    assert_eq!((outcome.state, job_run.record_run), (JobRunState::Done, Some(2)));
    assert!(fixture.site.hits("/a") > hits);
}

#[tokio::test]
async fn a_job_store_of_another_format_is_refused_in_one_line() {
    let fixture = Fixture::new();
    fixture.run(SHOP, "shop", FIRST).await;
    let job_store = rusqlite::Connection::open(fixture.root.path().join("service.sqlite")).unwrap();
    job_store.pragma_update(None, "user_version", 3).unwrap();
    let error = JobStore::open(fixture.root.path()).unwrap_err().to_string();
    assert!(error.contains("format 3") && error.lines().count() == 1, "{error}");
}

#[tokio::test]
async fn a_run_stopped_before_its_start_url_was_requested_has_not_failed() {
    let fixture = Fixture::new();
    let job = Arc::new(fixture.job(SHOP, "shop").unwrap());
    let runner = JobRunner { job, job_store: fixture.job_store(), link: None, clock: Clock::real() };
    let stop = CancellationToken::new();
    stop.cancel();
    let outcome = runner.run(RunKey::first(FIRST.parse().unwrap()), Arc::new(NoObserver), stop).await.unwrap();
    assert_eq!(outcome.state, JobRunState::Unfinished, "{}", outcome.reason);
    let (outcome, job_run) = fixture.run(SHOP, "shop", FIRST).await;
    assert_eq!((outcome.state, job_run.record_run), (JobRunState::Done, Some(1)), "it goes on");
}

/// The record stores no secrets, so a run that needs a removed secret cannot be resumed, and would block every later
/// run.
#[tokio::test]
async fn an_unfinished_run_with_a_removed_secret_is_abandoned() {
    let fixture = Fixture::new();
    let secret = format!("{SHOP}[job.shop.fetch]\nauth = \"user:pass\"\n");
    let job = Arc::new(fixture.job(&secret, "shop").unwrap());
    let runner = JobRunner { job, job_store: fixture.job_store(), link: None, clock: Clock::real() };
    let stop = CancellationToken::new();
    stop.cancel();
    let outcome = runner.run(RunKey::first(FIRST.parse().unwrap()), Arc::new(NoObserver), stop).await.unwrap();
    assert_eq!(outcome.state, JobRunState::Unfinished, "{}", outcome.reason);
    let (outcome, job_run) = fixture.run(SHOP, "shop", SECOND).await;
    assert_eq!((outcome.state, job_run.record_run), (JobRunState::Done, Some(2)), "{}", outcome.reason);
}

#[tokio::test]
async fn what_a_budget_left_out_is_not_called_fixed() {
    let fixture = Fixture::new();
    fixture.site.page("/b", "<title>B</title><a href=/gone>gone</a>");
    fixture.run(SHOP, "shop", FIRST).await;
    let few = format!("{SHOP}[job.shop.crawl]\nmax-urls = 2\n");
    let (_, job_run) = fixture.run(&few, "shop", SECOND).await;
    assert_eq!(job_run.counts.fixed, 0, "{:?}", job_run.counts);
}

#[tokio::test]
async fn a_record_whose_creation_was_killed_is_created_by_the_next_run() {
    let fixture = Fixture::new();
    let folder = fixture.root.path().join("shop");
    std::fs::create_dir(&folder).unwrap();
    let begun = rusqlite::Connection::open(folder.join("record.sqlite")).unwrap();
    begun.pragma_update(None, "journal_mode", "WAL").unwrap();
    drop(begun);
    let (outcome, _) = fixture.run(SHOP, "shop", FIRST).await;
    assert_eq!(outcome.state, JobRunState::Done, "{}", outcome.reason);
}
