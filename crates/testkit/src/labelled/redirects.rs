//! Redirects.

use super::page::{Page, escape};
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;
use crate::response::Response;

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![targets(), languages(), forms(), loops(), schemes(), refreshes()]
}

/// Targets of redirects.
fn targets() -> LabelledSite {
    let about = [
        "redirect-link",
        "redirect-chain",
        "redirect-to-error",
        "redirect-to-blocked",
        "redirect-out-of-scope",
        "redirect-temporary",
    ];
    let mut site = SiteBuilder::new("redirect-targets", &about);
    site.rules("User-agent: *\nDisallow: /private/\nAllow: /private/open\n").pages(&["/target", "/private/open"]);
    site.redirect("/hop", "/target", 301)
        .unlinked_answer("/quiet", Response::redirect(301, "/target"))
        .list("/quiet")
        .expect_not("redirect-link", "/quiet", "it redirects, but only the sitemap knows it")
        .expect_not("redirect-link", "/second-hop", "only a redirect leads there")
        .expect_not("redirect-link", "/target", "where redirects end");
    site.redirect("/first-hop", "/second-hop", 301)
        .unlinked_answer("/second-hop", Response::redirect(301, "/target"))
        .expect_code("redirect-chain", "/first-hop")
        .expect_not("redirect-chain", "/hop", "one hop")
        .expect_not("redirect-chain", "/second-hop", "the last hop of a chain");
    site.redirect("/to-missing", "/missing", 301)
        .redirect("/to-broken", "/broken", 301)
        .unlinked_answer("/broken", Response::html("<h1>Oops</h1>").status(500))
        .all_have("redirect-to-error", &["/to-missing", "/to-broken"])
        .expect_not("redirect-to-error", "/to-blocked", "what it leads to is forbidden, which is no failure");
    site.redirect("/to-blocked", "/private/closed", 301)
        .redirect("/to-allowed", "/private/open", 301)
        .expect_code("redirect-to-blocked", "/to-blocked")
        .expect_not("redirect-to-blocked", "/to-allowed", "a longer rule allows what it leads to");
    let own = site.url("/target");
    site.redirect("/to-elsewhere", "http://elsewhere.invalid/target", 301)
        .redirect("/to-own-host", &own, 308)
        .expect_code("redirect-out-of-scope", "/to-elsewhere")
        .expect_not("redirect-out-of-scope", "/to-own-host", "an absolute URL, but of the site");
    site.redirect("/found", "/target", 302)
        .redirect("/temporary", "/target", 307)
        .all_have("redirect-temporary", &["/found", "/temporary"])
        .expect_not("redirect-temporary", "/hop", "301 is for good")
        .expect_not("redirect-temporary", "/to-own-host", "308 is for good");
    let linked = [
        "/hop",
        "/first-hop",
        "/to-missing",
        "/to-broken",
        "/to-blocked",
        "/to-allowed",
        "/to-elsewhere",
        "/to-own-host",
        "/found",
        "/temporary",
    ];
    site.all_have("redirect-link", &linked);
    site.open()
}

/// Redirects into the folder of a language.
fn languages() -> LabelledSite {
    let mut site = SiteBuilder::new("redirect-languages", &["redirect-temporary"]);
    site.plain(5)
        .pages(&["/en-gb/chairs", "/en-gb/chairs/new"])
        .redirect("/chairs", "/en-gb/chairs", 302)
        .redirect("/en-gb/chairs/latest", "/en-gb/chairs/new", 302)
        .expect_code("redirect-temporary", "/en-gb/chairs/latest")
        .expect_not("redirect-temporary", "/chairs", "it sends each visitor to the page in their language");
    site.open()
}

