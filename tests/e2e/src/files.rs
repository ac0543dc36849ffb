//! Files of a directory, for comparison.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::Workspace;

/// Files by name, with their bytes.
pub type Files = BTreeMap<String, Vec<u8>>;

impl Workspace {
    /// The published files by name, temporary ones included; empty without an output directory.
    pub fn published(&self) -> Files {
        files_in(&self.out())
    }
}

/// Every file below a directory, by its path there; empty where there is no directory.
pub fn files_in(directory: &Path) -> Files {
    let mut files = Files::new();
    gather(directory, "", &mut files);
    files
}

fn gather(directory: &Path, prefix: &str, files: &mut Files) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            gather(&entry.path(), &format!("{name}/"), files);
        } else if let Ok(bytes) = fs::read(entry.path()) {
            files.insert(name, bytes);
        }
    }
}

/// Returns true if this text occurs in these bytes.
pub fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}
