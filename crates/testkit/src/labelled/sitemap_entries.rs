//! Entries of the site's own sitemaps.

use super::entries::dated;
use super::page::Page;
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;
use crate::answer::ServerAction;
use crate::response::Response;

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![answers(), index(), on_purpose(), scope(), places()]
}

/// A sitemap of these paths.
fn of(site: &SiteBuilder, paths: &[&str]) -> String {
    dated(&paths.iter().map(|path| (site.url(path), "")).collect::<Vec<_>>())
}

/// Entries that do not answer with a page.
fn answers() -> LabelledSite {
    let about =
        ["sitemap-4xx", "sitemap-5xx", "sitemap-auth", "sitemap-redirect", "sitemap-timeout", "sitemap-blocked"];
    let mut site = SiteBuilder::new("sitemap-answers", &about);
    site.rules("User-agent: *\nDisallow: /private/\nAllow: /private/open\n")
        .arguments(&["--timeout", "2"])
        .plain(10)
        .answer("/gone", Response::html("<h1>Gone</h1>").status(410))
        .answer("/gone-unlisted", Response::html("<h1>Gone</h1>").status(410))
        .answer("/broken", Response::html("<h1>Oops</h1>").status(500))
        .answer("/staff", Response::html("<h1>Staff only</h1>").status(403))
        .answer("/stalled", ServerAction::stall_after([]))
        .redirect("/moved", "/plain/1", 301)
        .redirect("/moved-unlisted", "/plain/1", 301)
        .first("/missing-once", Response::html("<h1>Not found</h1>").status(404))
        .first("/broken-once", Response::html("<h1>Oops</h1>").status(500))
        .page("/private/open")
        .put(Page::at("/private/closed").unlinked())
        .put(Page::at("/private/unlisted").unlisted())
        .link("/missing");
    for path in ["/missing", "/gone", "/broken", "/staff", "/stalled", "/moved"] {
        site.list(path);
    }
    site.all_have("sitemap-4xx", &["/missing", "/gone"])
        .expect_not("sitemap-4xx", "/gone-unlisted", "gone, but in no sitemap")
        .expect_not("sitemap-4xx", "/missing-once", "it is there on a second try")
        .expect_not("sitemap-4xx", "/staff", "403 has a code of its own")
        .expect_code("sitemap-5xx", "/broken")
        .expect_not("sitemap-5xx", "/broken-once", "it answers on a second try")
        .expect_code("sitemap-auth", "/staff")
        .expect_not("sitemap-auth", "/gone", "neither 401 nor 403")
        .expect_code("sitemap-redirect", "/moved")
        .expect_not("sitemap-redirect", "/moved-unlisted", "it redirects, but is in no sitemap")
        .expect_code("sitemap-timeout", "/stalled")
        .expect_not("sitemap-timeout", "/broken", "it answers in time, if not well")
        .expect_code("sitemap-blocked", "/private/closed")
        .expect_not("sitemap-blocked", "/private/open", "a longer rule allows it")
        .expect_not("sitemap-blocked", "/private/unlisted", "disallowed, but in no sitemap");
    site.open()
}

