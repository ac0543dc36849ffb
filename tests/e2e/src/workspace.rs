//! The folder in which tests run commands. The modules of commands and files add what they do there.

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
    pub fn new() -> Workspace {
        Workspace { folder: Arc::new(TempDir::new().expect("a folder for the test")) }
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A path below the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// The output directory; the command creates it.
    pub fn out(&self) -> PathBuf {
        self.path("out")
    }

    /// The state directory, which contains the record; the command creates it.
    pub fn state(&self) -> PathBuf {
        self.path("state")
    }

    /// Writes a file into the workspace, creates its parent folders, and returns its path for a command line.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, content));
        made.expect("a file in the workspace");
        path.display().to_string()
    }
}

impl Default for Workspace {
    fn default() -> Workspace {
        Workspace::new()
    }
}
