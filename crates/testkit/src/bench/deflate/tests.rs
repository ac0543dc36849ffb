use std::io::Read;

use flate2::read::DeflateDecoder;

use super::*;
use crate::bench::words::scramble;

/// The last block of a stream, empty, with fixed codes.
const LAST: [u8; 2] = [0b011, 0];

#[track_caller]
fn assert_unpacks(text: &[u8]) -> usize {
    let mut packed = Vec::new();
    pack(text, &mut packed);
    let size = packed.len();
    packed.extend_from_slice(&LAST);
    let mut unpacked = Vec::new();
    DeflateDecoder::new(packed.as_slice()).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, text);
    size
}

#[test]
fn nothing_and_every_byte_come_back() {
    assert_unpacks(b"");
    assert_unpacks(b"abc");
    assert_unpacks(&(0..=255).collect::<Vec<u8>>());
}

#[test]
fn repetitions_of_every_length_come_back_and_are_short() {
    for length in 1..600 {
        assert_unpacks(&vec![b'x'; length]);
        let piece: Vec<u8> = (0..length as u64).map(|place| scramble(place) as u8).collect();
        let twice = [piece.as_slice(), b"-", &piece].concat();
        assert_unpacks(&twice);
    }
    assert!(assert_unpacks(&[b'x'; 5_000]) < 60);
}

#[test]
fn repetitions_from_every_distance_come_back() {
    for distance in [1, 2, 3, 4, 5, 100, 1_000, 10_000, WINDOW - 1, WINDOW, WINDOW + 1, 50_000] {
        let mut text = b"a phrase to be found again".to_vec();
        text.extend((0..distance as u64).map(|place| scramble(place) as u8));
        text.extend_from_slice(b"a phrase to be found again");
        assert_unpacks(&text);
    }
}
