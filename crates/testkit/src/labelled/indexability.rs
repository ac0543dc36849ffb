//! Robots directives of pages.

use super::page::{Page, escape};
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![directives(), places(), mostly_noindex(), largely_noindex(), few_noindex(), noindex_home()]
}

fn tag(name: &str, content: &str) -> String {
    format!("<meta name=\"{name}\" content=\"{content}\">")
}

fn directives() -> LabelledSite {
    let about = ["noindex", "nofollow", "directive-conflict", "directive-outside-head"];
    let mut site = SiteBuilder::new("directives", &about);
    let header = "X-Robots-Tag";
    site.plain(10)
        .put(Page::at("/noindex-tag").robots("noindex"))
        .put(Page::at("/noindex-shouted").robots("NoIndex, NoArchive"))
        .put(Page::at("/noindex-header").header(header, "noindex").unlisted())
        .put(Page::at("/neither").robots("none"))
        .put(Page::at("/for-another").head(&tag("otherbot", "noindex, nofollow")))
        .put(Page::at("/header-for-another").header(header, "otherbot: noindex, nofollow"))
        .put(Page::at("/less").robots("noimageindex, nosnippet, max-snippet:20"))
        .put(Page::at("/commented").head(&format!("<!-- {} -->", tag("robots", "noindex, nofollow"))))
        .all_have("noindex", &["/noindex-tag", "/noindex-shouted", "/noindex-header", "/neither"])
        .expect_not("noindex", "/for-another", "said to another robot")
        .expect_not("noindex", "/header-for-another", "said to another robot")
        .expect_not("noindex", "/less", "pictures and snippets alone")
        .expect_not("noindex", "/commented", "in a comment");
    site.put(Page::at("/nofollow-tag").robots("nofollow"))
        .put(Page::at("/nofollow-header").header(header, "nofollow").unlisted())
        .put(Page::at("/nofollow-link").body("<p><a rel=\"nofollow\" href=\"/plain/1\">One</a></p>"))
        .all_have("nofollow", &["/nofollow-tag", "/nofollow-header", "/neither"])
        .expect_not("nofollow", "/nofollow-link", "said of one link, not of the page")
        .expect_not("nofollow", "/for-another", "said to another robot")
        .expect_not("nofollow", "/noindex-tag", "noindex says nothing about links");
    site.put(Page::at("/yes-and-no").robots("index, follow").header(header, "noindex"))
        .put(Page::at("/no-and-yes").robots("noindex").header(header, "index"))
        .put(Page::at("/follow-or-not").robots("follow").header(header, "nofollow"))
        .put(Page::at("/agreed").robots("index").header(header, "noarchive"))
        .put(Page::at("/both").robots("noindex").header(header, "nofollow"))
        .all_have("directive-conflict", &["/yes-and-no", "/no-and-yes", "/follow-or-not"])
        .all_have("noindex", &["/yes-and-no", "/no-and-yes", "/both"])
        .all_have("nofollow", &["/follow-or-not", "/both"])
        .expect_not("directive-conflict", "/agreed", "tag and header speak of different things")
        .expect_not("directive-conflict", "/both", "tag and header add up");
    site.open()
}

/// Places of robots tags. Whether a tag outside the head is binding is not tested here.
fn places() -> LabelledSite {
    let mut site = SiteBuilder::new("directive-places", &["directive-outside-head", "directive-duplicated"]);
    let noindex = tag("robots", "noindex");
    site.plain(5)
        .put(Page::at("/in-body").body(&noindex).unlisted())
        .put(Page::at("/head-ended").head(&format!("<div>Early</div>{noindex}")).unlisted())
        .put(Page::at("/explained").body(&escape(&noindex)))
        .put(Page::at("/commented").body(&format!("<!-- {noindex} -->")))
        .put(Page::at("/described").body(&tag("description", "noindex")))
        .put(Page::at("/in-head").robots("noindex"))
        .all_have("directive-outside-head", &["/in-body", "/head-ended"])
        .expect_not("directive-outside-head", "/explained", "the tag is text here")
        .expect_not("directive-outside-head", "/commented", "the tag is in a comment")
        .expect_not("directive-outside-head", "/described", "a tag in the body, but no directive")
        .expect_not("directive-outside-head", "/in-head", "in its place");
    site.put(Page::at("/twice").robots("noindex").head(&noindex))
        .put(Page::at("/two-tags").robots("noindex").head(&tag("robots", "nofollow")))
        .put(Page::at("/for-two").robots("noindex").head(&tag("otherbot", "noindex")))
        .expect_code("directive-duplicated", "/twice")
        .expect_not("directive-duplicated", "/two-tags", "two tags, each of which says something else")
        .expect_not("directive-duplicated", "/for-two", "said once to each of two robots")
        .expect_not("directive-duplicated", "/in-head", "said once");
    site.open()
}

/// Noindex on ten pages of twelve.
fn mostly_noindex() -> LabelledSite {
    let mut site = SiteBuilder::new("mostly-noindex", SITEWIDE);
    site.hidden(10).site_has("sitewide-noindex").expect_not(
        "noindex",
        "/hub",
        "every page that it links to says so, not it",
    );
    site.open()
}

fn largely_noindex() -> LabelledSite {
    let mut site = SiteBuilder::new("largely-noindex", SITEWIDE);
    site.plain(6).hidden(12).site_unlike("sitewide-noindex", "twelve pages of twenty are fewer than 80 %");
    site.open()
}

/// Noindex on every page but the first, but on fewer than ten.
fn few_noindex() -> LabelledSite {
    let mut site = SiteBuilder::new("few-noindex", SITEWIDE);
    site.named.clear();
    site.hub = site.hub.clone().robots("noindex");
    site.hidden(7)
        .expect_code("noindex", "/hub")
        .site_unlike("sitewide-noindex", "eight pages of nine, but nine are not ten");
    site.open()
}

/// A home page with noindex, a common leftover of themes and tests.
fn noindex_home() -> LabelledSite {
    let mut site = SiteBuilder::new("noindex-home", &["start-excluded", "noindex"]);
    site.home = site.home.clone().robots("noindex");
    site.plain(5)
        .put(Page::at("/aside").robots("noindex"))
        .all_have("noindex", &["/", "/aside"])
        .expect_code("start-excluded", "/")
        .expect_not("start-excluded", "/aside", "crawls do not begin there");
    site.open()
}

const SITEWIDE: &[&str] = &["sitewide-noindex", "noindex"];

impl SiteBuilder {
    /// Adds `count` noindex pages.
    fn hidden(&mut self, count: usize) -> &mut SiteBuilder {
        for number in 1..=count {
            let path = format!("/hidden/{number}");
            self.put(Page::at(&path).robots("noindex")).expect_code("noindex", &path);
        }
        self
    }
}
