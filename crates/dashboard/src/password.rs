//! Passwords, kept as argon2id hashes alone.

use crate::door::DoorError;
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};

/// Bytes of the longest password.
pub(crate) const LONGEST: usize = 1_024;
/// KiB of memory that a hash may ask for: whoever can write the file could otherwise take all there is.
const MOST_MEMORY: u32 = 1 << 20;
/// Passes that a hash may ask for.
const MOST_PASSES: u32 = 64;

/// The hash of a password, salted at random, in the PHC string format.
///
/// # Errors
/// When the password is empty or too long, or the system gives no random bytes.
pub fn hash_password(password: &str) -> Result<String, DoorError> {
    if password.is_empty() || password.len() > LONGEST {
        return Err(DoorError::new("the password", "empty, or too long", format!("use 1 to {LONGEST} bytes")));
    }
    let hashed: Result<PasswordHash, _> = Argon2::default().hash_password(password.as_bytes());
    let fault = |error| DoorError::new("the password", format!("cannot be hashed ({error})"), "try again");
    hashed.map(|hash| hash.to_string()).map_err(fault)
}

/// Whether a password has this hash. Takes a good part of a second's work: ask from a blocking task.
pub(crate) fn fits(password: &str, hash: &str) -> bool {
    let parsed = PasswordHash::new(hash);
    parsed.is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

/// What is wrong with a hash.
pub(crate) fn check(hash: &str) -> Result<(), &'static str> {
    let parsed = PasswordHash::new(hash).map_err(|_| "no argon2 hash of a password")?;
    if !matches!(parsed.algorithm.as_str(), "argon2id" | "argon2i" | "argon2d") || parsed.hash.is_none() {
        return Err("no argon2 hash of a password");
    }
    let cost = argon2::Params::try_from(&parsed).map_err(|_| "costs that argon2 does not know")?;
    if cost.m_cost() > MOST_MEMORY || cost.t_cost() > MOST_PASSES {
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
