//! The bytes of a published file, its hash and its media type.

use super::error::MirrorError;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The maximum number of bytes read of a published file: more than the 50 MB of a sitemap, compressed or not.
const MAX_FILE: u64 = 64 << 20;

/// A file's bytes.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) bytes: Vec<u8>,
    /// The SHA-256 in hexadecimal digits.
    pub(crate) sha256: String,
}

impl Content {
    /// Reads a file on a blocking thread.
    pub(crate) async fn read(path: PathBuf) -> Result<Self, MirrorError> {
        let at = path.clone();
        let read = tokio::task::spawn_blocking(move || Self::read_now(&path)).await;
        read.unwrap_or_else(|error| Err(MirrorError::file(at)(std::io::Error::other(error))))
    }

    fn read_now(path: &Path) -> Result<Self, MirrorError> {
        let mut bytes = Vec::new();
        let file = mapwright_files::read(path).map_err(MirrorError::file(path))?;
        file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(MirrorError::file(path))?;
        let length = bytes.len() as u64;
        if length > MAX_FILE {
            return Err(MirrorError::Large { path: path.to_owned(), bytes: length });
        }
        Ok(Self { sha256: sha256(&bytes), bytes })
    }
}

/// The SHA-256 of some bytes, in hexadecimal digits (FIPS 180-4).
pub(crate) fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The media type of a file, by its name. A `.gz` file has its own media type and no content coding (RFC 6713).
#[cfg(feature = "cloud")]
pub(crate) fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("xml") => "application/xml",
        Some("gz") => "application/gzip",
        Some("txt") => "text/plain; charset=utf-8",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
