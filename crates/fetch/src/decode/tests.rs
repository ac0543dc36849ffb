use std::io::Write;

use super::coded::{bare, brotli, gzip, zlib, zstd};
use super::*;
use crate::codings::Coding::{Brotli, Deflate, Gzip, Zstd};

const MIB: usize = 1 << 20;

fn text() -> Vec<u8> {
    (0..20_000).flat_map(|number| format!("line {number} of a page\n").into_bytes()).collect()
}

/// The result of decoding: the bytes, whether the stream may end there, and whether it is corrupt.
#[derive(Debug, PartialEq)]
struct Decoded {
    bytes: Vec<u8>,
    complete: bool,
    fault: bool,
}

/// Decodes a body in pieces of `piece` bytes, up to `limit` bytes.
fn decode_in_pieces(codings: &[Coding], coded: &[u8], piece: usize, limit: usize) -> Decoded {
    let mut chain = Chain::new(codings, 64 * MIB as u64);
    let (mut wire, mut bytes, mut fault) = (Vec::new(), Vec::new(), false);
    for piece in coded.chunks(piece) {
        wire.extend_from_slice(piece);
        match chain.advance(&wire, &mut bytes, limit) {
            Ok(used) => drop(wire.drain(..used)),
            Err(_) => {
                fault = true;
                break;
            }
        }
        if bytes.len() >= limit {
            break;
        }
    }
    Decoded { bytes, complete: chain.is_complete(), fault }
}

fn decoded(plain: &[u8]) -> Decoded {
    Decoded { bytes: plain.to_vec(), complete: true, fault: false }
}

type Encode = fn(&[u8]) -> Vec<u8>;

const EACH: [(Coding, Encode); 5] = [(Gzip, gzip), (Deflate, zlib), (Deflate, bare), (Brotli, brotli), (Zstd, zstd)];

#[test]
fn each_coding_is_undone_however_it_is_cut_into_pieces() {
    let plain = text();
    for (coding, encode) in EACH {
        let coded = encode(&plain);
        for piece in [1, 7, 1_000, coded.len()] {
            assert_eq!(decode_in_pieces(&[coding], &coded, piece, MIB), decoded(&plain), "{coding:?} by {piece}");
        }
    }
}

#[test]
fn an_empty_document_is_complete_in_each_coding() {
    for (coding, encode) in EACH {
        assert_eq!(decode_in_pieces(&[coding], &encode(b""), 1_000, MIB), decoded(b""), "{coding:?}");
    }
}

#[test]
fn decoding_goes_on_where_room_ran_out() {
    let plain = text();
    for (coding, encode) in EACH {
        let coded = encode(&plain);
        let mut chain = Chain::new(&[coding], MIB as u64);
        let (mut used, mut bytes) = (0, Vec::new());
        for limit in (1_000..plain.len() + 2_000).step_by(1_000) {
            used += chain.advance(&coded[used..], &mut bytes, limit).unwrap();
        }
        assert_eq!(bytes, plain, "{coding:?}");
        assert!(chain.is_complete(), "{coding:?}");
    }
}

#[test]
fn gzip_members_follow_each_other() {
    let coded = [gzip(b"one, "), gzip(b""), gzip(b"two, "), gzip(b"three")].concat();
    for piece in [1, 5, coded.len()] {
        assert_eq!(decode_in_pieces(&[Gzip], &coded, piece, MIB), decoded(b"one, two, three"));
    }
}

#[test]
fn zstd_frames_follow_each_other() {
    let coded = [zstd(b"one, "), zstd(b"two")].concat();
    for piece in [1, 5, coded.len()] {
        assert_eq!(decode_in_pieces(&[Zstd], &coded, piece, MIB), decoded(b"one, two"));
    }
}

#[test]
fn trailing_data_after_the_last_member_is_ignored() {
    for trailer in [&b"\0\0\0\0"[..], b"garbage", b"\x1f", b"\x1f\x8bnot really gzip"] {
        for piece in [1, 1_000] {
            let coded = [gzip(b"text").as_slice(), trailer].concat();
            assert_eq!(decode_in_pieces(&[Gzip], &coded, piece, MIB), decoded(b"text"), "{trailer:?}");
        }
    }
    for (coding, encode) in EACH {
        let coded = [encode(b"text").as_slice(), b"garbage"].concat();
        assert_eq!(decode_in_pieces(&[coding], &coded, 1_000, MIB), decoded(b"text"), "{coding:?}");
    }
}

#[test]
fn a_member_after_padding_counts() {
    let coded = [gzip(b"one, "), vec![0; 512], gzip(b"two")].concat();
    assert_eq!(decode_in_pieces(&[Gzip], &coded, 100, MIB), decoded(b"one, two"));
}

