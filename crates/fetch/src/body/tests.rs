use super::*;
use crate::decode::coded::{brotli, gzip};

mod whole;

const MIB: usize = 1 << 20;

fn noise(bytes: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..bytes).map(|_| next()).collect()
}

/// Takes a body in that comes in pieces, giving every memory asked for; returns how much was asked for, too.
fn take(coding: &str, wire: &[u8], piece: usize, max_body: usize) -> (Taken, usize) {
    drive(intake(coding, max_body), wire, piece)
}

fn intake(coding: &str, max_body: usize) -> Intake {
    let headers = Headers::from_pairs([("content-encoding", coding)]);
    Intake::new(&headers, max_body as u64, Kit::default()).unwrap()
}

fn drive(mut intake: Intake, wire: &[u8], piece: usize) -> (Taken, usize) {
    let mut asked = 0;
    let mut give = |intake: &mut Intake, mut standing: Intook| {
        while let Intook::WantsRoom(bytes) = standing {
            asked += bytes;
            intake.grant(bytes);
            standing = intake.resume();
        }
        standing
    };
    for piece in wire.chunks(piece) {
        let standing = intake.push(piece);
        match give(&mut intake, standing) {
            Intook::Hungry => {}
            Intook::Full => return (intake.finish(BodyState::Cut).0, asked),
            Intook::Corrupt(why) => return (intake.finish(BodyState::Broken(why)).0, asked),
            Intook::WantsRoom(_) => unreachable!("all was given"),
        }
    }
    let standing = intake.decode();
    let ended = match give(&mut intake, standing) {
        Intook::Full => BodyState::Cut,
        Intook::Corrupt(why) => BodyState::Broken(why),
        _ => BodyState::Whole,
    };
    (intake.finish(ended).0, asked)
}

#[test]
fn a_body_of_exactly_the_bound_is_whole_and_one_byte_more_is_cut() {
    for coding in ["identity", "gzip"] {
        let wire = |bytes: usize| {
            let plain = noise(bytes);
            if coding == "gzip" { gzip(&plain) } else { plain }
        };
        let (whole, _) = take(coding, &wire(100_000), 8_192, 100_000);
        assert_eq!((whole.body.len(), whole.state), (100_000, BodyState::Whole), "{coding}");
        let (cut, _) = take(coding, &wire(100_001), 8_192, 100_000);
        assert_eq!((cut.body.len(), cut.state), (100_000, BodyState::Cut), "{coding}");
        assert_eq!(cut.body, noise(100_000), "{coding}");
    }
}

#[test]
fn small_bodies_ask_for_no_memory() {
    let (taken, asked) = take("gzip", &gzip(&noise(60_000)), 4_096, 16 * MIB);
    assert_eq!((taken.body, taken.state, asked), (noise(60_000), BodyState::Whole, 0));
    assert_eq!(taken.charged, 0);
}

#[test]
fn large_bodies_ask_for_what_they_need_and_little_more() {
    for coding in ["identity", "gzip"] {
        let plain = noise(5 * MIB);
        let wire = if coding == "gzip" { gzip(&plain) } else { plain.clone() };
        let (taken, asked) = take(coding, &wire, 16_384, 16 * MIB);
        assert_eq!(taken.state, BodyState::Whole, "{coding}");
        assert_eq!(taken.body, plain, "{coding}");
        assert!((5 * MIB - FREE..=16 * MIB).contains(&asked), "{coding}: {asked}");
        assert!(taken.charged as usize <= asked + FREE, "{coding}: {}", taken.charged);
    }
}

#[test]
fn a_bomb_asks_for_no_more_than_the_bound() {
    let (taken, asked) = take("gzip", &gzip(&vec![0; 64 * MIB]), 16_384, 4 * MIB);
    assert_eq!((taken.body.len(), taken.state), (4 * MIB, BodyState::Cut));
    assert!(asked <= 5 * MIB, "{asked}");
}

#[test]
fn a_size_that_gzip_claims_is_not_believed() {
    let mut wire = gzip(b"a little text");
    let end = wire.len();
    wire[end - 4..].copy_from_slice(&u32::MAX.to_le_bytes());
    let (taken, asked) = take("gzip", &wire, 4_096, 16 * MIB);
    assert_eq!(taken.body, b"a little text");
    assert!(matches!(taken.state, BodyState::Broken(_)), "the claim is wrong");
    assert_eq!(asked, 0);
    assert!(taken.body.capacity() <= FREE);
}

#[test]
fn a_coded_body_longer_than_all_it_could_mean_is_cut() {
    // Empty stored blocks: a deflate stream without end that makes nothing.
    let wire = [0x00, 0x00, 0x00, 0xff, 0xff].repeat(MIB);
    let (taken, _) = take("deflate", &wire, 16_384, MIB);
    assert_eq!((taken.body.len(), taken.state), (0, BodyState::Cut));
    assert!(taken.wire_bytes <= 2 * MIB as u64 + 16_385, "{}", taken.wire_bytes);
}

#[test]
fn an_empty_body_is_whole_in_any_coding() {
    for coding in ["gzip", "br", "zstd", "deflate", "identity"] {
        let (taken, _) = take(coding, b"", 1, MIB);
        assert_eq!(taken.state, BodyState::Whole, "{coding}");
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
    assert_eq!(taken.state, BodyState::Whole);
}
