//! A directory that sitemaps are published into.

use crate::error::PublishError;
use mapwright_files::{Draft, Folder, Lock, LockError};
use mapwright_sitemap::{Destination, Manifest};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long another process is waited for that holds the directory's lock for itself alone.
const MOST_WAIT: Duration = Duration::from_secs(10);

/// A directory, checked to be writable.
///
/// Files are written under names that nobody can guess, synced, and renamed into place one by one. Such drafts are removed
/// when this is dropped, and those of a process that was killed when the next one begins. So that nobody takes the drafts
/// of one that is at work for such, it holds a lock that is shared by all who use the directory.
#[derive(Debug)]
pub struct Directory {
    folder: Folder,
    _lock: Lock,
    staged: RefCell<BTreeMap<String, Draft>>,
}

impl Directory {
    /// Makes the directory if it is missing, and checks that files can be made, written and renamed in it. Another process
    /// that holds its lock alone is waited for ten seconds, which `say` tells.
    ///
    /// # Errors
    /// When they cannot, or the lock is not had.
    pub fn prepare(path: &Path, say: &dyn Fn(&str)) -> Result<Self, PublishError> {
        let failed = PublishError::file(path);
        let folder = Folder::make(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotADirectory => io::Error::new(error.kind(), "a file stands there, and no directory"),
            _ => error,
        });
        let folder = folder.map_err(PublishError::file(path))?;
        let waits = || say(&format!("waiting for another process that holds a lock on {}", path.display()));
        let lock = Lock::take(&folder, MOST_WAIT, waits, || folder.sweep()).map_err(|error| {
            failed(match error {
                LockError::Io(error) => error,
                LockError::Held => io::Error::new(
                    io::ErrorKind::WouldBlock,
                    "another process holds a lock on the directory; end it (`fuser` names it), or choose another directory",
                ),
            })
        })?;
        let directory = Self { folder, _lock: lock, staged: RefCell::default() };
        let mut files = &directory;
        let probe = files.create("probe").map_err(PublishError::file(path))?;
        files.close("probe", probe).map_err(PublishError::file(path))?;
        directory.discard("probe").map_err(PublishError::file(path))?;
        Ok(directory)
    }

    /// The path of a published file, to be shown.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.file(name)
    }

    /// The directory itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The directory as it was opened.
    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Writes a small file that is none of a set, at once; one with the same content stays as it is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put(&self, name: &str, content: &str) -> Result<(), PublishError> {
        let mut there = Vec::new();
        let read = self.folder.read(name).and_then(|file| file.take(content.len() as u64 + 1).read_to_end(&mut there));
        if read.is_ok() && there == content.as_bytes() {
            return Ok(());
        }
        let write = || {
            let mut files = self;
            let mut file = files.create(name)?;
            file.write_all(content.as_bytes())?;
            files.close(name, file)?;
            self.reveal(name, name)
        };
        write().map_err(PublishError::file(self.file(name)))
    }

    /// Makes a staged file visible under `name`, replacing the plain file that is there at once.
    pub(crate) fn reveal(&self, staged: &str, name: &str) -> io::Result<()> {
        let draft = self.staged.borrow_mut().remove(staged);
        draft.map_or(Ok(()), |draft| self.folder.reveal(&draft, name))
    }

    /// As [`reveal`](Self::reveal), but a file that is there with the very same bytes stays as it is, and the staged one
    /// goes.
    pub(crate) fn reveal_changed(&self, staged: &str, name: &str) -> io::Result<()> {
        if self.holds(staged, name) { self.discard(staged) } else { self.reveal(staged, name) }
    }

    /// Whether a published file has the very bytes of a staged one.
    pub(crate) fn holds(&self, staged: &str, name: &str) -> bool {
        let drafts = self.staged.borrow();
        let same = |draft| are_same([self.folder.read_draft(draft)?, self.folder.read(name)?]);
        drafts.get(staged).is_some_and(|draft| same(draft).unwrap_or(false))
    }

    /// Lets a staged file go.
    pub(crate) fn discard(&self, staged: &str) -> io::Result<()> {
        self.staged.borrow_mut().remove(staged).map_or(Ok(()), |draft| self.folder.discard(&draft))
    }

    /// Makes renames and removals durable.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.folder.sync()
    }

    /// Removes a published file; one that is gone already is no error.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        self.folder.remove(name)
    }
}

/// Whether two files hold the same bytes.
fn are_same([one, other]: [File; 2]) -> io::Result<bool> {
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (BufReader::new(one), BufReader::new(other));
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let length = left.len().min(right.len());
        if left.get(..length) != right.get(..length) {
            return Ok(false);
        }
        if length == 0 {
            return Ok(left.is_empty() && right.is_empty());
        }
        one.consume(length);
        other.consume(length);
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        self.staged.borrow().values().for_each(|draft| drop(self.folder.discard(draft)));
    }
}

impl Destination for &Directory {
    type File = BufWriter<File>;
    type Error = io::Error;

    fn create(&mut self, name: &str) -> io::Result<Self::File> {
        let (draft, file) = self.folder.draft()?;
        // One of this name that was begun before is not to stay behind.
        if let Some(before) = self.staged.borrow_mut().insert(name.to_owned(), draft) {
            self.folder.discard(&before)?;
        }
        Ok(BufWriter::with_capacity(1 << 16, file))
    }

    fn close(&mut self, _: &str, file: Self::File) -> io::Result<()> {
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }

    /// Reveals every file under its own name, the entry point last.
    fn publish(&mut self, manifest: &Manifest) -> io::Result<()> {
        for name in manifest.files() {
            self.reveal(name, name)?;
        }
        self.sync()
    }
}
