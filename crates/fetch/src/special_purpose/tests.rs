use super::*;

fn of(address: &str) -> Option<SpecialPurpose> {
    special_purpose(address.parse().unwrap())
}

#[test]
fn public_addresses_are_public() {
    for address in [
        "1.1.1.1",
        "93.184.216.34",
        "172.15.255.255",
        "172.32.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "2606:2800:220:1:248:1893:25c8:1946",
        "2a00:1450:4001::1",
        "2001:4860:4860::8888",
    ] {
        assert_eq!(of(address), None, "{address}");
    }
}

#[test]
fn every_special_block_is_known_from_its_first_to_its_last_address() {
    let blocks = [
        (SpecialPurpose::Loopback, ["127.0.0.0", "127.255.255.255"]),
        (SpecialPurpose::Private, ["10.0.0.0", "10.255.255.255"]),
        (SpecialPurpose::Private, ["172.16.0.0", "172.31.255.255"]),
        (SpecialPurpose::Private, ["192.168.0.0", "192.168.255.255"]),
        (SpecialPurpose::LinkLocal, ["169.254.0.0", "169.254.255.255"]),
        (SpecialPurpose::Shared, ["100.64.0.0", "100.127.255.255"]),
        (SpecialPurpose::Reserved, ["0.0.0.0", "0.255.255.255"]),
        (SpecialPurpose::Reserved, ["192.0.2.0", "192.0.2.255"]),
        (SpecialPurpose::Reserved, ["198.51.100.0", "203.0.113.255"]),
        (SpecialPurpose::Reserved, ["198.18.0.0", "198.19.255.255"]),
        (SpecialPurpose::Reserved, ["224.0.0.1", "255.255.255.255"]),
        (SpecialPurpose::Loopback, ["::1", "::1"]),
        (SpecialPurpose::Private, ["fc00::", "fdff:ffff::1"]),
        (SpecialPurpose::Private, ["fec0::1", "feff::1"]),
        (SpecialPurpose::LinkLocal, ["fe80::1", "febf::1"]),
        (SpecialPurpose::Reserved, ["::", "ff02::1"]),
        (SpecialPurpose::Reserved, ["2001:db8::", "2001:db8:ffff::1"]),
        (SpecialPurpose::Reserved, ["3fff::", "3fff:fff:ffff::1"]),
        (SpecialPurpose::Reserved, ["2001::1", "2001:1ff::1"]),
        (SpecialPurpose::Reserved, ["100::1", "4000::1"]),
        (SpecialPurpose::Reserved, ["64:ff9b:1::1", "5f00::1"]),
    ];
    for (kind, ends) in blocks {
        for address in ends {
            assert_eq!(of(address), Some(kind), "{address}");
        }
    }
}

#[test]
fn metadata_services_are_known_wherever_they_hide() {
    for address in
        ["169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254"]
    {
        assert_eq!(of(address), Some(SpecialPurpose::Metadata), "{address}");
    }
}

#[test]
fn an_ipv4_address_inside_an_ipv6_address_is_judged_as_itself() {
    for (address, expected) in [
        ("::ffff:127.0.0.1", Some(SpecialPurpose::Loopback)),
        ("::ffff:8.8.8.8", None),
        ("::127.0.0.1", Some(SpecialPurpose::Loopback)),
        ("::ffff:0:10.0.0.1", Some(SpecialPurpose::Private)),
        ("64:ff9b::10.0.0.1", Some(SpecialPurpose::Private)),
        ("64:ff9b::a9fe:a9fe", Some(SpecialPurpose::Metadata)),
        ("64:ff9b::8.8.8.8", None),
        ("2002:7f00:1::1", Some(SpecialPurpose::Loopback)),
        ("2002:c0a8:101::1", Some(SpecialPurpose::Private)),
        ("2001:4860::5efe:192.168.0.1", Some(SpecialPurpose::Private)),
    ] {
        assert_eq!(of(address), expected, "{address}");
    }
}
