//! The limit of open files: each connection is one.

use crate::exit::Exit;
use crate::failure::Failure;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the limit of open files to the maximum that the system permits. Shells set a lower limit for programs that
/// could not handle more; where it cannot be raised, it stays.
pub(crate) fn allow_all() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, ..limit };
    let _ = setrlimit(Resource::Nofile, raised);
}

/// Minimum number of files for a crawl: those of the record and of the output, and a few connections. The database
/// reports a lack of them as a file that cannot be opened.
const MIN_FILES: u64 = 32;

/// Refuses to start where the process may open too few files.
///
/// # Errors
/// The limit is too low.
pub(crate) fn check() -> Result<(), Failure> {
    match getrlimit(Resource::Nofile).current {
        Some(limit) if limit < MIN_FILES => Err(Failure::new(
            Exit::Failed,
            format!("this process may open no more than {limit} files"),
            "starting",
            format!("raise the limit to {MIN_FILES} or more by `ulimit -n`, or by LimitNOFILE= of its systemd unit"),
        )),
        _ => Ok(()),
    }
}
