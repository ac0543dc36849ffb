//! The message about an event.

use std::fmt::Write;

use jiff::Timestamp;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::event::{EventKind, RunEvent, total};
use crate::{json, text};

/// Characters of a subject, at most.
pub const MAX_SUBJECT: usize = 149;
/// Characters of a job's name in a subject, at most, which leaves room for the event.
const MAX_NAME: usize = 60;

/// A message, ready for every channel. It contains no secret and may be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Its identity, the same for the same job, site, due instant, kind and incident: ASCII letters, digits, `-` and
    /// `.`.
    pub id: String,
    /// The job's name.
    pub job: String,
    /// The instant at which the run was due; it becomes the `Date` of an e-mail.
    pub scheduled_for: Timestamp,
    /// One line of at most [`MAX_SUBJECT`] characters.
    pub subject: String,
    /// Plain text, for e-mail.
    pub text: String,
    /// The JSON for webhooks. Its `version` is 1, and changes when a reader of it would break.
    pub json: Value,
}

/// Builds the message about an event; `None` if nothing changed and the run was done or its incident is known.
#[must_use]
pub fn message(event: &RunEvent) -> Option<Message> {
    if (event.kind == EventKind::Done || event.incident_ongoing) && !event.changed() {
        return None;
    }
    let id = id(event);
    Some(Message {
        job: event.job.clone(),
        scheduled_for: event.scheduled_for,
        subject: subject(event),
        text: text::write(event),
        json: json::write(event, &id),
        id,
    })
}

/// Builds the identity: readable parts, and a digest that distinguishes what they do not.
fn id(event: &RunEvent) -> String {
    let kind = event.kind.as_str();
    let mut digest = Sha256::new();
    let time = format!("{}.{}", event.scheduled_for.as_millisecond(), event.occurrence);
    for part in [event.job.as_str(), &event.site, &time, kind].into_iter().chain(event.incident.as_deref()) {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    let name: String = event.job.chars().filter(char::is_ascii_alphanumeric).take(32).collect();
    let name = if name.is_empty() { "job" } else { &name };
    format!("{name}-{}-{kind}-{}", event.scheduled_for.strftime("%Y%m%dT%H%M%SZ"), hex(&digest.finalize(), 8))
}

/// Returns the first bytes of a digest as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8], most: usize) -> String {
    bytes.iter().take(most).fold(String::new(), |mut digits, byte| {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

fn subject(event: &RunEvent) -> String {
    let job = mapwright_text::line(&event.job, MAX_NAME);
    let said = match &event.kind {
        EventKind::Done => format!("{job}: {}", changes(event)),
        EventKind::Failed { reason } => format!("{job} failed: {reason}"),
        EventKind::Refused { reason } => format!("{job}: sitemap not published: {reason}"),
        EventKind::Missed { reason } => format!("{job} did not run: {reason}"),
        EventKind::Recovered if event.changed() => format!("{job} has recovered: {}", changes(event)),
        EventKind::Recovered => format!("{job} has recovered"),
        EventKind::Test => format!("{job}: a test notification"),
    };
    mapwright_text::line(&format!("[mapwright] {said}"), MAX_SUBJECT)
}

/// Describes the changes of a run in a few words.
fn changes(event: &RunEvent) -> String {
    let (findings, mut said) = (&event.findings, Vec::new());
    let (new, again, fixed) = (total(&findings.new), total(&findings.regressed), total(&findings.fixed));
    let mut say = |count: u64, words: String| {
        if count > 0 {
            said.push(words);
        }
    };
    say(new, text::count(new, "new finding"));
    say(again, format!("{} again", text::count(again, "finding")));
    say(fixed, format!("{fixed} fixed"));
    say(event.added.count, format!("{} added", text::count(event.added.count, "page")));
    say(event.removed.count, format!("{} removed", text::count(event.removed.count, "page")));
    say(event.hints.len() as u64, "something to do at the site".to_owned());
    if said.is_empty() { text::listed(event).unwrap_or_default() } else { said.join(", ") }
}

#[cfg(test)]
pub(crate) mod tests;
