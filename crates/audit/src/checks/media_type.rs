//! Media types that are missing, or contradicted by the content (MIME Sniffing, section 7).

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;
use mapwright_web::media::MediaKind;

pub(super) static CHECKER: Checker = Checker::site(find, &[&MEDIA_TYPE]);

static MEDIA_TYPE: Check = Check {
    code: "media-type",
    title: "Missing or wrong media type",
    topic: Topic::Responses,
    severity: Severity::Warning,
    reason: "The page has no media type, or one that its content belies.",
    fix: "Send Content-Type: text/html; charset=utf-8 for pages.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, media) in &site.odd_media {
        let seen = media.sniffed.map_or("something else", word);
        let message = match &media.declared {
            Some(declared) => format!("It is sent as {declared}, and looks like {seen}."),
            None => format!("It is sent without a media type, and looks like {seen}."),
        };
        found.push(Finding::of(&MEDIA_TYPE, *url).says(message));
    }
}

fn word(kind: MediaKind) -> &'static str {
    match kind {
        MediaKind::Html => "HTML",
        MediaKind::Xhtml => "XHTML",
        MediaKind::Pdf => "PDF",
        MediaKind::Xml => "XML",
        MediaKind::Feed => "a feed",
        MediaKind::Text => "plain text",
        MediaKind::Image => "an image",
        MediaKind::Other => "another kind of file",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    const HTML: &str = "<!doctype html><title>A page</title><p>of ours";

    #[test]
    fn a_page_without_a_media_type_or_with_a_vague_one_is_reported() {
        let site = builder()
            .page("/typeless", HTML)
            .typeless("/typeless")
            .page("/octets", HTML)
            .header("/octets", "content-type", "application/octet-stream")
            .page("/html", HTML)
            .page("/xhtml", HTML)
            .header("/xhtml", "content-type", "application/xhtml+xml; charset=utf-8")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("media-type"), ["/octets", "/typeless"]);
        assert_eq!(found.message("media-type"), "It is sent as application/octet-stream, and looks like HTML.");
    }

    #[test]
    fn a_media_type_that_the_content_contradicts_is_reported() {
        let site = builder()
            .page("/text", HTML)
            .header("/text", "content-type", "text/plain")
            .page("/pdf", "%PDF-1.7")
            .page("/plain", "No tags, and yet a page.")
            .page("/json", "{}")
            .header("/json", "content-type", "application/json")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("media-type"), ["/pdf", "/text"]);
        assert_eq!(found.message("media-type"), "It is sent as text/html, and looks like PDF.");
    }
}
