//! Single nights: what they publish, note and tell.

use crate::desk::Desk;
use mapwright_engine::{Event, NoObserver, Observer};
use mapwright_jobs::service::{Clock, JobRunState, Keeping, Ledger, Whose, deliver};
use mapwright_testkit::{Request, Response, Site};
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
async fn a_night_publishes_audits_and_is_noted() {
    let desk = Desk::new();
    let (kept, night) = desk.keep(SHOP, "shop", FIRST).await;
    assert_eq!((kept.state, kept.why.as_str()), (JobRunState::Done, ""));
    assert!(desk.file("shop/sitemaps/sitemap.xml").contains(&desk.site.url("/a")));
    assert!(desk.file("shop/reports/report.html").contains("<html"));
    assert_eq!((night.outcome.as_str(), night.run, night.due.to_string().as_str()), ("done", Some(1), FIRST));
    assert_eq!((night.counts.listed, night.counts.fetched, night.counts.gained), (3, 3, 0));
    assert!(night.counts.took_ms > 0 && night.counts.bytes > 0);
    assert!(night.ended.unwrap() >= night.began.unwrap());
}

/// Fails as only a defect can.
struct Defect;

impl Observer for Defect {
    fn see(&self, _: &Event<'_>) {
        panic!("a defect, made by a test");
    }
}

#[tokio::test]
async fn a_defect_fails_its_night_alone_and_the_next_is_kept() {
    let desk = Desk::new();
    let plan = Arc::new(desk.plan(SHOP, "shop").unwrap());
    let runner = Keeping { plan, ledger: desk.ledger(), link: None, clock: Clock::real() };
    let kept = runner.keep(FIRST.parse().unwrap(), Arc::new(Defect), CancellationToken::new()).await.unwrap();
    assert_eq!(kept.state, JobRunState::Failed);
    assert!(kept.why.contains("please report it"), "{}", kept.why);
    let (kept, _) = desk.keep(SHOP, "shop", SECOND).await;
    assert_eq!(kept.state, JobRunState::Done, "{}", kept.why);
}

#[tokio::test]
async fn a_job_makes_what_its_task_says() {
    let desk = Desk::new();
    let of = |task: &str| SHOP.replace("cron =", &format!("task = \"{task}\"\ncron ="));
    desk.keep(&of("sitemap"), "shop", FIRST).await;
    assert!(desk.root.path().join("shop/sitemaps/sitemap.xml").exists());
    assert!(!desk.root.path().join("shop/reports").exists());
    let other = of("audit").replace("job.shop", "job.audited");
    let (kept, _) = desk.keep(&other, "audited", FIRST).await;
    assert_eq!(kept.state, JobRunState::Done);
    assert!(desk.root.path().join("audited/reports/report.html").exists());
    assert!(!desk.root.path().join("audited/sitemaps").exists());
}

#[tokio::test]
async fn what_a_night_changed_is_counted() {
    let desk = Desk::new();
    desk.keep(SHOP, "shop", FIRST).await;
    desk.site.page("/", "<title>Home</title><a href=/a>a</a> <a href=/c>c</a> <a href=/gone>gone</a>");
    desk.site.page("/c", "<title>C</title><p>third</p>").status("/b", 404);
    let (_, night) = desk.keep(SHOP, "shop", SECOND).await;
    assert_eq!((night.counts.gained, night.counts.lost, night.counts.listed), (1, 1, 3));
    assert!(night.counts.new >= 1, "the broken link is new: {:?}", night.counts);
    desk.site.page("/", "<title>Home</title><a href=/a>a</a> <a href=/c>c</a>");
    let (_, night) = desk.keep(SHOP, "shop", THIRD).await;
    assert!(night.counts.fixed >= 1, "the broken link is gone: {:?}", night.counts);
}

