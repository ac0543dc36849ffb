//! The page reader compared with a tree builder, on all HTML of the documentation of Debian packages: every link and
//! every fact is equal.
#![cfg(feature = "full")]
#![allow(clippy::expect_used, reason = "a test that cannot go on has failed")]

#[path = "../../../../crates/web/tests/oracle/mod.rs"]
mod oracle;

use mapwright_web::charset::decode;
use std::fs;
use std::path::{Path, PathBuf};

/// Packages and the folders of their documentation; `tests/run --full` installs them.
const PACKAGES: [(&str, &str); 12] = [
    ("debian-policy", "/usr/share/doc/debian-policy"),
    ("libexpat1-dev", "/usr/share/doc/libexpat1-dev"),
    ("libffi-dev", "/usr/share/doc/libffi8"),
    ("libtasn1-doc", "/usr/share/gtk-doc/html/libtasn1"),
    ("libxslt1-dev", "/usr/share/doc/libxslt1-dev"),
    ("openjdk-17-doc", "/usr/share/doc/openjdk-17-jre-headless"),
    ("postgresql-doc-15", "/usr/share/doc/postgresql-doc-15"),
    ("python3.11-doc", "/usr/share/doc/python3.11"),
    ("qemu-utils", "/usr/share/doc/qemu-utils"),
    ("rust-doc", "/usr/share/doc/rust-doc"),
    ("shared-mime-info", "/usr/share/doc/shared-mime-info"),
    ("valgrind", "/usr/share/doc/valgrind"),
];

/// The maximum number of differences that are printed in full.
const MAX_REPORTED: usize = 20;

#[test]
fn documentation_reads_as_in_a_browser() {
    let mut found = Vec::new();
    for (package, folder) in PACKAGES {
        let pages = pages(Path::new(folder));
        assert!(!pages.is_empty(), "no HTML in {folder}: install the package {package} with its documentation");
        println!("{package}: {} pages", pages.len());
        found.extend(pages.iter().flat_map(|page| differences(page)));
    }
    let reported: Vec<&str> = found.iter().take(MAX_REPORTED).map(String::as_str).collect();
    assert!(found.is_empty(), "{} differences, such as\n{}", found.len(), reported.join("\n"));
}

fn differences(page: &Path) -> Vec<String> {
    let bytes = fs::read(page).expect("a page that can be read");
    let found = oracle::full::differences(&decode(&bytes, None).text);
    found.into_iter().map(|what| format!("{}: {what}", page.display())).collect()
}

/// All HTML files below a folder, without following symbolic links.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() && is_html(&entry.path()) => pages.push(entry.path()),
                _ => {}
            }
        }
    }
    pages
}

fn is_html(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "html" || extension == "xhtml")
}
