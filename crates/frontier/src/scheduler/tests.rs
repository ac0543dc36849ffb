use super::*;
use crate::contract::{RobotsAnswer, Settlement};
use mapwright_model::UrlId;
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
