use super::*;

fn net(text: &str) -> Net {
    text.parse().unwrap()
}

fn holds(block: &str, address: &str) -> bool {
    net(block).contains(address.parse().unwrap())
}

#[test]
fn a_block_holds_the_addresses_of_its_prefix() {
    assert!(holds("10.0.0.0/8", "10.255.255.255"));
    assert!(!holds("10.0.0.0/8", "11.0.0.0"));
    assert!(holds("192.0.2.128/25", "192.0.2.129"));
    assert!(!holds("192.0.2.128/25", "192.0.2.127"));
    assert!(holds("fd00::/8", "fdff::1"));
    assert!(!holds("fd00::/8", "fe00::1"));
}

#[test]
fn one_address_is_a_block_of_one() {
    assert!(holds("127.0.0.1", "127.0.0.1"));
    assert!(!holds("127.0.0.1", "127.0.0.2"));
    assert!(holds("::1", "::1"));
    assert!(holds("[::1]", "::1"));
}

#[test]
fn the_empty_prefix_contains_its_entire_family_and_no_other() {
    assert!(holds("0.0.0.0/0", "255.1.2.3"));
    assert!(!holds("0.0.0.0/0", "2001:db8::1"));
    assert!(holds("::/0", "2001:db8::1"));
    assert!(!holds("::/0", "10.0.0.1"));
}

#[test]
fn an_ipv4_address_in_ipv6_dress_is_ipv4() {
    assert!(holds("10.0.0.0/8", "::ffff:10.1.2.3"));
}

#[test]
fn invalid_blocks_are_named() {
    for text in ["", "ten", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0/8", "10.0.0.0/-1"] {
        assert_eq!(text.parse::<Net>(), Err(NetError { text: text.to_owned() }));
    }
}

#[test]
fn a_block_prints_as_it_is_written() {
    assert_eq!(net("10.0.0.0/8").to_string(), "10.0.0.0/8");
    assert_eq!(net("::1").to_string(), "::1/128");
}
