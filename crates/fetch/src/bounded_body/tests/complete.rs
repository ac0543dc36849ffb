//! Decoding in one call gives the same result as decoding piece by piece.

use proptest::prelude::*;

use super::*;
use crate::decode::coded::{bare, zlib, zstd};

type Encode = fn(&[u8]) -> Vec<u8>;

const EACH: [(&str, Encode); 5] =
    [("gzip", gzip), ("deflate", zlib), ("deflate", bare), ("br", brotli), ("zstd", zstd)];

fn page(lines: usize) -> Vec<u8> {
    (0..lines).flat_map(|line| format!("<li><a href=\"/page/{line}\">Page {}</a>\n", line * 7).into_bytes()).collect()
}

/// The body and its state, decoded piece by piece from the beginning.
fn streamed(coding: &str, wire: &[u8], max_body: usize) -> (Vec<u8>, BodyState) {
    let mut decoder = decoder(coding, max_body);
    decoder.single_coding = None;
    let (taken, _) = drive(decoder, wire, wire.len().max(1));
    (taken.body, taken.state)
}

fn at_once(coding: &str, wire: &[u8], max_body: usize) -> (Vec<u8>, BodyState) {
    let (taken, _) = take(coding, wire, 1_000, max_body);
    (taken.body, taken.state)
}

#[track_caller]
fn assert_alike(coding: &str, wire: &[u8], max_body: usize) {
    assert_eq!(at_once(coding, wire, max_body), streamed(coding, wire, max_body), "{coding}, {} bytes", wire.len());
}

/// Returns whether the body is decoded in one call.
fn is_decoded_at_once(coding: &str, wire: &[u8]) -> bool {
    let mut decoder = decoder(coding, MIB);
    assert_eq!(decoder.push(wire), DecodeStep::NeedsInput);
    decoder.decode();
    decoder.complete
}

#[test]
fn common_pages_are_decoded_at_once() {
    assert!(is_decoded_at_once("gzip", &gzip(&page(600))));
    assert!(is_decoded_at_once("x-gzip", &gzip(b"")));
    assert!(is_decoded_at_once("deflate", &zlib(&page(100))));
}

#[test]
fn bodies_that_one_call_could_judge_differently_are_not_decoded_at_once() {
    assert!(!is_decoded_at_once("deflate", &bare(&page(100))), "no checksum reports that it is right");
    assert!(!is_decoded_at_once("gzip, gzip", &gzip(&gzip(&page(100)))));
    assert!(!is_decoded_at_once("gzip", &[gzip(b"one"), gzip(b"two")].concat()));
    let mut with_header_checksum = gzip(&page(10));
    with_header_checksum[3] |= 2;
    assert!(!is_decoded_at_once("gzip", &with_header_checksum));
}

#[test]
fn each_coding_gives_the_same_at_every_truncation() {
    for (coding, encode) in EACH {
        let wire = encode(&page(40));
        (0..=wire.len()).for_each(|end| assert_alike(coding, &wire[..end], MIB));
    }
}

#[test]
fn each_bit_flipped_gives_the_same() {
    for (coding, encode) in [("gzip", gzip as Encode), ("deflate", zlib)] {
        let wire = encode(&page(8));
        for bit in 0..wire.len() * 8 {
            let mut flipped = wire.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_alike(coding, &flipped, MIB);
        }
    }
}

#[test]
fn bounds_at_below_and_above_the_size_give_the_same() {
    for (coding, encode) in EACH {
        for size in [0, 1, 300, 30_000, 300_000] {
            let (plain, wire) = (noise(size), encode(&noise(size)));
            for bound in [0, 1, size.saturating_sub(1), size, size + 1, size + 1_000] {
                assert_alike(coding, &wire, bound);
                let kept = &plain[..size.min(bound)];
                assert_eq!(at_once(coding, &wire, bound).0, kept, "{coding}: {size} bytes, bound {bound}");
            }
        }
    }
}

#[test]
fn members_and_trailers_give_the_same() {
    let (one, two) = (gzip(&page(50)), gzip(&page(50)));
    let trailers: [&[u8]; 8] = [b"", b"\0\0\0\0", b"garbage", b"\x1f", b"\x1f\x8b", b"\x1f\x8b\x08", &two[..20], &two];
    for trailer in trailers {
        assert_alike("gzip", &[&one, trailer].concat(), MIB);
        assert_alike("gzip", &[&one, &[0; 99][..], trailer].concat(), MIB);
        assert_alike("gzip", &[&gzip(b""), trailer].concat(), MIB);
        assert_alike("deflate", &[&zlib(&page(50)), trailer].concat(), MIB);
    }
}

#[test]
fn a_trailer_with_the_size_of_the_first_member_does_not_hide_the_second() {
    let member = gzip(&page(50));
    let wire = [member.as_slice(), &member].concat();
    assert_eq!(at_once("gzip", &wire, MIB), (page(50).repeat(2), BodyState::Complete));
}

#[test]
fn lies_about_the_size_give_the_same() {
    let wire = gzip(&page(50));
    let size = page(50).len() as u32;
    for lie in [0, 1, size - 1, size + 1, size + 299, size * 2, 1 << 20, u32::MAX] {
        let mut lying = wire.clone();
        lying.truncate(wire.len() - 4);
        lying.extend_from_slice(&lie.to_le_bytes());
        assert_alike("gzip", &lying, MIB);
    }
}

#[test]
fn a_page_beyond_the_free_memory_requests_its_size() {
    let plain = page(20_000);
    let (taken, requested) = take("gzip", &gzip(&plain), 8_192, 16 * MIB);
    assert_eq!((taken.body.len(), taken.state), (plain.len(), BodyState::Complete));
    assert!((plain.len() - FREE..plain.len()).contains(&requested), "{requested} of {}", plain.len());
}

#[test]
fn a_kit_comes_back_empty() {
    let mut decoder = decoder("gzip", MIB);
    decoder.push(&gzip(&page(50)));
    decoder.decode();
    let (_, buffers) = decoder.finish(BodyState::Complete);
    assert!(buffers.wire.is_empty() && buffers.wire.capacity() > 0);
}

fn texts() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..2_000),
        (0..200_usize).prop_map(page),
        (0..40_000_usize).prop_map(|size| vec![b'a'; size]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn damaged_bodies_give_the_same(
        text in texts(),
        encoded in 0..5_usize,
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        end in any::<prop::sample::Index>(),
        cut in any::<bool>(),
        bound in 0..60_000_usize,
    ) {
        let (coding, encode) = EACH[encoded];
        let mut wire = encode(&text);
        for (place, byte) in damage {
            let place = place.index(wire.len());
            wire[place] = byte;
        }
        if cut {
            wire.truncate(end.index(wire.len()));
        }
        prop_assert_eq!(at_once(coding, &wire, bound), streamed(coding, &wire, bound));
    }

    #[test]
    fn joined_members_give_the_same(
        texts in proptest::collection::vec(texts(), 1..4),
        padding in 0..5_usize,
        trailer in proptest::collection::vec(any::<u8>(), 0..20),
    ) {
        let mut wire: Vec<u8> = texts.iter().flat_map(|text| [gzip(text), vec![0; padding]].concat()).collect();
        wire.extend_from_slice(&trailer);
        prop_assert_eq!(at_once("gzip", &wire, MIB), streamed("gzip", &wire, MIB));
    }
}
