//! The counts of the benchmark site's responses: the only measurement that holds for every crawler.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use super::origins::Origins;
use super::plan::{PageKind, SitePlan};

/// The path that returns and resets the counts. No page links there.
pub(super) const PATH: &str = "/-/tally";

/// Counts responses until the counts are requested.
#[derive(Debug)]
pub(super) struct ServedCounts {
    /// A bit for each page of each origin.
    seen: Vec<AtomicU64>,
    requests: AtomicU64,
    bytes: AtomicU64,
    /// CPU time of this process at the start of counting, in microseconds.
    since: AtomicU64,
}

impl ServedCounts {
    pub(super) fn new(plan: &SitePlan, origins: Origins) -> ServedCounts {
        let bits = usize::try_from(plan.pages()).unwrap_or(usize::MAX).saturating_mul(origins.count());
        ServedCounts {
            seen: (0..bits.div_ceil(64)).map(|_| AtomicU64::new(0)).collect(),
            requests: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            since: AtomicU64::new(own_cpu()),
        }
    }

    /// Counts a response of `bytes` bytes.
    pub(super) fn answered(&self, bytes: usize) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Records that the page of this number was sent, or answered with 304.
    pub(super) fn page(&self, plan: &SitePlan, origin: usize, number: u64) {
        let bit = origin as u64 * plan.pages() + number;
        if let Some(word) = usize::try_from(bit / 64).ok().and_then(|index| self.seen.get(index)) {
            word.fetch_or(1 << (bit % 64), Ordering::Relaxed);
        }
    }

    /// Returns the counts and resets them.
    pub(super) fn take(&self, plan: &SitePlan) -> Served {
        let now = own_cpu();
        let mut served = Served {
            requests: self.requests.swap(0, Ordering::Relaxed),
            bytes: self.bytes.swap(0, Ordering::Relaxed),
            micros: now.saturating_sub(self.since.swap(now, Ordering::Relaxed)),
            ..Served::default()
        };
        for (index, word) in self.seen.iter().enumerate() {
            let word = word.swap(0, Ordering::Relaxed);
            for bit in (0..64).filter(|bit| word >> bit & 1 == 1) {
                served.pages += 1;
                let number = (index as u64 * 64 + bit) % plan.pages();
                served.belonging += u64::from(matches!(plan.kind(number), PageKind::Ordinary | PageKind::Moved));
            }
        }
        served
    }
}

fn own_cpu() -> u64 {
    let micros = getrusage(UsageWho::RUSAGE_SELF)
        .map(|usage| usage.user_time().num_microseconds() + usage.system_time().num_microseconds());
    micros.ok().and_then(|micros| u64::try_from(micros).ok()).unwrap_or(0)
}

/// The counts of a site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Served {
    /// Number of answered requests, of any status.
    pub requests: u64,
    /// Size of all responses, heads included, in bytes.
    pub bytes: u64,
    /// Number of distinct pages that were sent.
    pub pages: u64,
    /// Number of these pages that belong in the sitemap.
    pub belonging: u64,
    /// CPU time of the site, in microseconds.
    pub micros: u64,
}

impl Served {
    /// Requests the counts of the site at `base` since the last request for them.
    ///
    /// # Errors
    /// When the site does not answer, or not with its counts.
    pub fn take(base: &str) -> io::Result<Served> {
        let host = base.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = TcpStream::connect(host)?;
        write!(stream, "GET {PATH} HTTP/1.1\r\nHost: {host}\r\n\r\n")?;
        stream.shutdown(std::net::Shutdown::Write)?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let body = answer.split_once("\r\n\r\n").map(|(_, body)| body).unwrap_or_default();
        body.parse().map_err(|()| io::Error::other(format!("{base}{PATH} is no tally: {answer}")))
    }
}

impl fmt::Display for Served {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {} {}", self.requests, self.bytes, self.pages, self.belonging, self.micros)
    }
}

impl FromStr for Served {
    type Err = ();

    fn from_str(text: &str) -> Result<Served, ()> {
        let numbers: Vec<u64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [requests, bytes, pages, belonging, micros] = numbers.try_into().map_err(|_| ())?;
        Ok(Served { requests, bytes, pages, belonging, micros })
    }
}

#[cfg(test)]
mod tests;
