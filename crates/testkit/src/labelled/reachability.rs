//! Pages that links do not reach, and pages that only seem so.

use super::page::{Page, link};
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![orphans(), isolated(), links(), deep("deep", 5, &[]), deep("deep-by-option", 2, &["--deep", "2"]), blocked()]
}

/// Pages known only from a sitemap, a feed or a list.
fn orphans() -> LabelledSite {
    let mut site = SiteBuilder::new("orphans", &["orphan", "isolated-isolated"]);
    site.put(Page::at("/mapped").unlinked().links(&["/child", "/friend"]))
        .put(Page::at("/child").unlinked().unlisted().links(&["/grandchild"]))
        .put(Page::at("/grandchild").unlinked().unlisted())
        .put(Page::at("/in-comment").unlinked())
        .put(Page::at("/in-feed").unlinked().unlisted())
        .put(Page::at("/in-list").unlinked().unlisted())
        .put(Page::at("/island").unlinked().links(&["/other-island"]))
        .put(Page::at("/other-island").unlinked().links(&["/island"]))
        .pages(&["/friend", "/mapped-and-linked", "/in-feed-and-linked", "/in-list-and-linked"]);
    let feed = feed(&[site.url("/in-feed"), site.url("/in-feed-and-linked")]);
    site.unlinked_answer("/feed", crate::Response::new(200).content_type("application/atom+xml").body(feed));
    site.home = site.home.clone().head("<link rel=\"alternate\" type=\"application/atom+xml\" href=\"/feed\">");
    site.home = site.home.clone().body(&format!("<!-- {} -->", link("/in-comment", "", "On to")));
    let list = format!("{}\n{}\n", site.url("/in-list"), site.url("/in-list-and-linked"));
    site.file("--url-list", &list)
        .all_have("orphan", &["/mapped", "/in-comment", "/in-feed", "/in-list"])
        .expect_not("orphan", "/mapped-and-linked", "the sitemap lists it, and the hub links there too")
        .expect_not("orphan", "/in-feed-and-linked", "the feed names it, and the hub links there too")
        .expect_not("orphan", "/in-list-and-linked", "the list names it, and the hub links there too")
        .expect_not("orphan", "/child", "a page links there, though that page is an orphan")
        .expect_not("orphan", "/", "it is where the audit starts, and every page links there")
        .all_have("isolated-isolated", &["/child", "/grandchild", "/island", "/other-island"])
        .expect_not("isolated-isolated", "/friend", "an orphan links there, but so does the hub")
        .expect_not("isolated-isolated", "/mapped", "nothing links there at all");
    site.open()
}

