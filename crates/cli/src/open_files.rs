//! How many files the process may open: each connection is one.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Lets the process open as many files as the system allows it. Shells set a lower limit for programs that could not
/// bear more; where it cannot be raised, it stays.
pub(crate) fn allow_all() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, ..limit };
    let _ = setrlimit(Resource::Nofile, raised);
}
