//! Canonical URLs of pages.

use super::page::{Page, escape};
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;
use crate::response::Response;

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![others(), targets(), chains(), loops(), forms(), all_home(), half_home()]
}

fn tag(url: &str) -> String {
    format!("<link rel=\"canonical\" href=\"{url}\">")
}

fn header(url: &str) -> String {
    format!("<{url}>; rel=\"canonical\"")
}

fn others() -> LabelledSite {
    let mut site = SiteBuilder::new("canonicals", &["canonical-missing", "canonical-other"]);
    let (original, header_own) = (site.url("/original"), header(&site.url("/own-by-header")));
    site.plain(5)
        .page("/original")
        .put(Page::at("/without").without_canonical())
        .put(Page::at("/commented").without_canonical().head(&format!("<!-- {} -->", tag(&original))))
        .put(Page::at("/own-by-header").without_canonical().header("Link", &header_own))
        .put(Page::at("/hidden").without_canonical().robots("noindex"))
        .all_have("canonical-missing", &["/without", "/commented"])
        .expect_not("canonical-missing", "/own-by-header", "a header names it")
        .expect_not("canonical-missing", "/hidden", "a page that must not be indexed needs none");
    let fragment = site.url("/with-fragment#part");
    site.put(Page::at("/copy").canonical("/original").unlisted())
        .put(Page::at("/copy-by-header").without_canonical().header("Link", &header(&original)).unlisted())
        .put(Page::at("/explained").body(&escape(&tag(&original))))
        .put(Page::at("/with-fragment").canonical(&fragment))
        .all_have("canonical-other", &["/copy", "/copy-by-header"])
        .expect_not("canonical-other", "/own-by-header", "the header names the page itself")
        .expect_not("canonical-other", "/explained", "the tag is text here")
        .expect_not("canonical-other", "/with-fragment", "a part of a page is no other page");
    site.open()
}

/// Targets of canonicals.
fn targets() -> LabelledSite {
    let about = [
        "canonical-to-error",
        "canonical-to-redirect",
        "canonical-to-noindex",
        "canonical-to-blocked",
        "canonical-other-origin",
    ];
    let mut site = SiteBuilder::new("canonical-targets", &about);
    site.rules("User-agent: *\nDisallow: /private/\nAllow: /private/open\n")
        .pages(&["/original", "/private/open"])
        // With a canonical to itself, it would be a noindex page that names a noindex page.
        .put(Page::at("/hidden").without_canonical().robots("noindex"))
        .put(Page::at("/private/closed").unlinked().unlisted())
        .redirect("/moved", "/original", 301)
        .answer("/broken", Response::html("<h1>Oops</h1>").status(500));
    for (path, to) in [
        ("/to-original", "/original"),
        ("/to-missing", "/missing"),
        ("/to-broken", "/broken"),
        ("/to-moved", "/moved"),
        ("/to-hidden", "/hidden"),
        ("/to-closed", "/private/closed"),
        ("/to-open", "/private/open"),
        ("/to-elsewhere", "http://elsewhere.invalid/to-elsewhere"),
    ] {
        site.put(Page::at(path).canonical(to).unlisted());
    }
    site.all_have("canonical-to-error", &["/to-missing", "/to-broken"])
        .expect_not("canonical-to-error", "/to-original", "the page that it names is there")
        .expect_not("canonical-to-error", "/to-closed", "forbidden, which is no failure")
        .expect_code("canonical-to-redirect", "/to-moved")
        .expect_not("canonical-to-redirect", "/to-original", "a redirect leads where it points, but it names the end")
        .expect_code("canonical-to-noindex", "/to-hidden")
        .expect_not("canonical-to-noindex", "/to-original", "the page that it names may be indexed")
        .expect_code("canonical-to-blocked", "/to-closed")
        .expect_not("canonical-to-blocked", "/to-open", "a longer rule allows it")
        .expect_code("canonical-other-origin", "/to-elsewhere")
        .expect_not("canonical-other-origin", "/to-original", "an absolute URL, but of the site");
    site.open()
}

