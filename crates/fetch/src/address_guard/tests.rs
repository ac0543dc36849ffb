use super::*;

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn permitted(guard: &AddressGuard, address: &str) -> bool {
    guard.permits(ip(address))
}

#[test]
fn only_public_addresses_are_permitted_by_default() {
    let guard = AddressGuard::new(GuardOptions::default());
    assert!(permitted(&guard, "93.184.216.34"));
    for address in ["127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "::", "::1", "::ffff:127.0.0.1", "fe80::1"] {
        assert!(!permitted(&guard, address), "{address}");
    }
}

#[test]
fn an_address_that_a_start_url_names_is_permitted_and_no_other() {
    let guard = AddressGuard::new(GuardOptions::default());
    guard.add_first_party("127.0.0.1");
    assert!(permitted(&guard, "127.0.0.1"));
    assert!(permitted(&guard, "::ffff:127.0.0.1"));
    assert!(!permitted(&guard, "127.0.0.2"));
    assert!(!permitted(&guard, "::1"));
    guard.add_first_party("[::1]");
    assert!(permitted(&guard, "::1"));
}

#[test]
fn a_home_host_is_known_in_any_case_and_with_the_roots_dot() {
    let guard = AddressGuard::new(GuardOptions::default());
    guard.add_first_party("Intranet.Example");
    assert!(guard.is_first_party("intranet.example."));
    assert!(!guard.is_first_party("www.intranet.example"));
    assert!(!permitted(&guard, "10.0.0.1"), "before the name is looked up its addresses are unknown");
    assert_eq!(guard.admit("intranet.example", vec![ip("10.0.0.1")]), Ok(vec![ip("10.0.0.1")]));
    assert!(permitted(&guard, "10.0.0.1"));
}

#[test]
fn a_home_host_that_moves_within_its_network_is_followed() {
    let guard = AddressGuard::new(GuardOptions::default());
    guard.add_first_party("intranet.example");
    assert!(guard.admit("intranet.example", vec![ip("10.0.0.1")]).is_ok());
    assert!(guard.admit("intranet.example", vec![ip("10.0.0.2")]).is_ok());
    guard.add_first_party("six.example");
    assert!(guard.admit("six.example", vec![ip("fd12::1")]).is_ok());
    assert!(guard.admit("six.example", vec![ip("fd12::2")]).is_ok());
}

#[test]
fn a_home_host_cannot_turn_towards_another_network() {
    for (first, then) in [
        ("127.0.0.1", "169.254.169.254"),
        ("127.0.0.1", "127.0.0.3"),
        ("127.0.0.1", "10.0.0.1"),
        ("10.0.0.1", "10.1.0.1"),
        ("10.0.0.1", "127.0.0.1"),
        ("169.254.7.7", "169.254.169.254"),
        ("100.100.100.1", "100.100.100.200"),
        ("fd00:ec2::1", "fd00:ec2::254"),
        ("10.0.0.1", "::1"),
    ] {
        let guard = AddressGuard::new(GuardOptions::default());
        guard.add_first_party("intranet.example");
        assert!(guard.admit("intranet.example", vec![ip(first)]).is_ok(), "{first}");
        assert!(guard.admit("intranet.example", vec![ip(then)]).is_err(), "{first}, then {then}");
        assert_eq!(guard.admit("intranet.example", vec![ip(then), ip(first)]), Ok(vec![ip(first)]));
    }
}

#[test]
fn a_home_host_that_was_public_cannot_turn_towards_a_private_network() {
    let guard = AddressGuard::new(GuardOptions::default());
    guard.add_first_party("www.example.com");
    assert!(guard.admit("www.example.com", vec![ip("93.184.216.34")]).is_ok());
    assert!(guard.admit("www.example.com", vec![ip("127.0.0.1")]).is_err());
    assert!(!permitted(&guard, "127.0.0.1"));
}

#[test]
fn of_a_mixed_answer_the_permitted_addresses_are_left() {
    let guard = AddressGuard::new(GuardOptions::default());
    let answer = vec![ip("10.0.0.1"), ip("93.184.216.34"), ip("::1")];
    assert_eq!(guard.admit("mixed.example", answer), Ok(vec![ip("93.184.216.34")]));
    assert!(guard.admit("evil.example", vec![ip("10.0.0.1"), ip("::1")]).is_err());
}

#[test]
fn blocks_named_by_option_are_permitted() {
    let guard = AddressGuard::new(GuardOptions { allow: vec!["10.1.0.0/16".parse().unwrap()], allow_private: false });
    assert!(permitted(&guard, "10.1.2.3"));
    assert!(!permitted(&guard, "10.2.0.1"));
}

#[test]
fn private_by_option_leaves_metadata_and_reserved_addresses_refused() {
    let guard = AddressGuard::new(GuardOptions { allow: vec![], allow_private: true });
    for address in ["127.0.0.1", "10.0.0.1", "192.168.1.1", "fd12::1", "fe80::1", "100.64.0.1"] {
        assert!(permitted(&guard, address), "{address}");
    }
    for address in ["169.254.169.254", "fd00:ec2::254", "0.0.0.0", "224.0.0.1", "255.255.255.255"] {
        assert!(!permitted(&guard, address), "{address}");
    }
}

#[test]
fn the_refusal_says_who_is_where_and_what_that_is() {
    let guard = AddressGuard::new(GuardOptions::default());
    let refused = guard.check("evil.example", ip("10.0.0.1")).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "evil.example is at 10.0.0.1, a private address, which the address guard refuses; --allow-address permits it"
    );
}

#[test]
fn home_addresses_are_bounded() {
    let guard = AddressGuard::new(GuardOptions::default());
    for number in 0..MAX_FIRST_PARTY_ADDRESSES as u32 + 10 {
        guard.learn(IpAddr::from((0x0a00_0000 + number).to_be_bytes()));
    }
    assert_eq!(guard.read().addresses.len(), MAX_FIRST_PARTY_ADDRESSES);
}
