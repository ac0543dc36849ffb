//! Blocks of addresses.

use ipnet::IpNet;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// A block of addresses, written as `10.0.0.0/8`, `fd00::/8`, or as one address (RFC 4632, section 3.1; RFC 4291,
/// section 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Net(IpNet);

/// Text that names no block of addresses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no block of addresses: write an address, or one with a prefix length, such as 10.0.0.0/8")]
pub struct NetError {
    /// The text.
    pub text: String,
}

impl Net {
    /// Returns whether this block contains the address. An IPv4 address written as IPv6 (`::ffff:10.0.0.1`) counts as
    /// IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl FromStr for Net {
    type Err = NetError;

    fn from_str(text: &str) -> Result<Net, NetError> {
        let address = || text.trim().trim_matches(['[', ']']).parse::<IpAddr>().map(IpNet::from);
        let net = text.trim().parse().or_else(|_| address());
        net.map(Net).map_err(|_| NetError { text: text.to_owned() })
    }
}

impl From<IpNet> for Net {
    fn from(net: IpNet) -> Net {
        Net(net)
    }
}

impl From<IpAddr> for Net {
    fn from(address: IpAddr) -> Net {
        Net(address.to_canonical().into())
    }
}

impl fmt::Display for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests;
