//! The manifest on a command's standard input. Its form is described in `docs/hooks.md`.

use crate::existing_set;
use crate::mirror::Mirrored;
use crate::mirror::content::Content;
use crate::mirror::error::MirrorError;
use crate::mirror::files::Files;
use crate::mirror::mirror_state::UploadOutcome;
use jiff::Timestamp;
use mapwright_files::Folder;
use serde::Serialize;
use std::path::PathBuf;

/// The version of the form. It is incremented when a field changes or is removed; fields may be added without that.
const VERSION: u32 = 1;

#[derive(Debug, Serialize)]
pub(super) struct Manifest {
    version: u32,
    directory: PathBuf,
    entry_point: Described,
    indexes: Vec<Described>,
    parts: Vec<Described>,
    leaving: Vec<Leaving>,
    removed: Vec<String>,
}

/// A file that is in the set.
#[derive(Debug, Serialize)]
struct Described {
    name: String,
    bytes: u64,
    sha256: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    lastmod: Option<String>,
}

/// A file that left the set.
#[derive(Debug, Serialize)]
struct Leaving {
    name: String,
    until: Timestamp,
}

impl Manifest {
    pub(super) async fn of(files: &Files, settled: &UploadOutcome) -> Result<Self, MirrorError> {
        let folder = Folder::open(&files.directory).map_err(MirrorError::file(&files.directory))?;
        let mut lastmods = existing_set::lastmods(&folder, files.indexes());
        let mut parts = Vec::with_capacity(files.parts.len());
        for name in &files.parts {
            parts.push(Described { lastmod: lastmods.remove(name), ..describe(files, name).await? });
        }
        let mut indexes = Vec::new();
        for name in &files.further_indexes {
            indexes.push(describe(files, name).await?);
        }
        let leaving = settled.leaving.iter().map(|(name, until)| Leaving { name: name.clone(), until: *until });
        Ok(Self {
            version: VERSION,
            directory: files.directory.clone(),
            entry_point: describe(files, &files.entry_point).await?,
            indexes,
            parts,
            leaving: leaving.collect(),
            removed: settled.due.indexes.iter().chain(&settled.due.parts).cloned().collect(),
        })
    }

    /// The result once the command has succeeded.
    pub(super) fn done(&self) -> Mirrored {
        let all = self.parts.iter().chain(&self.indexes).chain([&self.entry_point]);
        Mirrored {
            uploaded: (self.parts.len() + self.indexes.len() + 1) as u64,
            kept: 0,
            removed: self.removed.len() as u64,
            bytes: all.map(|file| file.bytes).sum(),
        }
    }
}

async fn describe(files: &Files, name: &str) -> Result<Described, MirrorError> {
    let Content { bytes, sha256 } = Content::read(files.path(name)).await?;
    Ok(Described { name: name.to_owned(), bytes: bytes.len() as u64, sha256, lastmod: None })
}
