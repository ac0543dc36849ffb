//! Texts of a site in HTML, SVG and XML.

use crate::visible::visible;

/// Returns the text as character data or as the value of an attribute, with unsafe characters shown as escapes.
#[must_use]
pub fn escaped(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn no_text_is_markup() {
        assert_eq!(escaped("</script>\"'&]]>\u{0}"), "&lt;/script&gt;&quot;&#39;&amp;]]&gt;\\u0000");
    }
}