/// Entries that are not indexable, and indexable pages that are missing.
fn index() -> LabelledSite {
    let about = ["sitemap-noindex", "sitemap-canonicalised", "sitemap-several", "sitemap-omits"];
    let mut site = SiteBuilder::new("sitemap-index", &about);
    let second = of(&site, &["/in-both", "/plain/1/part", "/in-second", "/in-second"]);
    site.plain(8)
        .sitemap("/second.xml", second)
        .rules("User-agent: *\nDisallow: /private/\n")
        .put(Page::at("/hidden").robots("noindex"))
        .list("/hidden")
        .put(Page::at("/hidden-unlisted").robots("noindex"))
        .put(Page::at("/less").robots("nosnippet"))
        .list("/less")
        .expect_code("sitemap-noindex", "/hidden")
        .expect_not("sitemap-noindex", "/hidden-unlisted", "noindex, but in no sitemap")
        .expect_not("sitemap-noindex", "/less", "a directive that does not keep it out of the index");
    site.put(Page::at("/copy").canonical("/plain/1"))
        .put(Page::at("/copy-unlisted").canonical("/plain/1").unlisted())
        .expect_code("sitemap-canonicalised", "/copy")
        .expect_not("sitemap-canonicalised", "/copy-unlisted", "it names another page, but is in no sitemap")
        .expect_not("sitemap-canonicalised", "/plain/1", "it is the page that the others name");
    site.page("/in-both")
        .put(Page::at("/plain/1/part").unlisted())
        .put(Page::at("/in-second").unlisted())
        .expect_code("sitemap-several", "/in-both")
        .expect_not("sitemap-several", "/in-second", "twice in one file")
        .expect_not("sitemap-several", "/plain/1/part", "a URL that begins like an entry of the other file");
    site.put(Page::at("/omitted").unlisted())
        .put(Page::at("/private/closed").unlisted())
        .redirect("/moved", "/plain/1", 301)
        .link("/missing")
        .expect_code("sitemap-omits", "/omitted")
        .expect_not("sitemap-omits", "/in-second", "the other file has it")
        .expect_not("sitemap-omits", "/hidden-unlisted", "noindex: rightly left out")
        .expect_not("sitemap-omits", "/copy-unlisted", "a copy: rightly left out")
        .expect_not("sitemap-omits", "/private/closed", "disallowed: rightly left out")
        .expect_not("sitemap-omits", "/moved", "a redirect: rightly left out")
        .expect_not("sitemap-omits", "/missing", "not there: rightly left out");
    site.open()
}

/// Pages that content management systems leave out of sitemaps on purpose.
fn on_purpose() -> LabelledSite {
    let mut site = SiteBuilder::new("sitemap-on-purpose", &["sitemap-omits"]);
    let posts = ["/plain/1", "/plain/2", "/plain/3"];
    let few = || vec!["Posts of a month.".to_owned()];
    site.plain(20)
        .put(Page::at("/2025/01/").paragraphs(few()).links(&posts).unlisted())
        .put(Page::at("/2025/").paragraphs(few()).links(&posts).unlisted())
        .put(Page::at("/2024/02/").title("All that happened in February").unlisted())
        .put(Page::at("/long-post/").title("How to build a garden chair").links(&["/long-post/2/"]))
        .put(Page::at("/long-post/2/").title("How to build a garden chair, page 2").unlisted())
        .put(Page::at("/omitted").unlisted())
        .all_have("sitemap-omits", &["/omitted", "/2024/02/"])
        .expect_not("sitemap-omits", "/2025/01/", "an archive of posts, each of which is listed")
        .expect_not("sitemap-omits", "/2025/", "an archive of posts, each of which is listed")
        .expect_not("sitemap-omits", "/long-post/2/", "a part of a page that is listed");
    site.open()
}

/// The audit starts in a directory, which is its scope; the sitemap covers the entire host.
fn scope() -> LabelledSite {
    let mut site = SiteBuilder::below("/shop/", "sitemap-scope", &["sitemap-out-of-scope", "sitemap-wrong-place"]);
    site.plain(5)
        .put(Page::at("/blog/post").unlinked())
        .put(Page::at("/shopping").unlinked())
        .page("/shop/shelf")
        .all_have("sitemap-out-of-scope", &["/blog/post", "/shopping"])
        .expect_not("sitemap-out-of-scope", "/shop/shelf", "below the directory")
        .expect_not("sitemap-wrong-place", "/blog/post", "the sitemap lies in the root, whatever the audit's scope");
    site.open()
}

fn places() -> LabelledSite {
    let mut site = SiteBuilder::new("sitemap-places", &["sitemap-wrong-place"]);
    let abroad = "http://elsewhere.invalid/page";
    let deep = of(&site, &["/deep/inside", "/deep/er/inside", "/beside", "/deeper"]);
    site.plain(5)
        .list(abroad)
        .sitemap("/deep/sitemap.xml", deep)
        .put(Page::at("/deep/inside").unlisted())
        .put(Page::at("/deep/er/inside").unlisted())
        .put(Page::at("/beside").unlisted())
        .put(Page::at("/deeper").unlisted())
        .all_have("sitemap-wrong-place", &["/beside", "/deeper", abroad])
        .expect_not("sitemap-wrong-place", "/deep/inside", "in the directory of its file")
        .expect_not("sitemap-wrong-place", "/deep/er/inside", "further down from its file")
        .expect_not("sitemap-wrong-place", "/plain/1", "further down from a file in the root");
    site.open()
}
