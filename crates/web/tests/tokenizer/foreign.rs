//! Foreign content (13.2.6.5), templates, and their effects on the tokenizer.

use crate::{case, check};

#[test]
fn svg_and_mathml_have_rules_of_their_own() {
    check(&[
        case("an anchor of SVG", "<svg><a href=1>x</a></svg>", &["1"]),
        case("by xlink", "<svg><a xlink:href=1></a></svg>", &["1"]),
        case("by both", "<svg><a xlink:href=no href=1></a></svg>", &["1"]),
        case("xlink says nothing in HTML", "<a xlink:href=no><a href=1>", &["1"]),
        case("an anchor of MathML is none", "<math><a href=no></a></math><a href=1>", &["1"]),
        case("a title of SVG is none", "<svg><title>no</title></svg><title>yes</title>", &[]).titled("yes"),
        case("markup in a title of SVG", "<svg><title><a href=1>x</a></title></svg>", &["1"]),
        case("a script of SVG holds markup", "<svg><script><a href=1></a></script></svg><a href=2>", &["1", "2"]),
        case("… and its comments are comments", "<svg><script><!-- </script> --></script></svg><a href=1>", &["1"]),
        case("a script closed by a slash", "<svg><script/><a href=1></a></svg><a href=2>", &["1", "2"]),
        case("a style of SVG holds markup", "<svg><style><a href=1></a></style></svg>", &["1"]),
        case("a textarea of SVG holds markup", "<svg><textarea><a href=1></a></textarea></svg>", &["1"]),
        case("plaintext of SVG is nothing", "<svg><plaintext></plaintext></svg><a href=1>", &["1"]),
        case("an iframe of SVG is none", "<svg><iframe src=no></iframe></svg><a href=1>", &["1"]),
        case("a base of SVG is none", "<svg><base href=/no/></base></svg><a href=1>", &["1"]),
        case("a link of SVG is none", "<svg><link rel=canonical href=no></link></svg><a href=1>", &["1"]),
        case("closed by a slash", "<svg/><title>yes</title><a href=1>", &["1"]).titled("yes"),
        case("in any case", "<SVG><TITLE>no</TITLE></SVG><a href=1>", &["1"]),
        case("an anchor in upper case", "<svg><A HREF=1></A></svg>", &["1"]),
    ]);
}

#[test]
fn cdata_sections_are_text_in_foreign_content() {
    check(&[
        case("svg", "<svg><![CDATA[<a href=no>]]></svg><a href=1>", &["1"]),
        case("math", "<math><![CDATA[</math><a href=no>]]></math><a href=1>", &["1"]),
        case("one bracket", "<svg><![CDATA[ ]> <a href=no> ]]></svg><a href=1>", &["1"]),
        case("three brackets", "<svg><![CDATA[ ]]]></svg><a href=1>", &["1"]),
        case("brackets and a blank", "<svg><![CDATA[ ]] > <a href=no> ]]></svg><a href=1>", &["1"]),
        case("right in an integration point", "<svg><desc><![CDATA[ > <a href=no> ]]></desc></svg>", &[]),
        case("without an end", "<a href=1></a><svg><![CDATA[ <a href=no>", &["1"]),
        case("after the SVG", "<svg></svg><![CDATA[ > <a href=1>", &["1"]),
        case("in a text point of MathML", "<math><mi><![CDATA[<a href=1>]]></mi></math>", &[]),
        case("in an anchor there", "<math><mi><b><![CDATA[ > <a href=1>]]></b></mi></math>", &["1"]),
    ]);
}

#[test]
fn html_comes_back() {
    check(&[
        case("by an integration point", "<svg><foreignObject><a href=1></a></foreignObject></svg>", &["1"]),
        case("by a description", "<svg><desc><title>yes</title></desc></svg>", &[]).titled("yes"),
        case("by a text point of MathML", "<math><mtext><a href=1></a></mtext></math>", &["1"]),
        case("but not for two elements", "<math><mi><mglyph><a href=no></a></mglyph></mi></math><a href=1>", &["1"]),
        case("by an annotation that says so", ANNOTATION, &["1"])
            .unlike_the_tree("`scraper`'s tree keeps no integration points of MathML"),
        case("by no other annotation", "<math><annotation-xml><a href=no></a></annotation-xml></math>", &[]),
        case("by an element that breaks out", "<svg><g><p><title>yes</title><a href=1>", &["1"]).titled("yes"),
        case("by `font` with a colour", "<svg><font color=red><title>yes</title>", &[]).titled("yes"),
        case("not by `font` alone", "<svg><font><title>no</title></font></svg>", &[]),
        case("by an end tag that breaks out", "<svg><g></p><title>yes</title>", &[]).titled("yes"),
        case("by `</br>`", "<svg><g></br><title>yes</title>", &[]).titled("yes"),
        case("not by an end tag of nothing", "<svg></x><title>no</title></svg>", &[]),
    ]);
}

const ANNOTATION: &str = "<math><annotation-xml encoding=text/html><a href=1></a></annotation-xml></math>";

#[test]
fn templates_are_inert() {
    check(&[
        case("a link", "<template><a href=no></a></template><a href=1>", &["1"]),
        case("a title", "<template><title>no</title></template><title>yes</title>", &[]).titled("yes"),
        case("a base", "<template><base href=/no/></template><a href=1>", &["1"]),
        case("one in another", "<template><template></template><a href=no></template><a href=1>", &["1"]),
        case("a slash closes none", "<template/><a href=no></template><a href=1>", &["1"]),
        case(
            "a script in one hides its end",
            "<template><script></template><a href=no></script></template><a href=1>",
            &["1"],
        ),
        case("never ended", "<a href=1><template><a href=no>", &["1"]),
        case("an end tag alone", "</template><a href=1>", &["1"]),
        case("a template of SVG is none", "<svg><template><a href=1></a></template></svg>", &["1"]),
    ]);
}
