//! Under which names the dashboard is served.
//!
//! A page of another site can have its own name point to our address (DNS rebinding), and would then be of the same
//! origin as we are. Its requests carry that name, which is none of ours. An address cannot be made to point elsewhere.

use crate::door::{Door, DoorError};
use std::net::{IpAddr, SocketAddr};

/// The names that requests may carry.
#[derive(Debug)]
pub(crate) struct Names {
    listen: IpAddr,
    /// In lower case; with a port, or for any.
    hosts: Vec<String>,
    /// The proxy's origin, as browsers write it.
    public: Option<String>,
    scheme: &'static str,
}

impl Names {
    /// The names of a door that was opened at `address`.
    pub(crate) fn of(door: &Door, address: SocketAddr) -> Result<Self, DoorError> {
        let public = door.public_origin()?;
        let mut hosts = door.names()?;
        hosts.push("localhost".to_owned());
        hosts.extend(public.as_ref().and_then(|url| url.host_str()).map(str::to_owned));
        let scheme = if door.tls.is_some() { "https" } else { "http" };
        Ok(Self { listen: address.ip(), hosts, public: public.map(|url| url.origin().ascii_serialization()), scheme })
    }

    /// Whether a `Host` field names us.
    pub(crate) fn knows(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        if let Some(ip) = address(&host) {
            return ip.is_loopback() || self.listen.is_unspecified() || ip == self.listen;
        }
        let bare = host.rsplit_once(':').map_or(host.as_str(), |(name, _)| name);
        self.hosts.iter().any(|name| *name == host || *name == bare)
    }

    /// Whether an `Origin` field is that of our own pages, on a request whose `Host` names us. Behind a proxy they have
    /// the proxy's origin alone: whatever host it passes on, pages of that host without TLS are not ours.
    pub(crate) fn is_own(&self, origin: &str, host: &str) -> bool {
        let origin = origin.to_ascii_lowercase();
        match &self.public {
            Some(public) => *public == origin,
            None => origin == format!("{}://{}", self.scheme, host.to_ascii_lowercase()),
        }
    }
}

/// The address that a `Host` field is, with or without a port.
fn address(host: &str) -> Option<IpAddr> {
    let bare = || host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    host.parse::<SocketAddr>().map(|address| address.ip()).or_else(|_| bare().parse()).ok()
}

#[cfg(test)]
mod tests {
    use super::Names;
    use crate::door::Door;

    fn names(listen: &str, change: impl Fn(&mut Door)) -> Names {
        let listen = listen.parse().unwrap();
        let mut door = Door::on(listen);
        change(&mut door);
        Names::of(&door, listen).unwrap()
    }

    #[test]
    fn names_of_others_are_not_known() {
        let names = names("127.0.0.1:8311", |door| door.hosts = vec!["Board.example".into(), "a.example:81".into()]);
        for host in ["127.0.0.1:8311", "localhost:8311", "LOCALHOST", "[::1]:9", "[::1]", "board.example:5"] {
            assert!(names.knows(host), "{host}");
        }
        assert!(names.knows("a.example:81") && !names.knows("a.example:82") && !names.knows("a.example"));
        let foreign = ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8311", "192.0.2.1", "", ":"];
        for host in foreign.into_iter().chain(["x@localhost", "evil.example/localhost", "127.0.0.1:8311@evil"]) {
            assert!(!names.knows(host), "{host}");
        }
    }

    #[test]
    fn an_open_address_is_reached_by_any_address() {
        let names = names("0.0.0.0:8311", |_| {});
        assert!(names.knows("192.0.2.1:8311") && names.knows("[2001:db8::1]:1") && !names.knows("evil.example"));
    }

    #[test]
    fn only_our_own_origin_is_ours() {
        let plain = names("127.0.0.1:1", |_| {});
        assert!(plain.is_own("http://127.0.0.1:1", "127.0.0.1:1"));
        for origin in ["null", "https://127.0.0.1:1", "http://127.0.0.1:2", "http://localhost:1", "http://evil", ""] {
            assert!(!plain.is_own(origin, "127.0.0.1:1"), "{origin}");
        }
        let proxied = names("127.0.0.1:1", |door| door.behind_proxy = Some("https://Ops.example/".into()));
        assert!(proxied.knows("ops.example") && proxied.is_own("https://ops.example", "127.0.0.1:1"));
        for host in ["127.0.0.1:1", "ops.example"] {
            assert!(
                !proxied.is_own("http://ops.example", host) && !proxied.is_own("http://127.0.0.1:1", host),
                "{host}"
            );
        }
    }
}
