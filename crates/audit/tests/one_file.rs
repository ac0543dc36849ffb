//! A check is defined in one file and listed in the registry; the other parts of an audit read its attributes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use mapwright_audit::checks;
use std::fs;
use std::path::{Path, PathBuf};

/// Adds the files of a folder and of the folders in it that are not for tests alone.
fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if ["tests", "builder", "sample", "snapshots"].contains(&name) {
            continue;
        }
        if path.is_dir() {
            add_files(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// Returns each source file with its text, without tests.
fn sources() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    add_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned();
        (path, code)
    };
    files.into_iter().map(read).collect()
}

fn files_with(sources: &[(PathBuf, String)], text: &str) -> Vec<PathBuf> {
    sources.iter().filter(|(_, code)| code.contains(text)).map(|(path, _)| path.clone()).collect()
}

#[test]
fn a_check_is_named_by_its_own_file_alone() {
    let sources = sources();
    for check in checks::all() {
        let quoted = format!("\"{}\"", check.code);
        let defined = files_with(&sources, &format!("code: {quoted}"));
        assert_eq!(defined.len(), 1, "{}: {defined:?}", check.code);
        assert!(defined.iter().all(|file| file.parent().unwrap().ends_with("checks")), "{defined:?}");
        // One word alone, such as noindex, is a word of pages too.
        if check.code.contains('-') {
            assert_eq!(files_with(&sources, &quoted), defined, "{} is named elsewhere", check.code);
        }
    }
}

#[test]
fn the_file_of_a_check_is_named_by_the_registry_twice() {
    let sources = sources();
    let registry = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/checks/mod.rs")).unwrap();
    for file in files_with(&sources, "static CHECKER: Checker") {
        let module = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let lines = [format!("mod {module};"), format!("    &{module}::CHECKER,")];
        assert!(lines.iter().all(|line| registry.lines().any(|other| other == line)), "{module}");
    }
}
