//! A directory that sitemaps are published into.

use crate::error::PublishError;
use mapwright_files::{Folder, Lock, LockError, TempFile};
use mapwright_sitemap::{Destination, Manifest};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The maximum wait for another process's exclusive lock on the directory.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// A directory, checked to be writable.
///
/// Files are written under random names, synced, and renamed into place one by one. Drafts are removed when this is
/// dropped; those of a killed process are removed when the next one starts. A lock that is shared by all users of the
/// directory protects the drafts of running processes.
#[derive(Debug)]
pub struct Directory {
    folder: Folder,
    _lock: Lock,
    staged: RefCell<BTreeMap<String, TempFile>>,
}

impl Directory {
    /// Creates the directory if it is missing, and checks that files can be created, written and renamed in it. It
    /// waits ten seconds for another process's exclusive lock and reports the wait through `say`.
    ///
    /// # Errors
    /// When the checks fail or the lock is not obtained.
    pub fn prepare(path: &Path, say: &dyn Fn(&str)) -> Result<Self, PublishError> {
        let failed = PublishError::file(path);
        let folder = Folder::create(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotADirectory => {
                io::Error::new(error.kind(), "a file is at this path instead of a directory")
            }
            _ => error,
        });
        let folder = folder.map_err(PublishError::file(path))?;
        let waits = || say(&format!("waiting for another process that holds a lock on {}", path.display()));
        let lock = Lock::acquire(&folder, MAX_WAIT, waits, || folder.remove_stale_temp_files()).map_err(|error| {
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

    /// The path of a published file, for display.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.file(name)
    }

    /// The path of the directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The opened directory.
    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Atomically writes a small file that is not part of a set; a file with the same content is not rewritten.
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
            self.persist(name, name)
        };
        write().map_err(PublishError::file(self.file(name)))
    }

    /// Renames a staged file to `name` and atomically replaces the plain file of that name.
    pub(crate) fn persist(&self, staged: &str, name: &str) -> io::Result<()> {
        let draft = self.staged.borrow_mut().remove(staged);
        draft.map_or(Ok(()), |draft| self.folder.persist(&draft, name))
    }

    /// As `persist` of the folder, but keeps a file that has the same bytes and discards the staged one.
    pub(crate) fn reveal_changed(&self, staged: &str, name: &str) -> io::Result<()> {
        if self.holds(staged, name) { self.discard(staged) } else { self.persist(staged, name) }
    }

    /// Returns true if a published file has the same bytes as a staged one.
    pub(crate) fn holds(&self, staged: &str, name: &str) -> bool {
        let drafts = self.staged.borrow();
        let same = |draft| are_same([self.folder.read_draft(draft)?, self.folder.read(name)?]);
        drafts.get(staged).is_some_and(|draft| same(draft).unwrap_or(false))
    }

    /// Discards a staged file.
    pub(crate) fn discard(&self, staged: &str) -> io::Result<()> {
        self.staged.borrow_mut().remove(staged).map_or(Ok(()), |draft| self.folder.discard(&draft))
    }

    /// Makes renames and removals durable.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.folder.sync()
    }

    /// Removes a published file; a missing one is no error.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        self.folder.remove(name)
    }
}

/// Returns true if two files have the same bytes.
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
        // An earlier draft of this name is discarded.
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
            self.persist(name, name)?;
        }
        self.sync()
    }
}
