//! Names of elements and attributes, looked up in any case by one multiplication.

/// The number of slots: many more than names, so that a factor without collisions is found quickly.
const SLOTS: usize = 1 << BITS;
const BITS: u32 = 10;

/// The length in bytes of the longest name in the table.
const MAX_CHARS: usize = 15;

/// A name in lower case as numbers, so that a comparison needs no loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packed {
    low: u64,
    high: u64,
    length: u8,
}

/// Known names, by their positions in a list.
#[derive(Debug)]
pub(crate) struct Names<const COUNT: usize> {
    packed: [Packed; COUNT],
    /// The position in the list for each hash, from 1; 0 for none.
    slots: [u8; SLOTS],
    factor: u64,
}

impl<const COUNT: usize> Names<COUNT> {
    /// Creates the table of `names`, in lower case. A `factor` under which two of them collide does not compile.
    #[allow(clippy::indexing_slicing, clippy::panic, reason = "evaluated when the program is built")]
    pub(crate) const fn new(names: &[&str; COUNT], factor: u64) -> Self {
        assert!(COUNT < u8::MAX as usize, "places are bytes");
        let mut packed = [Packed { low: 0, high: 0, length: 0 }; COUNT];
        let mut slots = [0; SLOTS];
        let mut at = 0;
        while at < COUNT {
            let Some(name) = pack(names[at].as_bytes()) else { panic!("a name is too long") };
            let slot = name.slot(factor);
            assert!(slots[slot] == 0, "two names share a place: take another factor");
            packed[at] = name;
            at += 1;
            #[allow(clippy::cast_possible_truncation, reason = "asserted above")]
            let place = at as u8;
            slots[slot] = place;
        }
        Names { packed, slots, factor }
    }

    /// The position of a name in the list.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.find_bytes(name.as_bytes())
    }

    /// The position of a name given by its bytes.
    #[inline]
    pub(crate) fn find_bytes(&self, name: &[u8]) -> Option<usize> {
        let packed = pack(name)?;
        let place = usize::from(*self.slots.get(packed.slot(self.factor))?).checked_sub(1)?;
        (*self.packed.get(place)? == packed).then_some(place)
    }
}

impl Packed {
    #[inline]
    const fn slot(self, factor: u64) -> usize {
        let mixed = self.low.wrapping_add(self.high.rotate_left(23)).wrapping_add(self.length as u64);
        #[allow(clippy::cast_possible_truncation, reason = "ten bits are left")]
        let slot = (mixed.wrapping_mul(factor) >> (u64::BITS - BITS)) as usize;
        slot
    }
}

/// Packs the bytes of a name in few reads, which overlap if its length is no power of two; `None` for a name longer
/// than every known one.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "names are short here")]
const fn pack(name: &[u8]) -> Option<Packed> {
    if name.len() > MAX_CHARS {
        return None;
    }
    let length = name.len() as u8;
    Some(match (name.first_chunk(), name.last_chunk()) {
        (Some(first), Some(last)) => {
            Packed { low: lower(u64::from_le_bytes(*first)), high: lower(u64::from_le_bytes(*last)), length }
        }
        _ => Packed { low: lower(pack_short(name)), high: 0, length },
    })
}

/// Packs at most seven bytes.
#[inline]
const fn pack_short(name: &[u8]) -> u64 {
    match (name.first_chunk(), name.last_chunk(), name) {
        (Some(first), Some(last), _) => u32::from_le_bytes(*first) as u64 | (u32::from_le_bytes(*last) as u64) << 32,
        (_, _, [first]) => *first as u64,
        (_, _, [first, second]) => *first as u64 | (*second as u64) << 8,
        (_, _, [first, second, third]) => *first as u64 | (*second as u64) << 8 | (*third as u64) << 16,
        _ => 0,
    }
}

/// Converts the ASCII bytes of `word` to lower case.
#[inline]
const fn lower(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 0xff;
    const TOPS: u64 = 0x80 * ONES;
    let low = word & !TOPS;
    let beyond_z = low + (0x7f - b'Z' as u64) * ONES;
    let from_a = low + (0x80 - b'A' as u64) * ONES;
    let upper = (from_a ^ beyond_z) & !word & TOPS;
    word | upper >> 2
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: Names<6> =
        Names::new(&["a", "h1", "div", "href", "noscript", "annotation-xml"], 0x91b7_584a_2265_b1f5);

    #[test]
    fn names_are_found_in_any_case() {
        for (place, name) in ["a", "h1", "div", "href", "noscript", "annotation-xml"].iter().enumerate() {
            assert_eq!(NAMES.find(name), Some(place));
            assert_eq!(NAMES.find(&name.to_uppercase()), Some(place));
        }
        assert_eq!(NAMES.find("AnnoTation-Xml"), Some(5));
    }

    #[test]
    fn other_names_are_none() {
        let near = ["", "b", "a\0", "h\u{11}", "H\u{11}", "divv", "hre", "noscripT ", "noscripts", "annotation\rxml"];
        for name in near.into_iter().chain(["annotation-xml-annotation-xml", "ａ", "\u{0130}"]) {
            assert_eq!(NAMES.find(name), None, "{name:?}");
        }
    }

    #[test]
    fn lower_case_is_that_of_ascii() {
        for byte in 0..=u8::MAX {
            let word = u64::from_le_bytes([byte; 8]);
            assert_eq!(lower(word), u64::from_le_bytes([byte.to_ascii_lowercase(); 8]));
        }
    }
}
