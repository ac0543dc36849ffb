//! A finding as a SARIF result.

use super::log::{Message, level};
use crate::checks;
use crate::rendered_finding::{RenderedFinding, State, Subject};
use crate::report::fingerprint::fingerprint;
use crate::report::uri::encoded;
use serde::Serialize;

/// The most further URLs of a result.
const RELATED: usize = 20;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outcome {
    rule_id: &'static str,
    rule_index: Option<usize>,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: Fingerprints,
    baseline_state: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<Suppression>,
    properties: Properties,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

/// Fingerprints of a result; GitHub reads the second.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fingerprints {
    #[serde(rename = "mapwright/v1")]
    own: String,
    primary_location_line_hash: String,
}

#[derive(Serialize)]
struct Suppression {
    kind: &'static str,
    justification: &'static str,
}

#[derive(Serialize)]
struct Properties {
    state: State,
}

/// Returns the result of a finding; `start` is the location of a finding that is about no URL.
pub(super) fn result(item: &RenderedFinding, start: &str) -> Outcome {
    let own = fingerprint(item);
    let accepted = Suppression { kind: "external", justification: "Accepted by the baseline." };
    Outcome {
        rule_id: item.check.code,
        rule_index: Some(checks::rank(item.check)),
        level: level(item.severity),
        message: Message::new(&message(item)),
        locations: [location(subject(item, start), None)],
        related_locations: related(item),
        partial_fingerprints: Fingerprints { primary_location_line_hash: format!("{own}:1"), own },
        baseline_state: if item.state == State::Persisting { "unchanged" } else { "new" },
        suppressions: item.accepted.then_some(accepted).into_iter().collect(),
        properties: Properties { state: item.state },
    }
}

fn message(item: &RenderedFinding) -> String {
    match &item.subject {
        Subject::Pattern(pattern) => format!("{} The pattern is {pattern}", item.message),
        _ => item.message.clone(),
    }
}

fn subject<'i>(item: &'i RenderedFinding, start: &'i str) -> &'i str {
    match &item.subject {
        Subject::Pattern(_) => item.examples.first().map_or(start, String::as_str),
        subject => subject.name(),
    }
}

fn related(item: &RenderedFinding) -> Vec<Location> {
    let referrers = item.linked_from.iter().map(|referrer| (referrer.url.as_str(), "Links to it."));
    let duplicates = item.subject.others().iter().map(|url| (url.as_str(), "Belongs together with it."));
    let target = item.target.as_deref().map(|url| (url, "The other URL that it is about."));
    let all = duplicates.chain(target).chain(referrers).take(RELATED);
    all.map(|(url, found)| location(url, Some(Message::new(found)))).collect()
}

fn location(url: &str, message: Option<Message>) -> Location {
    Location { physical_location: Physical { artifact_location: Artifact { uri: encoded(url) } }, message }
}
