//! CSRF tokens of forms without authentication.
//!
//! The CSRF token is derived from the browser's cookie and a secret of this process. No state is kept per visitor:
//! clients without cookies, such as monitors, would fill all places for sessions.

use super::random;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The secret of this process.
pub(crate) struct CsrfTokens(Hmac<Sha256>);

impl CsrfTokens {
    /// Creates a new secret; `None` where the system has no random bytes.
    pub(crate) fn new() -> Option<Self> {
        Hmac::new_from_slice(&random::bytes()?).ok().map(Self)
    }

    /// Returns the CSRF token of the browser with this cookie; `None` where the cookie is not ours.
    pub(crate) fn csrf(&self, cookie: &str) -> Option<String> {
        random::is_text(cookie).then(|| random::hex(&self.0.clone().chain_update(cookie).finalize().into_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::CsrfTokens;
    use crate::guard::random;

    #[test]
    fn a_form_follows_from_its_cookie_and_the_secret_alone() {
        let (one, other) = (CsrfTokens::new().unwrap(), CsrfTokens::new().unwrap());
        let (cookie, stranger) = (random::text().unwrap(), random::text().unwrap());
        let csrf = one.csrf(&cookie).unwrap();
        assert!(csrf.len() == 64 && csrf != cookie);
        assert_eq!(one.csrf(&cookie).as_ref(), Some(&csrf));
        assert!(one.csrf(&stranger).unwrap() != csrf && other.csrf(&cookie).unwrap() != csrf);
        for cookie in ["", "x", &cookie[1..], &cookie.to_uppercase().replace(|c: char| c.is_ascii_digit(), "G")] {
            assert_eq!(one.csrf(cookie), None, "{cookie}");
        }
    }
}
