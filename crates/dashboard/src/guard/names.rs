//! The host names of the dashboard.
//!
//! Another site can point its own name at our address (DNS rebinding), so that its pages would have the same origin as
//! ours. Their requests carry that name, which is not one of ours. An IP address cannot be made to point elsewhere.

use crate::access::AccessConfig;
use crate::access_error::AccessError;
use std::net::{IpAddr, SocketAddr};

/// The host names that requests may carry.
#[derive(Debug)]
pub(crate) struct Names {
    listen: IpAddr,
    /// Names in lower case, with a port or for any port.
    hosts: Vec<String>,
    /// The proxy's origin, as browsers write it.
    public: Option<String>,
    scheme: &'static str,
}

impl Names {
    /// The names of a configuration that is bound to `address`.
    pub(crate) fn of(access: &AccessConfig, address: SocketAddr) -> Result<Self, AccessError> {
        let public = access.public_origin()?;
        let mut hosts = access.names()?;
        hosts.push("localhost".to_owned());
        hosts.extend(public.as_ref().and_then(|url| url.host_str()).map(str::to_owned));
        let scheme = if access.tls.is_some() { "https" } else { "http" };
        Ok(Self { listen: address.ip(), hosts, public: public.map(|url| url.origin().ascii_serialization()), scheme })
    }

    /// Returns whether a `Host` field names this dashboard.
    pub(crate) fn knows(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        if let Some(ip) = address(&host) {
            return ip.is_loopback() || self.listen.is_unspecified() || ip == self.listen;
        }
        let bare = host.rsplit_once(':').map_or(host.as_str(), |(name, _)| name);
        self.hosts.iter().any(|name| *name == host || *name == bare)
    }

    /// Returns whether an `Origin` field is that of our own pages, on a request whose `Host` names us. Behind a proxy
    /// only the proxy's origin is ours: whatever host it passes on, pages of that host without TLS are not.
    pub(crate) fn is_own(&self, origin: &str, host: &str) -> bool {
        let origin = origin.to_ascii_lowercase();
        match &self.public {
            Some(public) => *public == origin,
            None => origin == format!("{}://{}", self.scheme, host.to_ascii_lowercase()),
        }
    }
}

/// The IP address in a `Host` field, with or without a port.
fn address(host: &str) -> Option<IpAddr> {
    let bare = || host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    host.parse::<SocketAddr>().map(|address| address.ip()).or_else(|_| bare().parse()).ok()
}

#[cfg(test)]
mod tests {
    use super::Names;
    use crate::access::AccessConfig;

    fn names(listen: &str, change: impl Fn(&mut AccessConfig)) -> Names {
        let listen = listen.parse().unwrap();
        let mut access = AccessConfig::on(listen);
        change(&mut access);
        Names::of(&access, listen).unwrap()
    }

    #[test]
    fn names_of_others_are_not_known() {
        let names =
            names("127.0.0.1:8311", |access| access.hosts = vec!["Board.example".into(), "a.example:81".into()]);
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
        let proxied = names("127.0.0.1:1", |access| access.behind_proxy = Some("https://Ops.example/".into()));
        assert!(proxied.knows("ops.example") && proxied.is_own("https://ops.example", "127.0.0.1:1"));
        for host in ["127.0.0.1:1", "ops.example"] {
            assert!(
                !proxied.is_own("http://ops.example", host) && !proxied.is_own("http://127.0.0.1:1", host),
                "{host}"
            );
        }
    }
}
