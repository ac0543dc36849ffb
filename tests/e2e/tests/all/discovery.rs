//! The references of a page that are links: WHATWG HTML and URL, RFC 8288, RFC 9110.

use mapwright_e2e::{Cases, document, links};
use mapwright_testkit::Response;

/// An RSS feed with one item.
fn rss(link: &str) -> Response {
    let xml = format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>t</title><link>{link}</link>\
         <description>d</description><item><title>i</title><link>{link}</link></item></channel></rss>"
    );
    Response::new(200).content_type("application/rss+xml").body(xml)
}

#[test]
fn each_link_element_is_followed() {
    let mut cases = Cases::open();
    cases.case("a").body("<a href=p>x</a>").lists(&["p"]);
    cases.case("a below svg").body("<svg><a href=p><text>x</text></a></svg>").lists(&["p"]);
    cases.case("area").body("<map name=m><area shape=default href=p alt=x></map>").lists(&["p"]);
    cases.case("iframe").body("<iframe src=p></iframe>").lists(&["p"]);
    let frames = "<!doctype html><html><head><title>frames</title></head><frameset cols=\"50%,50%\"><frame src=l>\
                  <frame src=r></frameset></html>";
    cases.case("frame").answer("", Response::html(frames)).lists(&["l", "r"]);
    cases.case("link next").head("<link rel=next href=p>").lists(&["p"]);
    cases.case("link prev").head("<link rel=prev href=p>").lists(&["p"]);
    cases.case("link alternate without a type").head("<link rel=alternate hreflang=de href=p>").lists(&["p"]);
    cases.case("link alternate of HTML").head("<link rel=alternate type=text/html href=p>").lists(&["p"]);
    cases.case("link canonical").head("<link rel=canonical href=p>").excludes("", "canonical").lists(&["p"]);
    cases.case("rel is a set of words in any case").head("<link rel='foo NEXT bar' href=p>").lists(&["p"]);
    cases.case("noscript in the body").body("<noscript><a href=p>x</a></noscript>").lists(&["p"]);
    cases.case("noscript in the head").head("<noscript><link rel=next href=p></noscript>").lists(&["p"]);
    cases.check();
}

#[test]
fn a_link_element_of_another_kind_is_no_page() {
    let mut cases = Cases::open();
    // HTML 4.6.7.1: with `stylesheet`, `alternate` names an alternative style sheet.
    cases.case("alternate style sheet").head("<link rel='alternate stylesheet' href=q>").not_requested(&["q"]);
    cases.case("style sheet").head("<link rel=stylesheet href=q>").not_requested(&["q"]);
    cases.case("icon").head("<link rel=icon href=q>").not_requested(&["q"]);
    cases.case("script").body("<script src=q></script>").not_requested(&["q"]);
    cases.case("form").body("<form action=q><button formaction=r>x</button></form>").not_requested(&["q", "r"]);
    cases.case("object and embed").body("<object data=q></object><embed src=r>").not_requested(&["q", "r"]);
    cases.case("data attributes").body("<a data-href=q>x</a><div href=r>y</div>").not_requested(&["q", "r"]);
    cases.check();
}

#[test]
fn images_and_videos_are_recorded_and_not_followed() {
    let mut cases = Cases::open();
    let mut resource = |name: &str, body: &str, names: &[&str]| {
        let case = cases.case(name);
        case.body(body).not_requested(names);
        for name in names {
            case.excludes(name, "resource");
        }
    };
    resource("img", "<img src=q alt=x>", &["q"]);
    resource("srcset of img", "<img srcset='q 1x, r 2x' src=s alt=x>", &["q", "r", "s"]);
    resource("srcset of source", "<picture><source srcset='q 480w, r 800w'><img src=s alt=x></picture>", &["q", "r"]);
    resource("srcset with commas in URLs", "<img srcset='q,1 1x,r,2 2x' alt=x>", &["q,1", "r,2"]);
    resource("video", "<video src=q></video>", &["q"]);
    resource("source of video", "<video><source src=q></video>", &["q"]);
    cases.case("an image that is linked too").body("<a href=p><img src=p alt=x></a>").lists(&["p"]);
    cases.check();
}

