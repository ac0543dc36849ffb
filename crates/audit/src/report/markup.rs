//! Texts of the site in HTML, SVG and XML.

use super::visible::visible;

/// Returns the text as character data or as the value of an attribute, with unsafe characters shown as escapes.
pub(crate) fn escaped(text: &str) -> String {
    let text = visible(text);
    let mut markup = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => markup.push_str("&amp;"),
            '<' => markup.push_str("&lt;"),
            '>' => markup.push_str("&gt;"),
            '"' => markup.push_str("&quot;"),
            '\'' => markup.push_str("&#39;"),
            _ => markup.push(c),
        }
    }
    markup
}

/// Renders a text of mapwright, in which backticks enclose code.
pub(crate) fn ours(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts
        .map(|(place, part)| if place % 2 == 1 { format!("<code>{}</code>", escaped(part)) } else { escaped(part) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{escaped, ours};

    #[test]
    fn texts_of_mapwright_may_hold_code() {
        assert_eq!(ours("say `<a>` & go"), "say <code>&lt;a&gt;</code> &amp; go");
    }

    #[test]
    fn no_text_is_markup() {
        assert_eq!(escaped("</script>\"'&]]>\u{0}"), "&lt;/script&gt;&quot;&#39;&amp;]]&gt;\\u0000");
    }
}
