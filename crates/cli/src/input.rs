//! Reading of complete files and standard input, up to a limit.

use crate::failure::Failure;
use std::fs::File;
use std::io::{self, Read};

/// Reads at most `limit` bytes of a file, or of standard input where the name is `-`; the rest is left unread.
///
/// # Errors
/// The file cannot be opened or read; `place` is where the user named it.
pub(crate) fn read(name: &str, limit: u64, place: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let result = match name {
        "-" => io::stdin().lock().take(limit).read_to_end(&mut bytes),
        path => File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes)),
    };
    result.map_err(|error| unreadable(name, &error, place))?;
    Ok(bytes)
}

/// The failure for a file that cannot be read.
pub(crate) fn unreadable(name: &str, error: &io::Error, place: &str) -> Failure {
    Failure::usage(format!("cannot read `{name}` ({error})"), place, "name a file that can be read")
}
