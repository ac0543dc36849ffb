//! What must never be printed or stored.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Bytes of a file that holds a secret, at most.
pub const MOST_SECRET: usize = 64 << 10;

/// A password, a key or a secret URL. It cannot be printed: both of its forms of output say `(secret)`.
#[derive(Clone)]
pub struct Secret(String);

/// Why a secret cannot be had. Names the file, never what is in it.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The file cannot be read.
    #[error("the file {} with a secret cannot be read: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The file holds more than a secret.
    #[error("the file {} is longer than {MOST_SECRET} bytes: give one that holds the secret and nothing else", .0.display())]
    Long(PathBuf),
    /// The file holds nothing.
    #[error("the file {} is empty: write the secret into it", .0.display())]
    Empty(PathBuf),
    /// The file holds what is no text.
    #[error("the file {} is not text in UTF-8: write the secret into it as it is, without encryption", .0.display())]
    NotText(PathBuf),
}

impl Secret {
    /// A secret that is at hand, from a variable say.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    /// The secret in a file of at most [`MOST_SECRET`] bytes, less one newline at its end. That others may read the
    /// file is logged as a warning.
    ///
    /// # Errors
    /// Where the file cannot be read, is too long, is empty, or is not UTF-8.
    pub fn from_file(path: &Path) -> Result<Secret, SecretError> {
        let unreadable = |cause| SecretError::Unreadable { path: path.to_owned(), cause };
        let file = File::open(path).map_err(unreadable)?;
        if open_to_all(&file.metadata().map_err(unreadable)?) {
            tracing::warn!("everybody on this machine may read {}: take that away with chmod o-r", path.display());
        }
        let mut bytes = Vec::new();
        file.take(MOST_SECRET as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() > MOST_SECRET {
            return Err(SecretError::Long(path.to_owned()));
        }
        let text = String::from_utf8(bytes).map_err(|_| SecretError::NotText(path.to_owned()))?;
        let line = text.strip_suffix('\n').map_or(text.as_str(), |line| line.strip_suffix('\r').unwrap_or(line));
        if line.is_empty() {
            return Err(SecretError::Empty(path.to_owned()));
        }
        Ok(Secret(line.to_owned()))
    }

    /// The secret itself, for the one who must send it.
    pub(crate) fn expose(&self) -> &str {
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

/// Whether users other than the owner and its group may read a file.
fn open_to_all(metadata: &Metadata) -> bool {
    metadata.is_file() && metadata.permissions().mode() & 0o004 != 0
}

#[cfg(test)]
mod tests;
