//! Files of the site whose media type keeps browsers from using them.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;
use mapwright_web::page::facts::LinkKind;

pub(super) static CHECKER: Checker = Checker::site(find, &[&RESOURCE_TYPE]);

static RESOURCE_TYPE: Check = Check {
    code: "resource-type",
    title: "File of the wrong type",
    topic: Topic::Responses,
    severity: Severity::Warning,
    reason: "Pages load a file as an image, a style sheet or a script, and the server sends something else, which browsers may refuse.",
    fix: "Send the file with its own media type; where it is a web page, the file is missing: put it in place.",
    needs: RequiredCoverage::External,
    attributes: Attributes::NONE,
};

/// The essences of scripts (WHATWG MIME Sniffing, section 4.6).
const SCRIPTS: [&str; 16] = [
    "application/ecmascript",
    "application/javascript",
    "application/x-ecmascript",
    "application/x-javascript",
    "text/ecmascript",
    "text/javascript",
    "text/javascript1.0",
    "text/javascript1.1",
    "text/javascript1.2",
    "text/javascript1.3",
    "text/javascript1.4",
    "text/javascript1.5",
    "text/jscript",
    "text/livescript",
    "text/x-ecmascript",
    "text/x-javascript",
];

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for resource in site.own_resources() {
        let Some(declared) = resource.media_type else { continue };
        if resource.sheet.is_some() && is_page(declared) {
            let message = format!("A style sheet names it, and it is sent as {declared}.");
            found.push(Finding::of(&RESOURCE_TYPE, resource.url).says(message));
        }
        if let Some(kind) = resource.kinds().find(|kind| !fits(*kind, declared)) {
            let message = format!("It is loaded as {}, and sent as {declared}.", word(kind));
            found.push(Finding::of(&RESOURCE_TYPE, resource.url).says(message));
        }
    }
}

/// Reports whether browsers use a file of this media type as this kind of resource: style sheets only as `text/css`
/// (HTML, section 4.6.7.24); scripts whatever the type, unless `nosniff` is sent, but none of these is a page.
fn fits(kind: LinkKind, declared: &str) -> bool {
    match kind {
        LinkKind::Stylesheet => declared == "text/css",
        LinkKind::Script => SCRIPTS.contains(&declared) || declared == "application/json",
        LinkKind::Image | LinkKind::Icon => declared.starts_with("image/") || declared == "application/octet-stream",
        LinkKind::Amp => is_page(declared),
        _ => !is_page(declared),
    }
}

fn is_page(declared: &str) -> bool {
    matches!(declared, "text/html" | "application/xhtml+xml")
}

fn word(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Image => "an image",
        LinkKind::Stylesheet => "a style sheet",
        LinkKind::Script => "a script",
        LinkKind::Icon => "an icon",
        LinkKind::Manifest => "a manifest",
        LinkKind::Preload => "a preload",
        LinkKind::Amp => "an AMP page",
        _ => "media",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::{builder, url};

    #[test]
    fn files_of_another_type_are_reported() {
        let page = "<link rel=stylesheet href=/a.css><link rel=stylesheet href=/b.css><script src=/c.js></script>\
                    <script src=/d.js></script><img src=/e.png><img src=/f.png><video src=/g.mp4></video>\
                    <img src=http://other.example/h.png>\
                    <link rel=amphtml href=/i.amp><link rel=amphtml href=/j.amp>";
        let of = |path: &str| url(path);
        let site = builder()
            .page("/", page)
            .external_file(&of("/a.css"), "text/css")
            .external_file(&of("/b.css"), "text/html")
            .external_file(&of("/c.js"), "text/javascript")
            .external_file(&of("/d.js"), "text/html")
            .external_file(&of("/e.png"), "image/webp")
            .external_file(&of("/f.png"), "text/html")
            .external_file(&of("/g.mp4"), "text/html")
            .external_file("http://other.example/h.png", "text/html")
            .external_file(&of("/i.amp"), "text/html")
            .external_file(&of("/j.amp"), "text/plain")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("resource-type"), ["/b.css", "/d.js", "/f.png", "/g.mp4", "/j.amp"]);
        assert_eq!(found.message("resource-type"), "It is loaded as a style sheet, and sent as text/html.");
    }
}
