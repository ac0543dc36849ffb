//! Resolves paths, so that two spellings of a place compare as equal.

use std::path::{Component, Path, PathBuf};

/// Returns a path without links and dots. The part of it that exists is looked up, the rest is taken by name.
#[must_use]
pub fn resolved(path: &Path) -> PathBuf {
    let complete = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut resolved = PathBuf::new();
    for part in complete.components() {
        if part == Component::ParentDir {
            resolved.pop();
            continue;
        }
        resolved.push(part);
        if let Ok(real) = resolved.canonicalize() {
            resolved = real;
        }
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_dots_are_resolved_as_far_as_a_path_exists() {
        let root = tempfile::tempdir().unwrap();
        let real = root.path().canonicalize().unwrap();
        std::fs::create_dir_all(real.join("site/deep")).unwrap();
        std::os::unix::fs::symlink(real.join("site/deep"), real.join("link")).unwrap();
        for (path, expected) in [
            ("site", "site"),
            ("site/./deep/", "site/deep"),
            ("link", "site/deep"),
            ("link/../new", "site/new"),
            ("no/../site/such", "site/such"),
        ] {
            assert_eq!(resolved(&real.join(path)), real.join(expected), "{path}");
        }
    }
}