#[test]
fn comments_script_style_and_template_hold_no_links() {
    let mut cases = Cases::open();
    let q = "<a href=q>x</a>";
    cases.case("comment").body(format!("<!-- {q} -->")).unknown(&["q"]);
    cases.case("conditional comment").body(format!("<!--[if IE]>{q}<![endif]-->")).unknown(&["q"]);
    cases.case("bogus comment").body("<?a href=q> <!a href=r> </ a href=s>").unknown(&["q", "r", "s"]);
    cases.case("CDATA in HTML is a comment").body("<![CDATA[ <a href=q>x</a> ]]>").unknown(&["q"]);
    cases
        .case("CDATA in SVG is text")
        .body("<svg><![CDATA[<a href=q>x</a>]]></svg><a href=p>")
        .unknown(&["q"])
        .lists(&["p"]);
    cases.case("script").body(format!("<script>var s = '{q}';</script>")).unknown(&["q"]);
    let escaped = format!("<script><!-- <script> </script> {q} --></script><a href=p>x</a>");
    cases.case("a script inside a script").body(escaped).unknown(&["q"]).lists(&["p"]);
    let hidden = "<script><!-- var a = '<b>'; //--></script><a href=p>x</a>";
    cases.case("a comment mark in a script hides nothing after it").body(hidden).lists(&["p"]);
    cases.case("style").body(format!("<style>/* {q} */</style>")).unknown(&["q"]);
    cases.case("title").head(format!("<title>{q}</title>")).unknown(&["q"]);
    cases.case("textarea").body(format!("<textarea>{q}</textarea>")).unknown(&["q"]);
    cases.case("xmp").body(format!("<xmp>{q}</xmp>")).unknown(&["q"]);
    cases.case("text of an iframe").body(format!("<iframe>{q}</iframe>")).unknown(&["q"]);
    cases.case("noembed and noframes").body(format!("<noembed>{q}</noembed><noframes>{q}</noframes>")).unknown(&["q"]);
    cases.case("plaintext").body(format!("<plaintext>{q}")).unknown(&["q"]);
    cases.case("template").body(format!("<template>{q}</template><a href=p>x</a>")).unknown(&["q"]).lists(&["p"]);
    cases.case("nested template").body(format!("<template><template></template>{q}</template>")).unknown(&["q"]);
    cases.case("end tags have no links").body("</a href=q>").unknown(&["q"]);
    cases.case("a bare URL in the text").body("see http://127.0.0.1/q and q").unknown(&["q"]);
    cases.check();
}

#[test]
fn comments_end_where_a_browser_ends_them() {
    // HTML 13.2.5.43 to 13.2.5.52: abrupt, empty and incorrectly closed comments.
    let mut cases = Cases::open();
    cases.case("--!>").body("<!-- x --!><a href=p>x</a>").lists(&["p"]);
    cases.case("<!-->").body("<!--><a href=p>x</a>").lists(&["p"]);
    cases.case("<!--->").body("<!---><a href=p>x</a>").lists(&["p"]);
    cases.case("--- in front of >").body("<!-- x ---><a href=p>x</a>").lists(&["p"]);
    cases
        .case("-- > does not end it")
        .body("<!-- x -- ><a href=q>x</a> --><a href=p>y</a>")
        .lists(&["p"])
        .unknown(&["q"]);
    cases.case("a comment without an end").body("<a href=p>x</a><!-- <a href=q>y</a>").lists(&["p"]).unknown(&["q"]);
    cases.check();
}

