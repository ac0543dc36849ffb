//! A directory that sitemaps are published into.

use crate::error::PublishError;
use mapwright_sitemap::{Destination, Manifest};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead as _, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What begins the names of files that are not published yet.
const STAGED: &str = ".mapwright-";

/// A directory, checked to be writable.
///
/// Files are written under temporary names, synced, and renamed into place one by one. Temporary files
/// are removed when this is dropped, and those of a process that was killed when the next one begins. So that nobody
/// takes the files of one that is at work for such, it holds a lock that is shared by all who use the directory.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    /// Holds the lock. None where directories cannot be opened or locked.
    _lock: Option<File>,
    staged: RefCell<BTreeMap<String, PathBuf>>,
}

impl Directory {
    /// Makes the directory if it is missing, and checks that files can be made, written and renamed in it.
    ///
    /// # Errors
    /// When they cannot.
    pub fn prepare(path: &Path) -> Result<Self, PublishError> {
        if path.exists() && !path.is_dir() {
            let error = io::Error::new(io::ErrorKind::NotADirectory, "a file stands there, and no directory");
            return Err(PublishError::file(path)(error));
        }
        fs::create_dir_all(path).map_err(PublishError::file(path))?;
        let lock = File::open(path).ok();
        if lock.as_ref().is_none_or(is_used_by_nobody_else) {
            sweep(path);
        }
        // Turns the lock that was taken for sweeping, if it was, into one that others may have too.
        let lock = lock.filter(|lock| lock.lock_shared().is_ok());
        let directory = Self { path: path.to_owned(), _lock: lock, staged: RefCell::default() };
        let mut files = &directory;
        let probe = files.create("probe").map_err(PublishError::file(path))?;
        files.close("probe", probe).map_err(PublishError::file(path))?;
        directory.discard("probe").map_err(PublishError::file(path))?;
        Ok(directory)
    }

    /// The path of a published file.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The directory itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a small file that is none of a set, at once; one with the same content stays as it is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put(&self, name: &str, content: &str) -> Result<(), PublishError> {
        let path = self.file(name);
        if fs::read(&path).is_ok_and(|there| there == content.as_bytes()) {
            return Ok(());
        }
        let write = || {
            let mut files = self;
            let mut file = files.create(name)?;
            file.write_all(content.as_bytes())?;
            files.close(name, file)?;
            self.reveal(name, name)
        };
        write().map_err(PublishError::file(&path))
    }

    /// Makes a staged file visible under `name`, replacing what is there at once.
    pub(crate) fn reveal(&self, staged: &str, name: &str) -> io::Result<()> {
        let temporary = self.staged.borrow_mut().remove(staged);
        if let Some(temporary) = temporary {
            fs::rename(&temporary, self.file(name)).inspect_err(|_| drop(fs::remove_file(&temporary)))?;
        }
        Ok(())
    }

    /// As [`reveal`](Self::reveal), but a file that is there with the very same bytes stays as it is, and the staged one
    /// goes.
    pub(crate) fn reveal_changed(&self, staged: &str, name: &str) -> io::Result<()> {
        if self.holds(staged, name) { self.discard(staged) } else { self.reveal(staged, name) }
    }

    /// Whether a published file has the very bytes of a staged one.
    pub(crate) fn holds(&self, staged: &str, name: &str) -> bool {
        let temporary = self.staged.borrow().get(staged).cloned();
        temporary.is_some_and(|temporary| is_same(&temporary, &self.file(name)).unwrap_or(false))
    }

    /// Lets a staged file go.
    pub(crate) fn discard(&self, staged: &str) -> io::Result<()> {
        self.staged.borrow_mut().remove(staged).map_or(Ok(()), fs::remove_file)
    }

    /// Makes renames and removals durable.
    pub(crate) fn sync(&self) -> io::Result<()> {
        File::open(&self.path)?.sync_all()
    }

    /// Removes a published file; one that is gone already is no error.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.file(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// Whether no other process, and no other `Directory` of this one, has the directory at work: then its lock is taken.
/// Where there are no locks, nobody is thought of.
fn is_used_by_nobody_else(directory: &File) -> bool {
    !matches!(directory.try_lock(), Err(TryLockError::WouldBlock))
}

/// Removes what a killed process left behind. What cannot be removed does no harm.
fn sweep(path: &Path) {
    let Ok(entries) = fs::read_dir(path) else { return };
    let left = entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(STAGED));
    left.for_each(|entry| drop(fs::remove_file(entry.path())));
}

/// Whether two files are plain files that hold the same bytes.
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let (about, there) = (fs::symlink_metadata(one)?, fs::symlink_metadata(other)?);
    if !there.is_file() || about.len() != there.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (BufReader::new(File::open(one)?), BufReader::new(File::open(other)?));
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
        self.staged.borrow().values().for_each(|path| drop(fs::remove_file(path)));
    }
}

impl Destination for &Directory {
    type File = BufWriter<File>;
    type Error = io::Error;

    fn create(&mut self, name: &str) -> io::Result<Self::File> {
        let path = self.path.join(format!("{STAGED}{}-{name}", std::process::id()));
        let file = File::create(&path)?;
        self.staged.borrow_mut().insert(name.to_owned(), path);
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
