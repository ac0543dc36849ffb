//! The signature of a webhook's body.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::message::hex;
use crate::secret::Secret;

/// Returns the value of `X-Mapwright-Signature`: `t=UNIX,v1=HEX`, where `HEX` is the HMAC-SHA256 (RFC 2104, FIPS 180-4)
/// over the seconds since 1970, a full stop, and the body. The time guards against replays.
///
/// `None` if the key cannot be used, which does not happen with HMAC.
pub(crate) fn signature(secret: &Secret, seconds: i64, body: &[u8]) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()).ok()?;
    mac.update(format!("{seconds}.").as_bytes());
    mac.update(body);
    Some(format!("t={seconds},v1={}", hex(&mac.finalize().into_bytes(), 32)))
}

#[cfg(test)]
mod tests {
    use super::signature;
    use crate::secret::Secret;

    /// Computed with `printf '1767225600.{"version":1}' | openssl dgst -sha256 -hmac key`.
    #[test]
    fn the_signature_equals_that_of_openssl() {
        let made = signature(&Secret::new("key"), 1_767_225_600, br#"{"version":1}"#);
        assert_eq!(
            made.as_deref(),
            Some("t=1767225600,v1=bc2ed75615bea69ce88279b62529ce5606533086c44801d71dcf625a755cb4c4")
        );
    }
}
