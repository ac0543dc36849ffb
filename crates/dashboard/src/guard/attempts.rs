//! How often somebody may be wrong about a password or a token.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a wrong attempt counts.
const WINDOW: Duration = Duration::from_secs(15 * 60);
/// Wrong attempts from one address.
const MOST_EACH: u32 = 10;
/// Wrong passwords from all addresses together: so many at most are checked for those who have very many addresses.
const MOST_IN_ALL: u32 = 200;
/// Addresses that are remembered.
const MOST_ADDRESSES: usize = 10_000;

/// Wrong attempts of late.
#[derive(Debug, Default)]
pub(crate) struct Attempts(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    each: HashMap<IpAddr, Count>,
    all: Option<Count>,
}

#[derive(Debug, Clone, Copy)]
struct Count {
    since: Instant,
    wrong: u32,
}

impl Count {
    fn fresh(now: Instant) -> Self {
        Self { since: now, wrong: 0 }
    }

    fn is_over(&self, now: Instant) -> bool {
        now.duration_since(self.since) >= WINDOW
    }

    /// How long to wait where the most is reached.
    fn wait(&self, most: u32, now: Instant) -> Option<Duration> {
        (self.wrong >= most && !self.is_over(now)).then(|| WINDOW.saturating_sub(now.duration_since(self.since)))
    }
}

impl Attempts {
    /// How long somebody must wait before a token of theirs is looked at.
    pub(crate) fn wait(&self, address: IpAddr) -> Option<Duration> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.each.get(&whole(address)).and_then(|count| count.wait(MOST_EACH, Instant::now()))
    }

    /// The same for a password, for which all are counted together as well.
    pub(crate) fn wait_to_log_in(&self, address: IpAddr) -> Option<Duration> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner).all;
        self.wait(address).or_else(|| all.and_then(|count| count.wait(MOST_IN_ALL, Instant::now())))
    }

    /// Counts an attempt; one that is to be checked is counted before, so that many at once are no way around.
    pub(crate) fn note(&self, address: IpAddr) {
        self.note_at(address, Instant::now());
    }

    fn note_at(&self, address: IpAddr, now: Instant) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.each.len() >= MOST_ADDRESSES {
            counts.each.retain(|_, count| !count.is_over(now));
        }
        if counts.all.is_none_or(|all| all.is_over(now)) {
            counts.all = Some(Count::fresh(now));
        }
        if let Some(all) = &mut counts.all {
            all.wrong += 1;
        }
        if counts.each.len() < MOST_ADDRESSES || counts.each.contains_key(&whole(address)) {
            let count = counts.each.entry(whole(address)).or_insert(Count::fresh(now));
            if count.is_over(now) {
                *count = Count::fresh(now);
            }
            count.wrong += 1;
        }
    }

    /// Takes back the attempts of an address that was right.
    pub(crate) fn forgive(&self, address: IpAddr) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let wrong = counts.each.remove(&whole(address)).map_or(0, |count| count.wrong);
        if let Some(all) = &mut counts.all {
            all.wrong = all.wrong.saturating_sub(wrong);
        }
    }
}

/// Who has one address of IPv6 has its whole network.
fn whole(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(ip) => IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64)),
        ip @ IpAddr::V4(_) => ip,
    }
}

#[cfg(test)]
mod tests {
    use super::{Attempts, MOST_EACH, MOST_IN_ALL, WINDOW};
    use std::net::IpAddr;
    use std::time::Instant;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn one_address_is_held_up_and_others_are_not() {
        let attempts = Attempts::default();
        for _ in 0..MOST_EACH {
            assert_eq!(attempts.wait(ip("192.0.2.1")), None);
            attempts.note(ip("192.0.2.1"));
        }
        assert!(attempts.wait(ip("192.0.2.1")).is_some() && attempts.wait(ip("::ffff:192.0.2.1")).is_some());
        assert_eq!(attempts.wait(ip("192.0.2.2")), None);
        attempts.forgive(ip("192.0.2.1"));
        assert_eq!(attempts.wait_to_log_in(ip("192.0.2.1")), None);
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let attempts = Attempts::default();
        (0..MOST_EACH).for_each(|n| attempts.note(ip(&format!("2001:db8::{n:x}"))));
        assert!(attempts.wait(ip("2001:db8::ffff")).is_some() && attempts.wait(ip("2001:db8:0:1::1")).is_none());
    }

    #[test]
    fn very_many_addresses_are_held_up_together() {
        let attempts = Attempts::default();
        (0..MOST_IN_ALL).for_each(|n| attempts.note(ip(&format!("10.0.{}.{}", n / 250, n % 250))));
        assert!(attempts.wait_to_log_in(ip("192.0.2.9")).is_some());
        assert_eq!(attempts.wait(ip("192.0.2.9")), None, "a token is not kept out by others");
    }

    #[test]
    fn wrong_attempts_are_forgotten() {
        let attempts = Attempts::default();
        let Some(before) = Instant::now().checked_sub(WINDOW) else { return };
        (0..MOST_EACH).for_each(|_| attempts.note_at(ip("192.0.2.1"), before));
        assert_eq!(attempts.wait_to_log_in(ip("192.0.2.1")), None);
    }
}
