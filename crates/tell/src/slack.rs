//! The body of a message to Slack, and to what is compatible with it.

use serde_json::{Value, json};

use crate::message::Message;

/// Characters of a message, at most.
pub(crate) const MOST_TEXT: usize = 3_000;
/// Characters of a link, at most: a longer one is left out.
const MOST_LINK: usize = 1_000;

/// `{"text": …}` in mrkdwn. All that may come from a crawled page stands in one block of code, in which neither Slack
/// nor its kin make mentions, links or headings of anything; the one link is the caller's own.
pub(crate) fn body(message: &Message) -> Value {
    let before = "*mapwright*\n```\n";
    let after = format!("\n```{}", link(message).map_or(String::new(), |link| format!("\n{link}")));
    let room = MOST_TEXT - before.chars().count() - after.chars().count();
    let said = code(&format!("{}\n\n{}", message.subject, message.text.trim_end()), room);
    json!({ "text": format!("{before}{said}{after}") })
}

/// A text that cannot leave a block of code, of at most `room` characters, whole escapes only.
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

/// The link to the dashboard, with what would end it or give it another text made harmless.
fn link(message: &Message) -> Option<String> {
    let link = message.json.get("link")?.as_str()?;
    let link = link.replace('&', "&amp;").replace('<', "%3C").replace('>', "%3E").replace('|', "%7C");
    (link.chars().count() <= MOST_LINK).then(|| format!("<{link}>"))
}

#[cfg(test)]
mod tests;
