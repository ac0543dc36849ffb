use super::*;
use crate::contract::{RobotsAnswer, Settlement};
use mapwright_model::{Tries, UrlId};
use mapwright_web::{PageUrl, UrlIdentity};

/// Returns the number of robots files and of pages requested of `hosts` hosts with one page each, with a budget of
/// pages; `refused` of the hosts disallow everything.
fn requested_hosts(hosts: u64, budget: u64, refused: u64) -> (u64, u64) {
    let mut scheduler = Scheduler::new(Rules { max_urls: Some(budget), ..Rules::default() });
    let page = |seq| Task { purpose: Purpose::Page, lane: Lane::Link, ..check(seq) };
    (1..=hosts).for_each(|seq| scheduler.push(page(seq)));
    scheduler.open();
    let (mut now, mut robots, mut pages) = (Duration::ZERO, 0, 0);
    let signal = ResponseSignal { first_byte: Some(Duration::from_millis(20)), ..ResponseSignal::default() };
    loop {
        match scheduler.lease(now, 16) {
            Lease::Orders(orders) => {
                for order in orders {
                    let (task, settlement) = match order {
                        Order::Fetch(task) if task.purpose == Purpose::Robots => {
                            robots += 1;
                            let shut = robots <= refused;
                            let answer = if shut { RobotsAnswer::Status(503) } else { RobotsAnswer::Free };
                            (task, Settlement::Robots(answer))
                        }
                        Order::Fetch(task) => {
                            pages += 1;
                            (task, Settlement::Done)
                        }
                        Order::Refuse(task, _) => {
                            scheduler.settle(now, task, Settlement::Done);
                            continue;
                        }
                        other => panic!("{other:?}"),
                    };
                    scheduler.ended(now, &task, &signal);
                    scheduler.settle(now, task, settlement);
                }
            }
            Lease::Idle { until, .. } => now = until.unwrap(),
            Lease::Drained => return (robots, pages),
        }
    }
}

#[test]
fn no_robots_file_is_requested_of_hosts_outside_the_budget() {
    assert_eq!(requested_hosts(500, 60, 0), (60, 60));
    assert_eq!(requested_hosts(500, 60, 20), (80, 60), "what is refused is no page of the budget");
    assert_eq!(requested_hosts(40, 60, 0), (40, 40));
}

/// A check of a page of site number `seq`.
fn check(seq: u64) -> Task {
    let url = PageUrl::parse(&format!("http://x{seq}.example/"), &UrlIdentity::default()).unwrap();
    Task::new(seq, UrlId(seq as u32), url, Purpose::External, Lane::Check)
}

#[test]
fn each_of_many_origins_is_polled_about_as_often_as_it_has_work() {
    const SITES: u64 = 2_000;
    for rules in [Rules { by_depth: true, ..Rules::default() }, Rules { max_urls: Some(10), ..Rules::default() }] {
        let mut scheduler = Scheduler::new(rules);
        (1..=SITES).for_each(|seq| scheduler.push(check(seq)));
        scheduler.open();
        let (mut now, mut done) = (Duration::ZERO, 0);
        let signal = ResponseSignal { first_byte: Some(Duration::from_millis(20)), ..ResponseSignal::default() };
        loop {
            match scheduler.lease(now, 16) {
                Lease::Orders(orders) => {
                    for order in orders {
                        let Order::Fetch(task) = order else { panic!("{order:?}") };
                        scheduler.ended(now, &task, &signal);
                        scheduler.settle(now, task, Settlement::Done);
                        done += 1;
                    }
                }
                Lease::Idle { until, .. } => now = until.unwrap(),
                Lease::Drained => break,
            }
        }
        assert_eq!(done, SITES);
        assert!(scheduler.tickets <= 4 * SITES, "requested {} times", scheduler.tickets);
    }
}

#[test]
fn an_origin_that_throttles_the_requests_of_pages_is_left_alone() {
    let mut scheduler = Scheduler::new(Rules::default());
    let (origin, now) = (check(1).url.origin(), Duration::from_secs(1));
    let wait = Duration::from_secs(30);
    let signal = ResponseSignal {
        first_byte: Some(Duration::from_millis(20)),
        throttled: true,
        rejected: true,
        retry_after: Some(wait),
        ..ResponseSignal::default()
    };
    for is_guest in [true, false] {
        if !is_guest {
            scheduler.push(check(1));
        }
        assert_eq!(scheduler.turn(now, &origin, None), now, "guest: {is_guest}");
        (0..2).for_each(|_| scheduler.throttled(now, &origin, &signal));
        assert!(scheduler.turn(now, &origin, None) >= now + wait, "guest: {is_guest}");
    }
}

/// A page that is requested again for its scripts was counted before.
#[test]
fn a_page_that_is_requested_again_for_its_scripts_is_beyond_the_budget() {
    let mut scheduler = Scheduler::new(Rules { max_urls: Some(1), ..Rules::default() });
    let tries = Tries { for_scripts: true, ..Tries::default() };
    let url = |seq| Task { url: check(1).url, url_id: Some(UrlId(1)), purpose: Purpose::Page, ..check(seq) };
    scheduler.push(Task { lane: Lane::Link, ..url(1) });
    scheduler.open();
    let mut fetched = Vec::new();
    let signal = ResponseSignal { first_byte: Some(Duration::from_millis(20)), ..ResponseSignal::default() };
    for round in [1, 2] {
        while let Lease::Orders(orders) = scheduler.lease(Duration::ZERO, 16) {
            for order in orders {
                let Order::Fetch(task) = order else { panic!("{order:?}") };
                let is_robots = task.purpose == Purpose::Robots;
                let settlement = if is_robots { Settlement::Robots(RobotsAnswer::Free) } else { Settlement::Done };
                fetched.extend((!is_robots).then_some(round));
                scheduler.ended(Duration::ZERO, &task, &signal);
                scheduler.settle(Duration::ZERO, task, settlement);
            }
        }
        if round == 1 {
            scheduler.push(Task { lane: Lane::Check, tries, ..url(2) });
        }
    }
    assert_eq!((fetched, scheduler.queue_state().pages), (vec![1, 2], 1));
}