/// Redirects with small changes.
fn forms() -> LabelledSite {
    let mut site = SiteBuilder::new("redirect-forms", &["redirect-slash", "redirect-case", "redirect-link"]);
    site.pages(&["/folder/", "/leaf", "/cellars/", "/about", "/people", "/news"])
        .redirect("/folder", "/folder/", 301)
        .redirect("/leaf/", "/leaf", 301)
        .redirect("/cellar", "/cellars/", 301)
        .all_have("redirect-slash", &["/folder", "/leaf/"])
        .expect_not("redirect-slash", "/cellar", "the target ends in a slash, but has another name")
        .expect_not("redirect-slash", "/About", "a matter of case");
    site.redirect("/About", "/about", 301)
        .redirect("/Persons", "/people", 301)
        .redirect("/NEWS/", "/news", 301)
        .expect_code("redirect-case", "/About")
        .expect_not("redirect-case", "/Persons", "the target is written small, but has another name")
        .expect_not("redirect-case", "/NEWS/", "the slash goes too")
        .expect_not("redirect-slash", "/NEWS/", "the case changes too");
    site.all_have("redirect-link", &["/folder", "/leaf/", "/cellar", "/About", "/Persons", "/NEWS/"]).expect_not(
        "redirect-link",
        "/folder/",
        "where a redirect ends",
    );
    site.open()
}

fn loops() -> LabelledSite {
    let mut site = SiteBuilder::new("redirect-loops", &["redirect-loop"]);
    let round = [site.site.subject("/there"), site.site.subject("/back")];
    site.page("/end")
        .redirect("/self", "/self", 301)
        .redirect("/there", "/back", 301)
        .redirect("/back", "/there", 301)
        .expect_code("redirect-loop", "/self")
        .has_any("redirect-loop", round.to_vec());
    site.redirect("/one", "/two", 301)
        .redirect("/two", "/three", 301)
        .redirect("/three", "/four", 301)
        .redirect("/four", "/end", 301)
        .put(Page::at("/mirror").links(&["/mirror"]))
        .page("/same/")
        .redirect("/same", "/same/", 301)
        .expect_not("redirect-loop", "/one", "a long way, but it ends")
        .expect_not("redirect-loop", "/mirror", "it links to itself, and does not redirect")
        .expect_not("redirect-loop", "/same", "to the same name with a slash, and on no further");
    site.open()
}

/// Redirects to https. No server listens there: only the target URL counts.
fn schemes() -> LabelledSite {
    let mut site = SiteBuilder::new("redirect-schemes", &["redirect-scheme"]);
    let secure = |path: &str| site.url(path).replacen("http://", "https://", 1);
    let (same, other) = (secure("/safe"), secure("/vault"));
    site.plain(5)
        .redirect("/safe", &same, 301)
        .redirect("/safer", &other, 301)
        .redirect("/hop", "/plain/1", 301)
        .expect_code("redirect-scheme", "/safe")
        .expect_not("redirect-scheme", "/safer", "another path under https")
        .expect_not("redirect-scheme", "/hop", "another path under the same scheme");
    site.open()
}

fn refreshes() -> LabelledSite {
    let mut site = SiteBuilder::new("refreshes", &["meta-refresh"]);
    let tag = |content: &str| format!("<meta http-equiv=\"refresh\" content=\"{content}\">");
    site.page("/target")
        .put(Page::at("/by-tag").head(&tag("0; url=/target")).unlisted())
        .put(Page::at("/by-header").header("Refresh", "0; url=/target").unlisted())
        .all_have("meta-refresh", &["/by-tag", "/by-header"]);
    site.put(Page::at("/explained").body(&escape(&tag("0; url=/target"))))
        .put(Page::at("/commented").head(&format!("<!-- {} -->", tag("0; url=/target"))))
        .put(Page::at("/ticker").head(&tag("60")))
        .redirect("/hop", "/target", 301)
        .expect_not("meta-refresh", "/explained", "the tag is text here")
        .expect_not("meta-refresh", "/commented", "the tag is in a comment")
        .expect_not("meta-refresh", "/ticker", "it loads itself again, and no other URL")
        .expect_not("meta-refresh", "/hop", "a redirect, not a refresh");
    site.open()
}
