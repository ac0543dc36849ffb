//! A robots.txt that is not deployed yet.

use super::page::Page;
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;

pub(super) fn sites() -> Vec<LabelledSite> {
    let mut site = SiteBuilder::new("new-rules", &["whatif-blocks", "whatif-frees", "robots-blocked-linked"]);
    site.rules("User-agent: *\nDisallow: /closed/\nDisallow: /always/\n")
        .file("--robots-file", "User-agent: *\nDisallow: /later/\nDisallow: /always/\nAllow: /later/kept\n")
        .pages(&["/later/x", "/later/kept", "/open"])
        .put(Page::at("/closed/y").unlisted())
        .put(Page::at("/always/z").unlisted())
        .expect_code("whatif-blocks", "/later/x")
        .expect_not("whatif-blocks", "/later/kept", "a longer rule of the new file allows it")
        .expect_not("whatif-blocks", "/always/z", "it is disallowed already")
        .expect_code("whatif-frees", "/closed/y")
        .expect_not("whatif-frees", "/always/z", "it stays disallowed")
        .expect_not("whatif-frees", "/open", "it is allowed already");
    // Requests follow the live file, and so do its findings.
    site.all_have("robots-blocked-linked", &["/closed/y", "/always/z"]).expect_not(
        "robots-blocked-linked",
        "/later/x",
        "disallowed by the file that is not deployed",
    );
    vec![site.open()]
}
