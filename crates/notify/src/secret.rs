//! Secrets, which must never be printed or stored.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Bytes of a file that holds a secret, at most.
pub const MAX_SECRET: usize = 64 << 10;

/// A password, a key or a secret URL. It cannot be printed: both output formats write `(secret)`.
#[derive(Clone)]
pub struct Secret(String);

/// The reason why a secret is not available. It names the file, never its content.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The file cannot be read.
    #[error("the file {} with a secret cannot be read: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// The file is too long for a secret.
    #[error("the file {} is longer than {MAX_SECRET} bytes: give one that holds the secret and nothing else", .0.display())]
    Long(PathBuf),
    /// The file is empty.
    #[error("the file {} is empty: write the secret into it", .0.display())]
    Empty(PathBuf),
    /// The file is not text.
    #[error("the file {} is not text in UTF-8: write the secret into it as it is, without encryption", .0.display())]
    NotText(PathBuf),
}

impl Secret {
    /// Wraps a secret that is available as text, such as from a variable.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    /// Reads a secret from a file of at most [`MAX_SECRET`] bytes, without one newline at its end. A file that others
    /// may read is logged as a warning.
    ///
    /// # Errors
    /// If the file cannot be read, is too long, is empty, or is not UTF-8.
    pub fn from_file(path: &Path) -> Result<Secret, SecretError> {
        let unreadable = |cause| SecretError::Unreadable { path: path.to_owned(), cause };
        let file = File::open(path).map_err(unreadable)?;
        if open_to_all(&file.metadata().map_err(unreadable)?) {
            tracing::warn!("everybody on this machine may read {}: take that away with chmod o-r", path.display());
        }
        let mut bytes = Vec::new();
        file.take(MAX_SECRET as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() > MAX_SECRET {
            return Err(SecretError::Long(path.to_owned()));
        }
        let text = String::from_utf8(bytes).map_err(|_| SecretError::NotText(path.to_owned()))?;
        let line = text.strip_suffix('\n').map_or(text.as_str(), |line| line.strip_suffix('\r').unwrap_or(line));
        if line.is_empty() {
            return Err(SecretError::Empty(path.to_owned()));
        }
        Ok(Secret(line.to_owned()))
    }

    /// Returns the secret itself, for sending.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// Returns whether users other than the owner and its group may read a file.
fn open_to_all(metadata: &Metadata) -> bool {
    metadata.is_file() && metadata.permissions().mode() & 0o004 != 0
}

#[cfg(test)]
mod tests;
