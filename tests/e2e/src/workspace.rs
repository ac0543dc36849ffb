//! The folders that a command works in.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

/// A fresh folder with a place for the sitemaps (`out`) and one for the record (`state`), removed with its last clone.
#[derive(Debug, Clone)]
pub struct Workspace {
    folder: Arc<TempDir>,
}

impl Workspace {
    /// A fresh, empty workspace.
    ///
    /// # Panics
    /// Where no folder can be made.
    #[must_use]
    pub fn new() -> Workspace {
        Workspace { folder: Arc::new(TempDir::new().expect("a folder for the test")) }
    }

    /// The folder itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The output directory; the command creates it.
    #[must_use]
    pub fn out(&self) -> PathBuf {
        self.path().join("out")
    }

    /// The state directory; the command creates it.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.path().join("state")
    }

    /// Writes a file into the workspace, creates its parent folders, and returns its path.
    ///
    /// # Panics
    /// Where it cannot be written.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).expect("a folder in the workspace");
        }
        std::fs::write(&path, content).expect("a file in the workspace");
        path
    }

    /// The sorted names of the files in the output directory; empty without such a directory.
    #[must_use]
    pub fn published(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.out()) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Default for Workspace {
    fn default() -> Workspace {
        Workspace::new()
    }
}
