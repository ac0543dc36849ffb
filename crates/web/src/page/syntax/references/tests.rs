use super::{Context, decode};

#[track_caller]
fn attribute(raw: &str, want: &str) {
    assert_eq!(decode(raw, Context::Attribute), want, "attribute {raw}");
}

#[track_caller]
fn text(raw: &str, want: &str) {
    assert_eq!(decode(raw, Context::Text), want, "text {raw}");
}

#[test]
fn references_are_decoded_once() {
    attribute("?a=1&amp;b=2", "?a=1&b=2");
    attribute("&amp;amp;", "&amp;");
    attribute("&amp;lt;", "&lt;");
}

#[test]
fn legacy_names_before_equals_or_alphanumerics_stay_text_in_attributes_only() {
    attribute("?a=1&copy=2&reg=3&lt=4", "?a=1&copy=2&reg=3&lt=4");
    attribute("?x=1&notin=2", "?x=1&notin=2");
    attribute("&copy", "©");
    attribute("&copy/", "©/");
    attribute("&copyx", "&copyx");
    attribute("&copy;x", "©x");
    text("&copy=2", "©=2");
    text("&notit;", "¬it;");
    attribute("&notit;", "&notit;");
}

#[test]
fn the_longest_name_wins() {
    attribute("caf&eacute;&period;html", "café.html");
    text("&notin;", "∉");
    text("&acE;", "\u{223e}\u{333}");
}

#[test]
fn unknown_names_and_bare_ampersands_stay() {
    attribute("a & b &; &x; &", "a & b &; &x; &");
    attribute("?a&b&c", "?a&b&c");
    attribute("&é", "&é");
}

#[test]
fn numbers_follow_the_end_state() {
    attribute("&#65;&#x42;&#X43;&#68", "ABCD");
    attribute("&#0;", "\u{fffd}");
    attribute("&#xD800;", "\u{fffd}");
    attribute("&#x110000;", "\u{fffd}");
    attribute("&#99999999999999999999;", "\u{fffd}");
    attribute("&#x80;&#150;&#x81;", "€–\u{81}");
    attribute("&#;&#x;&#xg", "&#;&#x;&#xg");
    attribute("&#106;avascript", "javascript");
}

#[test]
fn nul_becomes_the_replacement_character() {
    attribute("a\0b", "a\u{fffd}b");
    attribute("\0", "\u{fffd}");
}

#[test]
fn megabytes_of_references_are_linear() {
    let many = "&amp".repeat(1 << 20);
    assert_eq!(decode(&many, Context::Text).len(), 1 << 20);
    let bare = "&".repeat(1 << 22);
    assert_eq!(decode(&bare, Context::Attribute), bare);
}

#[test]
fn names_that_are_common_stand_for_what_the_standards_table_says() {
    for name in ["lt;", "gt;", "amp;", "quot;", "nbsp;"] {
        let (char, length) = super::common(name.as_bytes()).unwrap();
        assert_eq!(length, name.len());
        assert_eq!(super::NAMED_ENTITIES.get(name), Some(&(u32::from(char), 0)));
        text(&format!("a&{name}b"), &format!("a{char}b"));
    }
    attribute("a&ampb&ltc;", "a&ampb&ltc;");
}
