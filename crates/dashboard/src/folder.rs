//! Files that a job wrote, found by listing its directories, never by a path from a request.

use jiff::Timestamp;
use mapwright_service::JobView;
use std::fs::File;
use std::path::Path;

/// Maximum number of names that are examined in one directory.
const MAX_FILES: usize = 200_000;
/// Maximum number of listed files.
const MAX_LISTED: usize = 50_200;

/// The names of the reports that an audit writes.
const REPORTS: [&str; 8] = [
    "report.html",
    "report.json",
    "report.schema.json",
    "issues.csv",
    "issues.xlsx",
    "report.sarif",
    "report.junit.xml",
    "report.md",
];

/// The purpose of a directory, which may be a web server's root and contain other files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Sitemaps,
    Reports,
}

impl FileKind {
    /// Returns the kind of a word in a path.
    pub(crate) fn of(word: &str) -> Option<Self> {
        [Self::Sitemaps, Self::Reports].into_iter().find(|kind| kind.as_str() == word)
    }

    /// Its word in a path.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Sitemaps => "sitemaps",
            Self::Reports => "reports",
        }
    }

    /// Returns the directory of a job's files of this kind; `None` where it writes none.
    pub(crate) fn directory(self, job: &JobView) -> Option<&Path> {
        match self {
            Self::Sitemaps => job.sitemaps.as_deref(),
            Self::Reports => job.reports.as_deref(),
        }
    }

    fn is_ours(self, name: &str) -> bool {
        match self {
            Self::Reports => REPORTS.contains(&name),
            Self::Sitemaps => {
                let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
                let bare = name.strip_suffix(".gz").unwrap_or(name);
                plain && name.starts_with("sitemap") && (bare.ends_with(".xml") || bare.ends_with(".txt"))
            }
        }
    }
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) changed: Option<Timestamp>,
}

/// Returns the files of a kind that a job wrote; `None` where it writes none.
pub(crate) fn listed(job: &JobView, kind: FileKind) -> Option<Vec<Entry>> {
    kind.directory(job).map(|directory| list(directory, kind))
}

/// Lists the files of a kind in a directory, by name. Unreadable entries are left out.
fn list(directory: &Path, kind: FileKind) -> Vec<Entry> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().take(MAX_FILES).flatten();
    let ours = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok().filter(|name| kind.is_ours(name))?;
        // Metadata of the entry itself, because a symbolic link may lead anywhere.
        let about = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let changed = about.modified().ok().and_then(|at| Timestamp::try_from(at).ok());
        Some(Entry { name, bytes: about.len(), changed })
    });
    let mut files: Vec<Entry> = ours.take(MAX_LISTED).collect();
    files.sort_by(|a, b| natural(&a.name).cmp(&natural(&b.name)));
    files
}

/// Opens the file of this name, if it is one of those listed.
pub(crate) fn open(directory: &Path, kind: FileKind, name: &str) -> Option<(File, Entry)> {
    let entry = list(directory, kind).into_iter().find(|entry| entry.name == name)?;
    let file = File::open(directory.join(&entry.name)).ok()?;
    Some((file, entry))
}

/// The sort key that puts `sitemap-10` after `sitemap-9`.
fn natural(name: &str) -> (u64, &str) {
    let digits: String = name.chars().filter(char::is_ascii_digit).collect();
    (digits.parse().unwrap_or(0), name)
}

#[cfg(test)]
mod tests {
    use super::{FileKind, list, open};
    use std::fs;

    #[test]
    fn only_our_own_files_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let ours = ["sitemap.txt", "sitemap.xml", "sitemap-8.txt", "sitemap-9.xml.gz", "sitemap-10.txt.gz"];
        for name in ours.into_iter().chain(["index.html", ".htpasswd", "robots.txt", "sitemap.gz", "sitemap.txt.bak"]) {
            fs::write(at(name), name).unwrap();
        }
        fs::create_dir(at("sitemap-dir.xml")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", at("sitemap-link.xml")).unwrap();
        let names: Vec<String> = list(folder.path(), FileKind::Sitemaps).into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ours);
        for name in ["../sitemap.xml", "/etc/passwd", "index.html", "sitemap-link.xml", "sitemap-dir.xml", "", "."] {
            assert!(open(folder.path(), FileKind::Sitemaps, name).is_none(), "{name}");
        }
        assert!(open(folder.path(), FileKind::Sitemaps, "sitemap.xml").is_some());
        assert!(
            list(&at("nowhere"), FileKind::Reports).is_empty() && list(folder.path(), FileKind::Reports).is_empty()
        );
    }
}
