//! Data, tag open and tag name states (13.2.5.1, 13.2.5.6 to 13.2.5.8), and the effects of tree construction.

use crate::{case, check};

#[test]
fn a_tag_begins_with_an_alphabetic_character() {
    check(&[
        case("a blank", "< a href=no><a href=1>", &["1"]),
        case("a digit", "<1 href=no><a href=1>", &["1"]),
        case("another less-than sign", "<<a href=1>", &["1"]),
        case("an equals sign", "a <= b <a href=1>", &["1"]),
        case("a letter beyond ASCII", "<é href=no><a href=1>", &["1"]),
        case("nul", "<\0a href=no><a href=1>", &["1"]),
        case("nul inside the name", "<a\0 href=no><a href=1>", &["1"]),
        case("a name that goes on", "<ab href=no><a-b href=no><a:b href=no><a href=1>", &["1"]),
        case("a quote in the name", "<a'href='no'><a href=1>", &["1"]),
        case("`<` in the name", "<a<b href=no><a href=1>", &["1"]),
        case("a line feed after the name", "<a\nhref=1>", &["1"]),
        case("a carriage return after the name", "<a\rhref=1\r\n>", &["1"]),
        case("a form feed after the name", "<a\x0chref=1>", &["1"]),
        case("a vertical tab is part of the name", "<a\x0bhref=no><a href=1>", &["1"]),
        case("a less-than sign at the end", "<a href=1><", &["1"]),
        case("a slash at the end", "<a href=1></", &["1"]),
        case("upper case", "<A HREF=1><AREA HREF=2><IFRAME SRC=3></IFRAME>", &["1", "2", "3"]),
    ]);
}

#[test]
fn end_tags_are_read_as_tags() {
    check(&[
        case("attributes are passed over", "</p href=no><a href=1>", &["1"]),
        case("a bracket in a value", "<a href=1></a title='>'><a href=2>", &["1", "2"]),
        case("a slash", "<a href=1></a/><a href=2>", &["1", "2"]),
        case("an end tag has no link", "</a href=no></area href=no><a href=1>", &["1"]),
        case("unended", "<a href=1></a <a href=no", &["1"]),
        case("unended quotes", "<a href=1></a x='><a href=no>", &["1"]),
        case("`</p>` and `</br>` without a start", "</p></br><a href=1>", &["1"]),
        case("after the body", "<body></body></html><a href=1>", &["1"]),
    ]);
}

#[test]
fn anchors_in_all_places() {
    check(&[
        case("one in another", "<a href=1>x<a href=2>y</a>z</a>", &["1", "2"]),
        case("blocks inside", "<a href=1><div><a href=2></div></a>", &["1", "2"]),
        case("crossed", "<b><a href=1><p></b><a href=2></p>", &["1", "2"]),
        case("out of a table", "<table><a href=1>x<tr><td><a href=2>y</table><a href=3>", &["1", "2", "3"]),
        case("in a table's cell", "<table><tr><td><a href=1>x</td><td><a href=2></td></table>", &["1", "2"]),
        case("in a caption", "<table><caption><a href=1></caption></table>", &["1"]),
        case("in a button", "<button><a href=1></button><button><a href=2></button>", &["1", "2"]),
        case("in a list", "<ul><li><a href=1><li><a href=2></ul>", &["1", "2"]),
        case("in a heading", "<h1><a href=1></h2><a href=2>", &["1", "2"]),
        case("in a form in a form", "<form><form><a href=1></form></form>", &["1"]),
        case("in preformatted text", "<pre>\n<a href=1></pre><listing>\n<a href=2></listing>", &["1", "2"]),
        case("in the head", "<head><a href=1></head>", &["1"]),
        case("closed by a slash is not closed", "<a href=1 />x<a href=2>", &["1", "2"]),
        case("an image by its old name", "<image src=x><a href=1>", &["1"]),
        case("a frame without a source", "<iframe></iframe><iframe src=''></iframe><a href=1>", &["1"]),
        case("without an address", "<a>x</a><a name=n>y</a><area><a href=1>", &["1"]),
        case("in a menu of options", "<select><option><a href=1></select><a href=2>", &["1", "2"]),
        case("in a set of frames", "<frameset><a href=1></frameset>", &["1"])
            .unlike_the_tree("the tree drops what is no frame, and the reader keeps links there"),
        case("a frame alone", "<frame src=1>", &["1"])
            .unlike_the_tree("a frame counts outside a frameset too, so that no page of a site of frames is missed"),
    ]);
}

#[test]
fn the_first_base_counts() {
    check(&[
        case("before", "<base href=/b/><a href=1>", &["http://example.test/b/1"]),
        case("behind", "<a href=1><base href=/b/>", &["http://example.test/b/1"]),
        case("of two", "<base href=/b/><base href=/c/><a href=1>", &["http://example.test/b/1"]),
        case("one without an address", "<base target=x><base href=/b/><a href=1>", &["http://example.test/b/1"]),
        case("relative", "<base href=sub/><a href=1>", &["sub/1"]),
        case("another host", "<base href=//other.test/x/y><a href=1>", &["http://other.test/x/1"]),
        case("empty", "<base href><base href=/no/><a href=1>", &["1"]),
        case("unusable", "<base href='http://['><base href=/no/><a href=1>", &["1"]),
        case("of a scheme that is none", "<base href='javascript:x'><a href=1>", &["1"]),
        case("in a comment", "<!-- <base href=/no/> --><a href=1>", &["1"]),
        case("in raw text", "<title><base href=/no/></title><a href=1>", &["1"]).titled("<base href=/no/>"),
        case("with a reference", "<base href='/b&#x2f;'><a href=1>", &["http://example.test/b/1"]),
        case("in the body", "<p><base href=/b/><a href=1>", &["http://example.test/b/1"]),
    ]);
}
