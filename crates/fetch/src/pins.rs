//! Addresses pinned to host and port.

use std::collections::BTreeSet;
use std::net::IpAddr;

use crate::address_guard::canonical_name;

/// Maximum number of different pinned ports.
pub(crate) const MAX_PORTS: usize = 16;

/// The port number that means every port.
const ANY_PORT: u16 = 0;

/// The addresses that the user pinned to names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pins {
    entries: Vec<(String, u16, IpAddr)>,
}

impl Pins {
    pub(crate) fn new(entries: &[(String, u16, IpAddr)]) -> Pins {
        let entries = entries.iter().map(|(host, port, address)| (canonical_name(host), *port, *address)).collect();
        Pins { entries }
    }

    /// The pinned ports, without the one that stands for every port.
    pub(crate) fn ports(&self) -> BTreeSet<u16> {
        self.entries.iter().map(|(_, port, _)| *port).filter(|&port| port != ANY_PORT).collect()
    }

    /// The pins of this port; without a port, those of every port.
    ///
    /// A resolver is given only a name, so each pinned port has a resolver of its own.
    pub(crate) fn for_port(&self, port: Option<u16>) -> Pins {
        let holds = |pinned: u16| pinned == ANY_PORT || Some(pinned) == port;
        Pins { entries: self.entries.iter().filter(|(_, pinned, _)| holds(*pinned)).cloned().collect() }
    }

    /// The addresses pinned to this name.
    pub(crate) fn addresses(&self, host: &str) -> Vec<IpAddr> {
        let host = canonical_name(host);
        self.entries.iter().filter(|(pinned, _, _)| *pinned == host).map(|(_, _, address)| *address).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pins() -> Pins {
        let pin = |host: &str, port, address: &str| (host.to_owned(), port, address.parse().unwrap());
        Pins::new(&[
            pin("Site.example", 80, "10.0.0.1"),
            pin("site.example", 8080, "10.0.0.2"),
            pin("site.example", 8080, "10.0.0.3"),
            pin("other.example.", 0, "10.0.0.4"),
        ])
    }

    fn addresses(port: Option<u16>, host: &str) -> Vec<String> {
        pins().for_port(port).addresses(host).iter().map(IpAddr::to_string).collect()
    }

    #[test]
    fn a_pin_holds_for_its_host_and_port() {
        assert_eq!(addresses(Some(80), "SITE.example"), ["10.0.0.1"]);
        assert_eq!(addresses(Some(8080), "site.example."), ["10.0.0.2", "10.0.0.3"]);
        assert!(addresses(Some(81), "site.example").is_empty());
        assert!(addresses(Some(80), "www.site.example").is_empty());
    }

    #[test]
    fn port_zero_stands_for_every_port() {
        assert_eq!(addresses(Some(80), "other.example"), ["10.0.0.4"]);
        assert_eq!(addresses(None, "other.example"), ["10.0.0.4"]);
        assert!(pins().ports().into_iter().eq([80, 8080]));
    }
}