#[test]
fn odd_markup_is_read_as_a_browser_reads_it() {
    let mut cases = Cases::open();
    cases.case("upper case").body("<A HREF=\"p\">x</A><AREA Href='q'>").lists(&["p", "q"]);
    cases.case("unquoted").body("<a href=p>x</a><a href=q/>y</a>").lists(&["p", "q/"]);
    cases.case("single quotes").body("<a href='p'>x</a>").lists(&["p"]);
    cases.case("no blank between attributes").body("<a title='x'href='p'>x</a><a/href=q>y</a>").lists(&["p", "q"]);
    cases.case("blanks around the equals sign").body("<a href = p >x</a><a href\n=\n'q'>y</a>").lists(&["p", "q"]);
    cases.case("> inside quotes").body("<a title=\"<b> > </b>\" href=p>x</a>").lists(&["p"]);
    cases.case("the first of duplicate attributes").body("<a href=p href=q>x</a>").lists(&["p"]).unknown(&["q"]);
    cases.case("duplicates in other case").body("<a HREF=p href=q>x</a>").lists(&["p"]).unknown(&["q"]);
    cases.case("an equals sign in front of a name").body("<a =x href=p>x</a>").lists(&["p"]);
    cases.case("a quote inside an unquoted value").body("<a href=p\"q>x</a>").lists(&["p%22q"]);
    cases
        .case("missing end tags")
        .body("<div><p>one<a href=p>x<p>two<table><tr><td><a href=q>y<li><b>")
        .lists(&["p", "q"]);
    cases.case("a stray < in front").body("a < b <<a href=p>x</a>").lists(&["p"]);
    cases.case("a tag that the end of the file cuts").body("<a href=p>x</a><a href=\"q").lists(&["p"]).unknown(&["q"]);
    cases.case("an attribute without a value").body("<a href>x</a><a name=x>y</a><a href=p>z</a>").lists(&["p"]);
    cases
        .case("after the end of the body")
        .answer("", Response::html("<p>x</body></html><a href=p>x</a>"))
        .lists(&["p"]);
    let many: String = (0..300).map(|n| format!(" data-k{n}='v'")).collect();
    cases.case("three hundred attributes").body(format!("<a{many} href=p>x</a>")).lists(&["p"]);
    cases.check();
}

#[test]
fn character_references_in_attributes_are_decoded_once() {
    let mut cases = Cases::open();
    cases.case("&amp;").body("<a href='?a=1&amp;b=2'>x</a>").lists(&["?a=1&b=2"]);
    cases.case("&amp;amp; once").body("<a href='?a=1&amp;amp;b=2'>x</a>").lists(&["?a=1&amp;b=2"]);
    cases.case("&amp;lt; once").body("<a href='?x=&amp;amp;lt;'>x</a>").lists(&["?x=&amp;lt;"]);
    cases.case("decimal and hexadecimal").body("<a href='&#112;1'>x</a><a href='&#x70;2'>y</a>").lists(&["p1", "p2"]);
    // HTML 13.2.5.73: a legacy name before = or a letter stays text in an attribute.
    cases.case("legacy names before =").body("<a href='?a=1&copy=2&reg=3'>x</a>").lists(&["?a=1&copy=2&reg=3"]);
    cases.case("a legacy name before a letter").body("<a href='?x=1&notin=2'>x</a>").lists(&["?x=1&notin=2"]);
    cases.case("named").body("<a href='caf&eacute;&period;html'>x</a>").lists(&["caf%C3%A9.html"]);
    // HTML 13.2.5.80: 0x80 to 0x9F name the characters of windows-1252.
    cases.case("&#128; is the euro sign").body("<a href='p&#128;'>x</a>").lists(&["p%E2%82%AC"]);
    let schemes = "<a href='javascript&colon;void(0)'>x</a><a href='&#106;avascript:x()'>y</a><a href=p>z</a>";
    cases.case("an encoded scheme is a scheme").body(schemes).lists(&["p"]);
    cases.check();
}

