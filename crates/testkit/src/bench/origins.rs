//! Many origins on one machine: a loopback address for each.

use std::net::{IpAddr, Ipv4Addr};

/// The address of the first origin; the others follow it.
const FIRST: u32 = u32::from_be_bytes([127, 1, 0, 1]);
/// Maximum number of origins: all stay below 127.2.0.0.
const MAX_ORIGINS: u32 = 0xfffe;

/// A number of origins, each with an address of its own, all with the same pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origins(u32);

impl Origins {
    /// Creates `count` origins, at least one and at most 65,534.
    #[must_use]
    pub fn new(count: u64) -> Origins {
        Origins(u32::try_from(count).unwrap_or(MAX_ORIGINS).clamp(1, MAX_ORIGINS))
    }

    /// The number of origins.
    #[must_use]
    pub fn count(self) -> usize {
        self.0 as usize
    }

    /// The base URLs, derived from the one that the site printed.
    #[must_use]
    pub fn bases(self, base: &str) -> Vec<String> {
        let base = base.trim_end_matches('/');
        match base.rsplit_once(':') {
            Some((_, port)) if self.0 > 1 => {
                (0..self.0).map(|index| format!("http://{}:{port}", Ipv4Addr::from_bits(FIRST + index))).collect()
            }
            _ => vec![base.to_owned()],
        }
    }

    /// The index of the origin at this address; 0 where there is only one.
    pub(super) fn index(self, address: IpAddr) -> usize {
        let IpAddr::V4(address) = address else { return 0 };
        let index = address.to_bits().wrapping_sub(FIRST);
        if index < self.0 { index as usize } else { 0 }
    }
}

#[cfg(test)]
mod tests;
