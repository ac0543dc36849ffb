use super::*;

/// A simulated server.
struct Server {
    /// Time at which each worker is free again.
    workers: Vec<f64>,
    /// The response time of the page with this number.
    page: Box<dyn Fn(usize) -> f64>,
    /// Requests in flight above this number are rejected at once.
    most: usize,
}

/// A pending response: when it comes, when its request was sent, and whether it is a rejection.
type Coming = (f64, f64, bool);

impl Server {
    fn new(workers: usize, page: impl Fn(usize) -> f64 + 'static) -> Self {
        Self { workers: vec![0.0; workers], page: Box::new(page), most: usize::MAX }
    }

    fn sent(&mut self, now: f64, number: usize, served: usize) -> Coming {
        if served >= self.most {
            return (now + 0.02, now, true);
        }
        let free = self.workers.iter_mut().min_by(|a, b| a.total_cmp(b)).unwrap();
        *free = free.max(now) + (self.page)(number);
        (*free, now, false)
    }
}

/// The result of a crawl of `pages` pages after the home page.
struct Crawl {
    limit: ConcurrencyLimit,
    number: usize,
    now: f64,
    /// The limit at each answer: when, and how high.
    limits: Vec<(f64, usize)>,
    refused: usize,
}

impl Crawl {
    fn of(ceiling: usize, home: f64) -> Self {
        let mut crawl =
            Self { limit: ConcurrencyLimit::new(ceiling), number: 0, now: home, limits: Vec::new(), refused: 0 };
        crawl.limit.sent(1);
        crawl.limit.answered(Duration::from_secs_f64(home), Duration::from_secs_f64(home), false);
        crawl
    }

    /// Requests `pages` more pages, with as many in flight as the limit allows. Rejected pages are not requested again.
    fn crawl(mut self, server: &mut Server, pages: usize) -> Self {
        let mut flight: Vec<Coming> = Vec::new();
        let end = self.number + pages;
        while self.number < end || !flight.is_empty() {
            while flight.len() < self.limit.get() && self.number < end {
                self.number += 1;
                let served = flight.iter().filter(|(.., refused)| !refused).count();
                flight.push(server.sent(self.now, self.number, served));
                self.limit.sent(flight.len());
            }
            let next = (0..flight.len()).min_by(|a, b| flight[*a].0.total_cmp(&flight[*b].0)).unwrap();
            let (at, began, refused) = flight.swap_remove(next);
            self.now = at;
            let [now, began] = [at, began].map(Duration::from_secs_f64);
            if refused {
                self.refused += 1;
                self.limit.lost(now, Some(began), false);
            } else {
                self.limit.answered(now, now - began, false);
            }
            self.limits.push((at, self.limit.get()));
        }
        self
    }

    fn highest(&self, after: f64) -> usize {
        self.limits.iter().filter(|(at, _)| *at >= after).map(|(_, limit)| *limit).max().unwrap_or_default()
    }

    /// The mean limit after that time.
    fn mean(&self, after: f64) -> f64 {
        let late: Vec<f64> =
            self.limits.iter().filter(|(at, _)| *at >= after).map(|(_, limit)| *limit as f64).collect();
        late.iter().sum::<f64>() / late.len() as f64
    }

    fn reached(&self, limit: usize) -> f64 {
        self.limits.iter().find(|(_, reached)| *reached >= limit).map_or(f64::INFINITY, |(at, _)| *at)
    }
}

