use super::*;
use crate::clock::Clock;
use crate::job_run::JobRunCounts;
use crate::job_store::{JobStore, StoredOutcome};
use crate::service::{ServiceConfig, State};
use mapwright_schedule::{CatchUp, Overlap, ScheduleRule, SkipReason, Timetable};

#[tokio::test]
async fn a_job_that_is_removed_before_it_begins_holds_no_slot() {
    let root = tempfile::TempDir::new().unwrap();
    let config = ServiceConfig { jobs: Vec::new(), max_jobs: 1, drain: Duration::ZERO, link: None };
    let service = Service::new(config, Arc::new(JobStore::open(root.path()).unwrap()), Clock::real()).unwrap();
    let rule = ScheduleRule {
        cron: None,
        zone: "UTC",
        window: None,
        jitter: Duration::ZERO,
        overlap: Overlap::Skip,
        catch_up: CatchUp::None,
    };
    let now = service.now();
    {
        let mut state = service.state();
        state.agenda.set("shop", Timetable::new(&rule, "shop").unwrap(), None, now);
        state.agenda.start_now("shop", now).unwrap();
        assert!(matches!(state.agenda.at(now)[..], [Decision::Start { .. }]));
    }
    service.begin("shop", now, false, &mut JoinSet::new());
    assert!(
        service
            .state()
            .agenda
            .schedule_state("shop")
            .is_none_or(|schedule_state| schedule_state.unfinished().is_none())
    );
}

/// A due time that passes while a job waits for a slot is decided together with the start of that job's run, which
/// then holds the slot itself.
#[test]
fn a_run_that_is_not_started_does_not_name_its_own_job_as_the_holder_of_a_slot() {
    let root = tempfile::TempDir::new().unwrap();
    let config = ServiceConfig { jobs: Vec::new(), max_jobs: 1, drain: Duration::ZERO, link: None };
    let service = Service::new(config, Arc::new(JobStore::open(root.path()).unwrap()), Clock::real()).unwrap();
    let (overlap, catch_up) = (Overlap::Skip, CatchUp::None);
    let rule = ScheduleRule { cron: None, zone: "UTC", window: None, jitter: Duration::ZERO, overlap, catch_up };
    let now: Timestamp = "2026-11-03T02:00:00Z".parse().unwrap();
    let mut state = service.state();
    for job in ["blog", "news", "shop"] {
        state.agenda.set(job, Timetable::new(&rule, job).unwrap(), None, now);
        state.agenda.start_now(job, now).unwrap();
    }
    state.agenda.at(now);
    let reason = |state: &State| slot_messages::reason_not_started(SkipReason::NoSlot, "shop", state);
    let waits = "the previous run waits for a slot since 2026-11-03 02:00 UTC; ";
    assert_eq!(state.agenda.holders(), ["blog"]);
    assert_eq!(reason(&state), format!("{waits}blog holds it (--max-jobs)"));
    state.agenda.set_max_slots(3);
    state.agenda.at(now);
    assert_eq!(state.agenda.holders(), ["blog", "news", "shop"]);
    assert_eq!(reason(&state), format!("{waits}blog and news hold them (--max-jobs)"));
    state.agenda.ended("blog", RunEnd::Done, now);
    state.agenda.ended("news", RunEnd::Done, now);
    assert_eq!(state.agenda.holders(), ["shop"]);
    assert_eq!(reason(&state), SkipReason::NoSlot.as_str());
}

#[tokio::test]
async fn what_is_due_during_an_outage_does_not_keep_the_service_awake() {
    let root = tempfile::TempDir::new().unwrap();
    let config = ServiceConfig { jobs: Vec::new(), max_jobs: 1, drain: Duration::ZERO, link: None };
    let service = Service::new(config, Arc::new(JobStore::open(root.path()).unwrap()), Clock::real()).unwrap();
    let (overlap, catch_up) = (Overlap::Skip, CatchUp::None);
    let rule = ScheduleRule { cron: None, zone: "UTC", window: None, jitter: Duration::ZERO, overlap, catch_up };
    let now = service.now();
    service.state().agenda.set("shop", Timetable::new(&rule, "shop").unwrap(), None, now);
    service.state().agenda.start_now("shop", now).unwrap();
    assert_eq!(service.nap(), Duration::ZERO);
    std::fs::remove_file(root.path().join("service.sqlite")).unwrap();
    assert!(!service.check_database());
    assert_eq!(service.nap(), NAP);
}

#[tokio::test]
async fn a_run_that_panics_ends_and_frees_its_slot() {
    let root = tempfile::TempDir::new().unwrap();
    let config = ServiceConfig { jobs: Vec::new(), max_jobs: 1, drain: Duration::ZERO, link: None };
    let service = Service::new(config, Arc::new(JobStore::open(root.path()).unwrap()), Clock::real()).unwrap();
    let mut runs: JoinSet<FinishedTask> = JoinSet::new();
    let task = runs.spawn(async { panic!("a fault of ours") });
    let (_, live) = Watcher::new();
    let running = Running { stop: CancellationToken::new(), task: task.id(), live };
    service.state().running.insert("shop".to_owned(), running);
    service.joined(runs.join_next().await.unwrap());
    assert!(service.state().running.is_empty());
    let failed = ("shop".to_owned(), JobRunState::Failed);
    assert_eq!(service.state().runs.get(&failed), Some(&1));
}

/// If a clock that was ahead is set back, the same due instants come again, and their runs are stored as new ones.
#[test]
fn a_run_that_is_due_again_after_the_clock_was_set_back_is_another() {
    let root = tempfile::TempDir::new().unwrap();
    let job_store = JobStore::open(root.path()).unwrap();
    let due: Timestamp = "2026-11-03T02:00:00Z".parse().unwrap();
    let end = |number: i64, state: JobRunState| {
        let (reason, counts) = (String::new(), JobRunCounts::default());
        let notice = RunNotification { message: None, channels: Vec::new(), incident: IncidentChange::Ongoing };
        job_store
            .settle(number, &StoredOutcome { state, reason, record_run: None, counts, hints: None }, &notice, due)
            .unwrap();
    };
    let (first, second) = (RunKey::first(due), RunKey { scheduled_for: due, occurrence: 1 });
    let key_of = |resumes: bool| job_store.key_of("shop", due, resumes).unwrap();
    assert_eq!(key_of(false), first);
    let number = job_store.begin("shop", first, due).unwrap();
    end(number, JobRunState::Unfinished);
    assert_eq!(key_of(true), first, "it is resumed");
    end(number, JobRunState::Done);
    assert_eq!(key_of(true), first, "the process was killed before the schedule was stored");
    assert_eq!(key_of(false), second);
    assert_ne!(job_store.begin("shop", second, due).unwrap(), number);
    assert_eq!(key_of(true), second, "the second one is resumed");
}

#[test]
fn a_job_store_whose_file_was_removed_is_reported_though_it_can_be_read() {
    let root = tempfile::TempDir::new().unwrap();
    let job_store = JobStore::open(root.path()).unwrap();
    assert_eq!(job_store.notification_counts().unwrap(), (0, 0));
    std::fs::remove_file(root.path().join("service.sqlite")).unwrap();
    assert!(job_store.notification_counts().is_err());
    drop(JobStore::open(root.path()).unwrap());
    assert!(job_store.notification_counts().is_err(), "another stands in its place");
}
