//! By how much a run begins later than the clock says.

use siphasher::sip::SipHasher13;
use std::hash::Hasher;

/// So many seconds, from none to `most`: for the same job and due instant always the same, for others another.
///
/// SipHash-1-3 under the key zero of the job's name, a byte 255 and the due instant's Unix seconds as eight bytes, least
/// first, reduced modulo `most + 1`.
pub(crate) fn jitter(name: &str, due_seconds: i64, most: u32) -> u32 {
    let mut hasher = SipHasher13::new();
    hasher.write(name.as_bytes());
    hasher.write(&[255]);
    hasher.write(&due_seconds.to_le_bytes());
    let within = hasher.finish() % (u64::from(most) + 1);
    u32::try_from(within).unwrap_or(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_same_each_time_and_spread_over_all_it_may_be() {
        let drawn: Vec<u32> = (0..1000).map(|night| jitter("docs", night * 86_400, 9)).collect();
        assert_eq!(drawn, (0..1000).map(|night| jitter("docs", night * 86_400, 9)).collect::<Vec<_>>());
        for second in 0..=9 {
            let times = drawn.iter().filter(|drawn| **drawn == second).count();
            assert!((60..140).contains(&times), "{second} s was drawn {times} times of a thousand");
        }
        assert_eq!(jitter("docs", 0, 0), 0);
        assert_ne!(jitter("docs", 0, u32::MAX - 1), jitter("blog", 0, u32::MAX - 1));
    }
}
