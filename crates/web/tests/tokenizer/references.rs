//! Character reference states (13.2.5.72 to 13.2.5.80) in attribute values and in titles.

use crate::{case, check};

#[test]
fn named_references_in_values() {
    check(&[
        case("with a semicolon", "<a href='?a&amp;b'>", &["page?a&b"]),
        case("without one", "<a href='?a&amp'>", &["page?a&"]),
        case("without one, before a letter", "<a href='?&ampx'>", &["page?&ampx"]),
        case("without one, before a digit", "<a href='?&amp1'>", &["page?&amp1"]),
        case("without one, before `=`", "<a href='?&amp=1'>", &["page?&amp=1"]),
        case("without one, before another character", "<a href='?&amp-1&amp/'>", &["page?&-1&/"]),
        case("legacy names in queries", "<a href='?a=1&copy=2&reg=3&sect=4'>", &["page?a=1&copy=2&reg=3&sect=4"]),
        case("legacy names that end a value", "<a href='?&copy'>", &["page?%C2%A9"]),
        case("a name that has no legacy form", "<a href='?&hellip&hellip;'>", &["page?&hellip%E2%80%A6"]),
        case("the longest name counts", "<a href='&notin;&notit;'>", &["%E2%88%89&notit;"]),
        case("names tell cases apart", "<a href='&Eacute;&eacute;&EACUTE;'>", &["%C3%89%C3%A9&EACUTE;"]),
        case("two characters", "<a href='&NotEqualTilde;'>", &["%E2%89%82%CC%B8"]),
        case("an unknown name", "<a href='?&nosuch;&x=1'>", &["page?&nosuch;&x=1"]),
        case("an ampersand alone", "<a href='?a&&b& c'>", &["page?a&&b&%20c"]),
        case("decoded once", "<a href='?&amp;amp;'>", &["page?&amp;"]),
        case("unquoted", "<a href=?a&amp;b&ampc>", &["page?a&b&ampc"]),
        case("a quote does not end the value", "<a href='1&apos;2&#39;3'>", &["1'2'3"]),
        case("in names of attributes there are none", "<a hr&#101;f=no href=1>", &["1"]),
        case("in names of tags there are none", "<&#97; href=no><a href=1>", &["1"]),
    ]);
}

#[test]
fn numeric_references_in_values() {
    check(&[
        case("decimal", "<a href='&#49;'>", &["1"]),
        case("hexadecimal", "<a href='&#x31;&#X32;'>", &["12"]),
        case("without a semicolon", "<a href='&#49&#x32.'>", &["12."]),
        case("leading zeros", "<a href='&#00000000049;'>", &["1"]),
        case("no digits", "<a href='?&#;&#x;'>", &["page?&"]),
        case("nul", "<a href='&#0;'>", &["%EF%BF%BD"]),
        case("a surrogate", "<a href='&#xD800;'>", &["%EF%BF%BD"]),
        case("beyond Unicode", "<a href='&#x110000;&#99999999999999999999;'>", &["%EF%BF%BD%EF%BF%BD"]),
        case("of Windows-1252", "<a href='?&#128;&#x9F;'>", &["page?%E2%82%AC%C5%B8"]),
        case("a control that Windows-1252 has not", "<a href='1&#x81;'>", &["1%C2%81"]),
        case("blanks are trimmed though they are references", "<a href='&#32;1&#10;'>", &["1"]),
        case("a scheme in references", "<a href='&#106;avascript:x'><a href=1>", &["1"]),
    ]);
}

#[test]
fn references_in_text_need_no_boundary() {
    check(&[
        case("before a letter", "<title>a&ampb</title>", &[]).titled("a&b"),
        case("before `=`", "<title>&copy=1</title>", &[]).titled("©=1"),
        case("the longest that fits", "<title>&notit; &notin;</title>", &[]).titled("¬it; ∉"),
        case("no digits", "<title>&#; &#x; &#xg</title>", &[]).titled("&#; &#x; &#xg"),
        case("unknown", "<title>&nosuch; &x &</title>", &[]).titled("&nosuch; &x &"),
        case("of Windows-1252", "<title>&#150;</title>", &[]).titled("–"),
        case("references make no tags", "<p>&lt;a href=no&gt;<a href=1>", &["1"]),
        case("cut by the end", "<title>a&am", &[]).titled("a&am"),
    ]);
}
