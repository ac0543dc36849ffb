//! The service with its loop, by the real clock or one that starts at a given instant.

use crate::fixture::Fixture;
use crate::hook::Hook;
use jiff::Timestamp;
use mapwright_service::{Clock, Denied, JobControl, JobState, Phase, Service, ServiceConfig};
use mapwright_testkit::{Response, ResponseGate};
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
    service: Service,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Running {
    fn new(fixture: &Fixture, file: &str) -> Self {
        Self::by(fixture, file, Clock::real())
    }

    fn by(fixture: &Fixture, file: &str, clock: Clock) -> Self {
        let config = fixture.config(file).unwrap_or_else(|error| panic!("{error}"));
        let service = Service::new(config, fixture.job_store(), clock).unwrap();
        let stop = CancellationToken::new();
        let (runs, token) = (service.clone(), stop.clone());
        let task = tokio::spawn(async move { runs.run(token).await.unwrap() });
        Self { service, stop, task }
    }

    async fn until(&self, what: &str, holds: impl Fn(&Service) -> bool) {
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

fn outcome(service: &Service, job: &str) -> Option<String> {
    service.job(job).unwrap().newest.map(|job_run| job_run.state.to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_run_by_hand_one_after_the_other() {
    let fixture = Fixture::new();
    let running = Running::new(&fixture, JOBS);
    let service = &running.service;
    for job in ["one", "two", "hand"] {
        service.start(job).unwrap();
    }
    running
        .until("all are done", |service| {
            let idle = service.jobs().iter().all(|job| job.state == JobState::Idle);
            idle && ["one", "two", "hand"].iter().all(|job| outcome(service, job).as_deref() == Some("done"))
        })
        .await;
    assert!(fixture.file("hand/sitemaps/sitemap.xml").contains(&fixture.site.url("/b")));
    let views = service.jobs();
    assert_eq!(views.iter().map(|job| job.name.as_str()).collect::<Vec<_>>(), ["hand", "one", "two"]);
    assert_eq!(views[0].next, None);
    assert!(views[1].next.unwrap() > Timestamp::now());
    assert_eq!(service.start("three"), Err(Denied::Unknown));
    assert_eq!(service.stop("one"), Err(Denied::Idle));
    running.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_can_be_watched_stopped_and_resumed() {
    let fixture = Fixture::new();
    let links: String = (0..200).map(|page| format!("<a href=/p{page}>{page}</a> ")).collect();
    fixture.site.page("/", format!("<title>Home</title>{links}"));
    for page in 0..200 {
        fixture.site.page(&format!("/p{page}"), format!("<title>{page}</title>"));
    }
    fixture.site.latency(Duration::from_millis(50));
    let file = format!("[crawl]\nconcurrency = 2\n{JOBS}");
    let running = Running::new(&fixture, &file);
    let service = &running.service;
    service.start("one").unwrap();
    running.until("it is under way", |service| service.live("one").is_some_and(|live| live.borrow().done > 10)).await;
    assert_eq!(service.job("one").unwrap().state, JobState::Running);
    assert_eq!(service.start("one"), Err(Denied::Running));
    service.stop("one").unwrap();
    running.until("it has stopped", |service| outcome(service, "one").as_deref() == Some("unfinished")).await;
    running.until("nothing is live", |service| service.live("one").is_none()).await;
    fixture.site.latency(Duration::ZERO);
    service.start("one").unwrap();
    running.until("it is done", |service| outcome(service, "one").as_deref() == Some("done")).await;
    assert_eq!(fixture.site.hits("/p0"), 1, "it went on where it was");
    running.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_another_process_is_running_is_skipped() {
    let fixture = Fixture::new();
    let held = mapwright_service::lock_job(&fixture.job(JOBS, "one").unwrap()).unwrap();
    assert!(held.is_some());
    let running = Running::new(&fixture, JOBS);
    let service = &running.service;
    service.start("one").unwrap();
    running.until("it is skipped", |service| outcome(service, "one").as_deref() == Some("skipped")).await;
    running.until("it is idle", |service| service.job("one").unwrap().state == JobState::Idle).await;
    assert_eq!(fixture.site.hits("/"), 0);
    drop(held);
    service.start("one").unwrap();
    running.until("it is done", |service| outcome(service, "one").as_deref() == Some("done")).await;
    running.end().await;
}

#[test]
fn a_run_of_a_job_stops_after_half_a_day_unless_it_says_otherwise() {
    let fixture = Fixture::new();
    let most = |file: &str| fixture.job(file, "one").unwrap().settings.crawl.max_time;
    assert_eq!(most(JOBS), Some(Duration::from_secs(12 * 3_600)));
    assert_eq!(most(&format!("[crawl]\nmax-time = \"3h\"\n{JOBS}")), Some(Duration::from_secs(3 * 3_600)));
}

/// A job that waits for a slot longer than its period is reported once, with the holders of the slots, and again when
/// the incident is resolved.
#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_waits_for_a_slot_is_reported_once_and_when_that_is_resolved() {
    let (fixture, hook, gate) = (Fixture::new(), Hook::open(), ResponseGate::closed());
    fixture.site.answer("/slow", Response::html("<title>Slow</title>").held_by(&gate));
    let jobs = "[serve]\nmax-jobs = 1\n[job.slow]\nurl = [\"{site}/slow\"]\n\
                [job.good]\nurl = [\"{site}/b\"]\ncron = \"* * * * *\"\n";
    let file = format!("{jobs}{}", hook.section());
    let running = Running::by(&fixture, &file, Clock::fast("2026-11-01T02:00:30Z".parse().unwrap(), 60));
    let service = &running.service;
    service.start("slow").unwrap();
    running
        .until("it is shown", |service| {
            let waiting = service.job("good").unwrap().waiting;
            waiting.is_some_and(|it| it == "waiting for a slot since 2026-11-01 02:01 UTC; slow holds it (--max-jobs)")
        })
        .await;
    let skipped = |service: &Service| {
        let runs = service.runs("good", None, 100).unwrap();
        runs.iter().filter(|job_run| job_run.state.to_string() == "skipped").count()
    };
    running.until("it is skipped twice", |service| skipped(service) >= 2).await;
    running.until("it is reported", |_| hook.kinds() == ["missed"]).await;
    let received = hook.received()[0].to_string();
    assert!(
        received.contains("the previous run waits for a slot since 2026-11-01 02:0")
            && received.contains("slow holds it"),
        "{received}"
    );
    running.until("it is skipped again", |service| skipped(service) >= 3).await;
    assert_eq!(hook.kinds(), ["missed"], "once an incident");
    gate.open();
    running.until("it is over", |_| hook.kinds().last().is_some_and(|kind| kind == "recovered")).await;
    running.end().await;
}

/// The end of a window stops the run, even if its state cannot be stored.
#[tokio::test(flavor = "multi_thread")]
async fn windows_close_during_an_outage_too() {
    let (fixture, gate) = (Fixture::new(), ResponseGate::closed());
    fixture.site.answer("/slow", Response::html("<title>Slow</title>").held_by(&gate));
    let file = "[job.slow]\nurl = [\"{site}/slow\"]\ncron = \"* * * * *\"\nwindow = \"02:00-03:00\"\n";
    let running = Running::by(&fixture, file, Clock::fast("2026-11-01T02:00:30Z".parse().unwrap(), 600));
    let is = |schedule_state| move |service: &Service| service.job("slow").unwrap().state == schedule_state;
    running.until("it runs", is(JobState::Running)).await;
    std::fs::remove_file(fixture.root.path().join("service.sqlite")).unwrap();
    running.until("the outage is noticed", |service| service.outage().is_some()).await;
    running.until("it is stopped", |service| !is(JobState::Running)(service)).await;
    gate.open();
    running.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_ends_saves_what_runs_and_the_next_goes_on() {
    let fixture = Fixture::new();
    let links: String = (0..100).map(|page| format!("<a href=/p{page}>{page}</a> ")).collect();
    fixture.site.page("/", format!("<title>Home</title>{links}"));
    (0..100).for_each(|page| {
        fixture.site.page(&format!("/p{page}"), format!("<title>{page}</title>"));
    });
    fixture.site.latency(Duration::from_millis(50));
    let file = format!("[crawl]\nconcurrency = 2\n{JOBS}");
    let running = Running::new(&fixture, &file);
    running.service.start("one").unwrap();
    running.until("it is under way", |service| service.live("one").is_some_and(|live| live.borrow().done > 10)).await;
    running.end().await;
    fixture.site.latency(Duration::ZERO);
    // A run that another process is working on waits, and is not lost.
    let held = mapwright_service::lock_job(&fixture.job(&file, "one").unwrap()).unwrap();
    let beside = Running::new(&fixture, &file);
    let waits = |service: &Service| service.job("one").unwrap().state == JobState::Waiting;
    beside
        .until("it waits", |service| waits(service) && service.figures().runs.iter().any(|job_run| job_run.0 == "one"))
        .await;
    assert_eq!(outcome(&beside.service, "one").as_deref(), Some("unfinished"));
    drop(held);
    beside.end().await;
    let again = Running::new(&fixture, &file);
    again.until("it went on", |service| outcome(service, "one").as_deref() == Some("done")).await;
    assert_eq!(fixture.site.hits("/p0"), 1);
    again.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_job_stays_paused_over_a_restart_and_a_new_configuration_is_applied() {
    let fixture = Fixture::new();
    let running = Running::new(&fixture, JOBS);
    running.service.pause("one").unwrap();
    assert_eq!(running.service.pause("none"), Err(Denied::Unknown));
    running.end().await;
    let again = Running::new(&fixture, JOBS);
    assert_eq!(again.service.job("one").unwrap().state, JobState::Paused);
    again.service.resume("one").unwrap();
    assert_eq!(again.service.job("one").unwrap().state, JobState::Idle);
    let fewer = JOBS.replace("[job.two]", "[job.three]");
    again.service.reload(fixture.config(&fewer).unwrap()).unwrap();
    let names: Vec<String> = again.service.jobs().into_iter().map(|job| job.name).collect();
    assert_eq!(names, ["hand", "one", "three"]);
    again.service.reload_failed("the file is faulty".to_owned());
    assert_eq!(again.service.figures().fault.as_deref(), Some("the file is faulty"));
    again.end().await;
}

/// Returns a clock that shows this instant at the start, and runs at normal speed.
fn at(instant: &str) -> Clock {
    Clock::fast(instant.parse().unwrap(), 1)
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_missed_while_the_service_was_down_are_reported_once_and_caught_up() {
    let (fixture, hook) = (Fixture::new(), Hook::open());
    let file = format!("{JOBS}{}", hook.section());
    Running::by(&fixture, &file, at("2026-11-01T12:00:00Z")).end().await;
    let again = Running::by(&fixture, &file, at("2026-11-05T12:00:00Z"));
    again
        .until("both are made up for", |service| {
            ["one", "two"].iter().all(|job| outcome(service, job).as_deref() == Some("done"))
        })
        .await;
    again.until("it is reported", |_| hook.received().len() >= 4).await;
    let one = again.service.runs("one", None, 10).unwrap();
    assert_eq!(
        one.iter().map(|job_run| job_run.state.as_str()).collect::<Vec<_>>(),
        ["done", "missed", "missed", "missed"]
    );
    again.end().await;
    let of_one = hook.received().into_iter().filter(|received| received["job"] == "one").collect::<Vec<_>>();
    let kinds: Vec<&str> = of_one.iter().map(|received| received["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["missed", "recovered"], "{of_one:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_was_removed_and_is_added_again_starts_afresh() {
    let fixture = Fixture::new();
    Running::by(&fixture, JOBS, at("2026-11-01T12:00:00Z")).end().await;
    let without = JOBS.replace("[job.two]", "[job.three]");
    Running::by(&fixture, &without, at("2026-11-01T12:01:00Z")).end().await;
    let back = Running::by(&fixture, JOBS, at("2026-11-05T12:00:00Z"));
    back.until("the other is made up for", |service| outcome(service, "one").as_deref() == Some("done")).await;
    assert_eq!(back.service.runs("two", None, 10).unwrap(), [], "it was not there to be due");
    assert_eq!(back.service.job("two").unwrap().state, JobState::Idle);
    back.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_steps_after_the_crawl_can_be_watched_too() {
    let fixture = Fixture::new();
    let (hook, go) = (fixture.root.path().join("hook"), fixture.root.path().join("go"));
    std::fs::write(&hook, format!("#!/bin/sh\ncat >/dev/null\nwhile ! test -e {}; do sleep 0.1; done\n", go.display()))
        .unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let file = format!("{JOBS}[job.hand.publish]\nmirror = [\"command:{{root}}/hook\"]\n");
    let running = Running::new(&fixture, &file);
    running.service.start("hand").unwrap();
    running
        .until("it finishes", |service| {
            service.live("hand").is_some_and(|live| live.borrow().phase == Phase::Finishing)
        })
        .await;
    assert_eq!(running.service.job("hand").unwrap().state, JobState::Running);
    running.service.pause("hand").unwrap();
    let view = running.service.job("hand").unwrap();
    assert!(view.paused && view.state == JobState::Running);
    std::fs::write(&go, "").unwrap();
    running.until("it is done", |service| outcome(service, "hand").as_deref() == Some("done")).await;
    running.until("it is over", |service| service.live("hand").is_none()).await;
    running.end().await;
}

#[test]
fn a_service_without_a_job_is_refused() {
    let fixture = Fixture::new();
    let error = ServiceConfig::for_service(&fixture.layers("[crawl]\n"), fixture.root.path(), crate::fixture::read)
        .unwrap_err();
    assert!(error.to_string().contains("has no jobs"), "{error}");
}
