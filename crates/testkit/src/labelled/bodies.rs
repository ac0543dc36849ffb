//! Responses that are pages, but are slow, too large, have a wrong media type, or lack what links promise.

use std::time::Duration;

use super::page::Page;
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;
use crate::response::Response;

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![slow(), large(), media_types(), fragments()]
}

/// The default limit, in bytes.
const OVERSIZE: usize = 2 << 20;

/// The gap between the slowest ordinary page and the slow one allows for a busy machine.
fn slow() -> LabelledSite {
    let mut site = SiteBuilder::new("slow", &["slow"]);
    site.arguments(&["--slow", "3s"]);
    for number in 0..20 {
        let page = Page::at(&format!("/paced/{number}"));
        let answer = page.response(&site.url(""), "/").delay(Duration::from_millis(40 * number));
        site.answer(&page.path, answer).list(&page.path);
    }
    let page = Page::at("/slow").response(&site.url(""), "/").delay(Duration::from_secs(8));
    site.answer("/slow", page)
        .list("/slow")
        .put(Page::at("/on-slowness").title("Why is this site so slow?"))
        .expect_code("slow", "/slow")
        .expect_not("slow", "/paced/19", "the last of the many, within the limit and near the others")
        .expect_not("slow", "/on-slowness", "it says so, at once");
    site.open()
}

fn large() -> LabelledSite {
    let mut site = SiteBuilder::new("large", &["oversize"]);
    for (path, size) in [("/large", OVERSIZE + 1_024), ("/just-within", OVERSIZE - 1_024)] {
        let room = size - Page::at(path).html(&site.url(""), "/").len();
        // Text, not links: link targets are no part of this test.
        site.put(Page::at(path).body(&"word ".repeat(room / 5)));
    }
    site.page("/small")
        .expect_code("oversize", "/large")
        .expect_not("oversize", "/just-within", "a thousand bytes below the limit")
        .expect_not("oversize", "/small", "a few words");
    site.open()
}

fn media_types() -> LabelledSite {
    let mut site = SiteBuilder::new("media-types", &["media-type"]);
    let xhtml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><head>\
                 <title>XHTML</title></head><body><p>Well-formed.</p></body></html>\n";
    site.plain(5)
        .put(Page::at("/typeless").media_type(None))
        .put(Page::at("/bytes").media_type(Some("application/octet-stream")))
        .put(Page::at("/picture").media_type(Some("image/png")))
        .answer("/leaflet", Response::html(PDF))
        .all_have("media-type", &["/typeless", "/bytes", "/picture", "/leaflet"]);
    site.answer("/real-leaflet", Response::new(200).content_type("application/pdf").body(PDF))
        .answer("/data", Response::new(200).content_type("application/json").body("{\"pages\": 3}\n"))
        .answer("/notes", Response::text("Plain words, and no markup.\n"))
        .answer("/xhtml", Response::new(200).content_type("application/xhtml+xml").body(xhtml))
        .put(Page::at("/shouted").media_type(Some("TEXT/HTML ; Charset=\"UTF-8\"")))
        .expect_not("media-type", "/real-leaflet", "a PDF that is called one")
        .expect_not("media-type", "/data", "JSON that is called JSON")
        .expect_not("media-type", "/notes", "plain text that is called that")
        .expect_not("media-type", "/xhtml", "HTML by its other name")
        .expect_not("media-type", "/shouted", "media types know no case");
    site.open()
}

const PDF: &str = "%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n";

fn fragments() -> LabelledSite {
    let mut site = SiteBuilder::new("fragments", &["broken-fragment"]);
    let anchors = "<h2 id=\"one\">One</h2><p><a name=\"two\">Two</a></p><h2 id=\"über\">Three</h2>";
    site.put(Page::at("/chapters").body(anchors)).put(Page::at("/case").body("<h2 id=\"Part\">Part</h2>"));
    for fragment in ["one", "four"] {
        site.link(&format!("/chapters#{fragment}"));
    }
    site.link("/case#part").all_have("broken-fragment", &["/chapters", "/case"]);
    site.put(Page::at("/whole").body(anchors));
    for fragment in ["one", "two", "%C3%BCber", "top", "", ":~:text=One", "one:~:text=One"] {
        site.link(&format!("/whole#{fragment}"));
    }
    site.put(Page::at("/plain").links(&["#"]))
        .expect_not(
            "broken-fragment",
            "/whole",
            "an id, a name, an id in percents, the top, nothing, and texts to be shown",
        )
        .expect_not("broken-fragment", "/plain", "it lacks every name, but nobody links to one");
    site.open()
}
