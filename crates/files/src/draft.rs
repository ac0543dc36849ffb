//! A file that is being written, and has no name that anybody knows.

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, fstat, openat, statat, unlinkat};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

/// The beginning of the names of drafts.
pub(crate) const PREFIX: &str = ".mapwright-";

/// Names tried for a draft, at most: that one exists is next to impossible.
const TRIES: usize = 8;

/// A file under a name that nobody could guess; to be made visible, or let go, by its [`Folder`](crate::Folder).
#[derive(Debug)]
#[must_use]
pub struct Draft {
    pub(crate) name: String,
    /// Its device and its number there.
    identity: (u64, u64),
}

impl Draft {
    /// Begins one in an opened directory.
    pub(crate) fn begin(directory: &OwnedFd) -> io::Result<(Self, File)> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        for _ in 0..TRIES {
            let name = format!("{PREFIX}{:032x}", random()?);
            match openat(directory, &name, flags, Mode::from_raw_mode(0o666)) {
                Err(Errno::EXIST) => {}
                file => {
                    let file = file?;
                    return Ok((Self { name, identity: identity(&fstat(&file)?) }, File::from(file)));
                }
            }
        }
        Err(Errno::EXIST.into())
    }

    /// Checks that a name leads to what was written.
    pub(crate) fn check(&self, directory: &OwnedFd, name: &str) -> io::Result<()> {
        let about = statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
        // The number of a file that was removed may be given to a link.
        let is_file = FileType::from_raw_mode(about.st_mode) == FileType::RegularFile;
        if is_file && identity(&about) == self.identity {
            return Ok(());
        }
        Err(io::Error::other("another process put something else in the place of the file that was being written"))
    }

    /// Removes what is there under its name.
    pub(crate) fn remove(&self, directory: &OwnedFd) -> io::Result<()> {
        Ok(unlinkat(directory, &self.name, AtFlags::empty())?)
    }
}

fn identity(about: &Stat) -> (u64, u64) {
    (about.st_dev, about.st_ino)
}

fn random() -> io::Result<u128> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(u128::from_ne_bytes(bytes))
}
