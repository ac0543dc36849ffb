//! What is said of a night.

use std::fmt::Write;

use jiff::Timestamp;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::night::{Night, NightOutcome, total};
use crate::{json, text, visible};

/// Characters of a subject, at most.
pub const MOST_SUBJECT: usize = 149;
/// Characters of a job's name in a subject, at most: the rest is for what happened.
const MOST_NAME: usize = 60;

/// A message, ready for every channel. It holds no secret and may be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The same for the same job, site, night, kind and trouble, whenever it is made: ASCII letters, digits, `-` and `.`.
    pub id: String,
    /// The job's name.
    pub job: String,
    /// When the night was due; it becomes the `Date` of an e-mail.
    pub due: Timestamp,
    /// One line of at most [`MOST_SUBJECT`] characters.
    pub subject: String,
    /// Plain text, for e-mail.
    pub text: String,
    /// For webhooks; its `version` is 1 and changes when a reader of it would break.
    pub json: Value,
}

/// What is to be said of a night; `None` where it was good, or as bad as people know, and nothing changed.
#[must_use]
pub fn message(night: &Night) -> Option<Message> {
    if (night.outcome == NightOutcome::Done || night.again) && !night.changed() {
        return None;
    }
    let id = id(night);
    Some(Message {
        job: night.job.clone(),
        due: night.due,
        subject: subject(night),
        text: text::write(night),
        json: json::write(night, &id),
        id,
    })
}

/// The readable parts first; the digest keeps apart what they do not.
fn id(night: &Night) -> String {
    let (due, kind) = (night.due.as_millisecond(), night.outcome.kind());
    let mut digest = Sha256::new();
    let due = due.to_string();
    for part in [night.job.as_str(), &night.site, &due, kind].into_iter().chain(night.trouble.as_deref()) {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    let name: String = night.job.chars().filter(char::is_ascii_alphanumeric).take(32).collect();
    let name = if name.is_empty() { "job" } else { &name };
    format!("{name}-{}-{kind}-{}", night.due.strftime("%Y%m%dT%H%M%SZ"), hex(&digest.finalize(), 8))
}

/// The first bytes of a digest as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8], most: usize) -> String {
    bytes.iter().take(most).fold(String::new(), |mut digits, byte| {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

fn subject(night: &Night) -> String {
    let job = visible::line(&night.job, MOST_NAME);
    let said = match &night.outcome {
        NightOutcome::Done => format!("{job}: {}", changes(night)),
        NightOutcome::Failed { why } => format!("{job} failed: {why}"),
        NightOutcome::Refused { why } => format!("{job}: sitemap not published: {why}"),
        NightOutcome::Missed { why } => format!("{job} did not run: {why}"),
        NightOutcome::Recovered if night.changed() => format!("{job} is well again: {}", changes(night)),
        NightOutcome::Recovered => format!("{job} is well again"),
        NightOutcome::Test => format!("{job}: a test message"),
    };
    visible::line(&format!("[mapwright] {said}"), MOST_SUBJECT)
}

/// The changes of a night in a few words.
fn changes(night: &Night) -> String {
    let (findings, mut said) = (&night.findings, Vec::new());
    let (new, again, fixed) = (total(&findings.new), total(&findings.regressed), total(&findings.fixed));
    let mut say = |count: u64, words: String| {
        if count > 0 {
            said.push(words);
        }
    };
    say(new, text::count(new, "new finding"));
    say(again, format!("{} again", text::count(again, "finding")));
    say(fixed, format!("{fixed} fixed"));
    say(night.gained.count, format!("{} gained", text::count(night.gained.count, "page")));
    say(night.lost.count, format!("{} lost", text::count(night.lost.count, "page")));
    say(night.advice.len() as u64, "something to do at the site".to_owned());
    if said.is_empty() { text::listed(night).unwrap_or_default() } else { said.join(", ") }
}

#[cfg(test)]
pub(crate) mod tests;
