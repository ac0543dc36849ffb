//! Links, canonicals and titles equal those of a browser's tree (html5ever with scripting off, through `scraper`).
//!
//! Deliberate differences (named in `mapwright_web::page`) are excluded from the documents below: `frame`, elements
//! left open in integration points and around an unclosed `svg`, and tables in templates. One difference comes only
//! from the tree that `scraper` builds: `annotation-xml` as an HTML integration point.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod oracle;

use mapwright_web::page::{DocumentHeaders, Limits, read};
use oracle::soup::{FOREIGN, HTML};
use oracle::{difference, page};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const DOCUMENTS: &[&str] = &[
    "",
    "<!doctype html><html><head><title>t</title></head><body><a href=x>y</a></body></html>",
    "<a href=one><p>a<a href=two>b</p></a><b><a href=three>c</b></a>",
    "<table><a href=1>x</a><tr><td><a href=2>y</table><a href=3>",
    "<p>x<link rel=canonical href=c><meta name=robots content=noindex>",
    "<link rel=canonical href=c1><p>x<link rel=canonical href=c2>",
    "<head></head><link rel=canonical href=c><title>late</title><body><link rel=canonical href=d>",
    "<head><noscript><link rel=canonical href=c></noscript><link rel=canonical href=d></head>",
    "<head></head><noscript><link rel=canonical href=c></noscript>",
    "<title>a</title>text<link rel=canonical href=c>",
    "<head><div><link rel=canonical href=c></div></head>",
    "<head> \n <link rel=canonical href=c> \0 <link rel=canonical href=d>",
    "</head><link rel=canonical href=c></br><link rel=canonical href=d>",
    "</body><link rel=canonical href=c>",
    "<noscript><a href=x>y</a></noscript>",
    "<noscript><!-- </noscript><a href=no> --><a href=x></noscript><a href=y>",
    "<template><a href=no></template><a href=yes>",
    "<div><template></div><a href=no></template><a href=yes>",
    "<template><template><a href=no></template><a href=no2></template><a href=yes>",
    "</template><a href=yes><template><a href=no>",
    "<template><title>no</title></template><title>yes</title>",
    "<svg><title>no</title><a href=s1><text>x</text></a><a xlink:href=s2></a></svg><title>yes</title>",
    "<svg/><script>'<a href=no>'</script><a href=yes>",
    "<svg><script><a href=svg></script></svg><a href=yes>",
    "<svg><style><a href=svg></style></svg><style><a href=no></style>",
    "<svg><![CDATA[<a href=no>]]></svg><![CDATA[<a href=yes>]]>",
    "<svg><foreignObject><a href=h>x</a><title>island</title></foreignObject><title>svg</title></svg>",
    "<svg><g><p><a href=after>x</a></p></g></svg><title>t</title>",
    "<div><svg><path></div><title>t</title><iframe src=i></iframe>",
    "<math><mi><a href=m>x</a></mi><a href=no>y</a></math><a href=z>",
    "<math><annotation-xml><svg><a href=s>x</a></svg></annotation-xml></math>",
    "<svg><font color=red><a href=x>y</a></font></svg><title>t</title>",
    "<svg><font><a href=x>y</a></font></svg>",
    "<svg><template><a href=x></a></template></svg>",
    "<svg><foreignObject><template><input></input></template></foreignObject></svg><p><a href=yes></a>",
    "<svg><foreignObject><b><img></img><a href=h></a></b></foreignObject><title>svg</title></svg><title>yes</title>",
    "<svg></p><title>t</title>",
    "<svg></svg><title>t</title>",
    "<svg><desc><svg><title>in</title></svg><title>t</title></desc></svg>",
    "<!-- <a href=no> --!><a href=1><!--><a href=2><!---><a href=3><!-- -- ><a href=no> -->",
    "<!----!><a href=1><!----><a href=2><!-- <!-- --><a href=3>--><a href=4><!---!><a href=no>",
    "<!doctype html public \"><a href=1>\"><a href=2>",
    "<?php <a href=no> ?><a href=1></ <a href=no2>><a href=2></><a href=3>",
    "<!bogus <a href=no>><a href=1><![if IE]><a href=2><![endif]>",
    "<script><!-- <script> </script><a href=no> --></script><a href=1>",
    "<script><!-- <script></script> </script><a href=1>",
    "<script><!--></script><a href=1>",
    "<script><!---></script><a href=1>",
    "<script><!-- var a='<b>' //--></script><a href=1>",
    "<script><!-- <scriptx> </script><a href=1>",
    "<script></scriptx></script ><a href=1>",
    "<script></SCRIPT/><a href=1>",
    "<style></styl></style\t><a href=1><xmp><a href=no></xmp><noembed><a href=no></noembed><a href=2>",
    "<textarea><a href=no></textarea><title><a href=no></title><a href=1>",
    "<title>a&amp;b &lt;x&gt; &copy &notit;</title>",
    "<title>one</title><title>two</title>",
    "<title></title><title>two</title>",
    "<iframe src=one><a href=no></iframe><a href=yes>",
    "<noframes><a href=no></noframes><a href=yes>",
    "<plaintext><a href=no></plaintext><a href=no2>",
    "<select><option><a href=1>x</a><script>'<a href=no>'</script></select><a href=2>",
    "<select><textarea><a href=no></textarea></select><a href=x>",
    "<A HREF=one Href=two>x</A><aReA hReF='three'>",
    "<a title='<b> > </b>' href=\"p.html\">x</a>",
    "<a href=p/q.html>x</a><a href=p/>y</a><a href=/>z</a>",
    "<a\nhref\n=\n'x\ny'\n>z</a><a/href=slash/><a href=\"q\"class=x>",
    "<a =href=no href=yes><a a=b=c href=two><a 'href=no'><a \"href=no2\">",
    "<a href=a\0b><a\0 href=no><a h\0ref=no>",
    "<a href='  padded  '><a href='\n\tx\n'>",
    "<a href=x&copy=2&reg=3><a href='?a=1&amp;b=2'><a href=&#x2F;slash><a href=caf&eacute;>",
    "<a href=?x=&notit;y><a href='?&amp'><a href='?&ampx'><a href='?&amp='>",
    "<a href>x</a><a>y</a><a name=n>z</a><a href=''>e</a>",
    "<a href=unclosed",
    "<a href='unclosed>x</a><a href=no>",
    "<a href=one></a title='>'><a href=two>",
    "<base href=/b/><a href=x>",
    "<a href=x><base href=/late/>",
    "<base target=t><base href=/one/><base href=/two/>",
    "<template><base href=/no/></template><svg><base href=/no2/></svg><a href=x>",
    "<base href='javascript:x'><a href=x>",
    "<base href='http://['><a href=x>",
    "<image src=x><a href=1>",
    "<p id=a><svg id=b><g id=''></g></svg><template><i id=no></i></template>",
    "<a href=mailto:x><a href=javascript:x><a href=tel:1><a href=ftp://h/><a href='http://[::1/'>",
    "<h1>a<h2>b</h1>c</h2>",
    "<form><form><a href=x></form></form><button><button><a href=y>",
    "<li><svg></li><title>t</title>",
    "<svg></div><a href=x></svg>",
    "<pre>\n<a href=x></pre><listing>\n<a href=y></listing>",
    "<html lang=a><html lang=b><a href=x>",
    "\u{feff}<link rel=canonical href=c>",
    "<math><mglyph><a href=no></mglyph></math><math><mi><mglyph><a href=no></mglyph></mi></math>",
];

#[test]
fn tricky_documents_read_as_in_a_browser() {
    let differences: Vec<String> = DOCUMENTS.iter().filter_map(|text| difference(text)).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn an_end_tag_closes_what_it_names_far_up() {
    let text = format!("<math>{}</math><a xlink:href=no><a href=yes>", "<svg><g>".repeat(200));
    assert_eq!(difference(&text), None);
}

fn soup(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(pieces), 0..25).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 20_000,
        failure_persistence: None,
        // The same documents in every run; the fuzz target generates others.
        rng_seed: RngSeed::Fixed(8),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_soup_of_html_reads_as_in_a_browser(text in soup(HTML)) {
        prop_assert_eq!(difference(&text), None);
    }

    #[test]
    fn any_soup_with_foreign_content_reads_as_in_a_browser(text in soup(FOREIGN)) {
        prop_assert_eq!(difference(&text), None);
    }

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let facts = read(&bytes, &DocumentHeaders::default(), &page(), &Limits::default());
        prop_assert!(facts.links.len() <= bytes.len());
    }
}
