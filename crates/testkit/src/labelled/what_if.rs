//! A robots.txt that is not deployed yet.

use super::draft::Draft;
use super::page::Page;
use super::site::LabelledSite;

pub(super) fn sites() -> Vec<LabelledSite> {
    let mut site = Draft::new("new-rules", &["whatif-blocks", "whatif-frees", "robots-blocked-linked"]);
    site.rules("User-agent: *\nDisallow: /closed/\nDisallow: /always/\n")
        .file("--robots-file", "User-agent: *\nDisallow: /later/\nDisallow: /always/\nAllow: /later/kept\n")
        .pages(&["/later/x", "/later/kept", "/open"])
        .put(Page::at("/closed/y").unlisted())
        .put(Page::at("/always/z").unlisted())
        .has("whatif-blocks", "/later/x")
        .unlike("whatif-blocks", "/later/kept", "a longer rule of the new file allows it")
        .unlike("whatif-blocks", "/always/z", "it is disallowed already")
        .has("whatif-frees", "/closed/y")
        .unlike("whatif-frees", "/always/z", "it stays disallowed")
        .unlike("whatif-frees", "/open", "it is allowed already");
    // Requests follow the live file, and so do its findings.
    site.all_have("robots-blocked-linked", &["/closed/y", "/always/z"]).unlike(
        "robots-blocked-linked",
        "/later/x",
        "disallowed by the file that is not deployed",
    );
    vec![site.open()]
}
