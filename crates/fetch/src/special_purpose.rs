//! The classification of addresses as public or special.
//!
//! The source is the special-purpose address registries (RFC 6890 and its successors). In doubt an address is refused:
//! it is public only if no entry says otherwise.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The reason why an address is not public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpecialPurpose {
    /// This host: 127.0.0.0/8, `::1`.
    Loopback,
    /// A private network: RFC 1918, RFC 4193 (ULA), site-local.
    Private,
    /// Link-local: RFC 3927, fe80::/10.
    LinkLocal,
    /// A carrier-grade NAT network: RFC 6598.
    Shared,
    /// The metadata services of a cloud for its virtual machines.
    Metadata,
    /// No address of a public host: unspecified, multicast, broadcast, documentation, benchmarks, reserved.
    Reserved,
}

impl SpecialPurpose {
    /// The noun in a message: "127.0.0.1 is a …".
    pub(crate) fn describe(self) -> &'static str {
        match self {
            SpecialPurpose::Loopback => "loopback address",
            SpecialPurpose::Private => "private address",
            SpecialPurpose::LinkLocal => "link-local address",
            SpecialPurpose::Shared => "carrier's inner address",
            SpecialPurpose::Metadata => "cloud metadata address",
            SpecialPurpose::Reserved => "reserved address",
        }
    }

    /// Returns whether hosts on private networks have such addresses.
    pub(crate) fn is_local(self) -> bool {
        matches!(
            self,
            SpecialPurpose::Loopback | SpecialPurpose::Private | SpecialPurpose::LinkLocal | SpecialPurpose::Shared
        )
    }
}

/// Metadata services at addresses of other kinds: the common one (AWS, Azure, Google and more), ECS tasks, Alibaba,
/// Oracle, Azure's wire server (a public address), and AWS over IPv6.
const METADATA_V4: [Ipv4Addr; 5] = [
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(169, 254, 170, 2),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(192, 0, 0, 192),
    Ipv4Addr::new(168, 63, 129, 16),
];
const METADATA_V6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254);

/// The reason why the address is not public; `None` for a public one.
pub(crate) fn special_purpose(address: IpAddr) -> Option<SpecialPurpose> {
    match address {
        IpAddr::V4(v4) => special_v4(v4),
        IpAddr::V6(v6) => special_v6(v6),
    }
}

fn special_v4(address: Ipv4Addr) -> Option<SpecialPurpose> {
    if METADATA_V4.contains(&address) {
        return Some(SpecialPurpose::Metadata);
    }
    match address.octets() {
        [127, ..] => Some(SpecialPurpose::Loopback),
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Some(SpecialPurpose::Private),
        [169, 254, ..] => Some(SpecialPurpose::LinkLocal),
        [100, 64..=127, ..] => Some(SpecialPurpose::Shared),
        // "This network"; protocol assignments; the three documentation blocks; former 6to4 relays; benchmarks.
        [0, ..] | [192, 0, 0 | 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Some(SpecialPurpose::Reserved),
        [192, 88, 99, _] | [198, 18 | 19, ..] => Some(SpecialPurpose::Reserved),
        // Multicast, reserved for future use, broadcast.
        [224..=255, ..] => Some(SpecialPurpose::Reserved),
        _ => None,
    }
}

fn special_v6(address: Ipv6Addr) -> Option<SpecialPurpose> {
    if address == METADATA_V6 {
        return Some(SpecialPurpose::Metadata);
    }
    if address.is_loopback() {
        return Some(SpecialPurpose::Loopback);
    }
    if let Some(inner) = embedded(address) {
        return special_v4(inner);
    }
    match address.segments() {
        [0xfc00..=0xfdff, ..] | [0xfec0..=0xfeff, ..] => Some(SpecialPurpose::Private),
        [0xfe80..=0xfebf, ..] => Some(SpecialPurpose::LinkLocal),
        // Protocol assignments with Teredo (2001::/23) and documentation, within the unicast space.
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Some(SpecialPurpose::Reserved),
        [0x2000..=0x3fff, ..] => None,
        // Outside 2000::/3 no public host has an address.
        _ => Some(SpecialPurpose::Reserved),
    }
}

/// The IPv4 address that packets to this address reach: mapped and compatible (RFC 4291), translated (RFC 2765), NAT64
/// (RFC 6052), 6to4 (RFC 3056), ISATAP (RFC 5214).
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let low = |high: u16, low: u16| Some(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)));
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => None,
        [0, 0, 0, 0, 0, 0 | 0xffff, a, b] | [0, 0, 0, 0, 0xffff, 0, a, b] => low(a, b),
        [0x64, 0xff9b, 0, 0, 0, 0, a, b] => low(a, b),
        [0x2002, a, b, ..] => low(a, b),
        [_, _, _, _, 0 | 0x200, 0x5efe, a, b] => low(a, b),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
