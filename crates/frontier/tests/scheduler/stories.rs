//! Schedules that once failed, or easily could.

use crate::fixture::{Fixture, SECOND, at_depth, good, page, seed, sitemap, waiting};
use crate::world::url;
use mapwright_frontier::{
    Backlog, Lease, Order, PaceRules, Refill, ResponseSignal, RetryCost, RobotsAnswer, Rules, Scheduler, Settlement,
};
use mapwright_model::{Lane, Purpose, Task};
use std::time::Duration;

#[test]
fn a_start_url_has_its_last_try_though_sitemaps_wait_for_the_scope_to_be_settled() {
    let mut fixture = Fixture::new(Rules::default());
    fixture.scheduler.push(seed());
    fixture.robots(RobotsAnswer::Free);
    fixture.scheduler.push(sitemap(2));
    for attempt in 0..=2 {
        let task = fixture.next().expect("a start URL has three tries");
        assert_eq!((task.task_id.number(), task.tries.attempt), (1, attempt));
        fixture.settle(
            task,
            if attempt < 2 { Settlement::Retry { after: None, cost: RetryCost::Try } } else { Settlement::Done },
        );
    }
}

#[test]
fn a_robots_file_that_keeps_failing_behind_a_redirect_is_given_up_after_the_tries_allowed() {
    let mut fixture = Fixture::new(Rules::default());
    fixture.scheduler.push(seed());
    let mut requests = 0;
    loop {
        let task = fixture.next().unwrap();
        if task.purpose == Purpose::Page {
            break;
        }
        requests += 1;
        assert!(requests <= 6, "three tries of two hops each");
        let answer = match (task.route.hops, task.tries.attempt) {
            (0, _) => RobotsAnswer::Hop(url("http://cdn.example/robots.txt")),
            (_, 2..) => RobotsAnswer::Free,
            _ => RobotsAnswer::Retry(None),
        };
        fixture.settle(task, Settlement::Robots(answer));
    }
}

#[test]
fn no_more_than_five_redirects_lead_to_a_robots_file() {
    let mut fixture = Fixture::new(Rules::default());
    fixture.scheduler.push(seed());
    for _ in 0..=5 {
        fixture.robots(RobotsAnswer::Hop(url("http://cdn.example/robots.txt")));
    }
    assert_eq!(fixture.next().unwrap().purpose, Purpose::Page, "beyond five hops the file counts as unavailable");
}

/// A server that allows one request a second: a rejected URL remains the same page on its retry, whether or not that
/// costs a try.
#[test]
fn a_rejected_page_is_retried_until_it_is_answered_and_is_counted_once() {
    for rules in [
        Rules::default(),
        Rules { max_urls: Some(30), ..Rules::default() },
        Rules { by_depth: true, ..Rules::default() },
    ] {
        let mut fixture = Fixture::open(rules, (1..=30).map(|seq| page(seq, Lane::Link)));
        let (mut answered, mut next, mut free) = (0, Duration::ZERO, 0);
        while let Some(task) = fixture.next() {
            free += u32::from(task.tries.rate_limited > 0);
            fixture.now += Duration::from_millis(2);
            if fixture.now >= next {
                (answered, next) = (answered + 1, fixture.now + SECOND);
                fixture.settle(task, Settlement::Done);
            } else {
                fixture.rate_limited(task);
            }
        }
        assert_eq!(answered, 30);
        assert!(free > 0);
        assert_eq!(fixture.scheduler.queue_state().pages, 30);
    }
}

/// A page that was requested twice to set its cookie was not rejected: that says nothing about a limit.
#[test]
fn pages_that_always_fail_are_soon_given_up_though_others_were_requested_twice() {
    let mut fixture = Fixture::open(Rules::default(), (1..=30).map(|seq| page(seq, Lane::Link)));
    while let Some(task) = fixture.next() {
        fixture.now += Duration::from_millis(20);
        match task.task_id.number() {
            1..=10 if !task.tries.to_itself => {
                fixture.settle(task, Settlement::Retry { after: None, cost: RetryCost::Nothing })
            }
            1..=10 => fixture.settle(task, Settlement::Done),
            // Then a few that are always rejected, beside others.
            seq if seq % 2 == 0 => fixture.rate_limited(task),
            _ => fixture.settle(task, Settlement::Done),
        }
    }
    assert!(fixture.now < 30 * SECOND, "{:?}", fixture.now);
}

#[test]
fn with_one_place_pages_are_fetched_while_many_sitemaps_wait() {
    let rules = Rules { pace: PaceRules { concurrency: 1, ..PaceRules::default() }, ..Rules::default() };
    let tasks = (1..=100).map(sitemap).chain((101..=200).map(|seq| page(seq, Lane::Link)));
    let order = Fixture::open(rules, tasks).drain();
    let pages = order.iter().take(40).filter(|seq| **seq > 100).count();
    assert!(pages >= 20, "{pages} pages among the first 40");
    assert_eq!(order.len(), 200);
}

