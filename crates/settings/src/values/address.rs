//! Addresses: pins of hosts, and ranges that may be reached.

use crate::error::{Fault, quoted};
use crate::field::Value;
use crate::kind::ValueKind;
use ipnet::IpNet;
use std::fmt;
use std::net::IpAddr;

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

/// A range of addresses in CIDR form, without bits beyond its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressRange(pub IpNet);

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Value for Pin {
    const KIND: Option<ValueKind> = Some(ValueKind::Pin);

    fn read(text: &str, _kind: &ValueKind) -> Result<Pin, Fault> {
        let hint = "write HOST:PORT:ADDRESS, such as www.example.com:443:192.0.2.10";
        let fault = |what: &str| Fault::new(format!("{} {what}", quoted(text)), hint);
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
        let without_userinfo = address.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(address);
        let address = without_userinfo.parse().map_err(|_| fault("does not end in an IP address"))?;
        Ok(Pin { host, port, address })
    }
}

impl Value for AddressRange {
    const KIND: Option<ValueKind> = Some(ValueKind::AddressRange);

    fn read(text: &str, _kind: &ValueKind) -> Result<AddressRange, Fault> {
        let hint = "write an address or a range, such as 10.1.2.3, 10.1.0.0/16 or fd00::/8";
        let fault = |what: &str| Fault::new(format!("{} {what}", quoted(text)), hint);
        let (address, prefix) = match text.trim().split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text.trim(), None),
        };
        let address: IpAddr = address.parse().map_err(|_| fault("is not an IP address"))?;
        let Some(prefix) = prefix else { return Ok(AddressRange(address.into())) };
        let net = prefix.parse().ok().and_then(|prefix| IpNet::new(address, prefix).ok());
        let net = net.ok_or_else(|| fault("has no valid number of bits after its slash"))?;
        Ok(AddressRange(net.trunc()))
    }
}
