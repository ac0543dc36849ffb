//! Attribute states (13.2.5.32 to 13.2.5.40).

use crate::{case, check};

#[test]
fn values_are_quoted_in_three_ways() {
    check(&[
        case("double", "<a href=\"1\">", &["1"]),
        case("single", "<a href='1'>", &["1"]),
        case("none", "<a href=1>", &["1"]),
        case("the other quote inside", "<a href=\"1'\"><a href='2\"'>", &["1'", "2%22"]),
        case("a bracket inside", "<a href='1>2'>", &["1%3E2"]),
        case("an unquoted value takes quotes", "<a href=1\"2'>", &["1%222'"]),
        case("an unquoted value takes `<`, `=` and a grave accent", "<a href=1<2=`>", &["1%3C2=%60"]),
        case("an unquoted value takes slashes", "<a href=1/>", &["1/"]),
        case("an unquoted value ends at a blank", "<a href=1 2>", &["1"]),
        case("… at a form feed", "<a href=1\x0c2>", &["1"]),
        case("… and not at a vertical tab", "<a href=1\x0b2>", &["1%0B2"]),
        case("blanks around `=`", "<a href \t\n=\x0c\r '1'>", &["1"]),
        case("no blank between attributes", "<a id='x'href='1'class=y>", &["1"]),
        case("an empty value", "<a href=''>", &["page"]),
        case("no value", "<a href>", &["page"]),
        case("no value before the bracket", "<a href=>", &["page"]),
        case("no value after a blank", "<a href= >", &["page"]),
        case("a value that is the next attribute", "<a id= href=1>", &[]),
        case("blanks inside", "<a href=' 1\t2\n '>", &["12"]),
        case("nul inside", "<a href=1\0>", &["1%EF%BF%BD"]),
        case("nul inside quotes", "<a href='1\0'>", &["1%EF%BF%BD"]),
        case("beyond ASCII", "<a title=é href=ü>", &["%C3%BC"]),
    ]);
}

#[test]
fn names_are_what_stands_before_the_equals_sign() {
    check(&[
        case("upper case", "<A HREF=1>", &["1"]),
        case("the first of two", "<a href=1 href=2>", &["1"]),
        case("the first of two, in any case", "<a HREF=1 href=2>", &["1"]),
        case("the first, though it has no value", "<a href href=no>", &["page"]),
        case("an `=` in front is part of the name", "<a =href=no href=1>", &["1"]),
        case("an `=` alone", "<a = href=1>", &["1"]),
        case("two of them, and a value", "<a == href=no><a href=1>", &["1"]),
        case("two of them after a name", "<a href==1>", &["=1"]),
        case("quotes are part of the name", "<a 'href=no' \"href=no\" href=1>", &["1"]),
        case("`<` is part of the name", "<a <href=no href=1>", &["1"]),
        case("nul is part of the name", "<a \0href=no hr\0ef=no href=1>", &["1"]),
        case("beyond ASCII", "<a é=x ẞhref=no href=1>", &["1"]),
        case("the Kelvin sign is no k", "<lin\u{212a} rel=canonical href=no><a href=1>", &["1"]),
        case("a prefix", "<a x:href=no xlink:href=no data-href=no href=1>", &["1"]),
    ]);
}

#[test]
fn slashes_part_attributes() {
    check(&[
        case("in place of a blank", "<a/href=1>", &["1"]),
        case("many", "<a////href=1////id=x>", &["1////id=x"]),
        case("between attributes", "<a id='x'/href='1'/>", &["1"]),
        case("after a name", "<a href/=no>", &["page"]),
        case("and a blank before the bracket", "<a href=1 / ><a href=2>", &["1", "2"]),
        case("on its own", "<a / href=1>", &["1"]),
        case("before the bracket of a value", "<a href='1'/><a href=2>", &["1", "2"]),
    ]);
}

#[test]
fn tags_without_an_end_are_none() {
    check(&[
        case("a name", "<a href=1><a", &["1"]),
        case("a name and a blank", "<a href=1><a ", &["1"]),
        case("an attribute's name", "<a href=1><a href", &["1"]),
        case("an equals sign", "<a href=1><a href=", &["1"]),
        case("a value", "<a href=1><a href=no", &["1"]),
        case("a value in quotes", "<a href=1><a href='no'", &["1"]),
        case("a quote that is not closed", "<a href=1><a href='no><a href=no>", &["1"]),
        case("a slash", "<a href=1><a href=no /", &["1"]),
        case("a quote that closes in the next tag", "<a href='1><a href='2'>", &["1%3E%3Ca%20href="]),
    ]);
}
