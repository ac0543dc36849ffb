//! All reports as files of a folder.

use super::samples::Samples;
use super::{Report, csv, html, json, junit, markdown, sarif, schema, xlsx};
use mapwright_files::Folder;
use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};

/// The most examples of a kind of finding in the reports for people.
const EXAMPLES: usize = 10;

/// A report that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The folder cannot be created.
    #[error("cannot make the directory {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The findings cannot be read.
    #[error("cannot read the findings: {0}")]
    Findings(io::Error),
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause; also an error of reading findings while the file is written.
        source: io::Error,
    },
}

/// Writes every report into a folder, which is created if it is missing, and returns the files in the order of writing.
/// Each file gets its name when it is complete, and then replaces an older one.
///
/// # Errors
/// When the findings cannot be read or a file cannot be written; the files written before stay.
pub fn write_all(report: &Report<'_>, directory: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let folder =
        Folder::create(directory).map_err(|source| ReportError::Folder { path: directory.to_owned(), source })?;
    let samples = Samples::of(report.items, EXAMPLES).map_err(ReportError::Findings)?;
    let folder = Reports(folder);
    // The two files that hold every finding, in any number, are written in parallel.
    let (one, other) = std::thread::scope(|scope| {
        let first = scope.spawn(|| {
            let json = folder.file("report.json", &|out| json::write(report, out))?;
            Ok([folder.file(schema::FILE, &|out| schema::write(out))?, json])
        });
        let other = || {
            Ok([
                folder.file("issues.csv", &|out| csv::write(report, out))?,
                folder.file(xlsx::FILE, &|out| xlsx::write(report, out))?,
                folder.file("report.sarif", &|out| sarif::write(report, out))?,
                folder.file("report.junit.xml", &|out| junit::write(report, &samples, out))?,
                folder.file("report.md", &|out| markdown::write(report, &samples, out))?,
                folder.file("report.html", &|out| html::write(report, &samples, out))?,
            ])
        };
        let other = other();
        (first.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), other)
    });
    Ok(one?.into_iter().chain(other?).collect())
}

type Content<'c> = &'c dyn Fn(&mut dyn Write) -> io::Result<()>;

struct Reports(Folder);

impl Reports {
    fn file(&self, name: &str, content: Content<'_>) -> Result<PathBuf, ReportError> {
        let write = || {
            let (draft, file) = self.0.draft()?;
            written(file, content).inspect_err(|_| drop(self.0.discard(&draft)))?;
            self.0.persist(&draft, name)
        };
        let path = self.0.file(name);
        write().map(|()| path.clone()).map_err(|source| ReportError::File { path, source })
    }
}

/// Writes a file, and waits until it is on disk.
fn written(file: File, content: Content<'_>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    content(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// The reports as text, each with a part near its beginning by which a file of mapwright is recognised.
const FILES: [(&str, &str); 7] = [
    ("report.json", "\"name\":\"mapwright\""),
    (schema::FILE, "\"title\": \"mapwright audit report\""),
    ("issues.csv", "severity,code,state,accepted,url,message"),
    ("report.sarif", "\"mapwright\""),
    ("report.junit.xml", "\"mapwright audit\""),
    ("report.md", "# Audit of `"),
    ("report.html", "mapwright"),
];

/// The bytes at the beginning of a report that are read to recognise it.
const BEGINNING: u64 = 4_096;

/// Returns the first report in a folder that mapwright did not write, or that is about another site: `is_of_site`
/// decides by the start URL of its run.
///
/// # Errors
/// When one is not a regular file, or cannot be read.
pub fn foreign(directory: &Path, is_of_site: &dyn Fn(&str) -> bool) -> Result<Option<PathBuf>, ReportError> {
    let Ok(folder) = Folder::open(directory) else { return Ok(None) };
    let mut foreign = None;
    for (name, mark) in FILES.into_iter().filter(|(name, _)| !folder.is_free(name)) {
        let mut bytes = Vec::new();
        let read = folder.read(name).and_then(|file| file.take(BEGINNING).read_to_end(&mut bytes));
        read.map_err(|source| ReportError::File { path: folder.file(name), source })?;
        let text = String::from_utf8_lossy(&bytes);
        if !text.contains(mark) || json::start_of(&text).is_some_and(|start| !is_of_site(start)) {
            foreign = foreign.or_else(|| Some(folder.file(name)));
        }
    }
    let is_foreign_workbook = !folder.is_free(xlsx::FILE) && {
        let file = folder.read(xlsx::FILE);
        !xlsx::is_own(file.map_err(|source| ReportError::File { path: folder.file(xlsx::FILE), source })?)
    };
    Ok(foreign.or_else(|| is_foreign_workbook.then(|| folder.file(xlsx::FILE))))
}

#[cfg(test)]
mod tests {
    use super::{ReportError, Reports, write_all};
    use crate::report::sample::Sample;
    use mapwright_files::Folder;
    use std::fs;
    use std::io;

    #[test]
    fn all_files_are_written_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let into = folder.path().join("new/reports");
        let files = write_all(&Sample::hostile().report(), &into).unwrap();
        assert!(files.iter().all(|file| fs::metadata(file).unwrap().len() > 0));
        assert_eq!(fs::read_dir(&into).unwrap().count(), files.len());
    }

    #[test]
    fn a_file_that_fails_leaves_the_old_one_and_no_draft() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("report.md"), "old").unwrap();
        let fails = Reports(Folder::open(folder.path()).unwrap()).file("report.md", &|out| {
            out.write_all(b"half")?;
            Err(io::Error::other("the record is gone"))
        });
        assert!(matches!(&fails, Err(ReportError::File { path, .. }) if path.ends_with("report.md")));
        assert!(fails.unwrap_err().to_string().ends_with("report.md: the record is gone"));
        assert_eq!(fs::read_to_string(folder.path().join("report.md")).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_cannot_be_created_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        let fails = write_all(&Sample::plain().report(), &folder.path().join("file"));
        assert!(matches!(fails, Err(ReportError::Folder { .. })));
    }
}
