//! The content security policy of the page: only its own script and style may run, by their hashes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// Returns the content security policy of a page with this script and this style. If a text of the site ever became
/// markup, it would still not run.
pub(super) fn policy(script: &str, style: &str) -> String {
    let (script, style) = (source(script), source(style));
    format!("default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; form-action 'none'")
}

fn source(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::policy;

    #[test]
    fn script_and_style_are_named_by_their_hashes() {
        let policy = policy("", "abc");
        assert!(policy.contains("script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"), "{policy}");
        assert!(policy.contains("style-src 'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='"), "{policy}");
    }
}
