//! Percent-encoding of a complete value.

use std::fmt::Write;

/// Encodes every octet of `text` but the unreserved ones (RFC 3986, section 2.3), so that a URL can be one segment of a
/// path or one value of a query.
pub(crate) fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 3 / 2);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing into a string does not fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unreserved_characters_stay() {
        assert_eq!(encoded("https://a.b/c?d=e&f#g"), "https%3A%2F%2Fa.b%2Fc%3Fd%3De%26f%23g");
        assert_eq!(encoded("sc-domain:a_b~c+ü%20 "), "sc-domain%3Aa_b~c%2B%C3%BC%2520%20");
    }
}
