//! Renders an explanation as JSON.

use super::as_text::words;
use crate::time;
use mapwright_store::{Explained, StoredVerdict};
use mapwright_web::PageUrl;
use serde_json::{Value, json};

/// Returns the explanation as a JSON object.
#[must_use]
pub fn render(url: &PageUrl, explained: &Explained) -> Value {
    json!({
        "url": url.as_str(),
        "found": true,
        "run": explained.run,
        "run_state": explained.run_state,
        "published": explained.published,
        "verdict": explained.verdict.as_ref().map(judged),
        "last_found": explained.last_found.as_ref().map(|(run, judgement)| json!({ "run": run, "verdict": judged(judgement) })),
        "seems_moved_to": explained.seems_moved_to,
        "found_first": explained.found.as_ref().map(|(via, parent)| json!({ "via": via.as_str(), "on": parent })),
        "click_path": explained.path.iter().map(|s| json!({ "url": s.url, "anchor": s.anchor })).collect::<Vec<_>>(),
        "listed_in": explained.listed_in.iter().map(|(file, date)| json!({ "file": file, "lastmod": date })).collect::<Vec<_>>(),
        "redirected_to_by": explained.redirects_here,
        "canonical_of": explained.canonical_of,
        "robots": robots(explained),
        "responses": answers(explained),
        "directives": explained.directives.iter()
            .map(|given| json!({ "place": given.place, "agent": given.agent, "says": words(given) })).collect::<Vec<_>>(),
        "canonicals": explained.canonicals,
        "duplicates": explained.duplicates,
        "history": explained.history.map(|history| json!({
            "first_seen": history.first.and_then(time::rfc3339),
            "changed": history.changed.and_then(time::rfc3339),
            "changes": history.changes,
        })),
    })
}

/// Returns the answer for a URL that was never discovered.
#[must_use]
pub fn unknown(url: &str) -> Value {
    json!({ "url": url, "found": false })
}

fn judged(judged: &StoredVerdict) -> Value {
    json!({
        "listed": judged.reason.is_none(),
        "reason": judged.reason.map(|reason| reason.as_str()),
        "evidence": judged.evidence,
        "inlinks": judged.inlinks,
        "depth": judged.depth,
        "lastmod": judged.lastmod.as_ref().map(|(date, _)| date),
        "lastmod_from": judged.lastmod.as_ref().map(|(_, from)| from),
        "kept_failing": judged.kept,
    })
}

fn robots(explained: &Explained) -> Option<Value> {
    let says = explained.robots.as_ref()?;
    let line = says.ruling.as_ref().and_then(|(_, line)| line.as_ref());
    Some(json!({
        "file": says.file,
        "status": says.status,
        "allowed": says.ruling.as_ref().map(|(allowed, _)| allowed),
        "line": line.map(|line| line.number),
        "rule": line.map(|line| line.text.as_str()),
    }))
}

fn answers(explained: &Explained) -> Vec<Value> {
    let answers = explained.answers.iter();
    answers
        .map(|answer| {
            json!({
                "run": answer.run,
                "at": time::rfc3339(answer.at),
                "outcome": answer.outcome.as_str(),
                "status": answer.status,
                "failure": answer.failure,
                "detail": answer.detail,
                "ms": answer.total_ms,
                "not_modified": answer.reused == 1,
                "not_requested": answer.reused == 2,
                "target": answer.target,
                "tried_again": answer.again,
            })
        })
        .collect()
}
