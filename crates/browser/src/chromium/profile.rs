//! The folder of a browser's files.

use rustix::process::{Pid, test_kill_process};
use std::fs;
use std::io;
use std::path::Path;
use tempfile::TempDir;

/// The beginning of the folder's name; the id of the process that made it follows.
const PREFIX: &str = "mapwright-browser-";

/// Makes a folder that only its owner may read, and removes those that killed processes have left.
pub(crate) fn make() -> io::Result<TempDir> {
    sweep(&std::env::temp_dir());
    tempfile::Builder::new().prefix(&format!("{PREFIX}{}-", std::process::id())).tempdir()
}

/// Removes the profiles whose process has ended. What cannot be removed belongs to somebody else.
fn sweep(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_str().is_some_and(is_left)) {
        if let Err(error) = fs::remove_dir_all(entry.path()) {
            tracing::debug!(path = %entry.path().display(), %error, "an old profile stays");
        }
    }
}

/// Reports whether a folder is the profile of a process that has ended.
fn is_left(name: &str) -> bool {
    let owner = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-')?.0.parse().ok());
    // The error of a process of somebody else is another.
    owner.and_then(Pid::from_raw).is_some_and(|owner| test_kill_process(owner) == Err(rustix::io::Errno::SRCH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_of_ended_processes_are_removed_and_no_others() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let ended = child.id();
        child.wait().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let own = std::process::id();
        let names =
            [format!("{PREFIX}{ended}-a"), format!("{PREFIX}{own}-b"), format!("{PREFIX}c"), format!("x-{ended}-d")];
        for name in &names {
            fs::create_dir_all(folder.path().join(name).join("below")).unwrap();
        }
        sweep(folder.path());
        let left: Vec<bool> = names.iter().map(|name| folder.path().join(name).exists()).collect();
        assert_eq!(left, [false, true, true, true]);
    }
}
