//! An opened directory and the files in it.

use crate::open_directory;
use crate::temp_file::{PREFIX, TempFile};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, fsync, openat, renameat, statat, unlinkat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// A directory that is opened once. All operations are relative to its descriptor, so a path that changes later has no
/// effect.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    directory: OwnedFd,
}

impl Folder {
    /// Opens a directory.
    ///
    /// # Errors
    /// When it is missing or cannot be opened, or when the process runs as root and the path goes through another
    /// user's link.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), directory: open_directory::directory(path, false)? })
    }

    /// Opens a directory and creates it and its parents if they are missing.
    ///
    /// # Errors
    /// When it can neither be opened nor created, or when the process runs as root and the path goes through another
    /// user's link.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), directory: open_directory::directory(path, true)? })
    }

    /// The path that the directory was opened by.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in the directory, for display.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Creates a file under a random name until [`persist`](Self::persist).
    ///
    /// # Errors
    /// When no file can be created.
    pub fn draft(&self) -> io::Result<(TempFile, File)> {
        TempFile::begin(&self.directory)
    }

    /// Renames a draft to its final name and atomically replaces the plain file of that name, if there is one. A draft
    /// that cannot be renamed is discarded.
    ///
    /// # Errors
    /// When something other than a plain file has the name or has replaced the draft, or when the rename fails.
    pub fn persist(&self, draft: &TempFile, name: &str) -> io::Result<()> {
        let rename = || {
            self.check_replaceable(name)?;
            draft.check(&self.directory, &draft.name)?;
            renameat(&self.directory, &draft.name, &self.directory, checked_name(name)?)?;
            // Another process may have replaced the draft between check and rename: such a file is removed.
            draft.check(&self.directory, name).inspect_err(|_| drop(self.remove(name)))
        };
        rename().inspect_err(|_| drop(self.discard(draft)))
    }

    /// Discards a draft.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn discard(&self, draft: &TempFile) -> io::Result<()> {
        draft.remove(&self.directory)
    }

    /// Opens a draft for reading.
    ///
    /// # Errors
    /// When it cannot be opened, or is no plain file any more.
    pub fn read_draft(&self, draft: &TempFile) -> io::Result<File> {
        self.read(&draft.name)
    }

    /// Checks that a name is free or belongs to a plain file, which may be replaced.
    ///
    /// # Errors
    /// When something else has the name; the message says what it is and what to do.
    pub fn check_replaceable(&self, name: &str) -> io::Result<()> {
        match self.kind(name)? {
            None | Some(FileType::RegularFile) => Ok(()),
            Some(kind) => Err(not_a_plain_file(kind)),
        }
    }

    /// Opens a plain file for reading.
    ///
    /// # Errors
    /// When it is missing, is not a plain file, or cannot be opened.
    pub fn read(&self, name: &str) -> io::Result<File> {
        // `NONBLOCK`: opening a pipe returns at once.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        match openat(&self.directory, checked_name(name)?, flags, Mode::empty()) {
            Err(Errno::LOOP) => Err(not_a_plain_file(FileType::Symlink)),
            file => {
                let file = File::from(file?);
                match FileType::from_raw_mode(rustix::fs::fstat(&file)?.st_mode) {
                    FileType::RegularFile => Ok(file),
                    kind => Err(not_a_plain_file(kind)),
                }
            }
        }
    }

    /// Returns true if a plain file has this name.
    #[must_use]
    pub fn is_file(&self, name: &str) -> bool {
        matches!(self.kind(name), Ok(Some(FileType::RegularFile)))
    }

    /// Returns true if the name is free.
    #[must_use]
    pub fn is_free(&self, name: &str) -> bool {
        matches!(self.kind(name), Ok(None))
    }

    /// Removes the entry of this name unless it is a directory; a missing entry is no error.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        match unlinkat(&self.directory, checked_name(name)?, AtFlags::empty()) {
            Err(Errno::NOENT) => Ok(()),
            removed => Ok(removed?),
        }
    }

    /// Removes drafts left by killed processes. One that cannot be removed does no harm and is skipped.
    pub fn remove_stale_temp_files(&self) {
        let Ok(entries) = rustix::fs::Dir::read_from(&self.directory) else { return };
        let names = entries.flatten().map(|entry| entry.file_name().to_owned());
        let drafts = names.filter(|name| name.to_bytes().starts_with(PREFIX.as_bytes()));
        drafts.for_each(|name| _ = unlinkat(&self.directory, name, AtFlags::empty()));
    }

    /// Makes renames and removals durable.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn sync(&self) -> io::Result<()> {
        Ok(fsync(&self.directory)?)
    }

    /// Opens the directory again, so that it can be locked separately.
    pub(crate) fn reopen(&self) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(File::from(openat(&self.directory, ".", flags, Mode::empty())?))
    }

    /// The type of the entry of this name, if there is one.
    fn kind(&self, name: &str) -> io::Result<Option<FileType>> {
        match statat(&self.directory, checked_name(name)?, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => Ok(None),
            about => Ok(Some(FileType::from_raw_mode(about?.st_mode))),
        }
    }
}

/// Writes a small file, atomically replaces the plain file at this path if there is one, and syncs it to disk.
///
/// # Errors
/// When it cannot be written, or something other than a plain file is there.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let (folder, name) = open_parent(path)?;
    folder.check_replaceable(name)?;
    let (draft, mut file) = folder.draft()?;
    file.write_all(content).and_then(|()| file.sync_all()).inspect_err(|_| drop(folder.discard(&draft)))?;
    folder.persist(&draft, name)?;
    folder.sync()
}

/// Opens the plain file at this path for reading.
///
/// # Errors
/// When it is missing, is not a plain file, or cannot be opened.
pub fn read(path: &Path) -> io::Result<File> {
    let (folder, name) = open_parent(path)?;
    folder.read(name)
}

/// Splits a path into its parent directory, opened, and the file name.
fn open_parent(path: &Path) -> io::Result<(Folder, &str)> {
    let name = path.file_name().and_then(OsStr::to_str).ok_or_else(no_name)?;
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    Ok((Folder::open(above.unwrap_or(Path::new(".")))?, name))
}

/// Checks that a name is a single path component within its directory.
fn checked_name(name: &str) -> io::Result<&str> {
    if name.is_empty() || matches!(name, "." | "..") || name.contains(['/', '\0']) { Err(no_name()) } else { Ok(name) }
}

fn no_name() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "this is no name of a file")
}

/// The error for an entry that is not a plain file; the entry is not changed.
pub(crate) fn not_a_plain_file(kind: FileType) -> io::Error {
    let what = match kind {
        FileType::Symlink => "a symbolic link",
        FileType::Directory => "a directory",
        FileType::Fifo => "a pipe",
        FileType::Socket => "a socket",
        _ => "a device",
    };
    io::Error::other(format!("{what} is at this path instead of a plain file; remove it, or choose another directory"))
}

#[cfg(test)]
mod tests;
