//! Media types: documents that are read for links, types that are sniffed, and files. RFC 9110, 8.3; WHATWG MIME
//! Sniffing.

use mapwright_e2e::{Cases, Crawl, document, links};
use mapwright_testkit::{FakeSite, Response, ServerAction};

/// An HTML page with a unique name and one link to `p`.
fn html(name: &str) -> String {
    document(name, "", "<p>words</p><a href=p>x</a>")
}

fn typed(content_type: &str, body: impl Into<Vec<u8>>) -> Response {
    Response::new(200).content_type(content_type).body(body)
}

#[test]
fn html_and_xhtml_are_read() {
    let mut cases = Cases::open();
    let types = [
        "text/html",
        "Text/HTML ; Charset=UTF-8; x=y",
        "text/html;charset",
        "text/html; charset=\"utf-8\"",
        "  text/html  ",
        "text/html;",
    ];
    for content_type in types {
        cases.case(content_type).answer("", typed(content_type, html(content_type))).lists(&["p"]);
    }
    let xhtml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><head>\
                 <title>x</title></head><body><br/><a href=\"p\">x</a></body></html>";
    cases.case("XHTML").answer("", typed("application/xhtml+xml", xhtml)).lists(&["p"]);
    let name = "the type decides, not the name";
    cases
        .case(name)
        .body(links(&["image.jpg"]))
        .answer("image.jpg", typed("text/html", html(name)))
        .lists(&["image.jpg", "p"]);
    cases.check();
}

#[test]
fn a_missing_type_is_sniffed() {
    // MIME Sniffing, 7.1: HTML begins with one of these tags, after white space, and a tag-terminating byte.
    let mut cases = Cases::open();
    let untyped = |body: &str| Response::new(200).body(format!("{body}<a href=p>{body}</a>"));
    let starts = [
        "<!DOCTYPE html>",
        "<!doctype HTML >",
        "<html>",
        "<HEAD>",
        "<script></script>",
        "<iframe></iframe>",
        "<h1>x</h1>",
        "<div >",
        "<font>",
        "<table>",
        "<a href=x>",
        "<style></style>",
        "<title>x</title>",
        "<b>",
        "<body>",
        "<br>",
        "<p>",
        "<!-- x -->",
        "\n\t  <html>",
    ];
    for start in starts {
        let case = cases.case(&format!("begins with {start:?}"));
        case.answer("x", Response::html("x")).answer("", untyped(start)).lists(&["p"]);
        if start.contains("href=x") {
            case.lists(&["x"]);
        }
    }
    let case = cases.case("an empty type counts as missing");
    case.answer("", Response::new(200).header("Content-Type", "").body(html("empty"))).lists(&["p"]);
    let mut file = |name: &str, body: &[u8]| {
        let answer = Response::new(200).body(body);
        cases.case(name).answer("", answer).excludes("", "media-type").unknown(&["p"]);
    };
    file("a binary", b"\x00\x01\x02\x7fELF<a href=p>x</a>");
    file("an image", b"\x89PNG\r\n\x1a\n<html><a href=p>x</a>");
    file("a PDF", b"%PDF-1.7\n<html><a href=p>x</a>");
    file("XML", b"<?xml version=\"1.0\"?><root><a href=\"p\"/></root>");
    file("text that speaks of HTML later", b"Write <html> and <a href=p>x</a>.");
    file("a longer name is another tag", b"<paragraph><a href=p>x</a>");
    cases.check();
}

#[test]
fn unknown_types_are_sniffed() {
    // MIME Sniffing, 7: unknown/unknown, application/unknown and */* count as a missing type.
    let mut cases = Cases::open();
    for content_type in ["unknown/unknown", "application/unknown", "*/*"] {
        cases.case(content_type).answer("", typed(content_type, html(content_type))).lists(&["p"]);
    }
    cases.check();
}

#[test]
fn everything_else_is_a_file_and_not_read_for_links() {
    let mut cases = Cases::open();
    let types = [
        "application/octet-stream",
        "text/plain",
        "application/json",
        "application/pdf",
        "image/jpeg",
        "image/svg+xml",
        "application/xml",
        "text/xml",
        "application/rss+xml",
        "application/atom+xml",
        "text/css",
        "text/javascript",
        "video/mp4",
        "text/htmlx",
        "application/vnd.wap.xhtml+xml",
    ];
    for content_type in types {
        let case = cases.case(content_type);
        case.answer("", typed(content_type, html(content_type))).excludes("", "media-type").unknown(&["p"]);
    }
    cases.check();
}

