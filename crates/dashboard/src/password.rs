//! Passwords, stored as argon2id hashes only.

use crate::access_error::AccessError;
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};

/// Maximum length of a password, in bytes.
pub(crate) const MAX_PASSWORD_BYTES: usize = 1_024;
/// Maximum memory cost of a hash, in KiB: a user who can write the file could otherwise exhaust the memory.
const MAX_MEMORY: u32 = 1 << 20;
/// Maximum number of passes of a hash.
const MAX_PASSES: u32 = 64;

/// Hashes a password with a random salt, in the PHC string format.
///
/// # Errors
/// When the password is empty or too long, or the system has no random bytes.
pub fn hash_password(password: &str) -> Result<String, AccessError> {
    if password.is_empty() || password.len() > MAX_PASSWORD_BYTES {
        return Err(AccessError::new(
            "the password",
            "empty, or too long",
            format!("use 1 to {MAX_PASSWORD_BYTES} bytes"),
        ));
    }
    let hashed: Result<PasswordHash, _> = Argon2::default().hash_password(password.as_bytes());
    let fault = |error| AccessError::new("the password", format!("cannot be hashed ({error})"), "try again");
    hashed.map(|hash| hash.to_string()).map_err(fault)
}

/// Returns whether a password matches this hash. It takes a good part of a second, so it belongs in a blocking task.
pub(crate) fn fits(password: &str, hash: &str) -> bool {
    let parsed = PasswordHash::new(hash);
    parsed.is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

/// Checks that a hash is valid and not too expensive.
pub(crate) fn check(hash: &str) -> Result<(), &'static str> {
    let parsed = PasswordHash::new(hash).map_err(|_| "no argon2 hash of a password")?;
    if !matches!(parsed.algorithm.as_str(), "argon2id" | "argon2i" | "argon2d") || parsed.hash.is_none() {
        return Err("no argon2 hash of a password");
    }
    let cost = argon2::Params::try_from(&parsed).map_err(|_| "costs that argon2 does not know")?;
    if cost.m_cost() > MAX_MEMORY || cost.t_cost() > MAX_PASSES {
        return Err("a hash that costs too much to check");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{check, fits, hash_password};

    #[test]
    fn a_hash_fits_its_password_alone() {
        let hash = hash_password("correct horse").unwrap();
        assert!(hash.starts_with("$argon2id$"), "{hash}");
        assert!(fits("correct horse", &hash) && !fits("correct horsf", &hash) && !fits("", &hash));
        assert_ne!(hash, hash_password("correct horse").unwrap());
        assert_eq!(check(&hash), Ok(()));
    }

    #[test]
    fn faulty_and_costly_hashes_are_refused() {
        let hash = hash_password("x").unwrap();
        for faulty in ["", "x", "$argon2id$", "$2b$12$abcdefghijklmnopqrstuv", &hash.replace("m=19456", "m=4194304")] {
            assert!(check(faulty).is_err(), "{faulty}");
            assert!(!faulty.is_empty() || !fits("x", faulty));
        }
        assert!(hash_password("").is_err() && hash_password(&"x".repeat(1_025)).is_err());
    }
}
