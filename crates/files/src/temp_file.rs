//! A file that is being written, under a random name.

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, fstat, openat, statat, unlinkat};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

/// The prefix of the names of drafts.
pub(crate) const PREFIX: &str = ".mapwright-";

/// The maximum number of names tried for a draft; names are random, so a collision is very unlikely.
const TRIES: usize = 8;

/// A file under an unguessable name; its [`Folder`](crate::Folder) either reveals or discards it.
#[derive(Debug)]
#[must_use]
pub struct TempFile {
    pub(crate) name: String,
    /// The device and inode number of the file.
    identity: (u64, u64),
}

impl TempFile {
    /// Creates a draft in an opened directory.
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

    /// Checks that a name leads to the file that was written.
    pub(crate) fn check(&self, directory: &OwnedFd, name: &str) -> io::Result<()> {
        let about = statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
        // The inode number of a removed file may be reused for a link, so the type is checked as well.
        let is_file = FileType::from_raw_mode(about.st_mode) == FileType::RegularFile;
        if is_file && identity(&about) == self.identity {
            return Ok(());
        }
        Err(io::Error::other("another process put something else in the place of the file that was being written"))
    }

    /// Removes the file under the draft's name.
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
