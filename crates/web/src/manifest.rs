//! Manifests of web applications.

use serde::de::IgnoredAny;
use std::collections::HashMap;

/// The media type of manifests (W3C Web Application Manifest, section 5).
pub const MANIFEST: &str = "application/manifest+json";

/// Reports whether the bytes are a JSON object, decoded as UTF-8 with or without a byte order mark, as browsers demand of a
/// manifest (W3C Web Application Manifest, section 2.1; Encoding, UTF-8 decode).
#[must_use]
pub fn is_manifest(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    serde_json::from_str::<HashMap<String, IgnoredAny>>(&String::from_utf8_lossy(text)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::is_manifest;

    #[test]
    fn a_manifest_is_a_json_object() {
        for good in ["{}", " {\"name\": \"A\", \"icons\": []} ", "\u{feff}{\"name\": \"A\"}"] {
            assert!(is_manifest(good.as_bytes()), "{good}");
        }
        for bad in ["", "[]", "null", "{\"name\": \"A\",}", "{'name': 'A'}", "<!doctype html>", "{} {}"] {
            assert!(!is_manifest(bad.as_bytes()), "{bad}");
        }
        let deep = format!("{{\"a\":{}", "[".repeat(100_000));
        assert!(!is_manifest(deep.as_bytes()));
        assert!(is_manifest(b"{\"a\xff\": \"\xff\"}"), "the byte is decoded as U+FFFD");
    }
}
