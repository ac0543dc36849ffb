//! The address guard, which decides which addresses may be reached.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::RwLock;

use crate::address_block::Net;
use crate::special_purpose::{SpecialPurpose, special_purpose};

/// Maximum number of remembered addresses of start URLs' hosts; a host with more is not the user's own.
const MAX_FIRST_PARTY_ADDRESSES: usize = 4_096;

/// The addresses that the user allows beyond public ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GuardOptions {
    /// Blocks that may be reached, whatever they are.
    pub allow: Vec<Net>,
    /// Loopback, private (RFC 1918, RFC 4193), link-local and carrier-grade NAT addresses may all be reached. Cloud
    /// metadata services stay refused unless `allow` names them.
    pub allow_private: bool,
}

/// Decides which addresses may be reached: public ones, those that the start URLs' hosts name or resolve to, and those
/// that the user allowed.
///
/// The first lookup of a start URL's name settles its network: a name that was public then cannot be pointed at a
/// private network later by whoever runs its name servers, and a name on a private network stays on that network.
///
/// The guard judges addresses only: another port of the same host is a matter of scope.
#[derive(Debug)]
pub struct AddressGuard {
    options: GuardOptions,
    first_party_state: RwLock<FirstParty>,
}

#[derive(Debug, Default)]
struct FirstParty {
    hosts: BTreeMap<String, NetworkClass>,
    addresses: BTreeSet<IpAddr>,
}

/// The network that a start URL's name resolved to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum NetworkClass {
    /// Not looked up yet.
    Unknown,
    /// All of its addresses were public.
    Public,
    /// A host on private networks: those that these addresses lie in.
    Inner(Vec<IpAddr>),
}

/// An address that may not be reached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{host} is at {address}, a {kind}, which the address guard refuses; --allow-address permits it", kind = .kind.describe())]
pub(crate) struct Refused {
    pub(crate) host: String,
    pub(crate) address: IpAddr,
    pub(crate) kind: SpecialPurpose,
}

impl AddressGuard {
    /// Creates a guard that knows no start URL yet.
    pub fn new(options: GuardOptions) -> AddressGuard {
        AddressGuard { options, first_party_state: RwLock::default() }
    }

    /// Returns whether this address may be reached now.
    pub fn permits(&self, address: IpAddr) -> bool {
        self.refusal_reason(address).is_none()
    }

    /// Adds the host of a start URL. An address is permitted from now on; a name permits the addresses that it resolves
    /// to, once it is looked up.
    pub fn add_first_party(&self, host: &str) {
        match literal(host) {
            Some(address) => self.learn(address),
            None => {
                self.write().hosts.entry(canonical_name(host)).or_insert(NetworkClass::Unknown);
            }
        }
    }

    /// Returns whether this is the name of a start URL's host.
    pub fn is_first_party(&self, host: &str) -> bool {
        self.read().hosts.contains_key(&canonical_name(host))
    }

    /// Permits the addresses that the user pinned to `host` with `--resolve`, if it is a start URL's host, whatever the
    /// number of ports that they are pinned for.
    pub(crate) fn permit_pinned(&self, host: &str, addresses: &[IpAddr]) {
        if self.is_first_party(host) {
            addresses.iter().for_each(|&address| self.learn(address));
        }
    }

    /// Returns those addresses from a lookup of `host` that may be reached.
    ///
    /// # Errors
    /// None of them may be reached; the error is the first one's.
    pub(crate) fn admit(&self, host: &str, addresses: Vec<IpAddr>) -> Result<Vec<IpAddr>, Refused> {
        self.permitted_for(host, &addresses).into_iter().for_each(|address| self.learn(address));
        let judged = addresses.iter().map(|&address| self.check(host, address).map(|()| address));
        let (admitted, refused): (Vec<_>, Vec<_>) = judged.partition(Result::is_ok);
        match refused.into_iter().find_map(Result::err) {
            Some(why) if admitted.is_empty() => Err(why),
            _ => Ok(admitted.into_iter().flatten().collect()),
        }
    }

    /// Returns those addresses of a start URL's name that are permitted because of that name.
    fn permitted_for(&self, host: &str, addresses: &[IpAddr]) -> Vec<IpAddr> {
        if addresses.is_empty() || !self.is_first_party(host) {
            return Vec::new();
        }
        let public = addresses.iter().all(|&address| special_purpose(address).is_none());
        let mut first_party_state = self.write();
        let Some(network_class) = first_party_state.hosts.get_mut(&canonical_name(host)) else { return Vec::new() };
        if *network_class == NetworkClass::Unknown {
            *network_class = if public { NetworkClass::Public } else { NetworkClass::Inner(addresses.to_vec()) };
        }
        let NetworkClass::Inner(first) = network_class else { return Vec::new() };
        let stays = |address: &&IpAddr| first.iter().any(|known| is_near(*known, **address));
        addresses.iter().filter(stays).copied().collect()
    }

    /// Permits an address.
    fn learn(&self, address: IpAddr) {
        let address = address.to_canonical();
        let mut first_party_state = self.write();
        if first_party_state.addresses.len() < MAX_FIRST_PARTY_ADDRESSES {
            first_party_state.addresses.insert(address);
        }
    }

    /// Checks an address that `host` is or resolves to.
    pub(crate) fn check(&self, host: &str, address: IpAddr) -> Result<(), Refused> {
        match self.refusal_reason(address) {
            Some(kind) => Err(Refused { host: host.to_owned(), address, kind }),
            None => Ok(()),
        }
    }

    /// The reason why the address may not be reached.
    fn refusal_reason(&self, address: IpAddr) -> Option<SpecialPurpose> {
        let kind = special_purpose(address)?;
        let allowed = (self.options.allow_private && kind.is_local())
            || self.options.allow.iter().any(|net| net.contains(address))
            || self.read().addresses.contains(&address.to_canonical());
        (!allowed).then_some(kind)
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, FirstParty> {
        // No code panics while it holds the lock, so a poisoned set is still consistent.
        self.first_party_state.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, FirstParty> {
        self.first_party_state.write().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The address that a URL's host is written as, in brackets or not.
pub(crate) fn literal(host: &str) -> Option<IpAddr> {
    host.trim_matches(['[', ']']).parse().ok()
}

/// Returns whether a host that was at `known` may now be at `address`: a host of a private network changes its address
/// within that network (assumed to have 65,536 addresses), and no other does.
fn is_near(known: IpAddr, address: IpAddr) -> bool {
    let (known, address) = (known.to_canonical(), address.to_canonical());
    let private =
        |address: IpAddr| matches!(special_purpose(address), Some(SpecialPurpose::Private | SpecialPurpose::Shared));
    let near = match (known, address) {
        (IpAddr::V4(known), IpAddr::V4(address)) => known.octets().first_chunk::<2>() == address.octets().first_chunk(),
        (IpAddr::V6(known), IpAddr::V6(address)) => known.octets().first_chunk::<8>() == address.octets().first_chunk(),
        _ => false,
    };
    known == address || near && private(known) && private(address)
}

/// The name in the form that is compared: lower case, without the trailing dot of the root.
pub(crate) fn canonical_name(host: &str) -> String {
    host.trim_end_matches('.').to_ascii_lowercase()
}

#[cfg(test)]
mod tests;
