//! The limit of failed attempts with a password or a token.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time for which a failed attempt counts.
const WINDOW: Duration = Duration::from_secs(15 * 60);
/// Maximum number of failed attempts from one address, for all users together.
const MAX_EACH: u32 = 10;
/// Maximum number of failed passwords from all addresses together, against attackers with very many addresses.
const MAX_IN_ALL: u32 = 200;
/// Maximum number of remembered addresses.
const MAX_ADDRESSES: usize = 10_000;

/// The identity that an attempt claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim<'n> {
    /// The holder of the token.
    Token,
    /// The user of this name, whether it exists or not.
    User(&'n str),
}

/// The recent failed attempts.
#[derive(Debug, Default)]
pub(crate) struct Attempts {
    counts: Mutex<Counts>,
    /// Names are stored as a digest of fixed length, because visitors may send names of any length.
    digests: RandomState,
}

#[derive(Debug, Default)]
struct Counts {
    each: HashMap<IpAddr, Count>,
    all: Option<All>,
}

/// The failed attempts from one address.
#[derive(Debug)]
struct Count {
    since: Instant,
    /// The number by claimed identity; there are at most as many as attempts per address.
    wrong: HashMap<Option<u64>, u32>,
}

/// The failed passwords from all addresses.
#[derive(Debug, Clone, Copy)]
struct All {
    since: Instant,
    wrong: u32,
}

impl Attempts {
    /// The time that an address must wait before a token from it is checked.
    pub(crate) fn wait(&self, address: IpAddr) -> Option<Duration> {
        self.counts().wait(complete(address), Instant::now())
    }

    /// Counts a wrong token.
    pub(crate) fn note(&self, address: IpAddr) {
        self.counts().note(complete(address), None, Instant::now());
    }

    /// Counts a login attempt before it is checked, so that simultaneous attempts do not evade the limit; fails with
    /// the time to wait. All addresses are counted together as well.
    pub(crate) fn begin(&self, address: IpAddr, claim: Claim<'_>) -> Result<(), Duration> {
        self.begin_at(address, claim, Instant::now())
    }

    fn begin_at(&self, address: IpAddr, claim: Claim<'_>, now: Instant) -> Result<(), Duration> {
        let mut counts = self.counts();
        let address = complete(address);
        if let Some(wait) = counts.wait(address, now).or_else(|| counts.wait_of_all(now)) {
            return Err(wait);
        }
        counts.note(address, self.digest(claim), now);
        Ok(())
    }

    /// Forgives an address's attempts for an identity that turned out to be right. Those for other identities stay;
    /// otherwise a user with a valid password could guess another's without limit.
    pub(crate) fn forgive(&self, address: IpAddr, claim: Claim<'_>) {
        self.counts().forgive(complete(address), self.digest(claim));
    }

    fn digest(&self, claim: Claim<'_>) -> Option<u64> {
        match claim {
            Claim::Token => None,
            Claim::User(name) => Some(self.digests.hash_one(name)),
        }
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    fn wait(&self, address: IpAddr, now: Instant) -> Option<Duration> {
        let count = self.each.get(&address)?;
        (count.wrong.values().sum::<u32>() >= MAX_EACH).then(|| left(count.since, now)).flatten()
    }

    fn wait_of_all(&self, now: Instant) -> Option<Duration> {
        self.all.filter(|all| all.wrong >= MAX_IN_ALL).and_then(|all| left(all.since, now))
    }

    fn note(&mut self, address: IpAddr, claim: Option<u64>, now: Instant) {
        let all = self.all.filter(|all| left(all.since, now).is_some()).unwrap_or(All { since: now, wrong: 0 });
        self.all = Some(All { wrong: all.wrong.saturating_add(1), ..all });
        if self.each.len() >= MAX_ADDRESSES {
            self.each.retain(|_, count| left(count.since, now).is_some());
        }
        if self.each.len() < MAX_ADDRESSES || self.each.contains_key(&address) {
            let fresh = || Count { since: now, wrong: HashMap::new() };
            let count = self.each.entry(address).or_insert_with(fresh);
            if left(count.since, now).is_none() {
                *count = fresh();
            }
            let wrong = count.wrong.entry(claim).or_default();
            *wrong = wrong.saturating_add(1);
        }
    }

    fn forgive(&mut self, address: IpAddr, claim: Option<u64>) {
        let Some(count) = self.each.get_mut(&address) else { return };
        let (since, wrong) = (count.since, count.wrong.remove(&claim).unwrap_or_default());
        if count.wrong.is_empty() {
            self.each.remove(&address);
        }
        // Attempts of an expired window no longer count towards the total.
        if let Some(all) = self.all.as_mut().filter(|all| all.since <= since) {
            all.wrong = all.wrong.saturating_sub(wrong);
        }
    }
}

/// The remaining time of the window that began at `since`.
fn left(since: Instant, now: Instant) -> Option<Duration> {
    WINDOW.checked_sub(now.duration_since(since)).filter(|left| !left.is_zero())
}

/// Reduces an IPv6 address to its /64 network, because a client with one address usually has them all.
fn complete(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(ip) => IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64)),
        ip @ IpAddr::V4(_) => ip,
    }
}

