//! The reasons for which the browser cannot be started.

use std::io;
use std::path::PathBuf;

/// The oldest version whose protocol has all that is used.
pub(crate) const OLDEST: u32 = 120;

/// The reason for which the browser cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program cannot be run.
    #[error("{} cannot be started: {error}", path.display())]
    Failed {
        /// The program.
        path: PathBuf,
        /// The system's reason.
        #[source]
        error: io::Error,
    },
    /// It does not answer on the pipe.
    #[error("{} does not answer{}", path.display(), if *sandbox { " with its sandbox; without: --render-sandbox off" } else { "" })]
    Silent {
        /// The program.
        path: PathBuf,
        /// It was started with its sandbox.
        sandbox: bool,
    },
    /// It is too old.
    #[error("{} is version {version}; {OLDEST} or later is needed", path.display())]
    Old {
        /// The program.
        path: PathBuf,
        /// Its version.
        version: String,
    },
}
