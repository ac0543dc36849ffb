//! Forms where nobody is asked who they are.
//!
//! What they must carry follows from the browser's cookie and a secret of this process. Nothing is kept for a visitor:
//! one who sends no cookies, as monitors do, would fill all the places that there are for sessions.

use super::random;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The secret of this process.
pub(crate) struct Forms(Hmac<Sha256>);

impl Forms {
    /// With a new secret; nothing where the system has no random bytes.
    pub(crate) fn new() -> Option<Self> {
        Hmac::new_from_slice(&random::bytes()?).ok().map(Self)
    }

    /// What forms of the browser with this cookie must carry; nothing where the cookie is none of ours.
    pub(crate) fn csrf(&self, cookie: &str) -> Option<String> {
        random::is_text(cookie).then(|| random::hex(&self.0.clone().chain_update(cookie).finalize().into_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::Forms;
    use crate::guard::random;

    #[test]
    fn a_form_follows_from_its_cookie_and_the_secret_alone() {
        let (one, other) = (Forms::new().unwrap(), Forms::new().unwrap());
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