#[cfg(test)]
mod tests {
    use super::{Attempts, Claim, MAX_EACH, MAX_IN_ALL, WINDOW};
    use std::net::IpAddr;
    use std::time::Instant;

    const OLGA: Claim<'_> = Claim::User("olga");
    const RITA: Claim<'_> = Claim::User("rita");

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn one_address_is_held_up_and_others_are_not() {
        let attempts = Attempts::default();
        for _ in 0..MAX_EACH {
            assert_eq!(attempts.begin(ip("192.0.2.1"), OLGA), Ok(()));
        }
        assert!(attempts.wait(ip("192.0.2.1")).is_some() && attempts.wait(ip("::ffff:192.0.2.1")).is_some());
        assert!(attempts.begin(ip("192.0.2.1"), RITA).is_err() && attempts.wait(ip("192.0.2.2")).is_none());
        attempts.forgive(ip("192.0.2.1"), OLGA);
        assert_eq!(attempts.begin(ip("192.0.2.1"), OLGA), Ok(()));
    }

    #[test]
    fn whoever_is_right_about_one_name_is_not_forgiven_another() {
        let attempts = Attempts::default();
        for claim in [Claim::Token, OLGA] {
            for _ in 0..MAX_EACH / 2 {
                assert_eq!(attempts.begin(ip("192.0.2.1"), claim), Ok(()));
                if attempts.begin(ip("192.0.2.1"), RITA).is_ok() {
                    attempts.forgive(ip("192.0.2.1"), RITA);
                }
            }
        }
        assert!(attempts.begin(ip("192.0.2.1"), OLGA).is_err() && attempts.wait(ip("192.0.2.1")).is_some());
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let attempts = Attempts::default();
        (0..MAX_EACH).for_each(|n| attempts.note(ip(&format!("2001:db8::{n:x}"))));
        assert!(attempts.wait(ip("2001:db8::ffff")).is_some() && attempts.wait(ip("2001:db8:0:1::1")).is_none());
    }

    #[test]
    fn very_many_addresses_are_held_up_together() {
        let attempts = Attempts::default();
        (0..MAX_IN_ALL).for_each(|n| attempts.note(ip(&format!("10.0.{}.{}", n / 250, n % 250))));
        assert!(attempts.begin(ip("192.0.2.9"), OLGA).is_err());
        assert_eq!(attempts.wait(ip("192.0.2.9")), None, "a token is not kept out by others");
    }

    #[test]
    fn wrong_attempts_are_forgotten() {
        let attempts = Attempts::default();
        let (now, later) = (Instant::now(), Instant::now() + WINDOW);
        for _ in 0..MAX_EACH {
            assert_eq!(attempts.begin_at(ip("192.0.2.1"), OLGA, now), Ok(()));
        }
        assert!(attempts.begin_at(ip("192.0.2.1"), OLGA, now).is_err());
        assert_eq!(attempts.begin_at(ip("192.0.2.1"), OLGA, later), Ok(()));
    }
}