#[test]
fn a_wrong_type_is_known_by_sniffing() {
    let site = FakeSite::open();
    site.page("/", links(&["/html", "/pdf", "/png"]));
    site.file("/html", "text/plain", html("wrong"));
    site.file("/pdf", "text/plain", "%PDF-1.7\n");
    site.file("/png", "application/octet-stream", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice());
    let crawled = Crawl::of(&site).run().exited(0);
    crawled.assert_lists(&[site.url("/")]);
    for (path, sniffed) in [("/html", "html"), ("/pdf", "pdf"), ("/png", "image")] {
        let sql = format!(
            "SELECT sniffed FROM visit JOIN url ON url.id = visit.url WHERE url.text = '{}' AND last = 1",
            site.url(path)
        );
        let found = crawled.query(&sql).concat().concat();
        assert!(found.contains(sniffed), "{path} is sniffed as {found:?}");
        crawled.assert_excluded(&site.url(path), "media-type");
    }
}

#[test]
fn further_kinds_are_listed_by_option() {
    let site = FakeSite::open();
    let paths = ["/f.pdf", "/t.txt", "/i.png", "/d.bin", "/x.xml", "/feed"];
    site.page("/", links(&paths)).file("/f.pdf", "application/pdf", "%PDF-1.7\n").file("/t.txt", "text/plain", "text");
    site.file("/i.png", "image/png", b"\x89PNG\r\n\x1a\n".as_slice()).file(
        "/d.bin",
        "application/octet-stream",
        "data",
    );
    site.file("/x.xml", "application/xml", "<x/>").file("/feed", "application/rss+xml", "<rss version='2.0'/>");
    let crawl = |types: &str| Crawl::of(&site).args(["--list-types", types]).run().exited(0);
    crawl("html").assert_lists(&site.urls(&["/"]));
    crawl("html,pdf").assert_lists(&site.urls(&["/", "/f.pdf"]));
    crawl("html,text,image").assert_lists(&site.urls(&["/", "/t.txt", "/i.png"]));
    crawl("pdf").assert_excluded(&site.url("/"), "media-type");
    // "octet-stream is a file": listed as `other` alone.
    crawl("html,other").assert_lists(&site.urls(&["/", "/d.bin"]));
    crawl("html,xml").assert_lists(&site.urls(&["/", "/x.xml"]));
    crawl("html,feed").assert_lists(&site.urls(&["/", "/feed"]));
}

#[test]
fn only_the_beginning_of_an_unlisted_file_is_fetched() {
    let site = FakeSite::open();
    site.page("/", links(&["/v.mp4", "/f.pdf", "/small.zip"])).file("/small.zip", "application/zip", "PK");
    site.file("/v.mp4", "video/mp4", vec![b'v'; 3 << 20]).file("/f.pdf", "application/pdf", vec![b'p'; 3 << 20]);
    let sql = "SELECT url, body_bytes, status FROM v_pages WHERE depth = 1 ORDER BY url";
    let wire = "SELECT sum(wire_bytes) FROM visit";
    let crawled = Crawl::of(&site).run().exited(0);
    crawled.assert_lists(&[site.url("/")]);
    let size = |row: &[String]| row.get(1).cloned().unwrap_or_default();
    let sizes: Vec<String> = crawled.query(sql).iter().map(|row| size(row)).collect();
    assert_eq!(sizes, ["3145728", "2", "3145728"], "what the head says");
    let bytes =
        |crawled: &mapwright_e2e::Crawled| crawled.query(wire).concat().concat().parse::<u64>().unwrap_or(u64::MAX);
    assert!(bytes(&crawled) < 2 << 20, "{} bytes came over the wire", bytes(&crawled));
    let listed = Crawl::of(&site).args(["--list-types", "html,pdf"]).run().exited(0);
    listed.assert_lists(&site.urls(&["/", "/f.pdf"]));
    assert!(bytes(&listed) > 3 << 20, "what is listed is dated by its bytes");
}

#[test]
fn files_redirects_and_errors_need_no_complete_body() {
    let site = FakeSite::open();
    let head = |kind: &str| format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: 900000\r\n\r\n%PDF-");
    site.page("/", links(&["/f.pdf", "/f.zip", "/moved", "/gone"]));
    site.answer("/f.pdf", ServerAction::stall_after(head("application/pdf")));
    site.answer("/f.zip", ServerAction::stall_after(head("application/zip")));
    site.answer("/moved", ServerAction::stall_after("HTTP/1.1 301 M\r\nLocation: /new\r\nContent-Length: 9\r\n\r\n"));
    site.answer("/gone", ServerAction::stall_after("HTTP/1.1 404 N\r\nContent-Length: 9\r\n\r\n"))
        .page("/new", "<p>new");
    let crawled = Crawl::of(&site).args(["--timeout", "1", "--list-types", "html,pdf"]).run().exited(0);
    crawled.assert_lists(&site.urls(&["/", "/f.pdf", "/new"]));
    for (path, reason) in [("/f.zip", "media-type"), ("/moved", "redirect"), ("/gone", "http-error")] {
        crawled.assert_excluded(&site.url(path), reason);
    }
    for path in ["/f.pdf", "/f.zip", "/moved", "/gone"] {
        assert_eq!(site.hits(path), 1, "{path} is requested once");
    }
}