#[tokio::test]
async fn a_shrinking_sitemap_is_refused_and_a_site_that_is_down_fails() {
    let desk = Desk::new();
    for page in 0..20 {
        desk.site.page(&format!("/p{page}"), format!("<title>{page}</title><p>page {page}</p>"));
    }
    let links: String = (0..20).map(|page| format!("<a href=/p{page}>{page}</a> ")).collect();
    desk.site.page("/", format!("<title>Home</title>{links}"));
    desk.keep(SHOP, "shop", FIRST).await;
    let published = desk.file("shop/sitemaps/sitemap.xml");
    desk.site.page("/", "<title>Home</title><p>nothing here</p>");
    let (kept, night) = desk.keep(SHOP, "shop", SECOND).await;
    assert_eq!((kept.state, night.outcome), (JobRunState::Refused, JobRunState::Refused));
    assert!(night.why.contains("from 21 to 1"), "{}", night.why);
    assert_eq!(desk.file("shop/sitemaps/sitemap.xml"), published);
    desk.site.status("/", 500);
    let (kept, night) = desk.keep(SHOP, "shop", THIRD).await;
    assert_eq!((kept.state, night.outcome), (JobRunState::Failed, JobRunState::Failed));
    assert!(night.why.contains("500"), "{}", night.why);
    assert_eq!(desk.file("shop/sitemaps/sitemap.xml"), published);
}

/// What a webhook was told: the kinds of its messages, in order.
fn told(hook: &Site) -> Vec<String> {
    let kind = |request: &Request| {
        let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
        body["kind"].as_str().unwrap_or_else(|| panic!("{body}")).to_owned()
    };
    hook.requests_for("/hook").iter().map(kind).collect()
}

#[tokio::test]
async fn people_are_told_what_changed_and_nothing_else() {
    let desk = Desk::new();
    let hook = Site::open();
    hook.handler("/hook", |_: &Request| Response::new(204));
    let file = format!("{SHOP}\n[notify]\ntell = [\"webhook:{}\"]\n", hook.url("/hook"));
    let ledger = desk.ledger();
    let plan = Arc::new(desk.plan(&file, "shop").unwrap());
    let deliver =
        || async { deliver(&ledger, Whose::All, || vec![Arc::clone(&plan)], jiff::Timestamp::now).await.unwrap() };

    desk.keep(&file, "shop", FIRST).await;
    deliver().await;
    let first = told(&hook).len();
    desk.keep(&file, "shop", SECOND).await;
    deliver().await;
    assert_eq!(told(&hook).len(), first, "nothing changed: {:?}", told(&hook));

    desk.site.status("/", 500);
    desk.keep(&file, "shop", THIRD).await;
    desk.keep(&file, "shop", "2026-11-04T02:00:00Z").await;
    deliver().await;
    desk.site.status("/", 404);
    desk.keep(&file, "shop", "2026-11-05T02:00:00Z").await;
    desk.site.status("/", 410);
    desk.keep(&file, "shop", "2026-11-06T02:00:00Z").await;
    desk.site.robots("User-agent: *\nDisallow: /\n");
    desk.keep(&file, "shop", "2026-11-07T02:00:00Z").await;
    desk.site.status("/robots.txt", 503);
    desk.keep(&file, "shop", "2026-11-08T02:00:00Z").await;
    deliver().await;
    desk.site.robots("");
    desk.site.page("/", "<title>Home</title><a href=/a>a</a> <a href=/b>b</a>");
    desk.keep(&file, "shop", "2026-11-09T02:00:00Z").await;
    deliver().await;
    let told: Vec<String> = told(&hook).split_off(first);
    let expected = ["failed", "failed", "failed", "failed", "recovered"];
    assert_eq!(told, expected, "the same trouble is told once, another while it lasts");
    assert_eq!(deliver().await, 0, "nothing is told twice");
}

#[tokio::test]
async fn a_night_that_was_settled_halfway_is_not_crawled_again() {
    let desk = Desk::new();
    desk.keep(SHOP, "shop", FIRST).await;
    let hits = desk.site.hits("/a");
    // As a service that was killed between the end of the run and the ledger leaves it.
    let ledger = rusqlite::Connection::open(desk.root.path().join("service.sqlite")).unwrap();
    ledger.execute("UPDATE night SET state = 'running', ended = NULL", []).unwrap();
    let (kept, night) = desk.keep(SHOP, "shop", FIRST).await;
    assert_eq!((kept.state, night.run), (JobRunState::Done, Some(1)));
    assert_eq!(desk.site.hits("/a"), hits);
}

