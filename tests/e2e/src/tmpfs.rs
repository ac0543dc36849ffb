//! A small private file system for a test, which can be filled up, and files that cannot be written even by root.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment variable that is set in a test process with private mounts.
const INSIDE: &str = "MAPWRIGHT_TEST_MOUNTS";

/// Runs the body of a test in a separate process with private mounts (unshare(1)). They are invisible to other
/// processes, and vanish with the process even after a crash. `test` is the name of the calling test.
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

/// The flag of unshare(1) that permits mounting on this system: as root, or else as root of a user namespace.
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

/// An in-memory file system of a given size, mounted on a folder until it is dropped.
#[derive(Debug)]
pub struct Tmpfs {
    folder: PathBuf,
}

impl Tmpfs {
    /// Mounts a file system of this size in bytes on this folder, which is created if it is missing.
    #[track_caller]
    pub fn on(folder: &Path, bytes: u64) -> Tmpfs {
        assert!(std::env::var_os(INSIDE).is_some(), "mounts belong into `in_private_mounts`");
        std::fs::create_dir_all(folder).expect("a folder to mount on");
        let disk = Tmpfs { folder: folder.to_owned() };
        disk.mount(&format!("size={bytes}"));
        disk
    }

    /// Resizes the file system to this number of bytes.
    #[track_caller]
    pub fn resize(&self, bytes: u64) {
        self.mount(&format!("remount,size={bytes}"));
    }

    /// Makes the file system read-only.
    #[track_caller]
    pub fn make_read_only(&self) {
        self.mount("remount,ro");
    }

    /// Makes the file system writable again.
    #[track_caller]
    pub fn make_writable(&self) {
        self.mount("remount,rw");
    }

    /// Mounts with both source and target, so that mount(8) adds no option of the old mount: a user namespace refuses
    /// some.
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

/// A file that is mounted on itself read-only until it is dropped, so that not even root can write it.
#[derive(Debug)]
pub struct ReadOnlyFile {
    file: PathBuf,
}

impl ReadOnlyFile {
    /// Mounts this file read-only.
    #[track_caller]
    pub fn file(file: &Path) -> ReadOnlyFile {
        run(Command::new("mount").arg("--bind").args([file, file]));
        let sealed = ReadOnlyFile { file: file.to_owned() };
        run(Command::new("mount").args(["-o", "remount,bind,ro"]).args([file, file]));
        let refused = std::fs::OpenOptions::new().append(true).open(file);
        assert!(refused.is_err(), "{} can be written still", file.display());
        sealed
    }
}

impl Drop for ReadOnlyFile {
    fn drop(&mut self) {
        unmount(&self.file);
    }
}

/// Unmounts a target. If that fails, the mount ends with the process.
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
