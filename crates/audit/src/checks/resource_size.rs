//! Files of the site that are large, or could be sent compressed.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::check_thresholds::CheckThresholds;
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{OwnResource, Site};
use mapwright_web::page::facts::LinkKind;

pub(super) static CHECKER: Checker = Checker::limits(find, &[&RESOURCE_OVERSIZE, &RESOURCE_UNCOMPRESSED]);

static RESOURCE_OVERSIZE: Check = Check {
    code: "resource-oversize",
    title: "Large file",
    topic: Topic::Responses,
    severity: Severity::Notice,
    reason: "Pages load an image, a style sheet, a script or a font that is larger than the limit.",
    fix: "Scale images to the size at which they are shown, and send them as WebP or AVIF; leave out of scripts and styles what pages do not use.",
    needs: RequiredCoverage::External,
    attributes: Attributes::NONE,
};

static RESOURCE_UNCOMPRESSED: Check = Check {
    code: "resource-uncompressed",
    title: "File without compression",
    topic: Topic::Responses,
    severity: Severity::Notice,
    reason: "The server sends a style sheet, a script or another text without compression, though the client accepts it.",
    fix: "Switch compression on for this media type (gzip, Brotli or Zstandard).",
    needs: RequiredCoverage::External,
    attributes: Attributes::NONE,
};

/// Bytes of a text from which on compression is worth while.
const MIN_COMPRESSED: u64 = 10 << 10;

pub(super) fn find(site: &Site, limits: &CheckThresholds, found: &mut Vec<Finding>) {
    for resource in site.own_resources() {
        // The size of a compressed file is not known.
        let Some(bytes) = resource.node.map(|node| node.bytes).filter(|bytes| *bytes > 0) else { continue };
        let is_stream = resource.kinds().all(|kind| kind == LinkKind::Media);
        if bytes > limits.oversize_resource && !is_stream {
            let message = format!("The file has {bytes} bytes; the limit is {}.", limits.oversize_resource);
            found.push(Finding::of(&RESOURCE_OVERSIZE, resource.url).says(message));
        }
        if bytes >= MIN_COMPRESSED && is_text(&resource) {
            let message = format!("The file has {bytes} bytes, and is sent without compression.");
            found.push(Finding::of(&RESOURCE_UNCOMPRESSED, resource.url).says(message));
        }
    }
}

fn is_text(resource: &OwnResource<'_>) -> bool {
    resource.media_type.is_some_and(|media_type| {
        media_type.starts_with("text/")
            || media_type.ends_with("+json")
            || media_type.ends_with("+xml")
            || matches!(media_type, "application/javascript" | "application/json" | "application/xml")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::{builder, url};

    #[test]
    fn large_files_and_plain_texts_are_reported() {
        let page = "<img src=/large.jpg><img src=/small.jpg><video src=/film.mp4></video><script src=/plain.js></script>\
                    <script src=/packed.js></script><script src=/tiny.js></script><img src=/drawing.svg>";
        let site = builder()
            .page("/", page)
            .external_bytes(&url("/large.jpg"), "image/jpeg", 600 << 10)
            .external_bytes(&url("/small.jpg"), "image/jpeg", 500 << 10)
            .external_bytes(&url("/film.mp4"), "video/mp4", 1 << 30)
            .external_bytes(&url("/plain.js"), "text/javascript", 20_000)
            .external_bytes(&url("/packed.js"), "text/javascript", 0)
            .external_bytes(&url("/tiny.js"), "text/javascript", 2_000)
            .external_bytes(&url("/drawing.svg"), "image/svg+xml", 11_000)
            .site();
        let found = site.run_check(|site, found| find(site, &CheckThresholds::default(), found));
        assert_eq!(found.of("resource-oversize"), ["/large.jpg"]);
        assert_eq!(found.message("resource-oversize"), "The file has 614400 bytes; the limit is 512000.");
        assert_eq!(found.of("resource-uncompressed"), ["/drawing.svg", "/plain.js"]);
    }
}
