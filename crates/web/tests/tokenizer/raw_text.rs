//! RCDATA, RAWTEXT and PLAINTEXT states (13.2.5.2 to 13.2.5.14).

use crate::{case, check};

#[test]
fn raw_text_ends_at_its_own_end_tag() {
    check(&[
        case("style", "<style><a href=no></style><a href=1>", &["1"]),
        case("xmp", "<xmp><a href=no></xmp><a href=1>", &["1"]),
        case("iframe", "<iframe><a href=no></iframe><a href=1>", &["1"]),
        case("iframe with a source", "<iframe src=f><a href=no></iframe><a href=1>", &["f", "1"]),
        case("noembed", "<noembed><a href=no></noembed><a href=1>", &["1"]),
        case("noframes", "<noframes><a href=no></noframes><a href=1>", &["1"]),
        case("noscript is none without scripting", "<body><noscript><a href=1></noscript>", &["1"]),
        case("in any case", "<STYLE><a href=no></sTyLe><a href=1>", &["1"]),
        case("another's end tag", "<style></xmp><a href=no></style><a href=1>", &["1"]),
        case("a longer name", "<style></styles><a href=no></style><a href=1>", &["1"]),
        case("a shorter name", "<style></styl><a href=no></style><a href=1>", &["1"]),
        case("a blank before the name", "<style></ style><a href=no></style><a href=1>", &["1"]),
        case("a blank after the name", "<style></style ><a href=1>", &["1"]),
        case("a tab after the name", "<style></style\t><a href=1>", &["1"]),
        case("a form feed after the name", "<style></style\x0c><a href=1>", &["1"]),
        case("a line feed after the name", "<style></style\n><a href=1>", &["1"]),
        case("a slash after the name", "<style></style/><a href=1>", &["1"]),
        case("attributes on the end tag", "<style></style a='>'><a href=1>", &["1"]),
        case("nul in the end tag", "<style></sty\0le><a href=no></style><a href=1>", &["1"]),
        case("a comment says nothing", "<style><!-- </style><a href=1> -->", &["1"]),
        case("two less-than signs", "<style><</style><a href=1>", &["1"]),
        case("a less-than sign and a slash", "<style></</style><a href=1>", &["1"]),
        case("a start tag of its own", "<xmp><xmp></xmp><a href=1></xmp>", &["1"]),
        case("a slash on the start tag closes nothing", "<style/><a href=no></style><a href=1>", &["1"]),
        case("an iframe closed by a slash", "<iframe src=f /><a href=no>", &["f"]),
        case("never ended", "<a href=1><style><a href=no>", &["1"]),
        case("an end tag without an end", "<a href=1><style><a href=no></style", &["1"]),
        case("an end tag with half an attribute", "<a href=1><xmp></xmp a='><a href=no>", &["1"]),
    ]);
}

#[test]
fn titles_and_text_areas_hold_text_alone() {
    check(&[
        case("title", "<title>a<b>c</title><a href=1>", &["1"]).titled("a<b>c"),
        case("references in a title", "<title>a&amp;b&lt;c&#x41;</title>", &[]).titled("a&b<cA"),
        case("a reference that would end it", "<title>&lt;/title></title><a href=1>", &["1"]).titled("</title>"),
        case("blanks in a title", "<title>\n a \t b\n</title>", &[]).titled("a b"),
        case("an empty title", "<title></title><title>b</title>", &[]).titled(""),
        case("the first of two", "<title>a</title><title>b</title>", &[]).titled("a"),
        case("a title in the body", "<p>x<title>a</title><a href=1>", &["1"]).titled("a"),
        case("a longer name", "<title>a</titles></title><a href=1>", &["1"]).titled("a</titles>"),
        case("another's end tag", "<title>a</style></title>", &[]).titled("a</style>"),
        case("an unclosed title", "<title>a<a href=no>", &[]).titled("a<a href=no>"),
        case("a half end tag", "<title>a</titl", &[]).titled("a</titl"),
        case("textarea", "<textarea><a href=no></textarea><a href=1>", &["1"]),
        case("textarea in any case", "<TextArea></TITLE><a href=no></TEXTAREA><a href=1>", &["1"]),
        case("an unclosed textarea", "<a href=1><textarea><a href=no>", &["1"]),
        case("title in a textarea", "<textarea><title>no</title></textarea><title>a</title>", &[]).titled("a"),
    ]);
}

#[test]
fn nothing_ends_plain_text() {
    check(&[
        case("links", "<a href=1><plaintext><a href=no>", &["1"]),
        case("its own end tag", "<plaintext></plaintext><a href=no>", &[]),
        case("comments and titles", "<plaintext><!-- --><title>no</title>", &[]),
        case("closed by a slash", "<plaintext/><a href=no>", &[]),
        case("in a comment it is none", "<!-- <plaintext> --><a href=1>", &["1"]),
    ]);
}
