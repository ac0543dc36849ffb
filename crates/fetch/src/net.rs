//! Blocks of addresses.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// A block of addresses, written as `10.0.0.0/8`, `fd00::/8`, or as one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Net {
    address: IpAddr,
    prefix: u8,
}

/// Text that names no block of addresses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no block of addresses: write an address, or one with a prefix length, such as 10.0.0.0/8")]
pub struct NetError {
    /// The text.
    pub text: String,
}

impl Net {
    /// Whether the address lies in this block. An IPv4 address written as IPv6 (`::ffff:10.0.0.1`) counts as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(net), IpAddr::V4(address)) => {
                same_prefix(u128::from(net.to_bits()), u128::from(address.to_bits()), 32, self.prefix)
            }
            (IpAddr::V6(net), IpAddr::V6(address)) => same_prefix(net.to_bits(), address.to_bits(), 128, self.prefix),
            _ => false,
        }
    }
}

/// Whether two addresses of `width` bits agree in their first `prefix` bits.
fn same_prefix(a: u128, b: u128, width: u8, prefix: u8) -> bool {
    let differing = (a ^ b).checked_shr(u32::from(width.saturating_sub(prefix)));
    // All bits shifted out: a prefix of length 0 holds every address.
    differing.is_none_or(|bits| bits == 0)
}

impl FromStr for Net {
    type Err = NetError;

    fn from_str(text: &str) -> Result<Net, NetError> {
        let error = || NetError { text: text.to_owned() };
        let (address, prefix) = match text.trim().split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text.trim(), None),
        };
        let address: IpAddr = address.trim_matches(['[', ']']).parse().map_err(|_| error())?;
        let width = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(width), |prefix| prefix.parse().map_err(|_| error()))?;
        if prefix > width {
            return Err(error());
        }
        Ok(Net { address, prefix })
    }
}

impl From<IpAddr> for Net {
    fn from(address: IpAddr) -> Net {
        let address = address.to_canonical();
        Net { address, prefix: if address.is_ipv4() { 32 } else { 128 } }
    }
}

impl fmt::Display for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

#[cfg(test)]
mod tests;
