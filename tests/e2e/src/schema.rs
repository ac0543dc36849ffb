//! Validation of published files against the schemas of the protocol with xmllint.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sitemaps::{entries_of, file_name, read};

/// The files that list URLs: the parts of the index in this directory, or the entry point if it is no index.
///
/// # Panics
/// Where there is no `sitemap.xml`.
#[must_use]
pub fn part_files(out: &Path) -> Vec<PathBuf> {
    let entry_point = out.join("sitemap.xml");
    let text = read(&entry_point);
    if !text.contains("<sitemapindex") {
        return vec![entry_point];
    }
    entries_of(&text).iter().map(|part| out.join(file_name(&part.loc))).collect()
}

/// Asserts that every file of the sitemap in this directory is valid by its schema.
///
/// # Panics
/// When one is not; the message is that of xmllint.
#[track_caller]
pub fn assert_valid(out: &Path) {
    let entry_point = out.join("sitemap.xml");
    if read(&entry_point).contains("<sitemapindex") {
        assert_schema(&entry_point, "siteindex.xsd");
    }
    for file in part_files(out) {
        assert_schema(&file, "sitemap.xsd");
    }
}

/// Asserts that a file, decompressed if necessary, is valid by this schema of `tests/xsd`.
///
/// # Panics
/// When it is not, and where xmllint is not installed.
#[track_caller]
pub fn assert_schema(file: &Path, schema: &str) {
    let unpacked = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(unpacked.path(), read(file)).expect("room for the unpacked sitemap");
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../xsd").join(schema);
    let run =
        Command::new("xmllint").args(["--noout", "--nonet", "--schema"]).arg(schema).arg(unpacked.path()).output();
    let run = run.expect("xmllint: install the package libxml2-utils");
    assert!(run.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&run.stderr));
}
