//! Media types that are missing, or belied by the content (MIME Sniffing 7).

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;
use mapwright_web::media::MediaKind;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, media) in &site.odd_media {
        let seen = media.sniffed.map_or("something else", word);
        let message = match &media.declared {
            Some(declared) => format!("It is sent as {declared}, and looks like {seen}."),
            None => format!("It is sent without a media type, and looks like {seen}."),
        };
        found.push(Finding::of(Code::MediaType, *url).says(message));
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
