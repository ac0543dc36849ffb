//! A small disk for a test alone, which can be full, and files that cannot be written, whoever runs the test.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Set in the process of a test that has mounts of its own.
const INSIDE: &str = "MAPWRIGHT_TEST_MOUNTS";

/// Runs the body of a test in a process of its own that has private mounts (unshare(1)): they are nobody else's
/// business, and end with it however it ends. `test` is the name of the calling test.
///
/// # Panics
/// Where the test fails, or where the system lets nobody mount here: needed is root with `CAP_SYS_ADMIN`, or user
/// namespaces for everyone.
#[track_caller]
pub fn in_private_mounts(test: &str, body: impl FnOnce()) {
    if std::env::var_os(INSIDE).is_some() {
        return body();
    }
    let program = std::env::current_exe().expect("the path of the running test");
    let mut command = Command::new("unshare");
    command.arg(private_mounts()).arg(program).args([test, "--exact", "--nocapture"]).env(INSIDE, "yes");
    let output = command.output().expect("unshare, which has just been there");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    eprintln!("{said}");
    assert!(output.status.success(), "{test} failed in its own mounts");
    assert!(said.contains("1 passed"), "there is no test of the name {test}");
}

/// The flag of unshare(1) with which one may mount here: as root, else as root of a user namespace.
#[track_caller]
fn private_mounts() -> &'static str {
    let folder = tempfile::TempDir::new().expect("a folder for the test");
    let mut refusals = String::new();
    for flag in ["-m", "-rm"] {
        let mut mount = Command::new("unshare");
        mount.arg(flag).args(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(folder.path());
        match mount.output() {
            Ok(output) if output.status.success() => return flag,
            Ok(output) => refusals.push_str(&String::from_utf8_lossy(&output.stderr)),
            Err(error) => refusals.push_str(&format!("unshare: {error}\n")),
        }
    }
    panic!(
        "this test needs a small disk of its own, and nobody may mount here: run it as root (in a container with \
         CAP_SYS_ADMIN) or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1).\n{refusals}"
    )
}

/// A file system in memory of a certain size, mounted on a folder until it is dropped.
#[derive(Debug)]
pub struct Tmpfs {
    folder: PathBuf,
}

impl Tmpfs {
    /// Mounts one of so many bytes on this folder, which is made where it is missing.
    ///
    /// # Panics
    /// Where that fails; outside of [`in_private_mounts`] for instance.
    #[track_caller]
    #[must_use]
    pub fn on(folder: &Path, bytes: u64) -> Tmpfs {
        assert!(std::env::var_os(INSIDE).is_some(), "mounts belong into `in_private_mounts`");
        std::fs::create_dir_all(folder).expect("a folder to mount on");
        let disk = Tmpfs { folder: folder.to_owned() };
        disk.mount(&format!("size={bytes}"));
        disk
    }

    /// Gives it so many bytes.
    ///
    /// # Panics
    /// Where that fails.
    #[track_caller]
    pub fn resize(&self, bytes: u64) {
        self.mount(&format!("remount,size={bytes}"));
    }

    /// Lets nobody write on it.
    ///
    /// # Panics
    /// Where that fails, because a file is open for writing for instance.
    #[track_caller]
    pub fn make_read_only(&self) {
        self.mount("remount,ro");
    }

    /// Lets it be written again.
    ///
    /// # Panics
    /// Where that fails.
    #[track_caller]
    pub fn make_writable(&self) {
        self.mount("remount,rw");
    }

    /// With both source and target named, mount(8) adds no option of the old mount; in a user namespace some of them
    /// would be refused.
    #[track_caller]
    fn mount(&self, options: &str) {
        run(Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&self.folder));
    }
}

impl Drop for Tmpfs {
    fn drop(&mut self) {
        unmount(&self.folder);
    }
}

/// A file that nobody can write, root neither, until it is dropped: it is mounted on itself, read-only.
#[derive(Debug)]
pub struct Sealed {
    file: PathBuf,
}

impl Sealed {
    /// Seals this file.
    ///
    /// # Panics
    /// Where that fails.
    #[track_caller]
    #[must_use]
    pub fn file(file: &Path) -> Sealed {
        run(Command::new("mount").arg("--bind").args([file, file]));
        let sealed = Sealed { file: file.to_owned() };
        run(Command::new("mount").args(["-o", "remount,bind,ro"]).args([file, file]));
        let refused = std::fs::OpenOptions::new().append(true).open(file);
        assert!(refused.is_err(), "{} can be written still", file.display());
        sealed
    }
}

impl Drop for Sealed {
    fn drop(&mut self) {
        unmount(&self.file);
    }
}

/// A mount that cannot be undone now goes with the process, at the latest.
fn unmount(target: &Path) {
    let undone = Command::new("umount").arg(target).status();
    assert!(undone.is_ok_and(|status| status.success()) || std::thread::panicking(), "cannot unmount {target:?}");
}

#[track_caller]
fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
}