#[test]
fn spaced_requests_are_shared_between_pages_and_sitemaps() {
    let rules = Rules { pace: PaceRules { interval: SECOND, ..PaceRules::default() }, ..Rules::default() };
    let tasks = (1..=100).map(sitemap).chain((101..=200).map(|seq| page(seq, Lane::Link)));
    let order = Fixture::open(rules, tasks).drain();
    let pages = order.iter().take(40).filter(|seq| **seq > 100).count();
    assert!(pages >= 20, "{pages} pages among the first 40");
}

#[test]
fn few_sitemaps_are_open_until_they_are_in_the_record() {
    let mut fixture = Fixture::open(Rules::default(), (1..=40).map(sitemap));
    let (mut open, mut read, mut most) = (Vec::new(), 0, 0);
    loop {
        match fixture.scheduler.lease(fixture.now, 64) {
            Lease::Orders(orders) => {
                let answered = |order| match order {
                    Order::Fetch(task) => task,
                    other => panic!("{other:?}"),
                };
                let answered: Vec<Task> = orders.into_iter().map(answered).collect();
                answered.iter().for_each(|task| fixture.scheduler.ended(fixture.now, task, &good()));
                open.extend(answered);
                most = most.max(open.len());
            }
            Lease::Idle { until, .. } => {
                assert_eq!(until, None);
                fixture.scheduler.settle(fixture.now, open.remove(0), Settlement::Done);
                read += 1;
            }
            Lease::Drained => break,
        }
    }
    assert_eq!((read, most), (40, 4));
}

#[test]
fn by_depth_a_nearer_page_found_late_goes_before_the_farther_ones_that_wait() {
    let deep = |seq, depth| at_depth(depth, seq);
    let rules = Rules { by_depth: true, ..Rules::default() };
    let tasks = [deep(1, 1), deep(2, 2), deep(3, 2), deep(4, 1)];
    assert_eq!(Fixture::open(rules, tasks).drain(), [1, 4, 2, 3]);
}

#[test]
fn by_depth_nothing_is_lost_when_a_nearer_page_waits_beyond_the_window() {
    let rules = Rules { by_depth: true, ..Rules::default() };
    let far = |seq| at_depth(3, seq);
    let near = at_depth(1, 1001);
    let record: Vec<Task> = (1..=1000).map(far).chain([near]).collect();
    let mut fixture = Fixture::open(rules, record.clone());
    assert_eq!(fixture.drain_from(&record), 1001);
}

/// Returns a scheduler whose window has run low, with the refill that it requests, the record of 600 tasks behind it,
/// and the number of tasks fetched.
fn running_low() -> (Fixture, Vec<Task>, Refill, usize) {
    let record: Vec<Task> = (1..=600).map(|seq| page(seq, Lane::Link)).collect();
    let mut fixture = Fixture::open(Rules::default(), record.clone());
    let mut fetched = 0;
    loop {
        if let Some(wish) = fixture.scheduler.next_refill() {
            return (fixture, record, wish, fetched);
        }
        let task = fixture.next().unwrap();
        fetched += 1;
        fixture.settle(task, Settlement::Done);
    }
}

#[test]
fn a_task_queued_after_the_record_was_read_and_before_the_window_got_it_is_not_lost() {
    let (mut fixture, mut record, wish, fetched) = running_low();
    let read = waiting(&record, &wish);
    let late = page(601, Lane::Link);
    record.push(late.clone());
    fixture.scheduler.push(late);
    fixture.scheduler.refill(&wish, read);
    assert_eq!(fetched + fixture.drain_from(&record), 601);
}

#[test]
fn a_task_read_from_the_record_before_it_was_announced_is_not_leased_twice() {
    let (mut fixture, mut record, wish, fetched) = running_low();
    let early = page(601, Lane::Link);
    record.push(early.clone());
    fixture.scheduler.refill(&wish, waiting(&record, &wish));
    fixture.scheduler.push(early);
    assert_eq!(fetched + fixture.drain_from(&record), 601);
}

#[test]
fn with_a_budget_of_five_the_first_five_in_the_order_of_lanes_are_fetched() {
    let lanes = [Lane::Listed, Lane::Listed, Lane::Link, Lane::Link, Lane::Link, Lane::Redirect, Lane::Redirect];
    let tasks = (1..).zip(lanes).map(|(seq, lane)| page(seq, lane));
    let mut fixture = Fixture::open(Rules { max_urls: Some(5), ..Rules::default() }, tasks);
    assert_eq!(fixture.drain(), [6, 7, 3, 4, 5]);
    let queue = fixture.scheduler.queue_state();
    assert_eq!((queue.queued, queue.pages, queue.budget_spent), (2, 5, true));
}

