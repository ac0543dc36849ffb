//! Name resolution, with every result checked by the address guard.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{LookupIpStrategy, ResolverOpts};
use hickory_resolver::net::NetError;
use hickory_resolver::proto::rr::Name;
use reqwest::dns::{Addrs, Resolve, Resolving};
use tokio::sync::OnceCell;

use crate::address_guard::{AddressGuard, canonical_name};
use crate::pins::Pins;

/// Timeout of a lookup in all; shorter than the timeout for connecting, so that the reported cause is the lookup.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(6);

/// Timeout of one query to a name server.
const QUESTION_TIMEOUT: Duration = Duration::from_secs(2);

/// Number of retries of a query.
const ATTEMPTS: usize = 2;

/// Maximum time that "no such host" is cached: names are repaired while a crawl runs.
const NEGATIVE_TTL: Duration = Duration::from_secs(30);

/// Maximum number of addresses of a name that are tried.
const MAX_ADDRESSES: usize = 16;

/// A name that resolves to no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{host}: {why}")]
pub(crate) struct NoAddress {
    pub(crate) host: String,
    pub(crate) why: String,
    /// The system's error number, if the system failed.
    pub(crate) os_error: Option<i32>,
}

/// Resolves names: pinned addresses first, then the machine's hosts file and name servers. Addresses that the guard
/// refuses are left out, and the remaining ones are what is connected to.
#[derive(Clone)]
pub(crate) struct GuardedResolver {
    pub(crate) pins: Pins,
    pub(crate) guard: Arc<AddressGuard>,
    /// Hosts of proxies, which are trusted at any address.
    pub(crate) trusted: Arc<Vec<String>>,
    pub(crate) system: Arc<SystemResolver>,
}

impl NoAddress {
    fn new(host: &str, why: impl Into<String>) -> NoAddress {
        NoAddress { host: host.to_owned(), why: why.into(), os_error: None }
    }
}

impl GuardedResolver {
    async fn resolve(&self, host: &str) -> Result<Vec<IpAddr>, Box<dyn std::error::Error + Send + Sync>> {
        let pinned = self.pins.addresses(host);
        let addresses = if pinned.is_empty() {
            self.system.lookup(host).await?
        } else {
            self.guard.permit_pinned(host, &pinned);
            pinned
        };
        if self.trusted.contains(&canonical_name(host)) {
            return Ok(addresses);
        }
        Ok(self.guard.admit(host, addresses)?)
    }
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: reqwest::dns::Name) -> Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            let addresses = GuardedResolver::resolve(&resolver, name.as_str()).await?;
            // Port 0 stands for the port of the URL.
            let addresses = addresses.into_iter().take(MAX_ADDRESSES).map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

/// The machine's resolver, created at the first lookup.
#[derive(Default)]
pub(crate) struct SystemResolver {
    made: OnceCell<Way>,
}

/// The implementation that looks names up.
enum Way {
    /// Our own resolver, with the machine's configuration.
    Own(Box<TokioResolver>),
    /// The C library, where that configuration cannot be read. Name servers of our choice are never used.
    Library,
}

impl SystemResolver {
    /// Returns every address of the name, IPv4 first: containers often have IPv6 addresses and no route.
    async fn lookup(&self, host: &str) -> Result<Vec<IpAddr>, NoAddress> {
        let error = |why: &str| NoAddress::new(host, why);
        if is_invalid(host) {
            return Err(error("no such host"));
        }
        let found = tokio::time::timeout(LOOKUP_TIMEOUT, async {
            match self.made.get_or_init(own_or_library).await {
                Way::Own(resolver) => request(resolver, host).await,
                Way::Library => resolve_with_libc(host).await,
            }
        });
        let mut addresses = found.await.map_err(|_| error("the name servers do not answer"))??;
        if addresses.is_empty() {
            return Err(error("the name has no address"));
        }
        addresses.sort_by_key(IpAddr::is_ipv6);
        Ok(addresses)
    }
}

/// Returns whether the name never exists (RFC 6761, section 6.4), so that no name server needs to be queried.
fn is_invalid(host: &str) -> bool {
    let host = canonical_name(host);
    host == "invalid" || host.ends_with(".invalid")
}

async fn own_or_library() -> Way {
    let made = TokioResolver::builder_tokio().and_then(|mut builder| {
        set(builder.options_mut());
        builder.build()
    });
    match made {
        Ok(resolver) => Way::Own(Box::new(resolver)),
        Err(error) => {
            tracing::warn!(%error, "the machine's name server configuration cannot be read, the C library is used instead");
            Way::Library
        }
    }
}

/// Sets our own lookup options; servers, search list and the rest are the machine's.
fn set(options: &mut ResolverOpts) {
    options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
    options.timeout = QUESTION_TIMEOUT;
    options.attempts = ATTEMPTS;
    options.negative_max_ttl = Some(NEGATIVE_TTL);
    options.try_tcp_on_error = true;
}

async fn request(resolver: &TokioResolver, host: &str) -> Result<Vec<IpAddr>, NoAddress> {
    let failed = |error: &dyn std::error::Error| NoAddress::new(host, format!("the name cannot be looked up: {error}"));
    // The name exactly as in the URL: browsers also look up names that are invalid under IDNA (`my_shop`; RFC 2181,
    // section 11).
    let name = Name::from_ascii(host).map_err(|error| failed(&error))?;
    match resolver.lookup_ip(name).await {
        Ok(found) => Ok(found.iter().collect()),
        Err(error) if error.is_nx_domain() => Err(NoAddress::new(host, "no such host")),
        Err(error) if error.is_no_records_found() => Err(NoAddress::new(host, "the name has no address")),
        Err(NetError::Timeout) => Err(NoAddress::new(host, "the name servers do not answer")),
        Err(NetError::Io(error)) => Err(NoAddress { os_error: error.raw_os_error(), ..failed(&error) }),
        Err(error) => Err(failed(&error)),
    }
}

async fn resolve_with_libc(host: &str) -> Result<Vec<IpAddr>, NoAddress> {
    match tokio::net::lookup_host((host, 0)).await {
        Ok(found) => Ok(found.map(|address| address.ip()).collect()),
        Err(error) => Err(NoAddress::new(host, format!("the name cannot be looked up: {error}"))),
    }
}

#[cfg(test)]
mod tests;
