//! The header fields by which a response protects its visitors.

use serde::{Deserialize, Serialize};

/// The header fields by which a response protects its visitors: those that it has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SecurityHeaders {
    /// `Strict-Transport-Security` (RFC 6797).
    pub transport: bool,
    /// `Content-Security-Policy`.
    pub content: bool,
    /// `X-Content-Type-Options`.
    pub content_type: bool,
    /// `X-Frame-Options`, or a `frame-ancestors` in the content security policy.
    pub frames: bool,
    /// `Referrer-Policy`.
    pub referrer: bool,
}

impl SecurityHeaders {
    /// Reads them; `get` returns the value of a field.
    #[must_use]
    pub fn of<'h>(get: impl Fn(&str) -> Option<&'h str>) -> Self {
        let policy = get("content-security-policy");
        let has_ancestors = policy.is_some_and(|policy| policy.to_ascii_lowercase().contains("frame-ancestors"));
        Self {
            transport: get("strict-transport-security").is_some(),
            content: policy.is_some(),
            content_type: get("x-content-type-options").is_some(),
            frames: has_ancestors || get("x-frame-options").is_some(),
            referrer: get("referrer-policy").is_some(),
        }
    }

    /// Reports whether none of them is there.
    #[must_use]
    pub fn are_absent(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_may_protect_against_frames() {
        let of = |value: &'static str| SecurityHeaders::of(|name| (name == "content-security-policy").then_some(value));
        assert!(of("default-src 'self'; Frame-Ancestors 'none'").frames);
        assert!(!of("default-src 'self'").frames && of("default-src 'self'").content);
        assert!(SecurityHeaders::of(|_| None).are_absent());
    }
}