/// A random-looking number below one.
fn lot(number: usize) -> f64 {
    ((number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as f64 / f64::from(1 << 24)
}

#[test]
fn a_server_of_one_worker_has_one_or_two_in_flight() {
    for home in [0.2, 0.001] {
        let crawl = Crawl::of(16, home).crawl(&mut Server::new(1, |_| 0.2), 200);
        assert!(crawl.highest(0.0) <= 2, "home page of {home} s: {}", crawl.highest(0.0));
    }
}

#[test]
fn a_server_of_four_workers_has_about_four_in_flight() {
    let crawl = Crawl::of(16, 0.25).crawl(&mut Server::new(4, |_| 0.25), 400);
    assert!(crawl.highest(3.0) <= 7, "{}", crawl.highest(3.0));
    assert!(crawl.mean(1.0) >= 3.5, "{}", crawl.mean(1.0));
}

#[test]
fn a_fast_server_is_at_the_ceiling_within_a_second() {
    for (latency, ceiling) in [(0.000_3, 64), (0.005, 16), (0.05, 64), (0.1, 16)] {
        let crawl = Crawl::of(ceiling, latency).crawl(&mut Server::new(1_000, move |_| latency), 20_000);
        let reached = crawl.reached(ceiling);
        assert!(reached <= 1.0, "{latency} s: {reached} s");
        assert!(crawl.mean(reached) >= ceiling as f64 * 0.99, "{latency} s: {}", crawl.mean(reached));
    }
}

#[test]
fn jitter_of_a_busy_machine_lowers_nothing() {
    let page = |number| 0.000_5 + 0.03 * lot(number).powi(4);
    let crawl = Crawl::of(64, 0.000_4).crawl(&mut Server::new(1_000, page), 20_000);
    assert_eq!(crawl.mean(0.5), 64.0);
}

#[test]
fn pages_that_are_slow_by_nature_have_the_ceiling_in_the_end() {
    // The home page comes from a cache, and no other does.
    let crawl = Crawl::of(16, 0.002).crawl(&mut Server::new(1_000, |_| 0.4), 600);
    assert!(crawl.reached(16) <= 6.0, "{}", crawl.reached(16));
    assert_eq!(crawl.mean(7.0), 16.0);
    // First the articles, then a shop that takes its time.
    let page = |number| if number < 2_000 { 0.01 } else { 0.6 };
    let crawl = Crawl::of(16, 0.01).crawl(&mut Server::new(1_000, page), 3_000);
    assert!(crawl.mean(8.0) >= 12.0, "{}", crawl.mean(8.0));
}

#[test]
fn kinds_of_pages_that_differ_in_time_do_not_lower_it_for_long() {
    for slow in [0.05, 0.3, 0.5, 0.7] {
        let page = move |number| if lot(number) < slow { 0.5 } else { 0.005 };
        let crawl = Crawl::of(16, 0.005).crawl(&mut Server::new(1_000, page), 8_000);
        assert!(crawl.mean(5.0) >= 11.0, "{slow} of the pages: {}", crawl.mean(10.0));
    }
}

#[test]
fn what_is_turned_away_halves_it_and_it_stays_below() {
    for most in [4, 6] {
        let mut server = Server { most, ..Server::new(1_000, |_| 0.06) };
        let crawl = Crawl::of(16, 0.06).crawl(&mut server, 400);
        assert!(crawl.refused <= 20, "{} turned away", crawl.refused);
        assert!(crawl.highest(2.0) <= most + 1, "{}", crawl.highest(2.0));
        assert!(crawl.mean(2.0) >= most as f64 * 0.6, "{}", crawl.mean(2.0));
    }
}

#[test]
fn a_server_that_has_recovered_has_the_ceiling_again() {
    let mut crawl = Crawl::of(16, 0.01).crawl(&mut Server::new(2, |_| 0.2), 100);
    assert!(crawl.limit.get() <= 3);
    crawl = crawl.crawl(&mut Server::new(1_000, |_| 0.01), 6_000);
    assert_eq!(crawl.limit.get(), 16);
}

#[test]
fn stalls_hold_up_no_slow_start_and_the_ceiling_holds() {
    let mut limit = ConcurrencyLimit::new(5);
    for places in [3, 4, 5, 5] {
        limit.stalled(Duration::ZERO);
        assert_eq!(limit.get(), places);
    }
    assert_eq!(ConcurrencyLimit::new(1).get(), 1);
}
