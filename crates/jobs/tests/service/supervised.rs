//! The service as a whole, by the real clock.

use crate::desk::Desk;
use crate::hook::Hook;
use jiff::Timestamp;
use mapwright_jobs::service::{Clock, Denied, JobStanding, Nightly, Orders, Phase, Service};
use mapwright_testkit::{Gate, Response};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const JOBS: &str = r#"
[serve]
max-jobs = 1

[job.one]
url = ["{site}/"]
cron = "0 2 * * *"

[job.two]
url = ["{site}/a"]
cron = "0 3 * * *"

[job.hand]
url = ["{site}/b"]
"#;

/// A service that runs until it is dropped.
struct Running {
    service: Nightly,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Running {
    fn new(desk: &Desk, file: &str) -> Self {
        Self::by(desk, file, Clock::real())
    }

    fn by(desk: &Desk, file: &str, clock: Clock) -> Self {
        let orders = desk.orders(file).unwrap_or_else(|error| panic!("{error}"));
        let service = Nightly::new(orders, desk.ledger(), clock).unwrap();
        let stop = CancellationToken::new();
        let (runs, token) = (service.clone(), stop.clone());
        let task = tokio::spawn(async move { runs.run(token).await.unwrap() });
        Self { service, stop, task }
    }

    async fn until(&self, what: &str, holds: impl Fn(&Nightly) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while !holds(&self.service) {
            assert!(Instant::now() < deadline, "{what} never held: {:?}", self.service.jobs());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn end(self) {
        self.stop.cancel();
        self.task.await.unwrap();
    }
}

fn outcome(service: &Nightly, job: &str) -> Option<String> {
    service.job(job).unwrap().newest.map(|night| night.outcome.to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_run_by_hand_one_after_the_other() {
    let desk = Desk::new();
    let running = Running::new(&desk, JOBS);
    let service = &running.service;
    for job in ["one", "two", "hand"] {
        service.start(job).unwrap();
    }
    running
        .until("all are done", |service| {
            let idle = service.jobs().iter().all(|job| job.standing == JobStanding::Idle);
            idle && ["one", "two", "hand"].iter().all(|job| outcome(service, job).as_deref() == Some("done"))
        })
        .await;
    assert!(desk.file("hand/sitemaps/sitemap.xml").contains(&desk.site.url("/b")));
    let views = service.jobs();
    assert_eq!(views.iter().map(|job| job.name.as_str()).collect::<Vec<_>>(), ["hand", "one", "two"]);
    assert_eq!(views[0].next, None);
    assert!(views[1].next.unwrap() > Timestamp::now());
    assert_eq!(service.start("three"), Err(Denied::Unknown));
    assert_eq!(service.stop("one"), Err(Denied::Idle));
    running.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_can_be_watched_and_stopped_and_goes_on() {
    let desk = Desk::new();
    let links: String = (0..200).map(|page| format!("<a href=/p{page}>{page}</a> ")).collect();
    desk.site.page("/", format!("<title>Home</title>{links}"));
    for page in 0..200 {
        desk.site.page(&format!("/p{page}"), format!("<title>{page}</title>"));
    }
    desk.site.latency(Duration::from_millis(50));
    let file = format!("[crawl]\nconcurrency = 2\n{JOBS}");
    let running = Running::new(&desk, &file);
    let service = &running.service;
    service.start("one").unwrap();
    running.until("it is under way", |service| service.live("one").is_some_and(|live| live.borrow().done > 10)).await;
    assert_eq!(service.job("one").unwrap().standing, JobStanding::Running);
    assert_eq!(service.start("one"), Err(Denied::Running));
    service.stop("one").unwrap();
    running.until("it has stopped", |service| outcome(service, "one").as_deref() == Some("unfinished")).await;
    running.until("nothing is live", |service| service.live("one").is_none()).await;
    desk.site.latency(Duration::ZERO);
    service.start("one").unwrap();
    running.until("it is done", |service| outcome(service, "one").as_deref() == Some("done")).await;
    assert_eq!(desk.site.hits("/p0"), 1, "it went on where it was");
    running.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_another_process_is_at_work_on_is_left_to_it() {
    let desk = Desk::new();
    let alone = mapwright_jobs::service::alone(&desk.plan(JOBS, "one").unwrap()).unwrap();
    assert!(alone.is_some());
    let running = Running::new(&desk, JOBS);
    let service = &running.service;
    service.start("one").unwrap();
    running.until("it is skipped", |service| outcome(service, "one").as_deref() == Some("skipped")).await;
    running.until("it is idle", |service| service.job("one").unwrap().standing == JobStanding::Idle).await;
    assert_eq!(desk.site.hits("/"), 0);
    drop(alone);
    service.start("one").unwrap();
    running.until("it is done", |service| outcome(service, "one").as_deref() == Some("done")).await;
    running.end().await;
}

#[test]
fn a_run_of_a_job_stops_after_half_a_day_unless_it_says_otherwise() {
    let desk = Desk::new();
    let most = |file: &str| desk.plan(file, "one").unwrap().settings.crawl.max_time;
    assert_eq!(most(JOBS), Some(Duration::from_secs(12 * 3_600)));
    assert_eq!(most(&format!("[crawl]\nmax-time = \"3h\"\n{JOBS}")), Some(Duration::from_secs(3 * 3_600)));
}

/// A job that waits for a place longer than its period is told of, once, and who holds the places; and that it is over.
#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_waits_for_a_place_is_told_of_once_and_when_that_is_over() {
    let (desk, hook, gate) = (Desk::new(), Hook::open(), Gate::closed());
    desk.site.answer("/slow", Response::html("<title>Slow</title>").held_by(&gate));
    let jobs = "[serve]\nmax-jobs = 1\n[job.slow]\nurl = [\"{site}/slow\"]\n\
                [job.good]\nurl = [\"{site}/b\"]\ncron = \"* * * * *\"\n";
    let file = format!("{jobs}{}", hook.section());
    let running = Running::by(&desk, &file, Clock::fast("2026-11-01T02:00:30Z".parse().unwrap(), 60));
    let service = &running.service;
    service.start("slow").unwrap();
    running
        .until("it is shown", |service| {
            let waiting = service.job("good").unwrap().waiting;
            waiting.is_some_and(|it| it == "waiting for a place since 2026-11-01 02:01 UTC; slow holds it (--max-jobs)")
        })
        .await;
    let skipped = |service: &Nightly| {
        let nights = service.runs("good", None, 100).unwrap();
        nights.iter().filter(|night| night.outcome.to_string() == "skipped").count()
    };
    running.until("it is skipped twice", |service| skipped(service) >= 2).await;
    running.until("it is told", |_| hook.kinds() == ["missed"]).await;
    let told = hook.told()[0].to_string();
    assert!(
        told.contains("the run before waits for a place since 2026-11-01 02:0") && told.contains("slow holds it"),
        "{told}"
    );
    running.until("it is skipped again", |service| skipped(service) >= 3).await;
    assert_eq!(hook.kinds(), ["missed"], "once an incident");
    gate.open();
    running.until("it is over", |_| hook.kinds().last().is_some_and(|kind| kind == "recovered")).await;
    running.end().await;
}

/// A window that closes ends the run, though nothing can be written of it.
#[tokio::test(flavor = "multi_thread")]
async fn windows_close_during_an_outage_too() {
    let (desk, gate) = (Desk::new(), Gate::closed());
    desk.site.answer("/slow", Response::html("<title>Slow</title>").held_by(&gate));
    let file = "[job.slow]\nurl = [\"{site}/slow\"]\ncron = \"* * * * *\"\nwindow = \"02:00-03:00\"\n";
    let running = Running::by(&desk, file, Clock::fast("2026-11-01T02:00:30Z".parse().unwrap(), 600));
    let is = |standing| move |service: &Nightly| service.job("slow").unwrap().standing == standing;
    running.until("it runs", is(JobStanding::Running)).await;
    std::fs::remove_file(desk.root.path().join("service.sqlite")).unwrap();
    running.until("the outage is noticed", |service| service.outage().is_some()).await;
    running.until("it is stopped", |service| !is(JobStanding::Running)(service)).await;
    gate.open();
    running.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_ends_saves_what_runs_and_the_next_goes_on() {
    let desk = Desk::new();
    let links: String = (0..100).map(|page| format!("<a href=/p{page}>{page}</a> ")).collect();
    desk.site.page("/", format!("<title>Home</title>{links}"));
    (0..100).for_each(|page| {
        desk.site.page(&format!("/p{page}"), format!("<title>{page}</title>"));
    });
    desk.site.latency(Duration::from_millis(50));
    let file = format!("[crawl]\nconcurrency = 2\n{JOBS}");
    let running = Running::new(&desk, &file);
    running.service.start("one").unwrap();
    running.until("it is under way", |service| service.live("one").is_some_and(|live| live.borrow().done > 10)).await;
    running.end().await;
    desk.site.latency(Duration::ZERO);
    // While another process is at work on it, it is left to that, and not forgotten.
    let alone = mapwright_jobs::service::alone(&desk.plan(&file, "one").unwrap()).unwrap();
    let beside = Running::new(&desk, &file);
    let waits = |service: &Nightly| service.job("one").unwrap().standing == JobStanding::Waiting;
    beside
        .until("it waits", |service| waits(service) && service.figures().runs.iter().any(|night| night.0 == "one"))
        .await;
    assert_eq!(outcome(&beside.service, "one").as_deref(), Some("unfinished"));
    drop(alone);
    beside.end().await;
    let again = Running::new(&desk, &file);
    again.until("it went on", |service| outcome(service, "one").as_deref() == Some("done")).await;
    assert_eq!(desk.site.hits("/p0"), 1);
    again.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_job_stays_so_over_a_restart_and_new_orders_are_taken() {
    let desk = Desk::new();
    let running = Running::new(&desk, JOBS);
    running.service.pause("one", true).unwrap();
    assert_eq!(running.service.pause("none", true), Err(Denied::Unknown));
    running.end().await;
    let again = Running::new(&desk, JOBS);
    assert_eq!(again.service.job("one").unwrap().standing, JobStanding::Paused);
    again.service.pause("one", false).unwrap();
    assert_eq!(again.service.job("one").unwrap().standing, JobStanding::Idle);
    let fewer = JOBS.replace("[job.two]", "[job.three]");
    again.service.take(desk.orders(&fewer).unwrap()).unwrap();
    let names: Vec<String> = again.service.jobs().into_iter().map(|job| job.name).collect();
    assert_eq!(names, ["hand", "one", "three"]);
    again.service.refuse("the file is faulty".to_owned());
    assert_eq!(again.service.figures().fault.as_deref(), Some("the file is faulty"));
    again.end().await;
}

/// A clock that shows this at the start, and goes no faster than others.
fn at(instant: &str) -> Clock {
    Clock::fast(instant.parse().unwrap(), 1)
}

#[tokio::test(flavor = "multi_thread")]
async fn nights_that_passed_while_the_service_was_down_are_told_once_and_made_up_for() {
    let (desk, hook) = (Desk::new(), Hook::open());
    let file = format!("{JOBS}{}", hook.section());
    Running::by(&desk, &file, at("2026-11-01T12:00:00Z")).end().await;
    let again = Running::by(&desk, &file, at("2026-11-05T12:00:00Z"));
    again
        .until("both are made up for", |service| {
            ["one", "two"].iter().all(|job| outcome(service, job).as_deref() == Some("done"))
        })
        .await;
    again.until("it is told", |_| hook.told().len() >= 4).await;
    let one = again.service.runs("one", None, 10).unwrap();
    assert_eq!(
        one.iter().map(|night| night.outcome.as_str()).collect::<Vec<_>>(),
        ["done", "missed", "missed", "missed"]
    );
    again.end().await;
    let of_one = hook.told().into_iter().filter(|told| told["job"] == "one").collect::<Vec<_>>();
    let kinds: Vec<&str> = of_one.iter().map(|told| told["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["missed", "recovered"], "{of_one:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_was_taken_out_and_comes_back_begins_anew() {
    let desk = Desk::new();
    Running::by(&desk, JOBS, at("2026-11-01T12:00:00Z")).end().await;
    let without = JOBS.replace("[job.two]", "[job.three]");
    Running::by(&desk, &without, at("2026-11-01T12:01:00Z")).end().await;
    let back = Running::by(&desk, JOBS, at("2026-11-05T12:00:00Z"));
    back.until("the other is made up for", |service| outcome(service, "one").as_deref() == Some("done")).await;
    assert_eq!(back.service.runs("two", None, 10).unwrap(), [], "it was not there to be due");
    assert_eq!(back.service.job("two").unwrap().standing, JobStanding::Idle);
    back.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_follows_the_crawl_can_be_watched_too() {
    let desk = Desk::new();
    let (hook, go) = (desk.root.path().join("hook"), desk.root.path().join("go"));
    std::fs::write(&hook, format!("#!/bin/sh\ncat >/dev/null\nwhile ! test -e {}; do sleep 0.1; done\n", go.display()))
        .unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let file = format!("{JOBS}[job.hand.publish]\nmirror = [\"command:{{root}}/hook\"]\n");
    let running = Running::new(&desk, &file);
    running.service.start("hand").unwrap();
    running
        .until("it finishes", |service| {
            service.live("hand").is_some_and(|live| live.borrow().phase == Phase::Finishing)
        })
        .await;
    assert_eq!(running.service.job("hand").unwrap().standing, JobStanding::Running);
    running.service.pause("hand", true).unwrap();
    let view = running.service.job("hand").unwrap();
    assert!(view.paused && view.standing == JobStanding::Running);
    std::fs::write(&go, "").unwrap();
    running.until("it is done", |service| outcome(service, "hand").as_deref() == Some("done")).await;
    running.until("it is over", |service| service.live("hand").is_none()).await;
    running.end().await;
}

#[test]
fn a_service_without_a_job_is_refused() {
    let desk = Desk::new();
    let error = Orders::for_service(&desk.layers("[crawl]\n"), desk.root.path(), crate::desk::read).unwrap_err();
    assert!(error.to_string().contains("has no jobs"), "{error}");
}
