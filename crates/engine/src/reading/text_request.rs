//! Decides which files of the site are requested once more, to be read: style sheets, scripts and manifests.

use mapwright_frontier::{RetryCost, Settlement};
use mapwright_model::{Purpose, RecordedResponse, Task};
use mapwright_web::PageUrl;
use mapwright_web::manifest::MANIFEST;

/// The media type of style sheets (RFC 2318).
pub(super) const STYLE_SHEET: &str = "text/css";

/// Reports whether a media type is that of a style sheet or a script (RFC 9239).
pub(super) fn is_code(media_type: &str) -> bool {
    matches!(media_type, STYLE_SHEET | "text/javascript" | "application/javascript" | "application/x-javascript")
}

/// Reports whether a file is a manifest, by its media type or its usual name: servers often send another type.
pub(super) fn is_manifest_file(media_type: Option<&str>, url: &PageUrl) -> bool {
    media_type == Some(MANIFEST) || url.path().ends_with(".webmanifest") || url.path().ends_with("/manifest.json")
}

/// Returns the request for the text of a style sheet, a script or a manifest that answered HEAD well.
pub(super) fn text_request(task: &Task, response: &RecordedResponse) -> Option<Settlement> {
    let media_type = declared(response);
    let is_text = media_type.is_some_and(is_code) || is_manifest_file(media_type, &task.url);
    let wants = task.purpose == Purpose::Resource && task.is_first_check() && response.status == Some(200) && is_text;
    wants.then_some(Settlement::Retry { after: None, cost: RetryCost::Try })
}

pub(super) fn declared(response: &RecordedResponse) -> Option<&str> {
    response.media.as_ref()?.declared.as_deref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_model::{Lane, Tries, UrlId};
    use mapwright_web::media::Media;
    use mapwright_web::{PageUrl, UrlIdentity};

    #[test]
    fn the_text_of_style_sheets_and_scripts_is_requested_after_their_head() {
        let url = PageUrl::parse("http://a.example/file", &UrlIdentity::default()).unwrap();
        let requests = |purpose, attempt, status, media_type: &str| {
            let tries = Tries { attempt, ..Tries::default() };
            let task = Task { tries, ..Task::new(1, UrlId(1), url.clone(), purpose, Lane::Check) };
            let media = Some(Media::of(Some(media_type), b""));
            let response = RecordedResponse { status: Some(status), media, ..RecordedResponse::default() };
            text_request(&task, &response).is_some()
        };
        assert!(requests(Purpose::Resource, 0, 200, "text/css; charset=utf-8"));
        assert!(requests(Purpose::Resource, 0, 200, "text/javascript"));
        assert!(requests(Purpose::Resource, 0, 200, "application/manifest+json"));
        assert!(!requests(Purpose::Resource, 1, 200, "text/css"), "it was requested");
        assert!(!requests(Purpose::Resource, 0, 200, "image/png"));
        assert!(!requests(Purpose::Resource, 0, 404, "text/css"));
        assert!(!requests(Purpose::External, 0, 200, "text/css"), "of another site");
        assert!(!requests(Purpose::Page, 0, 200, "text/css"), "a page is not requested by HEAD");
    }
}
