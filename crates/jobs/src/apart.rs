//! The record of a crawl and what it publishes lie apart: all that lies in a published directory is served.

use crate::error::JobError;
use mapwright_settings::{Out, Settings};
use mapwright_store::Record;
use std::path::{Component, Path, PathBuf};

/// Refuses a record whose folder `state` is the published directory, or lies below one that was named for it.
///
/// Below the working directory, the default place of what is published, the record may lie, and below any directory
/// where it was put by default, or by a run that goes on.
///
/// # Errors
/// Where the record would be published.
pub(crate) fn check(settings: &Settings, state: &Path) -> Result<(), JobError> {
    let Out::Directory(out) = &settings.output.out else { return Ok(()) };
    let (out, record) = (resolved(out), resolved(state));
    let below = record.starts_with(&out) && out != resolved(Path::new("."));
    let by_default = settings.output.state.is_none();
    let goes_on = settings.record.resume && Record::is_in(state);
    if out == record || (below && !by_default && !goes_on) {
        let what = "the record would lie in the directory of the published sitemaps";
        return Err(JobError::usage("flags --out and --state", what, "give them different directories"));
    }
    Ok(())
}

/// A path without links and dots: what is there is looked up, what is not there yet is taken by its name.
fn resolved(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut resolved = PathBuf::new();
    for part in whole.components() {
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
