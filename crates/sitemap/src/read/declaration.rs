//! The XML declaration (XML 1.0, 2.8, 2.9 and 4.3.3).

use crate::limits::{is_blank, trimmed};

/// The error of a declaration, given the text between `<?` and `?>`.
pub(super) fn flaw(content: &str) -> Option<&'static str> {
    let content = content.strip_prefix("xml").unwrap_or(content);
    let Some((version, rest)) = field(content, "version") else {
        return Some("it does not begin with version=\"1.0\"");
    };
    if !version.strip_prefix("1.").is_some_and(|minor| is_all(minor, |b| b.is_ascii_digit())) {
        return Some("its version is none of XML 1");
    }
    let rest = match field(rest, "encoding") {
        Some((name, rest)) if is_encoding_name(name) => rest,
        Some(_) => return Some("its encoding is no name of one"),
        None => rest,
    };
    let rest = match field(rest, "standalone") {
        Some(("yes" | "no", rest)) => rest,
        Some(_) => return Some("standalone is neither yes nor no"),
        None => rest,
    };
    let more = !trimmed(rest).is_empty();
    more.then_some(
        "it holds more than version, encoding and standalone in this order, in quotes and with blanks between",
    )
}

/// The value of the next field, after white space, and the rest of the text.
fn field<'t>(text: &'t str, name: &str) -> Option<(&'t str, &'t str)> {
    let begun = text.strip_prefix(is_blank)?.trim_start_matches(is_blank);
    let value = begun.strip_prefix(name)?.trim_start_matches(is_blank).strip_prefix('=')?.trim_start_matches(is_blank);
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value.get(1..)?.split_once(quote)
}

/// Production 81.
fn is_encoding_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && is_all(name, |b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

fn is_all(text: &str, of: impl Fn(u8) -> bool) -> bool {
    !text.is_empty() && text.bytes().all(of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_comes_first_then_encoding_then_standalone() {
        for good in [
            "xml version=\"1.0\"",
            "xml version='1.1' ",
            "xml\n version = '1.0'\tencoding=\"UTF-8\"",
            "xml version='1.0' encoding='x-Mac_1.0' standalone='no'",
            "xml version='1.0' standalone='yes'",
        ] {
            assert_eq!(flaw(good), None, "{good}");
        }
        for bad in [
            "xml",
            "xml encoding='UTF-8'",
            "xml encoding='UTF-8' version='1.0'",
            "xml version=1.0",
            "xml version='2.0'",
            "xml version='1.'",
            "xml version='1.0\"",
            "xml version='1.0'encoding='UTF-8'",
            "xml version='1.0' encoding=''",
            "xml version='1.0' encoding='UTF 8'",
            "xml version='1.0' standalone='maybe'",
            "xml version='1.0' standalone='no' encoding='UTF-8'",
            "xml version='1.0' foo='x'",
        ] {
            assert!(flaw(bad).is_some(), "{bad}");
        }
    }
}
