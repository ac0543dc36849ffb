use super::{SafeWriter, line, text};
use std::io::Write;

#[test]
fn control_characters_are_shown_as_escapes() {
    assert_eq!(text("a\u{1b}[31mb\u{7}\u{7f}\u{9b}2J"), "a\\u{1b}[31mb\\u{7}\\u{7f}\\u{9b}2J");
    assert_eq!(text("a\r\nb\tc"), "a\\r\nb\tc");
    assert_eq!(line("a\nb\tc"), "a\\nb\\tc");
}

#[test]
fn the_direction_of_text_cannot_be_changed() {
    for c in ('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}') {
        assert!(!text(&format!("a{c}b")).contains(c));
    }
}

#[test]
fn a_line_is_one_line_for_every_reader() {
    for c in ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'] {
        assert!(!line(&format!("a{c}b")).contains(c), "{c:?}");
    }
}

#[test]
fn ordinary_text_is_left_as_it_is() {
    let plain = "https://example.com/f\u{fc}r?a=\u{65e5}\u{672c} \u{1f600}";
    assert_eq!(text(plain), plain);
    assert_eq!(line(plain), plain);
}

#[test]
fn a_safe_writer_takes_any_bytes() {
    let mut out = SafeWriter(Vec::new());
    out.write_all(b"a\x1b\xffb\n").unwrap();
    assert_eq!(String::from_utf8(out.0).unwrap(), "a\\u{1b}\u{fffd}b\n");
}
