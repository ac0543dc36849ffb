//! Addresses: pins of hosts, and ranges that may be reached.

use crate::chosen::Value;
use crate::error::{Fault, quoted};
use crate::kind::Kind;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A host and port with the address to connect to instead of looking the name up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The host's name, in lower case and ASCII (`xn--…`).
    pub host: String,
    /// The port that the URL names or implies.
    pub port: u16,
    /// The address to connect to.
    pub address: IpAddr,
}

/// The addresses that share the first `prefix` bits of `address`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressRange {
    /// The first address of the range.
    pub address: IpAddr,
    /// Leading bits that count: at most 32 (IPv4) or 128 (IPv6); all of them for a single address.
    pub prefix: u8,
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

impl Value for Pin {
    fn read(text: &str, _kind: &Kind) -> Result<Pin, Fault> {
        let remedy = "write HOST:PORT:ADDRESS, such as www.example.com:443:192.0.2.10";
        let fault = |what: &str| Fault::new(format!("{} {what}", quoted(text)), remedy);
        let mut fields = text.trim().splitn(3, ':');
        let (Some(host), Some(port), Some(address)) = (fields.next(), fields.next(), fields.next()) else {
            return Err(fault("is not a host, a port and an address"));
        };
        let Ok(url::Host::Domain(host)) = url::Host::parse(host) else {
            return Err(fault("does not begin with the name of a host"));
        };
        if host.contains('*') {
            return Err(fault("holds a pattern, and one host is meant"));
        }
        let port = port.parse().ok().filter(|port| *port > 0).ok_or_else(|| fault("holds no valid port"))?;
        let bare = address.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(address);
        let address = bare.parse().map_err(|_| fault("does not end in an IP address"))?;
        Ok(Pin { host, port, address })
    }
}

impl Value for AddressRange {
    fn read(text: &str, _kind: &Kind) -> Result<AddressRange, Fault> {
        let remedy = "write an address or a range, such as 10.1.2.3, 10.1.0.0/16 or fd00::/8";
        let fault = |what: &str| Fault::new(format!("{} {what}", quoted(text)), remedy);
        let (address, prefix) = match text.trim().split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text.trim(), None),
        };
        let address: IpAddr = address.parse().map_err(|_| fault("is not an IP address"))?;
        let bits = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix.map(str::parse::<u8>) {
            None => bits,
            Some(Ok(prefix)) if prefix <= bits => prefix,
            Some(_) => return Err(fault("has no valid number of bits after its slash")),
        };
        Ok(AddressRange { address: first_of(address, prefix), prefix })
    }
}

/// The address with all bits beyond the prefix cleared.
fn first_of(address: IpAddr, prefix: u8) -> IpAddr {
    let prefix = u32::from(prefix);
    match address {
        IpAddr::V4(v4) => {
            let mask = u32::MAX.checked_shl(32_u32.saturating_sub(prefix)).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from_bits(v4.to_bits() & mask))
        }
        IpAddr::V6(v6) => {
            let mask = u128::MAX.checked_shl(128_u32.saturating_sub(prefix)).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & mask))
        }
    }
}