/// Chains only: each page of a loop also names one that names another, so loops have a site of their own.
fn chains() -> LabelledSite {
    let mut site = SiteBuilder::new("canonical-chains", &["canonical-chain", "canonical-loop"]);
    site.plain(5)
        .page("/last")
        .put(Page::at("/first").canonical("/second").unlisted())
        .put(Page::at("/second").canonical("/last").unlisted())
        .expect_code("canonical-chain", "/first")
        .expect_not("canonical-chain", "/second", "the page that it names is the last")
        .expect_not("canonical-loop", "/first", "it ends");
    site.open()
}

fn loops() -> LabelledSite {
    let mut site = SiteBuilder::new("canonical-loops", &["canonical-loop"]);
    site.plain(5)
        .put(Page::at("/one").canonical("/other").unlisted())
        .put(Page::at("/other").canonical("/one").unlisted())
        .page("/itself")
        .all_have("canonical-loop", &["/one", "/other"])
        .expect_not("canonical-loop", "/itself", "a page may name itself");
    site.open()
}

/// Forms of canonicals.
fn forms() -> LabelledSite {
    let about = ["canonical-conflict", "canonical-relative", "canonical-fragment", "canonical-outside-head"];
    let mut site = SiteBuilder::new("canonical-forms", &about);
    let url = |path: &str| site.url(path);
    let (first, second, same) = (tag(&url("/plain/1")), tag(&url("/plain/2")), tag(&url("/twice-the-same")));
    let (header_first, header_agreed) = (header(&url("/plain/1")), header(&url("/agreed")));
    let alternate =
        "<link rel=\"alternate\" type=\"application/pdf\" href=\"/plain/1\"><link rel=\"next\" href=\"/plain/2\">";
    site.plain(5)
        .put(Page::at("/two-tags").without_canonical().head(&first).head(&second).unlisted())
        .put(Page::at("/tag-and-header").header("Link", &header_first).unlisted())
        .put(Page::at("/twice-the-same").head(&same))
        .put(Page::at("/agreed").header("Link", &header_agreed))
        .put(Page::at("/other-relations").head(alternate))
        .all_have("canonical-conflict", &["/two-tags", "/tag-and-header"])
        .expect_not("canonical-conflict", "/twice-the-same", "two tags that name one page")
        .expect_not("canonical-conflict", "/agreed", "tag and header name one page")
        .expect_not("canonical-conflict", "/other-relations", "links to other pages, but not as canonical");
    site.put(Page::at("/by-path").without_canonical().head(&tag("/by-path")))
        .put(Page::at("/by-name").without_canonical().head(&tag("by-name")))
        .expect_not("canonical-relative", "/twice-the-same", "absolute URLs")
        .all_have("canonical-relative", &["/by-path", "/by-name"]);
    site.put(Page::at("/to-part").canonical("/to-part#part"))
        .put(Page::at("/c%23").canonical("/c%23"))
        .expect_code("canonical-fragment", "/to-part")
        .expect_not("canonical-fragment", "/c%23", "the sign is escaped, and part of the path");
    let own = tag(&site.url("/in-body"));
    site.put(Page::at("/in-body").without_canonical().body(&own))
        .put(Page::at("/head-ended").without_canonical().head(&format!("<div>Early</div>{first}")).unlisted())
        .put(Page::at("/explained").body(&escape(&first)))
        .put(Page::at("/commented").body(&format!("<!-- {first} -->")))
        .all_have("canonical-outside-head", &["/in-body", "/head-ended"])
        .expect_not("canonical-outside-head", "/explained", "the tag is text here")
        .expect_not("canonical-outside-head", "/commented", "the tag is in a comment");
    site.open()
}

fn all_home() -> LabelledSite {
    let mut site = SiteBuilder::new("canonicals-all-home", &["canonical-all-home"]);
    site.hub = site.hub.clone().canonical("/");
    for number in 1..=14 {
        site.put(Page::at(&format!("/pages/{number}")).canonical("/"));
    }
    site.site_has("canonical-all-home");
    site.open()
}

fn half_home() -> LabelledSite {
    let mut site = SiteBuilder::new("canonicals-half-home", &["canonical-all-home"]);
    site.plain(7);
    for number in 1..=7 {
        site.put(Page::at(&format!("/pages/{number}")).canonical("/").unlisted());
    }
    site.site_unlike("canonical-all-home", "as many pages name themselves");
    site.open()
}