#[test]
fn blanks_around_are_stripped_and_tabs_and_newlines_inside_removed() {
    // WHATWG URL, basic URL parser, steps 1 to 3.
    let mut cases = Cases::open();
    cases.case("blanks around").body("<a href='  p \n'>x</a>").lists(&["p"]);
    cases.case("tabs and newlines inside").body("<a href='p\ta\nt\r\nh'>x</a>").lists(&["path"]);
    cases.case("encoded newlines inside").body("<a href='p&#10;q&#9;r'>x</a>").lists(&["pqr"]);
    cases.case("blanks inside are escaped").body("<a href='a b?c d'>x</a>").lists(&["a%20b?c%20d"]);
    cases.case("a tab in the scheme").body("<a href='java\tscript:x()'>x</a><a href=p>y</a>").lists(&["p"]);
    cases.check();
}

#[test]
fn references_resolve_by_the_url_standard() {
    let mut cases = Cases::open();
    let case = cases.case("absolute");
    case.body(links(&[&case.url("p")])).lists(&["p"]);
    let case = cases.case("root-relative");
    case.body(links(&[&case.path("deep/p")])).lists(&["deep/p"]);
    let case = cases.case("scheme-relative");
    case.body(links(&[case.url("p").trim_start_matches("http:")])).lists(&["p"]);
    let case = cases.case("scheme in upper case");
    case.body(links(&[&case.url("p").replacen("http", "HTTP", 1)])).lists(&["p"]);
    let case = cases.case("back slashes");
    case.body(links(&[&case.path("p").replace('/', "\\")])).lists(&["p"]);
    cases.case("scheme without slashes").body(links(&["http:p"])).lists(&["p"]);
    cases.case("query alone").body(links(&["?q=1"])).lists(&["?q=1"]);
    cases.case("empty, and a fragment alone").body(links(&["", "#top"]));
    cases.case("a fragment is no part").body(links(&["p#one", "p#two", "p#!three"])).lists(&["p"]);
    cases.case("excess dots stay at the root").body(links(&["../../../over"])).lists(&["/over"]);
    let schemes =
        links(&["mailto:a@b.test", "tel:+1", "javascript:q()", "data:text/html,<a href=q>", "about:blank", "p"]);
    cases.case("other schemes").body(schemes).lists(&["p"]);
    let broken = links(&["http://[::1/", "http://:99999/", "http://127.0.0.1:port/", "http://%zz/", "//", "p"]);
    cases.case("what does not parse stops nothing").body(broken).lists(&["p"]);
    cases.check();
}

#[test]
fn the_first_base_with_an_href_counts() {
    // HTML 4.2.3, and "document base URL" in 2.4.3.
    let mut cases = Cases::open();
    let p = links(&["p"]);
    cases.case("relative to the document").head("<base href='d/x'>").body(&p).lists(&["d/p"]);
    cases
        .case("the first wins")
        .head("<base href=one/><base href=two/>")
        .body(&p)
        .lists(&["one/p"])
        .unknown(&["two/p"]);
    cases.case("without an href it sets nothing").head("<base target=_blank><base href=d/>").body(&p).lists(&["d/p"]);
    cases.case("links before it too").body(format!("{p}<base href=d/>")).lists(&["d/p"]).unknown(&["p"]);
    cases.case("link elements before it too").head("<link rel=next href=p><base href=d/>").lists(&["d/p"]);
    cases.case("not in a comment").head("<!-- <base href=d/> -->").body(&p).lists(&["p"]).unknown(&["d/p"]);
    cases.case("a data URL falls back to the document").head("<base href='data:text/plain,x'>").body(&p).lists(&["p"]);
    cases.case("an unparsable one falls back too").head("<base href='http://[/'>").body(&p).lists(&["p"]);
    cases.case("upper case").head("<BASE HREF='d/'>").body(&p).lists(&["d/p"]);
    cases
        .case("another host")
        .head("<base href='http://elsewhere.test/d/'>")
        .body(&p)
        .excludes("http://elsewhere.test/d/p", "out-of-scope")
        .unknown(&["p"]);
    cases
        .case("canonicals resolve by it")
        .head("<base href=d/><link rel=canonical href=p>")
        .excludes("", "canonical")
        .lists(&["d/p"]);
    cases.check();
}

