use super::*;
use crate::task::UrlId;
use mapwright_web::{Identity, PageUrl};

/// A check of a page of the site number `seq`.
fn check(seq: u64) -> Task {
    let url = PageUrl::parse(&format!("http://x{seq}.example/"), &Identity::default()).unwrap();
    Task::new(seq, UrlId(seq as u32), url, Purpose::External, Lane::Check)
}

#[test]
fn many_origins_are_each_asked_about_as_often_as_they_have_something_to_offer() {
    const SITES: u64 = 2_000;
    for rules in [Rules { by_depth: true, ..Rules::default() }, Rules { max_urls: Some(10), ..Rules::default() }] {
        let mut scheduler = Scheduler::new(rules);
        (1..=SITES).for_each(|seq| scheduler.push(check(seq)));
        scheduler.open();
        let (mut now, mut done) = (Duration::ZERO, 0);
        let weather = Weather { first_byte: Some(Duration::from_millis(20)), ..Weather::default() };
        loop {
            match scheduler.lease(now, 16) {
                Lease::Orders(orders) => {
                    for order in orders {
                        let Order::Fetch(task) = order else { panic!("{order:?}") };
                        scheduler.ended(now, &task, &weather);
                        scheduler.settle(now, task, Settlement::Done);
                        done += 1;
                    }
                }
                Lease::Idle(until) => now = until.unwrap(),
                Lease::Drained => break,
            }
        }
        assert_eq!(done, SITES);
        assert!(scheduler.tickets <= 4 * SITES, "asked {} times", scheduler.tickets);
    }
}
