//! The configuration file of a running service, whose jobs operators edit.

use mapwright_files::{Folder, resolved};
use mapwright_settings::{JobChange, ShownValues, changed_keys, edit_job, own_values, without_secrets};
use serde::Serialize;
use similar::TextDiff;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, fchown};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use utoipa::ToSchema;

/// Maximum size of a configuration file, in bytes.
pub const MAX_CONFIG_BYTES: u64 = 1 << 20;
/// Unchanged lines that a difference shows around each change.
const CONTEXT: usize = 3;

/// Checks a text; the error says in one line what is wrong.
type Check = dyn Fn(&str) -> Result<(), String> + Send + Sync;

/// The configuration file of a running service.
pub struct JobsFile {
    /// The file's name, as the user gave it.
    name: String,
    check: Box<Check>,
    apply: Box<dyn Fn() -> Result<(), String> + Send + Sync>,
    /// Held from the reading of the file until its replacement.
    lock: Mutex<()>,
}

/// The table of a job in the file, for a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct JobTable {
    /// The name of the file.
    pub file: String,
    /// A fingerprint of the file, which a change names so that it replaces no other change.
    pub revision: String,
    /// The reason why the file cannot be written.
    #[schema(required)]
    pub read_only: Option<String>,
    /// The values that the table itself sets, by key with the section; secrets are hidden.
    pub settings: ShownValues,
}

/// A change of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobsFileEdit {
    /// The keys of the settings that change, of those with secrets too.
    pub changed: Vec<String>,
    /// The unified difference of the file; secrets are hidden.
    pub diff: String,
    /// The fingerprint of the file as it is now: after the change if that was made.
    pub revision: String,
}

/// The reason why the file was not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The change, or the file with it, is invalid.
    #[error("{0}")]
    Invalid(String),
    /// The file was changed by someone else since.
    #[error("the file was changed since the form was loaded: load the form again")]
    Stale,
    /// The file cannot be written.
    #[error("{0}")]
    ReadOnly(String),
    /// The file cannot be read, or the service did not take it.
    #[error("{0}")]
    Failed(String),
}

