//! Texts of mapwright in HTML.

use mapwright_text::escaped;

/// Renders a text of mapwright, in which backticks enclose code.
pub(crate) fn ours(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts
        .map(|(place, part)| if place % 2 == 1 { format!("<code>{}</code>", escaped(part)) } else { escaped(part) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::ours;

    #[test]
    fn texts_of_mapwright_may_hold_code() {
        assert_eq!(ours("say `<a>` & go"), "say <code>&lt;a&gt;</code> &amp; go");
    }
}
