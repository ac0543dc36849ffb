//! The body of a message to Slack and compatible services.

use serde_json::{Value, json};

use crate::message::Message;

/// Characters of a message, at most.
pub(crate) const MAX_TEXT: usize = 3_000;
/// Characters of a link, at most. A longer one is left out.
const MAX_LINK: usize = 1_000;

/// Returns `{"text": …}` in mrkdwn. All text that may come from a crawled page is in one code block, in which Slack and
/// compatible services interpret no mentions, links or headings. The only link is the caller's own.
pub(crate) fn body(message: &Message) -> Value {
    let before = "*mapwright*\n```\n";
    let after = format!("\n```{}", link(message).map_or(String::new(), |link| format!("\n{link}")));
    let room = MAX_TEXT - before.chars().count() - after.chars().count();
    let said = code(&format!("{}\n\n{}", message.subject, message.text.trim_end()), room);
    json!({ "text": format!("{before}{said}{after}") })
}

/// Escapes a text so that it cannot leave a code block, in at most `room` characters, without a partial escape.
fn code(text: &str, room: usize) -> String {
    let mut said = String::new();
    let mut left = room.saturating_sub(1);
    for c in text.chars() {
        let mut buffer = [0; 4];
        let piece = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '`' => "'",
            _ => c.encode_utf8(&mut buffer),
        };
        let length = piece.chars().count();
        if length > left {
            said.push('…');
            return said;
        }
        left -= length;
        said.push_str(piece);
    }
    said
}

/// Returns the link to the dashboard, with the characters escaped that would end it or change its text.
fn link(message: &Message) -> Option<String> {
    let link = message.json.get("link")?.as_str()?;
    let link = link.replace('&', "&amp;").replace('<', "%3C").replace('>', "%3E").replace('|', "%7C");
    (link.chars().count() <= MAX_LINK).then(|| format!("<{link}>"))
}

#[cfg(test)]
mod tests;
