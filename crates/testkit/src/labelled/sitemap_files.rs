//! The files of the site's own sitemaps.

use super::entries::{LONG_AGO, dated, urlset};
use super::page::escape;
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;
use crate::response::Response;

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![numbers(), sizes(), malformed(), unreachable(), unnamed(), named(), undated()]
}

/// Maximum number of entries of a file (sitemaps.org, "Sitemap file limits").
const ENTRIES: usize = 50_000;
/// Maximum size of a file, in bytes.
const BYTES: usize = 52_428_800;

/// The entries repeat a few pages, because only their number counts, and a site of that many pages would take minutes
/// to visit.
fn numbers() -> LabelledSite {
    let mut site = SiteBuilder::new("sitemap-numbers", &["sitemap-too-many", "sitemap-too-big"]);
    site.plain(5);
    let many = |count: usize| {
        let entries = (0..count).map(|number| (site.url(&format!("/plain/{}", 1 + number % 5)), ""));
        dated(&entries.collect::<Vec<_>>())
    };
    let (over, full) = (many(ENTRIES + 1), many(ENTRIES));
    site.sitemap("/over.xml", over).sitemap("/full.xml", full).expect_code("sitemap-too-many", "/over.xml").expect_not(
        "sitemap-too-many",
        "/full.xml",
        "just as many as are allowed",
    );
    site.open()
}

/// The files are generated at each request, so that not every test holds them in memory.
fn sizes() -> LabelledSite {
    let mut site = SiteBuilder::new("sitemap-sizes", &["sitemap-too-many", "sitemap-too-big"]);
    site.plain(5);
    for (path, size) in [("/over.xml", BYTES + 1), ("/full.xml", BYTES)] {
        let entry = format!("<url><loc>{}</loc></url>\n", escape(&site.url("/plain/1")));
        let room = size - urlset(&entry).len();
        site.handler(path, move |_| Response::xml(urlset(&format!("{entry}{}", " ".repeat(room)))));
        site.named.push(path.to_owned());
    }
    site.expect_code("sitemap-too-big", "/over.xml")
        .expect_not("sitemap-too-big", "/full.xml", "just as large as is allowed")
        .expect_not("sitemap-too-many", "/over.xml", "large, with one entry");
    site.open()
}

fn malformed() -> LabelledSite {
    let mut site = SiteBuilder::new("sitemap-forms", &["sitemap-malformed"]);
    site.plain(5);
    let entry = |number: usize| format!("<url><loc>{}</loc></url>\n", site.url(&format!("/plain/{number}")));
    let cut = urlset(&entry(1)).replace("</urlset>", "");
    let nameless = urlset(&format!("{}<url><lastmod>2024-02-03</lastmod></url>\n", entry(2)));
    let image = format!("<image:image><image:loc>{}</image:loc></image:image>", site.url("/picture"));
    let odd = urlset(&format!("<!-- <url> -->{}", entry(3).replace("</loc>", &format!("</loc>{image}"))))
        .replace("<urlset ", "<urlset xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' ")
        .replace('\n', "\r\n");
    site.sitemap("/cut.xml", cut)
        .sitemap("/nameless.xml", nameless)
        .sitemap("/odd.xml", odd)
        .all_have("sitemap-malformed", &["/cut.xml", "/nameless.xml"])
        .expect_not("sitemap-malformed", "/odd.xml", "a comment, an extension, and ends of lines of another system")
        .expect_not("sitemap-malformed", "/sitemap.xml", "as plain as can be");
    site.open()
}

/// A sitemap in robots.txt that does not exist.
fn unreachable() -> LabelledSite {
    let mut site = SiteBuilder::new("sitemap-unreachable", &["sitemap-unreachable", "sitemap-omits"]);
    site.plain(5);
    site.named.push("/lost.xml".to_owned());
    site.expect_code("sitemap-unreachable", "/lost.xml")
        .expect_not("sitemap-unreachable", "/sitemap.xml", "named, and there")
        .expect_not("sitemap-omits", "/plain/1", "a sitemap that was not read may list anything");
    site.open()
}

/// A sitemap in the usual place that robots.txt does not name.
fn unnamed() -> LabelledSite {
    let mut site = SiteBuilder::new("sitemap-unnamed", &["sitemap-unnamed"]);
    site.plain(5).robots(Response::text("User-agent: *\nDisallow:\n")).site_has("sitemap-unnamed");
    site.open()
}

/// A sitemap line with an unusual spelling.
fn named() -> LabelledSite {
    let mut site = SiteBuilder::new("sitemap-named", &["sitemap-unnamed", "robots-faulty"]);
    let named = format!("SITEMAP:{}\nUser-agent: *\nDisallow:\n", site.url("/sitemap.xml"));
    site.plain(5)
        .robots(Response::text(named))
        .site_unlike("sitemap-unnamed", "the line stands first, in capitals and without a space");
    site.open()
}

fn undated() -> LabelledSite {
    let mut site = SiteBuilder::new("sitemap-undated", &["sitemap-undated"]);
    let map = |date: &'static str| dated(&[(site.url("/plain/1"), ""), (site.url("/plain/2"), date)]);
    let (none, some) = (map(""), map(LONG_AGO));
    site.plain(5)
        .sitemap("/none.xml", none)
        .sitemap("/some.xml", some)
        .expect_code("sitemap-undated", "/none.xml")
        .expect_not("sitemap-undated", "/some.xml", "one of its entries has a date")
        .expect_not("sitemap-undated", "/sitemap.xml", "each entry has a date");
    site.open()
}