impl JobsFile {
    /// Builds the file of this name. `check` checks a text as the service would when it reads the file; `apply` makes
    /// the service read the file again. Both give one line that says what is wrong.
    pub fn new(
        name: impl Into<String>,
        check: impl Fn(&str) -> Result<(), String> + Send + Sync + 'static,
        apply: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), check: Box::new(check), apply: Box::new(apply), lock: Mutex::default() }
    }

    /// The file's name, as the user gave it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the table of a job, which is empty for a job that is not in the file.
    ///
    /// # Errors
    /// If the file cannot be read, or is no configuration file.
    pub fn table(&self, job: &str) -> Result<JobTable, EditError> {
        let text = self.read()?;
        let settings = own_values((&self.name, &text), job).map_err(|error| EditError::Invalid(error.to_string()))?;
        Ok(JobTable { file: self.name.clone(), revision: revision(&text), read_only: self.read_only(), settings })
    }

    /// Returns what a change would do to the file. A `revision` must be that of the file.
    ///
    /// # Errors
    /// If the change, or the file with it, is invalid, or the file is another one by now.
    pub fn preview(&self, job: &str, change: &JobChange, revision: Option<&str>) -> Result<JobsFileEdit, EditError> {
        let text = self.read()?;
        self.edited(&text, job, change, revision).map(|(edit, _)| edit)
    }

    /// Changes the file and applies it. A `wanted` revision must be that of the file, which is replaced at once, and keeps its permissions.
    ///
    /// # Errors
    /// Those of [`preview`](Self::preview); if the file cannot be written, or the service does not take it.
    pub fn save(&self, job: &str, change: &JobChange, wanted: Option<&str>) -> Result<JobsFileEdit, EditError> {
        let _held = self.held();
        let text = self.read()?;
        let (mut edit, now) = self.edited(&text, job, change, wanted)?;
        edit.revision = revision(&now);
        if now != text {
            replace(&self.path(), &now).map_err(|error| EditError::ReadOnly(unwritable(&self.name, &error)))?;
            (self.apply)().map_err(EditError::Failed)?;
        }
        Ok(edit)
    }

    fn edited(
        &self,
        text: &str,
        job: &str,
        change: &JobChange,
        wanted: Option<&str>,
    ) -> Result<(JobsFileEdit, String), EditError> {
        let invalid = |error: mapwright_settings::SettingsError| EditError::Invalid(error.to_string());
        let revision = revision(text);
        if wanted.is_some_and(|wanted| wanted != revision) {
            return Err(EditError::Stale);
        }
        let now = edit_job((&self.name, text), job, change).map_err(invalid)?;
        if now.len() as u64 > MAX_CONFIG_BYTES {
            return Err(EditError::Invalid(format!("file {}: it would be larger than 1 MiB", self.name)));
        }
        (self.check)(&now).map_err(EditError::Invalid)?;
        let changed = changed_keys(&self.name, text, &now, job).map_err(invalid)?;
        Ok((JobsFileEdit { changed, diff: difference(text, &now), revision }, now))
    }

    fn held(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self) -> PathBuf {
        resolved(Path::new(&self.name))
    }

    fn read(&self) -> Result<String, EditError> {
        let failed = |error: io::Error| EditError::Failed(format!("file {}: cannot be read ({error})", self.name));
        let mut text = String::new();
        let file = File::open(self.path()).map_err(failed)?;
        file.take(MAX_CONFIG_BYTES + 1).read_to_string(&mut text).map_err(failed)?;
        // A part of the file must never be written in its place.
        if text.len() as u64 > MAX_CONFIG_BYTES {
            return Err(EditError::Failed(format!("file {}: larger than 1 MiB", self.name)));
        }
        Ok(text)
    }

    /// Returns why the file cannot be written: it, or its directory, in which the new file must be created.
    fn read_only(&self) -> Option<String> {
        let path = self.path();
        let try_write = || -> io::Result<()> {
            File::options().append(true).open(&path)?;
            let folder = Folder::open(path.parent().unwrap_or(Path::new("/")))?;
            folder.check_replaceable(file_name(&path)?)?;
            let (draft, _) = folder.draft()?;
            folder.discard(&draft)
        };
        try_write().err().map(|error| unwritable(&self.name, &error))
    }
}

fn unwritable(name: &str, error: &io::Error) -> String {
    format!(
        "the file {name} is read-only for the service ({error}): edit it by hand, or let the service write it and its directory"
    )
}

fn file_name(path: &Path) -> io::Result<&str> {
    Ok(path.file_name().and_then(|name| name.to_str()).ok_or(io::ErrorKind::InvalidFilename)?)
}

/// Replaces a file by another with the same owner and permissions.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let name = file_name(path)?;
    let folder = Folder::open(path.parent().unwrap_or(Path::new("/")))?;
    let before = File::options().append(true).open(path)?.metadata()?;
    let (draft, mut file) = folder.draft()?;
    let mut write = || -> io::Result<()> {
        // Nobody reads secrets from the new file who cannot read the old one.
        file.set_permissions(before.permissions())?;
        let now = file.metadata()?;
        if (now.uid(), now.gid()) != (before.uid(), before.gid()) {
            fchown(&file, Some(before.uid()), Some(before.gid()))?;
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()
    };
    match write() {
        Ok(()) => folder.persist(&draft, name),
        Err(error) => {
            let _ = folder.discard(&draft);
            Err(error)
        }
    }
}

/// Returns a fingerprint of a text, as hexadecimal digits.
fn revision(text: &str) -> String {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn difference(before: &str, now: &str) -> String {
    let (before, now) = (without_secrets(before), without_secrets(now));
    TextDiff::from_lines(&before, &now).unified_diff().context_radius(CONTEXT).to_string()
}

#[cfg(test)]
mod tests;