fn feed(urls: &[String]) -> String {
    let entries: String = urls
        .iter()
        .map(|url| {
            format!(
                "<entry><title>News</title><id>{url}</id><updated>2024-01-01T00:00:00Z</updated><link href=\"{url}\"/></entry>"
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>News</title>\
         <id>urn:news</id><updated>2024-01-01T00:00:00Z</updated>{entries}</feed>\n"
    )
}

/// Pages that are discovered, but not by a link of a page that counts.
fn isolated() -> LabelledSite {
    let about = ["orphan", "isolated-canonical", "isolated-redirect", "isolated-noindex", "isolated-isolated"];
    let mut site = SiteBuilder::new("isolated", &about);
    site.put(Page::at("/by-canonical").unlinked().unlisted())
        .put(Page::at("/variant").canonical("/by-canonical").unlisted())
        .page("/by-canonical-and-link")
        .put(Page::at("/variant-of-linked").canonical("/by-canonical-and-link").unlisted())
        .expect_code("isolated-canonical", "/by-canonical")
        .expect_not(
            "isolated-canonical",
            "/by-canonical-and-link",
            "a canonical names it, and the hub links there too",
        );
    site.put(Page::at("/by-redirect").unlinked().unlisted())
        .redirect("/moved", "/by-redirect", 301)
        .page("/by-redirect-and-link")
        .redirect("/moved-too", "/by-redirect-and-link", 301)
        .expect_code("isolated-redirect", "/by-redirect")
        .expect_not(
            "isolated-redirect",
            "/by-redirect-and-link",
            "a redirect leads there, and the hub links there too",
        );
    for path in ["/hidden", "/hidden-too"] {
        site.put(Page::at(path).robots("noindex").links(&["/behind-hidden", "/beside-hidden"]));
    }
    site.put(Page::at("/behind-hidden").unlinked().unlisted())
        .page("/beside-hidden")
        .expect_code("isolated-noindex", "/behind-hidden")
        .expect_not("isolated-noindex", "/beside-hidden", "noindex pages link there, but so does the hub");
    site.open()
}

/// Kinds of links to pages.
fn links() -> LabelledSite {
    let mut site = SiteBuilder::new("links", &["nofollow-only", "single-inlink", "dead-end"]);
    site.put(Page::at("/unfollowed").unlinked())
        .link_with("/unfollowed", " rel=\"nofollow\"")
        .put(Page::at("/half-followed").unlinked())
        .link_with("/half-followed", " rel=\"nofollow\"")
        .put(Page::at("/behind-walls").unlinked())
        .put(Page::at("/wall").robots("nofollow").links(&["/behind-walls"]))
        .put(Page::at("/other-wall").robots("nofollow").links(&["/behind-walls"]))
        .put(Page::at("/follower").links(&["/half-followed", "/one-way-in", "/two-ways-in"]))
        .put(Page::at("/other-follower").links(&["/half-followed", "/two-ways-in"]))
        .all_have("nofollow-only", &["/unfollowed", "/behind-walls"])
        .expect_not("nofollow-only", "/half-followed", "other pages link there without nofollow")
        .expect_not("nofollow-only", "/wall", "its own links are not to be followed; those that lead to it are");
    site.put(Page::at("/one-way-in").unlinked())
        .put(Page::at("/one-page-in").unlinked())
        .put(Page::at("/insistent").links(&["/one-page-in", "/one-page-in", "/one-page-in"]))
        .put(Page::at("/two-ways-in").unlinked())
        .all_have("single-inlink", &["/one-way-in", "/one-page-in"])
        .expect_not("single-inlink", "/two-ways-in", "two pages link there, neither of them the home page or the hub");
    site.put(Page::at("/dead").without_navigation())
        .put(Page::at("/dead-but-for-others").without_navigation().links(&["http://elsewhere.invalid/"]))
        .put(Page::at("/dead-but-for-itself").without_navigation().links(&["/dead-but-for-itself"]))
        .put(Page::at("/one-way-out").without_navigation().links(&["/"]))
        .all_have("dead-end", &["/dead", "/dead-but-for-others", "/dead-but-for-itself"])
        .expect_not("dead-end", "/one-way-out", "it has one link to another page");
    site.open()
}

/// A chain of pages that the sitemap lists: only the clicks count.
fn deep(name: &'static str, limit: usize, arguments: &[&str]) -> LabelledSite {
    let mut site = SiteBuilder::new(name, &["deep"]);
    site.arguments(arguments);
    let step = |number: usize| format!("/steps/{number}");
    for number in 1..=limit + 3 {
        let (before, after) = (step(number - 1), step(number + 1));
        let page = Page::at(&step(number));
        let page = if number < limit + 3 { page.links(&[&after]) } else { page.links(&["/short-cut"]) };
        site.put(if number == 1 { page } else { page.links(&[&before]).unlinked() });
    }
    site.page("/short-cut");
    for number in limit + 1..=limit + 3 {
        site.expect_code("deep", &step(number));
    }
    site.expect_not("deep", &step(limit), "just as many clicks as the limit allows").expect_not(
        "deep",
        "/short-cut",
        "the end of the chain links there, but so does the home page",
    );
    site.open()
}

fn blocked() -> LabelledSite {
    let mut site = SiteBuilder::new("blocked", &["robots-blocked-linked"]);
    site.rules("User-agent: *\nDisallow: /private/\nAllow: /private/open\n")
        .put(Page::at("/private/closed").unlisted())
        .page("/private/open")
        .page("/privately")
        .put(Page::at("/private/unlinked").unlinked())
        .expect_code("robots-blocked-linked", "/private/closed")
        .expect_not("robots-blocked-linked", "/private/open", "a longer rule allows it")
        .expect_not("robots-blocked-linked", "/privately", "the rule is for the directory")
        .expect_not("robots-blocked-linked", "/private/unlinked", "disallowed, but only the sitemap knows it");
    site.open()
}
