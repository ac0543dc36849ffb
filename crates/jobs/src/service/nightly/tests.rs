use super::super::ledger::Outcome;
use super::super::view::JobRunCounts;
use super::*;
use mapwright_schedule::{CatchUp, Overlap, Rule, Timetable};

#[tokio::test]
async fn a_job_that_is_removed_before_it_begins_keeps_no_place() {
    let root = tempfile::TempDir::new().unwrap();
    let orders = Orders { plans: Vec::new(), max_jobs: 1, drain: Duration::ZERO, link: None };
    let service = Nightly::new(orders, Arc::new(Ledger::open(root.path()).unwrap()), Clock::real()).unwrap();
    let rule = Rule {
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
    assert!(service.state().agenda.standing("shop").is_none_or(|standing| standing.unfinished().is_none()));
}

#[tokio::test]
async fn what_is_due_during_an_outage_does_not_keep_the_service_awake() {
    let root = tempfile::TempDir::new().unwrap();
    let orders = Orders { plans: Vec::new(), max_jobs: 1, drain: Duration::ZERO, link: None };
    let service = Nightly::new(orders, Arc::new(Ledger::open(root.path()).unwrap()), Clock::real()).unwrap();
    let (overlap, catch_up) = (Overlap::Skip, CatchUp::None);
    let rule = Rule { cron: None, zone: "UTC", window: None, jitter: Duration::ZERO, overlap, catch_up };
    let now = service.now();
    service.state().agenda.set("shop", Timetable::new(&rule, "shop").unwrap(), None, now);
    service.state().agenda.start_now("shop", now).unwrap();
    assert_eq!(service.nap(), Duration::ZERO);
    std::fs::remove_file(root.path().join("service.sqlite")).unwrap();
    assert!(!service.check_database());
    assert_eq!(service.nap(), NAP);
}

#[tokio::test]
async fn a_night_that_panics_is_over_and_leaves_its_place_to_others() {
    let root = tempfile::TempDir::new().unwrap();
    let orders = Orders { plans: Vec::new(), max_jobs: 1, drain: Duration::ZERO, link: None };
    let service = Nightly::new(orders, Arc::new(Ledger::open(root.path()).unwrap()), Clock::real()).unwrap();
    let mut nights: JoinSet<Night> = JoinSet::new();
    let task = nights.spawn(async { panic!("a fault of ours") });
    let (_, live) = Watcher::new();
    let running = Running { stop: CancellationToken::new(), task: task.id(), live };
    service.state().running.insert("shop".to_owned(), running);
    service.joined(nights.join_next().await.unwrap());
    assert!(service.state().running.is_empty());
    let failed = ("shop".to_owned(), JobRunState::Failed);
    assert_eq!(service.state().nights.get(&failed), Some(&1));
}

/// A clock that was ahead is set back: the same nights come again, and are told as others.
#[test]
fn a_night_that_is_lived_again_is_another() {
    let root = tempfile::TempDir::new().unwrap();
    let ledger = Ledger::open(root.path()).unwrap();
    let due: Timestamp = "2026-11-03T02:00:00Z".parse().unwrap();
    let end = |number: i64, state: JobRunState| {
        let (why, counts) = (String::new(), JobRunCounts::default());
        let told = Told { message: None, channels: Vec::new(), trouble: Trouble::AsBefore };
        ledger.settle(number, &Outcome { state, why, run: None, counts, advice: None }, &told, due).unwrap();
    };
    assert_eq!(ledger.name_of("shop", due, false).unwrap(), due);
    let first = ledger.begin("shop", due, due).unwrap();
    end(first, JobRunState::Unfinished);
    assert_eq!(ledger.name_of("shop", due, true).unwrap(), due, "it goes on");
    end(first, JobRunState::Done);
    assert_eq!(ledger.name_of("shop", due, true).unwrap(), due, "it was killed before that was noted");
    let again = ledger.name_of("shop", due, false).unwrap();
    assert_eq!(again.as_millisecond(), due.as_millisecond() + 1);
    let second = ledger.begin("shop", again, due).unwrap();
    assert_ne!(first, second);
    assert_eq!(ledger.name_of("shop", due, true).unwrap(), again, "the second one goes on");
}

#[test]
fn a_ledger_that_was_removed_is_not_there_though_it_can_be_read() {
    let root = tempfile::TempDir::new().unwrap();
    let ledger = Ledger::open(root.path()).unwrap();
    assert_eq!(ledger.letter_counts().unwrap(), (0, 0));
    std::fs::remove_file(root.path().join("service.sqlite")).unwrap();
    assert!(ledger.letter_counts().is_err());
    drop(Ledger::open(root.path()).unwrap());
    assert!(ledger.letter_counts().is_err(), "another stands in its place");
}
