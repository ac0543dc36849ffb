//! Resolves the path of a directory, component by component.

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat, mkdirat, openat, readlinkat, statat};
use rustix::io::Errno;
use rustix::process::{Uid, geteuid};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Component, Path, PathBuf};

/// The maximum number of links on a path: as many as Linux follows (path_resolution(7)).
const MAX_LINKS: usize = 40;

/// Flags for opening a directory.
const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// Flags for an intermediate directory, which may permit traversal but not reading (only Linux distinguishes the two).
#[cfg(target_os = "linux")]
const ON_THE_WAY: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const ON_THE_WAY: OFlags = DIRECTORY;

/// Opens a directory component by component; with `make`, creates those that are missing. For root, a link of another
/// user on the path is an error, because that user could lead root anywhere.
pub(crate) fn directory(path: &Path, make: bool) -> io::Result<OwnedFd> {
    directory_as(geteuid(), path, make)
}

/// As [`directory`], with the rights of this user.
fn directory_as(own: Uid, path: &Path, make: bool) -> io::Result<OwnedFd> {
    let mut steps: VecDeque<OsString> = steps(path);
    // After `sudo -u`, the working directory may be unreadable for the new user.
    let begin = if path.is_absolute() { "/" } else { "." };
    let (mut at, mut links) = (openat(CWD, begin, ON_THE_WAY, Mode::empty())?, 0);
    while let Some(step) = steps.pop_front() {
        let about = match statat(&at, &step, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) if make => {
                made(mkdirat(&at, &step, Mode::from_raw_mode(0o777)))?;
                statat(&at, &step, AtFlags::SYMLINK_NOFOLLOW)?
            }
            about => about?,
        };
        if FileType::from_raw_mode(about.st_mode) != FileType::Symlink {
            at = openat(&at, &step, ON_THE_WAY | OFlags::NOFOLLOW, Mode::empty())?;
            continue;
        }
        links += 1;
        if links > MAX_LINKS {
            return Err(Errno::LOOP.into());
        }
        let target = target(own, &at, &step, &about)?;
        self::steps(&target).into_iter().rev().for_each(|step| steps.push_front(step));
    }
    Ok(openat(&at, ".", DIRECTORY, Mode::empty())?)
}

/// Treats an existing directory as success: another process may have created it meanwhile.
fn made(result: rustix::io::Result<()>) -> rustix::io::Result<()> {
    match result {
        Err(Errno::EXIST) => Ok(()),
        result => result,
    }
}

/// The components of a path, with the root directory if the path is absolute.
fn steps(path: &Path) -> VecDeque<OsString> {
    let steps = path.components().filter(|step| *step != Component::CurDir);
    steps.map(|step| step.as_os_str().to_owned()).collect()
}

/// The target of a link that may be followed, read from the link that was checked and not from one that replaced it.
fn target(own: Uid, at: &OwnedFd, step: &OsString, about: &Stat) -> io::Result<PathBuf> {
    if own.is_root() && about.st_uid != own.as_raw() {
        let what = "a link of another user is on the way, which root does not follow: name the directory it leads to";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, format!("{}: {what}", Path::new(step).display())));
    }
    let target = readlinkat(at, step, Vec::new())?;
    let now = statat(at, step, AtFlags::SYMLINK_NOFOLLOW)?;
    let identity = |about: &Stat| (about.st_dev, about.st_ino, about.st_uid, about.st_ctime, about.st_ctime_nsec);
    if identity(about) != identity(&now) {
        return Err(Errno::AGAIN.into());
    }
    Ok(OsString::from_vec(target.into_bytes()).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{lchown, symlink};

    #[test]
    fn a_directory_is_made_and_found_again_by_any_of_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        directory(&at("a/./b/c"), true).unwrap();
        assert!(at("a/b/c").is_dir());
        symlink("a/b", at("short")).unwrap();
        symlink(at("short"), at("absolute")).unwrap();
        directory(&at("absolute/c/../c"), false).unwrap();
        assert_eq!(directory(&at("absolute/d"), false).unwrap_err().kind(), io::ErrorKind::NotFound);
        fs::write(at("file"), "").unwrap();
        assert_eq!(directory(&at("file"), true).unwrap_err().kind(), io::ErrorKind::NotADirectory);
        assert_eq!(directory(&at("file/x"), true).unwrap_err().kind(), io::ErrorKind::NotADirectory);
    }

    #[test]
    fn links_that_lead_round_in_a_circle_end() {
        let folder = tempfile::tempdir().unwrap();
        symlink("two", folder.path().join("one")).unwrap();
        symlink("one", folder.path().join("two")).unwrap();
        directory(&folder.path().join("one"), false).unwrap_err();
    }

    #[test]
    fn root_is_led_nowhere_by_another_user() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        symlink("/etc", &link).unwrap();
        directory(&link, false).unwrap();
        // When the tests run as root, the link is given to another user.
        if geteuid().is_root() {
            lchown(&link, Some(65_534), None).unwrap();
        }
        let refused = directory_as(Uid::ROOT, &link, false).unwrap_err();
        assert!(refused.to_string().starts_with("link: a link of another user"), "{refused}");
    }
}
