//! The errors of publishing.

use mapwright_sitemap::SeriesError;
use mapwright_store::StoreError;
use std::path::PathBuf;

/// The reason why nothing was published. The old sitemap, if there is one, is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// A file or folder cannot be created, written or renamed.
    #[error("{path}: {source}")]
    File {
        /// The path.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// An existing sitemap was not written for this site.
    #[error("{path}: mapwright did not write this file for this site")]
    Foreign {
        /// The path.
        path: PathBuf,
    },
    /// The sitemap cannot be written with these options.
    #[error("{0}")]
    Series(String),
    /// The URLs need several files, and standard output takes one.
    #[error("the sitemap needs more than one file, and standard output takes one; give a directory with --out DIR")]
    SeveralFiles,
    /// The URLs are of several hosts, a file lists one host, and standard output takes one file.
    #[error(
        "pages of several hosts are listed, each of which needs a file of its own, and standard output takes one; give a directory with --out DIR"
    )]
    SeveralHosts,
    /// The record cannot be read.
    #[error(transparent)]
    Record(#[from] StoreError),
}

impl PublishError {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }

    /// There is nothing to write.
    pub(crate) fn empty() -> Self {
        SeriesError::<std::convert::Infallible>::Empty.into()
    }
}

impl<E: std::error::Error + 'static> From<SeriesError<E>> for PublishError {
    fn from(error: SeriesError<E>) -> Self {
        Self::Series(error.to_string())
    }
}
