//! The key of IndexNow, and the file that proves its ownership.

use std::fmt;

use super::error::AnnounceError;

/// A key of IndexNow: 8 to 128 of `a-z`, `A-Z`, `0-9` and `-`.
///
/// A key permits sending URLs in the site's name, so its `Debug` text does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// Reads a key; surrounding white space is ignored.
    ///
    /// # Errors
    /// When it is not a key by the protocol; the message does not repeat it.
    pub fn parse(text: &str) -> Result<Key, AnnounceError> {
        let text = text.trim();
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        if !text.bytes().all(fits) {
            return Err(AnnounceError::permanent(
                "the IndexNow key has other characters than a-z, A-Z, 0-9 and `-`: take another key",
            ));
        }
        if !(8..=128).contains(&text.len()) {
            let length = text.len();
            return Err(AnnounceError::permanent(format!(
                "the IndexNow key has {length} characters: it needs 8 to 128 of them"
            )));
        }
        Ok(Key(text.to_owned()))
    }

    /// The key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// The name and the content (UTF-8) of the file that proves a key. At the root of a host, it covers the entire host.
#[must_use]
pub fn key_file(key: &Key) -> (String, String) {
    (format!("{}.txt", key.0), key.0.clone())
}

/// A new key from random bytes: 32 hexadecimal digits.
#[must_use]
pub fn generate_key(random: [u8; 16]) -> Key {
    Key(format!("{:032x}", u128::from_be_bytes(random)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_8_to_128_alphanumerics_and_dashes() {
        for good in ["aZ09-bcd", " 12345678\n", &"k".repeat(128)] {
            assert_eq!(Key::parse(good).unwrap().as_str(), good.trim());
        }
        for bad in ["", "1234567", &"k".repeat(129), "12345678_", "key with blank", "schlüssel", "../../etc/passwd"] {
            let error = Key::parse(bad).unwrap_err();
            assert!(error.permanent && !error.what.contains('\n'), "{error}");
            assert!(bad.is_empty() || !error.what.contains(bad), "{error}");
        }
    }

    #[test]
    fn the_file_of_a_key_holds_the_key_alone() {
        let key = generate_key([0x0a; 16]);
        assert_eq!(key.as_str(), "0a".repeat(16));
        assert_eq!(key_file(&key), (format!("{}.txt", key.as_str()), key.as_str().to_owned()));
        assert_eq!(Key::parse(generate_key([0; 16]).as_str()).unwrap(), generate_key([0; 16]));
    }

    #[test]
    fn a_key_is_not_shown() {
        assert_eq!(format!("{:?}", generate_key([7; 16])), "Key(…)");
    }
}
