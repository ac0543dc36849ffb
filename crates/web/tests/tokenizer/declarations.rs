//! Doctypes (13.2.5.53 to 13.2.5.68), and CDATA sections outside foreign content.

use crate::{case, check};

#[test]
fn doctypes_end_at_the_first_bracket() {
    check(&[
        case("plain", "<!doctype html><a href=1>", &["1"]),
        case("in any case", "<!DoCtYpE HtMl><a href=1>", &["1"]),
        case("without a blank", "<!doctypehtml><a href=1>", &["1"]),
        case("without a name", "<!doctype><a href=1>", &["1"]),
        case(
            "public and system",
            "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" 'http://www.w3.org/x.dtd'><a href=1>",
            &["1"],
        ),
        case("a bracket in an identifier", "<!doctype html public \"<a href=1>\"><a href=2>", &["2"]),
        case("a tag after one", "<!doctype html public \">\"<a href=1>", &["1"]),
        case("a bracket in a system identifier", "<!doctype html system '><a href=1>'>", &["1"]),
        case("identifiers without quotes", "<!doctype html public x y><a href=1>", &["1"]),
        case("identifiers without blanks", "<!doctype html public\"a\"\"b\"><a href=1>", &["1"]),
        case("an unknown keyword", "<!doctype html other \"x><a href=1>", &["1"]),
        case("an internal subset", "<!doctype html [ <!ENTITY x 'y'> ]><a href=1>", &["1"]),
        case("in the body", "<p>x<!doctype html><a href=1>", &["1"]),
        case("without an end", "<a href=1><!doctype html public '<a href=no", &["1"]),
        case("nul in the name", "<!doctype \0><a href=1>", &["1"]),
        case("misspelt", "<!doctyp html <a href=no><a href=1>", &["1"]),
    ]);
}

#[test]
fn cdata_sections_are_bogus_comments_in_html() {
    check(&[
        case("ends at the first bracket", "<![CDATA[<a href=no>]]><a href=1>", &["1"]),
        case("with two brackets", "<![CDATA[ > <a href=1> ]]>", &["1"]),
        case(
            "in an island of HTML",
            "<svg><foreignObject><p><![CDATA[ > <a href=1> ]]></p></foreignObject></svg>",
            &["1"],
        ),
        case("in lower case", "<svg><![cdata[<a href=no>]]></svg><a href=1>", &["1"]),
    ]);
}
