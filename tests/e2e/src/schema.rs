//! Validation of published files against the schemas of the protocol with xmllint.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sitemaps::{Publication, read};

/// The files that list URLs: the parts of the index in this directory, or the entry point if it is no index.
pub fn part_files(out: &Path) -> Vec<PathBuf> {
    let parts = Publication::read(out).parts;
    if parts.is_empty() {
        vec![out.join("sitemap.xml")]
    } else {
        parts.iter().map(|part| out.join(&part.name)).collect()
    }
}

/// Asserts that every file of the sitemap in this directory is valid by its schema; the message is that of xmllint.
#[track_caller]
pub fn assert_valid(out: &Path) {
    if Publication::read(out).has_index() {
        assert_schema(&out.join("sitemap.xml"), "siteindex.xsd");
    }
    part_files(out).iter().for_each(|file| assert_schema(file, "sitemap.xsd"));
}

/// Asserts that a file, decompressed if necessary, is valid by this schema of `tests/xsd`.
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
