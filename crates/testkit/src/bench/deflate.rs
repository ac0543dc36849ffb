//! A small, quick deflate (RFC 1951): one block with the fixed codes, repetitions found by a table of a few KiB.
//!
//! A general library clears 128 KiB of state for every stream, which costs more than compressing 5 KB of text; and
//! compression must cost the benchmark's site less than reading costs the crawler.
#![allow(clippy::indexing_slicing, reason = "the tables are complete for every index, and the text is our own")]

/// The shortest repetition worth a reference.
const SHORTEST: usize = 4;
/// The longest one that a reference can hold.
const MAX_MATCH: usize = 258;
/// The farthest back that a reference may point.
const WINDOW: usize = 32 << 10;
/// Number of bits of the hash of four bytes that positions are stored by.
const REMEMBERED_BITS: u32 = 10;
const END_OF_BLOCK: usize = 256;

/// The bits of a code, and their number.
type Code = (u32, u32);

/// The fixed codes of literals and lengths (RFC 1951, 3.2.6).
const SYMBOLS: [Code; 288] = symbols();
/// The fixed codes of distances: five bits each.
const DISTANCES: [Code; 30] = distances();

/// Compresses the text into blocks that end on a byte boundary and are not the last of their stream: the following
/// blocks may be compressed separately.
pub(super) fn pack(text: &[u8], out: &mut Vec<u8>) {
    let mut bits = Bits { out, held: 0, count: 0 };
    // Not the last block; fixed codes.
    bits.put((0b010, 3));
    let mut last_seen = [usize::MAX; 1 << REMEMBERED_BITS];
    let mut at = 0;
    while at < text.len() {
        match repetition(text, at, &mut last_seen) {
            Some((length, distance)) => {
                bits.put_length(length);
                bits.put_distance(distance);
                at += length;
            }
            None => {
                bits.put(SYMBOLS[usize::from(text[at])]);
                at += 1;
            }
        }
    }
    bits.put(SYMBOLS[END_OF_BLOCK]);
    bits.finish();
}

/// Finds an earlier occurrence of the bytes at `at`: its length, and the distance back.
fn repetition(text: &[u8], at: usize, last_seen: &mut [usize; 1 << REMEMBERED_BITS]) -> Option<(usize, usize)> {
    let four: [u8; SHORTEST] = text.get(at..at + SHORTEST)?.try_into().ok()?;
    let hash = u32::from_le_bytes(four).wrapping_mul(0x9e37_79b1) >> (u32::BITS - REMEMBERED_BITS);
    let before = std::mem::replace(&mut last_seen[hash as usize], at);
    if before == usize::MAX || at - before > WINDOW {
        return None;
    }
    let pairs = text[before..].iter().zip(&text[at..]).take(MAX_MATCH);
    let length = pairs.take_while(|(old, new)| old == new).count();
    (length >= SHORTEST).then_some((length, at - before))
}

/// Writes bits, the lowest first.
struct Bits<'a> {
    out: &'a mut Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits<'_> {
    fn put(&mut self, (bits, count): Code) {
        self.held |= u64::from(bits) << self.count;
        self.count += count;
        if self.count >= 32 {
            self.out.extend_from_slice(&self.held.to_le_bytes()[..4]);
            self.held >>= 32;
            self.count -= 32;
        }
    }

    fn put_length(&mut self, length: usize) {
        if length == MAX_MATCH {
            return self.put(SYMBOLS[285]);
        }
        let rest = length - 3;
        let extra = rest.max(4).ilog2() - 2;
        self.put(SYMBOLS[257 + ((extra as usize) << 2) + (rest >> extra)]);
        self.put_low(rest, extra);
    }

    fn put_distance(&mut self, distance: usize) {
        let rest = distance - 1;
        let extra = rest.max(2).ilog2() - 1;
        self.put(DISTANCES[((extra as usize) << 1) + (rest >> extra)]);
        self.put_low(rest, extra);
    }

    /// The lowest `count` bits of a number; never more than 13 (RFC 1951, 3.2.5).
    fn put_low(&mut self, number: usize, count: u32) {
        self.put(((number & ((1 << count) - 1)) as u32, count));
    }

    /// Ends on a byte boundary with an empty stored block.
    fn finish(mut self) {
        self.put((0b000, 3));
        let bytes = self.count.div_ceil(8) as usize;
        self.out.extend_from_slice(&self.held.to_le_bytes()[..bytes]);
        self.out.extend_from_slice(&[0, 0, 0xff, 0xff]);
    }
}

const fn symbols() -> [Code; 288] {
    let mut codes = [(0, 0); 288];
    let mut symbol = 0;
    while symbol < 288 {
        let number = symbol as u32;
        codes[symbol] = match symbol {
            0..=143 => sent(0x30 + number, 8),
            144..=255 => sent(0x190 + number - 144, 9),
            256..=279 => sent(number - 256, 7),
            _ => sent(0xc0 + number - 280, 8),
        };
        symbol += 1;
    }
    codes
}

const fn distances() -> [Code; 30] {
    let mut codes = [(0, 0); 30];
    let mut symbol = 0;
    while symbol < 30 {
        codes[symbol] = sent(symbol as u32, 5);
        symbol += 1;
    }
    codes
}

/// Huffman codes are sent with their highest bit first.
const fn sent(code: u32, count: u32) -> Code {
    (code.reverse_bits() >> (u32::BITS - count), count)
}

#[cfg(test)]
mod tests;
