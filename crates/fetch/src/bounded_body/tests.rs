use super::*;
use crate::decode::coded::{brotli, gzip};

mod complete;

const MIB: usize = 1 << 20;

fn noise(bytes: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..bytes).map(|_| next()).collect()
}

/// Receives a body in pieces and grants all memory that is requested; returns the requested amount, too.
fn take(coding: &str, wire: &[u8], piece: usize, max_body: usize) -> (DecodedBody, usize) {
    drive(decoder(coding, max_body), wire, piece)
}

fn decoder(coding: &str, max_body: usize) -> BodyDecoder {
    let headers = Headers::from_pairs([("content-encoding", coding)]);
    BodyDecoder::new(&headers, max_body as u64, DecodeBuffers::default()).unwrap()
}

fn drive(mut decoder: BodyDecoder, wire: &[u8], piece: usize) -> (DecodedBody, usize) {
    let mut requested = 0;
    let mut give = |decoder: &mut BodyDecoder, mut step: DecodeStep| {
        while let DecodeStep::NeedsMemory(bytes) = step {
            requested += bytes;
            decoder.grant(bytes);
            step = decoder.resume();
        }
        step
    };
    for piece in wire.chunks(piece) {
        let step = decoder.push(piece);
        match give(&mut decoder, step) {
            DecodeStep::NeedsInput => {}
            DecodeStep::Full => return (decoder.finish(BodyState::Cut).0, requested),
            DecodeStep::Corrupt(why) => return (decoder.finish(BodyState::Broken(why)).0, requested),
            DecodeStep::NeedsMemory(_) => unreachable!("all was given"),
        }
    }
    let step = decoder.decode();
    let ended = match give(&mut decoder, step) {
        DecodeStep::Full => BodyState::Cut,
        DecodeStep::Corrupt(why) => BodyState::Broken(why),
        _ => BodyState::Complete,
    };
    (decoder.finish(ended).0, requested)
}

#[test]
fn a_body_of_exactly_the_limit_is_complete_and_one_byte_more_is_cut() {
    for coding in ["identity", "gzip"] {
        let wire = |bytes: usize| {
            let plain = noise(bytes);
            if coding == "gzip" { gzip(&plain) } else { plain }
        };
        let (complete, _) = take(coding, &wire(100_000), 8_192, 100_000);
        assert_eq!((complete.body.len(), complete.state), (100_000, BodyState::Complete), "{coding}");
        let (cut, _) = take(coding, &wire(100_001), 8_192, 100_000);
        assert_eq!((cut.body.len(), cut.state), (100_000, BodyState::Cut), "{coding}");
        assert_eq!(cut.body, noise(100_000), "{coding}");
    }
}

#[test]
fn small_bodies_request_no_memory() {
    let (taken, requested) = take("gzip", &gzip(&noise(60_000)), 4_096, 16 * MIB);
    assert_eq!((taken.body, taken.state, requested), (noise(60_000), BodyState::Complete, 0));
    assert_eq!(taken.charged, 0);
}

#[test]
fn large_bodies_request_what_they_need_and_little_more() {
    for coding in ["identity", "gzip"] {
        let plain = noise(5 * MIB);
        let wire = if coding == "gzip" { gzip(&plain) } else { plain.clone() };
        let (taken, requested) = take(coding, &wire, 16_384, 16 * MIB);
        assert_eq!(taken.state, BodyState::Complete, "{coding}");
        assert_eq!(taken.body, plain, "{coding}");
        assert!((5 * MIB - FREE..=16 * MIB).contains(&requested), "{coding}: {requested}");
        assert!(taken.charged as usize <= requested + FREE, "{coding}: {}", taken.charged);
    }
}

#[test]
fn a_decompression_bomb_requests_no_more_than_the_limit() {
    let (taken, requested) = take("gzip", &gzip(&vec![0; 64 * MIB]), 16_384, 4 * MIB);
    assert_eq!((taken.body.len(), taken.state), (4 * MIB, BodyState::Cut));
    assert!(requested <= 5 * MIB, "{requested}");
}

#[test]
fn a_size_that_gzip_claims_is_not_believed() {
    let mut wire = gzip(b"a little text");
    let end = wire.len();
    wire[end - 4..].copy_from_slice(&u32::MAX.to_le_bytes());
    let (taken, requested) = take("gzip", &wire, 4_096, 16 * MIB);
    assert_eq!(taken.body, b"a little text");
    assert!(matches!(taken.state, BodyState::Broken(_)), "the claim is wrong");
    assert_eq!(requested, 0);
    assert!(taken.body.capacity() <= FREE);
}

#[test]
fn a_coded_body_longer_than_all_it_could_mean_is_cut() {
    // Empty stored blocks: an endless deflate stream that decodes to nothing.
    let wire = [0x00, 0x00, 0x00, 0xff, 0xff].repeat(MIB);
    let (taken, _) = take("deflate", &wire, 16_384, MIB);
    assert_eq!((taken.body.len(), taken.state), (0, BodyState::Cut));
    assert!(taken.wire_bytes <= 2 * MIB as u64 + 16_385, "{}", taken.wire_bytes);
}

#[test]
fn an_empty_body_is_complete_in_any_coding() {
    for coding in ["gzip", "br", "zstd", "deflate", "identity"] {
        let (taken, _) = take(coding, b"", 1, MIB);
        assert_eq!(taken.state, BodyState::Complete, "{coding}");
    }
}

#[test]
fn a_truncated_body_is_broken() {
    let wire = gzip(&noise(50_000));
    let (taken, _) = take("gzip", &wire[..wire.len() - 9], 4_096, MIB);
    assert!(matches!(taken.state, BodyState::Broken(_)));
    assert!(taken.body.len() > 40_000);
}

#[test]
fn nothing_is_kept_of_a_bound_of_zero() {
    let (taken, _) = take("identity", b"text", 4, 0);
    assert_eq!((taken.body.len(), taken.state), (0, BodyState::Cut));
    let (taken, _) = take("identity", b"", 4, 0);
    assert_eq!(taken.state, BodyState::Complete);
}
