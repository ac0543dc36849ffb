//! Files of the site that are large, or could be sent compressed or minified.

use crate::check::{Attributes, Check, Confidence, RequiredCoverage, Topic};
use crate::check_thresholds::CheckThresholds;
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{CodeSize, OwnResource, Site};
use mapwright_web::page::facts::LinkKind;

pub(super) static CHECKER: Checker =
    Checker::limits(find, &[&RESOURCE_OVERSIZE, &RESOURCE_UNCOMPRESSED, &RESOURCE_UNMINIFIED]);

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

static RESOURCE_UNMINIFIED: Check = Check {
    code: "resource-unminified",
    title: "File that is not minified",
    topic: Topic::Responses,
    severity: Severity::Notice,
    reason: "A large part of a style sheet or script is blanks and comments, which a minifier leaves out.",
    fix: "Minify the file when the site is built.",
    needs: RequiredCoverage::External,
    attributes: Attributes { confidence: Confidence::Estimated, ..Attributes::NONE },
};

/// Bytes of blanks and comments from which on minifying is worth while, and the least part of the file that they are.
const MIN_SPARE: u64 = 10 << 10;
const SPARE_PART: u64 = 5;
/// Bytes of a text from which on compression is worth while.
const MIN_COMPRESSED: u64 = 10 << 10;

pub(super) fn find(site: &Site, limits: &CheckThresholds, found: &mut Vec<Finding>) {
    for resource in site.own_resources() {
        // The size of a compressed file is not known, unless it was read.
        let Some(bytes) = resource.node.map(|node| node.bytes).filter(|bytes| *bytes > 0) else { continue };
        let is_stream = resource.sheet.is_none() && resource.kinds().all(|kind| kind == LinkKind::Media);
        if bytes > limits.oversize_resource && !is_stream {
            let message = format!("The file has {bytes} bytes; the limit is {}.", limits.oversize_resource);
            found.push(Finding::of(&RESOURCE_OVERSIZE, resource.url).says(message));
        }
        if bytes >= MIN_COMPRESSED && is_text(&resource) && !resource.is_compressed {
            let message = format!("The file has {bytes} bytes, and is sent without compression.");
            found.push(Finding::of(&RESOURCE_UNCOMPRESSED, resource.url).says(message));
        }
        if let Some(message) = resource.code_size.and_then(spare) {
            found.push(Finding::of(&RESOURCE_UNMINIFIED, resource.url).says(message));
        }
    }
}

/// Says how much of a file a minifier would leave out, if that is worth while.
fn spare(size: CodeSize) -> Option<String> {
    let spare = size.all.saturating_sub(size.minified);
    let is_much = spare >= MIN_SPARE && spare * SPARE_PART >= size.all;
    is_much.then(|| format!("{spare} of its {} bytes are blanks and comments.", size.all))
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

    #[test]
    fn blanks_and_comments_count_where_they_are_many() {
        let says = |all, minified| spare(CodeSize { all, minified });
        assert_eq!(says(40_000, 20_000).as_deref(), Some("20000 of its 40000 bytes are blanks and comments."));
        assert_eq!(says(40_000, 39_000), None, "a few line ends");
        assert_eq!(says(10_000, 1_000), None, "a small file");
        assert_eq!(says(400_000, 380_000), None, "a minified file with licences");
        assert_eq!(says(10, 20), None);
    }
}