#[test]
fn an_instant_refresh_redirects() {
    // HTML 4.2.5.3, shared declarative refresh steps.
    let mut cases = Cases::open();
    let contents = [
        "0;url=p",
        "0; url=p",
        "0;URL='p'",
        "0; url = \"p\" junk",
        "0,url=p",
        "0 url=p",
        "0;p",
        "0 p",
        " 0 ; UrL = p",
        ".5;url=p",
        "0.9;url=p",
        "0;url='p",
    ];
    for content in contents {
        let content = content.replace('"', "&quot;");
        let case = cases.case(&format!("content {content}"));
        case.head(format!("<meta http-equiv=refresh content=\"{content}\">")).excludes("", "redirect").lists(&["p"]);
    }
    let meta = "<meta http-equiv=Refresh content='0;url=p'>";
    cases.case("in noscript").head(format!("<noscript>{meta}</noscript>")).lists(&["", "p"]);
    cases.case("in noscript of the body").body(format!("<noscript>{meta}</noscript>")).lists(&["", "p"]);
    cases
        .case("attributes in any order")
        .head("<META content='0;url=p' HTTP-EQUIV=REFRESH>")
        .excludes("", "redirect")
        .lists(&["p"]);
    cases.case("in a comment").head(format!("<!-- {meta} -->")).unknown(&["p"]);
    cases.case("the Refresh header").header("Refresh", "0; url=p").excludes("", "redirect").lists(&["p"]);
    cases.case("the Refresh header in quotes").header("refresh", "0;URL=\"p\"").excludes("", "redirect").lists(&["p"]);
    cases.check();
}

#[test]
fn a_slow_refresh_is_a_link_and_one_to_itself_is_nothing() {
    let mut cases = Cases::open();
    cases.case("one second").head("<meta http-equiv=refresh content='1;url=p'>").lists(&["p"]);
    cases.case("a minute").head("<meta http-equiv=refresh content='60; url=p'>").lists(&["p"]);
    cases.case("the header").header("Refresh", "5; url=p").lists(&["p"]);
    cases.case("a reload").head("<meta http-equiv=refresh content=0>");
    cases.case("a reload by URL").head("<meta http-equiv=refresh content='0;url='>");
    cases.case("a reload by header").header("Refresh", "30");
    cases.case("a fragment of itself").head("<meta http-equiv=refresh content='0;url=#top'>");
    cases.case("a negative time").head("<meta http-equiv=refresh content='-1;url=q'>").unknown(&["q"]);
    cases.case("no time").head("<meta http-equiv=refresh content='url=q'>").unknown(&["q"]);
    cases.case("another header").head("<meta http-equiv=location content='0;url=q'>").unknown(&["q"]);
    cases.check();
}