#[test]
fn an_origin_that_never_answers_is_given_up_and_its_queue_kept() {
    let mut fixture =
        Fixture::open(Rules { retries: 0, ..Rules::default() }, (1..=100).map(|seq| page(seq, Lane::Link)));
    let mut requested = 0;
    while let Some(task) = fixture.next() {
        requested += 1;
        fixture.scheduler.ended(fixture.now, &task, &ResponseSignal::default());
        fixture.scheduler.settle(fixture.now, task, Settlement::Done);
    }
    let queue = fixture.scheduler.queue_state();
    assert_eq!((requested, queue.queued, queue.down), (32, 68, vec!["http://a.example".to_owned()]));
}

/// A row of pages that stall by themselves, on a site whose other pages respond.
#[test]
fn pages_that_stall_take_no_origin_down_wherever_they_stand() {
    for stalls in [1..=40, 41..=80, 61..=100] {
        for retries in [0, 2] {
            let mut fixture =
                Fixture::open(Rules { retries, ..Rules::default() }, (0..=100).map(|seq| page(seq, Lane::Link)));
            let (mut good_pages, mut tries) = (0, 0);
            fixture.crawl(|task| {
                let stalls = task.url_id.is_some() && stalls.contains(&task.task_id.number());
                tries += u32::from(stalls);
                good_pages += u32::from(!stalls && task.url_id.is_some());
                !stalls
            });
            assert_eq!((good_pages, tries), (61, 40 * (u32::from(retries) + 1)));
            assert_eq!(fixture.scheduler.queue_state().down, Vec::<String>::new());
        }
    }
}

#[test]
fn an_origin_that_answers_no_more_is_down_and_its_queue_kept() {
    for dies_after in [1, 30, 88] {
        let mut fixture = Fixture::open(Rules::default(), (1..=100).map(|seq| page(seq, Lane::Link)));
        let mut requests = 0;
        fixture.crawl(|_| {
            requests += 1;
            requests <= dies_after
        });
        assert_eq!(fixture.scheduler.queue_state().down, ["http://a.example"], "after {dies_after} answers");
        assert!(fixture.scheduler.queue_state().queued > 0);
    }
}

#[test]
fn a_run_that_goes_on_keeps_its_queue_while_the_robots_file_of_an_origin_that_answered_fails() {
    for (good, down) in [(None, false), (Some(page(9, Lane::Link).url), true)] {
        for robots in [RobotsAnswer::Status(503), RobotsAnswer::Silent("timed-out")] {
            let mut scheduler = Scheduler::new(Rules::default());
            let origin = page(1, Lane::Link).url.origin();
            let backlog = Backlog { origin, lane: Lane::Link, count: 5, named_by_robots: 0, good: good.clone() };
            scheduler.resume(8, vec![backlog], &[]);
            scheduler.open();
            let wish = scheduler.next_refill().unwrap();
            scheduler.refill(&wish, (1..=5).map(|seq| page(seq, Lane::Link)).collect());
            let mut fixture = Fixture { scheduler, now: Duration::ZERO, retries: 2 };
            fixture.robots(robots);
            let lease = fixture.scheduler.lease(fixture.now, 1);
            assert_eq!(
                (matches!(lease, Lease::Drained), !fixture.scheduler.queue_state().down.is_empty()),
                (down, down)
            );
        }
    }
}