#[test]
fn a_truncated_stream_gives_its_beginning() {
    let plain = text();
    for (coding, encode) in EACH {
        let coded = encode(&plain);
        let decoded = decode_in_pieces(&[coding], &coded[..coded.len() / 2], 1_000, MIB);
        assert!(!decoded.complete && !decoded.fault, "{coding:?}");
        assert!(decoded.bytes.len() > 1_000 && plain.starts_with(&decoded.bytes), "{coding:?}");
    }
}

#[test]
fn a_stream_without_its_last_byte_is_not_complete() {
    for (coding, encode) in EACH {
        let coded = encode(b"a little text");
        let decoded = decode_in_pieces(&[coding], &coded[..coded.len() - 1], 1_000, MIB);
        assert!(!decoded.complete, "{coding:?}");
    }
}

#[test]
fn a_stream_that_is_none_is_a_fault() {
    for coding in [Gzip, Brotli, Zstd] {
        let decoded = decode_in_pieces(&[coding], b"<!doctype html><title>not coded at all</title>", 1_000, MIB);
        assert!(decoded.fault || !decoded.complete, "{coding:?}");
    }
    assert!(decode_in_pieces(&[Gzip], b"<html>", 1_000, MIB).fault);
    assert!(decode_in_pieces(&[Deflate], b"\xff\xff\xff\xff", 1_000, MIB).fault);
}

#[test]
fn a_wrong_checksum_is_a_fault_after_all_the_text() {
    let mut coded = gzip(b"a little text");
    let place = coded.len() - 8;
    coded[place] ^= 0xff;
    let decoded = decode_in_pieces(&[Gzip], &coded, 1_000, MIB);
    assert!(decoded.fault);
    assert_eq!(decoded.bytes, b"a little text");
}

#[test]
fn stacked_codings_are_undone_from_the_last_to_the_first() {
    let plain = text();
    let stacks: [(&[Coding], Vec<u8>); 4] = [
        (&[Gzip, Gzip], gzip(&gzip(&plain))),
        (&[Gzip, Brotli], brotli(&gzip(&plain))),
        (&[Deflate, Zstd], zstd(&bare(&plain))),
        (&[Brotli, Gzip, Zstd, Deflate], zlib(&zstd(&gzip(&brotli(&plain))))),
    ];
    for (codings, coded) in stacks {
        for piece in [1, 999, coded.len()] {
            assert_eq!(decode_in_pieces(codings, &coded, piece, MIB), decoded(&plain), "{codings:?} by {piece}");
        }
        let half = decode_in_pieces(codings, &coded[..coded.len() / 2], 1_000, MIB);
        assert!(!half.complete && plain.starts_with(&half.bytes), "{codings:?}");
    }
}

#[test]
fn a_bomb_stops_at_the_limit() {
    let zeros = vec![0; 64 * MIB];
    for (coding, encode) in EACH {
        let coded = encode(&zeros);
        assert!(coded.len() < MIB, "{coding:?} makes no bomb of {}", coded.len());
        let decoded = decode_in_pieces(&[coding], &coded, coded.len(), MIB);
        assert!((MIB..2 * MIB).contains(&decoded.bytes.len()), "{coding:?}: {}", decoded.bytes.len());
    }
}

#[test]
fn a_bomb_between_two_codings_stops_at_its_own_limit() {
    // Endless empty deflate blocks: the outer coding grows, and the inner one decodes to nothing.
    let empty_blocks = [0x00, 0x00, 0x00, 0xff, 0xff].repeat(20 * MIB);
    let coded = gzip(&empty_blocks);
    let decoded = decode_in_pieces(&[Deflate, Gzip], &coded, coded.len(), MIB);
    assert!(decoded.fault);
    assert_eq!(decoded.bytes, b"");
}

#[test]
fn gzip_members_without_end_are_a_fault() {
    let coded = gzip(b"").repeat(70_000);
    assert!(decode_in_pieces(&[Gzip], &coded, coded.len(), MIB).fault);
}

#[test]
fn a_zstd_window_beyond_eight_mib_is_a_fault() {
    let mut encoder = ::zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.window_log(27).unwrap();
    encoder.long_distance_matching(true).unwrap();
    encoder.write_all(&text()).unwrap();
    assert!(decode_in_pieces(&[Zstd], &encoder.finish().unwrap(), 1_000, MIB).fault);
}

#[test]
fn no_coding_passes_bytes_through() {
    assert_eq!(decode_in_pieces(&[], b"plain text", 3, MIB), decoded(b"plain text"));
    assert_eq!(decode_in_pieces(&[], b"plain text", 3, 5).bytes, b"plain");
}
