//! URLs by the grammar of RFC 3986.

/// Returns the text as a URI reference: characters that the grammar does not allow are percent-encoded. A valid URI
/// reference stays as it is.
pub(crate) fn encoded(url: &str) -> String {
    let host_ends = url.find("://").map_or(0, |at| {
        let host = at + 3;
        url.get(host..).and_then(|rest| rest.find(['/', '?', '#'])).map_or(url.len(), |length| host + length)
    });
    let (mut fragment, mut uri) = (false, String::with_capacity(url.len() + 8));
    for (at, c) in url.char_indices() {
        let kept = match c {
            '%' => is_escape(url.get(at + 1..at + 3)),
            '[' | ']' => at < host_ends,
            '#' => !std::mem::replace(&mut fragment, true),
            _ => c.is_ascii_alphanumeric() || "-._~:/?@!$&'()*+,;=".contains(c),
        };
        if kept { uri.push(c) } else { escape(&mut uri, c) }
    }
    uri
}

fn is_escape(digits: Option<&str>) -> bool {
    digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

fn escape(uri: &mut String, c: char) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        uri.push_str(&format!("%{byte:02X}"));
    }
}

#[cfg(test)]
mod tests {
    use super::encoded;

    #[test]
    fn valid_uri_references_are_kept() {
        for url in ["https://[::1]:80/a%20b?x=1&y='*'#top", "http://a.test/~b;c=(d)", "/relative", ""] {
            assert_eq!(encoded(url), url);
        }
    }

    #[test]
    fn other_characters_are_percent_encoded() {
        assert_eq!(encoded("http://a.test/[x] <\"`{}|\\^>"), "http://a.test/%5Bx%5D%20%3C%22%60%7B%7D%7C%5C%5E%3E");
        assert_eq!(encoded("http://a.test/100%ä\u{202e}"), "http://a.test/100%25%C3%A4%E2%80%AE");
        assert_eq!(encoded("http://a.test/#a#b"), "http://a.test/#a%23b");
    }
}
