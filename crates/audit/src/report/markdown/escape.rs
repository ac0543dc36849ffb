//! Texts of the site in Markdown: never markup, a link or a mention, whatever they hold.

use mapwright_text::visible;

/// Escapes a text in running text, on one line.
pub(super) fn prose(text: &str) -> String {
    let text = visible(text);
    let mut written = String::with_capacity(text.len() + 16);
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '(' | ')' | '+' | '!' | '|' | '~' | '&'
            | '$' => {
                written.extend(['\\', c]);
            }
            // GitHub links bare URLs, and turns `@` and `#` into mentions of people and issues.
            ':' if chars.peek() == Some(&'/') => written.push_str("\\:"),
            '.' if matches!(before, 'w' | 'W') => written.push_str("\\."),
            '@' | '#' => {
                written.push(c);
                written.push_str("<!-- -->");
            }
            _ => written.push(c),
        }
        before = c;
    }
    written
}

/// Renders a text as code, for URLs: nothing in it is interpreted, and it can be copied.
pub(super) fn span(text: &str) -> String {
    let text = visible(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // Readers strip a blank at both ends, which separates backticks of the text from the fence.
    if text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) {
        format!("{fence} {text} {fence}")
    } else {
        format!("{fence}{text}{fence}")
    }
}

#[cfg(test)]
mod tests {
    use super::{prose, span};

    #[test]
    fn prose_holds_no_markup_no_link_and_no_mention() {
        assert_eq!(prose("[a](b) `c` | <d> & *e*"), "\\[a\\]\\(b\\) \\`c\\` \\| \\<d\\> \\& \\*e\\*");
        assert_eq!(prose("http://a.test www.a.test"), "http\\://a.test www\\.a.test");
        assert_eq!(prose("@octocat #1"), "@<!-- -->octocat #<!-- -->1");
        assert_eq!(prose("a\n# b\u{202e}"), "a\\\\n#<!-- --> b\\\\u202e");
    }

    #[test]
    fn no_text_ends_its_span() {
        assert_eq!(span("http://a.test/"), "`http://a.test/`");
        assert_eq!(span("a`b``c"), "```a`b``c```");
        assert_eq!(span("`a"), "`` `a ``");
        assert_eq!(span("a\r\nb"), "`a\\r\\nb`");
        assert_eq!(span(""), "`  `");
    }
}