#[tokio::test]
async fn a_night_crawls_though_the_run_before_it_began_by_a_clock_that_was_ahead() {
    let desk = Desk::new();
    desk.keep(SHOP, "shop", SECOND).await;
    let record = rusqlite::Connection::open(desk.root.path().join("shop/record.sqlite")).unwrap();
    record.execute("UPDATE run SET started = started + 1000 * 86400000, ended = ended + 1000 * 86400000", []).unwrap();
    drop(record);
    let hits = desk.site.hits("/a");
    let (kept, night) = desk.keep(SHOP, "shop", FIRST).await;
    assert_eq!((kept.state, night.run), (JobRunState::Done, Some(2)));
    assert!(desk.site.hits("/a") > hits);
}

#[tokio::test]
async fn a_ledger_of_another_format_is_refused_in_one_line() {
    let desk = Desk::new();
    desk.keep(SHOP, "shop", FIRST).await;
    let ledger = rusqlite::Connection::open(desk.root.path().join("service.sqlite")).unwrap();
    ledger.pragma_update(None, "user_version", 2).unwrap();
    let error = Ledger::open(desk.root.path()).unwrap_err().to_string();
    assert!(error.contains("format 2") && error.lines().count() == 1, "{error}");
}

#[tokio::test]
async fn a_night_stopped_before_its_start_was_tried_has_not_failed() {
    let desk = Desk::new();
    let plan = Arc::new(desk.plan(SHOP, "shop").unwrap());
    let runner = Keeping { plan, ledger: desk.ledger(), link: None, clock: Clock::real() };
    let stop = CancellationToken::new();
    stop.cancel();
    let kept = runner.keep(FIRST.parse().unwrap(), Arc::new(NoObserver), stop).await.unwrap();
    assert_eq!(kept.state, JobRunState::Unfinished, "{}", kept.why);
    let (kept, night) = desk.keep(SHOP, "shop", FIRST).await;
    assert_eq!((kept.state, night.run), (JobRunState::Done, Some(1)), "it goes on");
}

/// Secrets are not kept in the record: the run cannot go on without one, and would stand in the way of each night.
#[tokio::test]
async fn a_run_that_began_with_a_secret_that_is_no_more_is_let_go() {
    let desk = Desk::new();
    let secret = format!("{SHOP}[job.shop.fetch]\nauth = \"user:pass\"\n");
    let plan = Arc::new(desk.plan(&secret, "shop").unwrap());
    let runner = Keeping { plan, ledger: desk.ledger(), link: None, clock: Clock::real() };
    let stop = CancellationToken::new();
    stop.cancel();
    let kept = runner.keep(FIRST.parse().unwrap(), Arc::new(NoObserver), stop).await.unwrap();
    assert_eq!(kept.state, JobRunState::Unfinished, "{}", kept.why);
    let (kept, night) = desk.keep(SHOP, "shop", SECOND).await;
    assert_eq!((kept.state, night.run), (JobRunState::Done, Some(2)), "{}", kept.why);
}

#[tokio::test]
async fn what_a_budget_left_out_is_not_called_fixed() {
    let desk = Desk::new();
    desk.site.page("/b", "<title>B</title><a href=/gone>gone</a>");
    desk.keep(SHOP, "shop", FIRST).await;
    let few = format!("{SHOP}[job.shop.crawl]\nmax-urls = 2\n");
    let (_, night) = desk.keep(&few, "shop", SECOND).await;
    assert_eq!(night.counts.fixed, 0, "{:?}", night.counts);
}

#[tokio::test]
async fn a_record_that_was_being_made_at_a_kill_is_made_by_the_next_night() {
    let desk = Desk::new();
    let folder = desk.root.path().join("shop");
    std::fs::create_dir(&folder).unwrap();
    let begun = rusqlite::Connection::open(folder.join("record.sqlite")).unwrap();
    begun.pragma_update(None, "journal_mode", "WAL").unwrap();
    drop(begun);
    let (kept, _) = desk.keep(SHOP, "shop", FIRST).await;
    assert_eq!(kept.state, JobRunState::Done, "{}", kept.why);
}
