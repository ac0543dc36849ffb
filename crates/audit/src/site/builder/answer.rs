//! The answer of a URL of a built site.

use mapwright_model::{FailureKind, Outcome, Rendering, Unfetched};
use mapwright_web::PageUrl;
use mapwright_web::page::facts::BeforeScripts;

/// The time of the run and of every answer.
pub(crate) const NOW: &str = "2030-06-15T12:00:00Z";

/// The answer of a URL.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) outcome: Outcome,
    pub(super) status: u16,
    pub(super) body: String,
    pub(super) header: Vec<(&'static str, String)>,
    pub(super) location: Option<String>,
    pub(super) failure: Option<FailureKind>,
    pub(super) refused: Option<Unfetched>,
    pub(super) found_on: Option<String>,
    pub(super) robots_status: Option<u16>,
    pub(super) millis: u32,
    pub(super) bytes: Option<u64>,
    pub(super) cut: bool,
    pub(super) links_cut: bool,
    pub(super) before_scripts: Option<Box<BeforeScripts>>,
    pub(super) rendering: Option<Rendering>,
}

/// Returns the URL of a path.
pub(crate) fn url(path: &str) -> String {
    let text = if path.contains("://") { path.to_owned() } else { format!("http://example.com{path}") };
    parse(&text).as_str().to_owned()
}

pub(super) fn parse(text: &str) -> PageUrl {
    PageUrl::recorded(text).unwrap()
}

pub(super) fn answer(outcome: Outcome, status: u16, body: &str) -> Answer {
    Answer {
        outcome,
        status,
        body: body.to_owned(),
        header: vec![("content-type", "text/html".to_owned())],
        location: None,
        failure: None,
        refused: None,
        found_on: None,
        robots_status: None,
        millis: 50,
        bytes: None,
        cut: false,
        links_cut: false,
        before_scripts: None,
        rendering: None,
    }
}

pub(super) fn redirect(status: u16, target: &str) -> Answer {
    Answer { location: Some(url(target)), ..answer(Outcome::Redirect, status, "") }
}

pub(super) fn silence(kind: FailureKind) -> Answer {
    Answer { failure: Some(kind), ..answer(Outcome::NoAnswer, 0, "") }
}