#[test]
fn link_headers_are_links() {
    // RFC 8288, 3: field syntax and parameters.
    let mut cases = Cases::open();
    cases.case("next").header("Link", "<p>; rel=next").lists(&["p"]);
    cases.case("prev, quoted").header("Link", "<p>; rel=\"prev\"").lists(&["p"]);
    cases.case("alternate").header("Link", "<p>; rel=\"alternate\"; hreflang=\"de\"").lists(&["p"]);
    cases.case("several in one field").header("Link", "<p>; rel=next, <q>; rel=prev").lists(&["p", "q"]);
    cases.case("several fields").header("Link", "<p>; rel=next").header("Link", "<q>; rel=prev").lists(&["p", "q"]);
    cases.case("several relations").header("Link", "<p>; rel=\"start next\"").lists(&["p"]);
    cases.case("any case and blanks").header("link", "  <p> ;  REL = \"Next\"  ").lists(&["p"]);
    cases
        .case("commas and semicolons in quotes")
        .header("Link", "</x.css>; title=\"a, <q>; rel=next\"; rel=preload, <p>; rel=next")
        .lists(&["p"])
        .unknown(&["q"]);
    cases.case("commas inside the target").header("Link", "<p,1;2>; rel=next").lists(&["p,1;2"]);
    cases.case("empty elements").header("Link", ", ,<p>; rel=next,").lists(&["p"]);
    // RFC 8288, 3.3: a second rel parameter must be ignored.
    cases.case("the first rel counts").header("Link", "<q>; rel=preload; rel=next").not_requested(&["q"]);
    cases.case("canonical").header("Link", "<p>; rel=canonical").excludes("", "canonical").lists(&["p"]);
    cases
        .case("the base element does not apply to headers")
        .head("<base href=d/>")
        .header("Link", "<p>; rel=next")
        .lists(&["p"])
        .unknown(&["d/p"]);
    cases.check();
}

#[test]
fn locations_are_followed() {
    let mut cases = Cases::open();
    for status in [301, 302, 303, 307, 308] {
        let case = cases.case(&format!("status {status}"));
        case.body(links(&["old"])).redirect("old", "new", status).excludes("old", "redirect").lists(&["new"]);
    }
    let case = cases.case("relative forms");
    let authority = case.url("b").trim_start_matches("http:").to_owned();
    case.body(links(&["d/x", "y", "z"]))
        .redirect("d/x", "../a", 301)
        .redirect("y", "?q=1", 302)
        .redirect("z", &authority, 301);
    case.lists(&["a", "y?q=1", "b"]).excludes("d/x", "redirect").excludes("z", "redirect");
    let case = cases.case("a chain");
    case.body(links(&["1"])).redirect("1", "2", 301).redirect("2", "3", 302).lists(&["3"]);
    case.excludes("1", "redirect").excludes("2", "redirect");
    let case = cases.case("a loop ends");
    case.body(links(&["x", "self"])).redirect("x", "y", 301).redirect("y", "x", 301).redirect("self", "self", 302);
    case.excludes("x", "redirect").excludes("y", "redirect").excludes("self", "redirect");
    let case = cases.case("to another host");
    case.body(links(&["x"])).redirect("x", "http://elsewhere.test/y", 301);
    case.excludes("x", "redirect").excludes("http://elsewhere.test/y", "out-of-scope");
    let case = cases.case("a Location on a page that answers 200");
    case.answer("", Response::html(document("located", "", "")).header("Location", "q")).not_requested(&["q"]);
    cases.check();
}

#[test]
fn feeds_named_by_a_page_are_read() {
    let mut cases = Cases::open();
    let case = cases.case("RSS");
    let item = case.url("item");
    case.head("<link rel=alternate type=application/rss+xml href=feed>").answer("feed", rss(&item)).lists(&["item"]);
    let case = cases.case("Atom");
    let atom = format!(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>t</title><id>urn:x</id><updated>2024-01-01T00:00:00Z</updated>\
         <entry><title>e</title><id>urn:y</id><updated>2024-01-01T00:00:00Z</updated><link href=\"{}\"/></entry></feed>",
        case.url("item")
    );
    let feed = Response::new(200).content_type("application/atom+xml").body(atom);
    case.head("<link rel='ALTERNATE' type='Application/Atom+XML' href=feed>").answer("feed", feed).lists(&["item"]);
    let case = cases.case("by the Link header");
    let item = case.url("item");
    case.header("Link", "<feed>; rel=alternate; type=\"application/rss+xml\"")
        .answer("feed", rss(&item))
        .lists(&["item"]);
    cases.check();
}
