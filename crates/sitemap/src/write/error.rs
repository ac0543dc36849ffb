//! The errors of writing.

use std::io;

use crate::{MAX_BYTES, MAX_ENTRIES, MAX_LOC_CHARS};

/// The reason why an entry is valid in no sitemap. Nothing of it was written; the series continues.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// The location is no absolute `http` or `https` URL.
    #[error("the URL is not absolute: a sitemap lists http:// and https:// URLs in full")]
    Relative,
    /// The location has too many characters.
    #[error("the URL has {chars} characters: a sitemap holds at most {MAX_LOC_CHARS}")]
    TooLong {
        /// Characters, not bytes.
        chars: usize,
    },
    /// The location contains white space, a control character or a character that XML excludes.
    #[error("the URL holds {found:?}, which no sitemap can hold as it is: percent-encode it")]
    Character {
        /// The first such character.
        found: char,
    },
    /// The entry alone exceeds the maximum size of a file.
    #[error("the entry takes {bytes} bytes, more than a file of the set limit can hold: raise the byte limit")]
    TooLarge {
        /// Bytes of the entry, its line end included.
        bytes: u64,
    },
}

/// The reason why the options of a series are invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// The number of URLs in a file.
    #[error("a sitemap may hold 1 to {MAX_ENTRIES} URLs, not {0}")]
    Urls(usize),
    /// The bytes of a file.
    #[error("a sitemap may have up to {MAX_BYTES} bytes, and an empty one needs {least}: {bytes} is no limit to use")]
    Bytes {
        /// The requested number.
        bytes: u64,
        /// The minimum.
        least: u64,
    },
    /// The number of parts in an index.
    #[error("a sitemap index may list 1 to {MAX_ENTRIES} parts, not {0}")]
    Parts(usize),
    /// A name that is not valid in both files and URLs.
    #[error("{0:?} cannot name sitemap files: use letters, digits, `.`, `_` and `-`, not starting with a dot")]
    Name(String),
    /// The base of index entries.
    #[error("{0} cannot be the base of sitemap URLs: give an http:// or https:// URL")]
    Base(String),
}

/// The error of a series. `E` is the destination's own error.
///
/// After any error but [`SeriesError::Entry`] the series is unusable, and nothing has been published.
#[derive(Debug, thiserror::Error)]
pub enum SeriesError<E: std::error::Error + 'static> {
    /// The options are invalid.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// This entry cannot be listed; the series continues without it.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// There is nothing to write: the protocol has no empty sitemap.
    #[error("no URL was given: a sitemap holds at least one, so nothing is published")]
    Empty,
    /// A file could not be written.
    #[error("cannot write {file}: {source}")]
    Write {
        /// The file's name.
        file: String,
        /// The error of the writer.
        source: io::Error,
    },
    /// The destination could not create, close or publish.
    #[error("{what}: {source}")]
    Destination {
        /// The operation of the destination.
        what: String,
        /// The error of the destination.
        source: E,
    },
    /// An earlier error left this series unusable.
    #[error("an earlier error stopped this series: start it again")]
    Stopped,
}

impl<E: std::error::Error + 'static> SeriesError<E> {
    /// Returns true if only this entry is invalid, so that the series can continue.
    pub const fn is_entry(&self) -> bool {
        matches!(self, Self::Entry(_))
    }

    pub(crate) fn write(file: &str, source: io::Error) -> Self {
        Self::Write { file: file.to_owned(), source }
    }

    pub(crate) fn destination(what: impl Into<String>, source: E) -> Self {
        Self::Destination { what: what.into(), source }
    }
}
