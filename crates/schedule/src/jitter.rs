//! The jitter: the delay of a run after its due instant.

use siphasher::sip::SipHasher13;
use std::hash::Hasher;

/// Returns a delay from 0 to `max_delay` seconds: the same for one job and due instant each time, and different for
/// others.
///
/// Computed as SipHash-1-3, with key zero, of the job's name, a byte 255 and the Unix seconds of the due instant as
/// eight bytes in little-endian order, modulo `max_delay + 1`.
pub(crate) fn jitter(name: &str, due_seconds: i64, max_delay: u32) -> u32 {
    let mut hasher = SipHasher13::new();
    hasher.write(name.as_bytes());
    hasher.write(&[255]);
    hasher.write(&due_seconds.to_le_bytes());
    let within = hasher.finish() % (u64::from(max_delay) + 1);
    u32::try_from(within).unwrap_or(max_delay)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_deterministic_and_evenly_spread_over_its_range() {
        let drawn: Vec<u32> = (0..1000).map(|opening| jitter("docs", opening * 86_400, 9)).collect();
        assert_eq!(drawn, (0..1000).map(|opening| jitter("docs", opening * 86_400, 9)).collect::<Vec<_>>());
        for second in 0..=9 {
            let times = drawn.iter().filter(|drawn| **drawn == second).count();
            assert!((60..140).contains(&times), "{second} s was drawn {times} times of a thousand");
        }
        assert_eq!(jitter("docs", 0, 0), 0);
        assert_ne!(jitter("docs", 0, u32::MAX - 1), jitter("blog", 0, u32::MAX - 1));
    }
}
