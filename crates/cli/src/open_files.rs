//! The limit of open files: each connection is one.

use crate::exit::Exit;
use crate::failure::Failure;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Lets the process open as many files as the system allows it. Shells set a lower limit for programs that could not
/// bear more; where it cannot be raised, it stays.
pub(crate) fn allow_all() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, ..limit };
    let _ = setrlimit(Resource::Nofile, raised);
}

/// Files that a crawl needs at least: those of the record and of the output, and a few connections. The database tells of
/// a lack of them as of a file that cannot be opened.
const MIN_FILES: u64 = 32;

/// Refuses to begin what could not be done with as few files as the process may open.
///
/// # Errors
/// They are too few.
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
