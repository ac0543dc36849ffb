//! The width of a text on a page of search results.

/// Widths of the characters from U+0020 to U+007E in Arial, in thousandths of the font size.
const ASCII: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // ' ' to '/'
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // '0' to '?'
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // '@' to 'O'
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // 'P' to '_'
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // '`' to 'o'
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // 'p' to '~'
];
/// The width of most other characters.
const OTHER: u16 = 556;
/// The width of East Asian characters.
const WIDE: u16 = 1000;

/// Returns the width of a text in Arial of this size, in pixels. Characters beyond ASCII count as wide as most are.
#[must_use]
pub fn pixels(text: &str, font_size: u32) -> u32 {
    let thousandths: u64 = text.chars().map(|c| u64::from(width(c))).sum();
    u32::try_from(thousandths * u64::from(font_size) / 1000).unwrap_or(u32::MAX)
}

fn width(c: char) -> u16 {
    let place = usize::try_from(u32::from(c)).ok().and_then(|code| code.checked_sub(0x20));
    match c {
        // Hangul, kana, ideographs and full-width forms (Unicode Standard Annex 11).
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{20000}'..='\u{3fffd}' => WIDE,
        _ => place.and_then(|place| ASCII.get(place)).copied().unwrap_or(OTHER),
    }
}

#[cfg(test)]
mod tests {
    use super::pixels;

    #[test]
    fn narrow_characters_take_less_room_than_wide_ones() {
        assert_eq!(pixels("iiii", 20), 17);
        assert_eq!(pixels("WWWW", 20), 75);
        assert_eq!(pixels("漢字", 20), 40);
        assert_eq!(pixels("é", 20), 11);
        assert_eq!(pixels("", 20), 0);
    }
}