/// Returns how many of 16 places are taken where `a.example` has many tasks and four other hosts one each.
fn taken_beside(other: impl Fn(u64) -> Task) -> usize {
    let others = (1..=4).map(|number| {
        let url = url(&format!("http://x{number}.example/"));
        Task { url, ..other(100 + number) }
    });
    let mut fixture = Fixture::open(Rules::default(), (1_001..=1_400).map(|seq| page(seq, Lane::Link)));
    fixture.warm_up();
    (1..=40).for_each(|seq| fixture.scheduler.push(page(seq, Lane::Link)));
    others.for_each(|task| fixture.scheduler.push(task));
    match fixture.scheduler.lease(fixture.now, 16) {
        Lease::Orders(orders) => orders.len(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn beside_other_hosts_of_the_crawl_one_leaves_places_free_and_beside_checks_none() {
    assert_eq!(taken_beside(|seq| page(seq, Lane::Link)), 12, "a quarter is left to those that have had little");
    let check = |seq| Task { purpose: Purpose::External, ..page(seq, Lane::Check) };
    assert_eq!(taken_beside(check), 16, "other sites are requested one thing at a time");
}

#[test]
fn an_external_site_that_requests_another_pause_gets_no_more_requests() {
    let check = |seq| Task { purpose: Purpose::External, ..page(seq, Lane::Check) };
    let mut fixture = Fixture::open(Rules::default(), (1..=100).map(check));
    let signal = ResponseSignal { throttled: true, retry_after: Some(3_600 * SECOND), ..good() };
    let (mut requested, mut dropped) = (0, 0);
    loop {
        match fixture.scheduler.lease(fixture.now, 1) {
            Lease::Orders(mut orders) => match orders.remove(0) {
                Order::Fetch(task) => {
                    requested += 1;
                    fixture.scheduler.ended(fixture.now, &task, &signal);
                    fixture.scheduler.settle(fixture.now, task, Settlement::Done);
                }
                Order::Drop(task) => {
                    dropped += 1;
                    fixture.scheduler.settle(fixture.now, task, Settlement::Done);
                }
                other => panic!("{other:?}"),
            },
            Lease::Idle { until, .. } => fixture.now = until.unwrap(),
            Lease::Drained => break,
        }
    }
    assert_eq!((requested, dropped), (3, 97));
    assert!(fixture.now <= 61 * SECOND, "{:?}", fixture.now);
}

#[test]
fn pages_with_too_long_a_retry_after_hold_up_no_others() {
    let mut fixture = Fixture::open(Rules::default(), (1..=12).map(|seq| page(seq, Lane::Link)));
    let refused = ResponseSignal { throttled: true, retry_after: Some(86_400 * SECOND), ..good() };
    while let Some(task) = fixture.next() {
        let signal = if task.task_id.number() % 3 == 0 { good() } else { refused };
        fixture.scheduler.ended(fixture.now, &task, &signal);
        fixture.scheduler.settle(fixture.now, task, Settlement::Done);
    }
    assert!(fixture.now < 10 * SECOND, "{:?}", fixture.now);
}

#[test]
fn a_run_that_goes_on_takes_up_its_queue_and_spends_what_is_left_of_its_budget() {
    let mut scheduler = Scheduler::new(Rules { max_urls: Some(10), ..Rules::default() });
    let origin = page(1, Lane::Link).url.origin();
    scheduler.resume(
        8,
        vec![Backlog { origin: origin.clone(), lane: Lane::Link, count: 5, named_by_robots: 0, good: None }],
        &[],
    );
    scheduler.open();
    let wish = scheduler.next_refill().unwrap();
    assert_eq!((&wish.origin, wish.lane, wish.after), (&origin, Lane::Link, 0));
    scheduler.refill(&wish, (1..=5).map(|seq| page(seq, Lane::Link)).collect());
    let mut fixture = Fixture { scheduler, now: Duration::ZERO, retries: 2 };
    fixture.robots(RobotsAnswer::Free);
    for _ in 0..2 {
        let task = fixture.next().unwrap();
        fixture.settle(task, Settlement::Done);
    }
    assert_eq!(fixture.next(), None);
    assert!(fixture.scheduler.queue_state().budget_spent);
    assert_eq!(fixture.scheduler.queue_state().queued, 3);
}

#[test]
fn a_deferred_task_takes_no_page_of_the_budget_and_comes_back_once_it_is_queued_again() {
    let rules = Rules { max_urls: Some(2), ..Rules::default() };
    let mut fixture = Fixture::open(rules, (1..=3).map(|seq| page(seq, Lane::Link)));
    let first = fixture.next().unwrap();
    fixture.settle(first.clone(), Settlement::Deferred);
    assert_eq!(fixture.scheduler.queue_state().queued, 3, "it is still to be requested");
    let second = fixture.next().unwrap();
    assert_ne!(second.task_id.number(), first.task_id.number());
    fixture.settle(second, Settlement::Done);
    fixture.scheduler.settle(fixture.now, first.clone(), Settlement::Queued);
    let third = fixture.next().unwrap();
    fixture.settle(third, Settlement::Done);
    assert!(fixture.next().is_none(), "two pages were requested");
    assert_eq!(fixture.scheduler.queue_state().queued, 1);
}

#[test]
fn a_deferred_task_holds_up_nothing() {
    for by_depth in [false, true] {
        let rules = Rules { by_depth, ..Rules::default() };
        let deep = at_depth(2, 2);
        let mut fixture = Fixture::open(rules, [page(1, Lane::Link), deep]);
        let first = fixture.next().unwrap();
        fixture.settle(first.clone(), Settlement::Deferred);
        let second = fixture.next().unwrap();
        fixture.settle(second, Settlement::Done);
        assert!(fixture.next().is_none());
        fixture.scheduler.settle(fixture.now, first, Settlement::Queued);
        assert_eq!(fixture.next().unwrap().task_id.number(), 1);
    }
}
