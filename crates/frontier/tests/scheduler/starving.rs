//! When a commit is urgent: where an origin could be requested, and its next tasks wait for the commit.

use crate::fixture::{Fixture, SECOND, good, page};
use mapwright_frontier::{Lease, Order, PaceRules, Rules, Settlement};
use mapwright_model::{Lane, Task};

/// Leases all that may be requested now. Returns the tasks, and whether the crawl starves.
fn lease_all(fixture: &mut Fixture) -> (Vec<Task>, bool) {
    let mut leased = Vec::new();
    let fetched = |order| match order {
        Order::Fetch(task) => task,
        other => panic!("{other:?}"),
    };
    loop {
        match fixture.scheduler.lease(fixture.now, 64) {
            Lease::Orders(orders) => leased.extend(orders.into_iter().map(fetched)),
            Lease::Idle { starved, .. } => return (leased, starved),
            Lease::Drained => panic!("drained while tasks are unsettled"),
        }
    }
}

#[test]
fn an_origin_at_its_limit_does_not_starve() {
    let mut fixture = Fixture::open(Rules::default(), (1..=10).map(|seq| page(seq, Lane::Link)));
    let (leased, starved) = lease_all(&mut fixture);
    assert!((1..10).contains(&leased.len()), "the limit is below the number of tasks: {}", leased.len());
    assert!(!starved, "the other tasks need no commit");
}

#[test]
fn an_origin_without_tasks_starves_until_its_visits_are_committed() {
    let mut fixture = Fixture::open(Rules::default(), [page(1, Lane::Link)]);
    let (leased, starved) = lease_all(&mut fixture);
    assert_eq!((leased.len(), starved), (1, true), "there is room for what the page links");
    let task = leased.into_iter().next().unwrap();
    fixture.scheduler.ended(fixture.now, &task, &good());
    assert!(matches!(fixture.scheduler.lease(fixture.now, 64), Lease::Idle { starved: true, .. }));
    fixture.scheduler.settle(fixture.now, task, Settlement::Done);
    assert!(matches!(fixture.scheduler.lease(fixture.now, 64), Lease::Drained));
}

#[test]
fn an_origin_whose_interval_has_not_passed_does_not_starve() {
    let pace = PaceRules { interval: SECOND, ..PaceRules::default() };
    let mut fixture = Fixture::open(Rules { pace, ..Rules::default() }, (1..=2).map(|seq| page(seq, Lane::Link)));
    let (leased, starved) = lease_all(&mut fixture);
    assert_eq!((leased.len(), starved), (0, false), "robots.txt was just requested");
    fixture.now += SECOND;
    let (leased, starved) = lease_all(&mut fixture);
    assert_eq!((leased.len(), starved), (1, false));
}
