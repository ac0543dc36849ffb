//! Makes text from other servers safe for messages.

/// The maximum number of characters that a message repeats of another server's text.
const MAX_CHARS: usize = 300;

/// One short line of `text`, without control characters and without any of `secrets`: an engine may repeat what it was
/// sent.
pub(crate) fn excerpt(text: &str, secrets: &[&str]) -> String {
    let mut text = text.to_owned();
    for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
        text = text.replace(secret, "…");
    }
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().filter(|character| !character.is_control()).take(MAX_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_one_short_line() {
        assert_eq!(excerpt("a\r\n\tb\u{1b}[31m", &[]), "a b[31m");
        assert_eq!(excerpt(&"ü".repeat(5000), &[]).chars().count(), MAX_CHARS);
    }

    #[test]
    fn secrets_are_left_out() {
        assert_eq!(excerpt("Bearer ya29.x is bad: ya29.x", &["ya29.x", ""]), "Bearer … is bad: …");
    }
}
