//! What the page may load and run: nothing but its own script and style, by their hashes.

use super::sha256::sha256;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The content security policy of a page with this script and this style. Should a text of the site ever become
/// markup, it would still not run.
pub(super) fn policy(script: &str, style: &str) -> String {
    let (script, style) = (source(script), source(style));
    format!("default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; form-action 'none'")
}

fn source(text: &str) -> String {
    format!("'sha256-{}'", base64(&sha256(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits =
            (0..3).fold(0_usize, |bits, place| bits << 8 | chunk.get(place).map_or(0, |byte| usize::from(*byte)));
        for place in 0..4 {
            let digit = ALPHABET.get(bits >> (18 - 6 * place) & 63).map_or('=', |digit| char::from(*digit));
            text.push(if place > chunk.len() { '=' } else { digit });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{base64, policy};

    #[test]
    fn base64_as_rfc_4648_has_it() {
        let pairs =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE=")];
        for (text, encoded) in pairs {
            assert_eq!(base64(text.as_bytes()), encoded);
        }
    }

    #[test]
    fn script_and_style_are_named_by_their_hashes() {
        let policy = policy("", "abc");
        assert!(policy.contains("script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"), "{policy}");
        assert!(policy.contains("style-src 'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='"), "{policy}");
    }
}
