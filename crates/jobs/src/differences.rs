//! What is other in one run than in another, in words.

use mapwright_engine::Outcome;
use mapwright_store::{Difference, Seen};

/// An answer in a word: its status, or why there was none.
#[must_use]
pub fn word(seen: Option<&Seen>) -> String {
    let Some(seen) = seen else { return "not met".to_owned() };
    match (seen.status, &seen.failure) {
        (Some(status), _) => match seen.outcome {
            Some(outcome @ (Outcome::Broken | Outcome::Throttled)) => format!("{status} ({})", outcome.as_str()),
            _ => status.to_string(),
        },
        (None, Some(failure)) => failure.clone(),
        (None, None) => {
            let not_asked = || seen.reason.map_or("not asked for", |reason| reason.as_str());
            seen.outcome.map_or_else(not_asked, Outcome::as_str).to_owned()
        }
    }
}

/// The answers of both runs. What sets them apart is told even where their words are the same: what became of the URL,
/// and where a redirect leads.
#[must_use]
pub fn answers(difference: &Difference) -> [String; 2] {
    let seen = [difference.before.as_ref(), difference.now.as_ref()];
    let words = seen.map(word);
    if words.first() != words.last() {
        return words;
    }
    seen.map(|seen| {
        let Some(Seen { outcome: Some(outcome), redirect, .. }) = seen else { return word(seen) };
        let to = redirect.as_ref().map_or_else(|| format!("({})", outcome.as_str()), |target| format!("to {target}"));
        format!("{} {to}", word(seen))
    })
}

/// Why a URL left the sitemap. Gone is told apart from not reached, by whether the second run was whole.
#[must_use]
pub fn why_out(difference: &Difference, whole: bool) -> &'static str {
    match &difference.now {
        Some(Seen { reason: Some(reason), .. }) => reason.as_str(),
        None if !whole => "not reached",
        _ => "nothing that was read leads there any more",
    }
}
