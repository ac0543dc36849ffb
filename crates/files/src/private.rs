//! Directories and files that only mapwright's user may read: a record contains pages that a site shows only to users
//! who are logged in.

use crate::folder::not_a_plain_file;
use rustix::fs::{FileType, OFlags};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Creates a directory and its missing parents, accessible to the owner only; an existing directory is not changed.
///
/// # Errors
/// When it cannot be created.
pub fn make_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Opens a file for writing and creates it, for the owner only, if it is missing; the content is kept. Links are not
/// followed.
///
/// # Errors
/// When it can be neither opened nor created.
pub fn open_private_file(path: &Path) -> io::Result<File> {
    // `NONBLOCK`: a pipe without a reader is refused, where opening it would wait.
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).unwrap_or_default();
    OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).custom_flags(flags).open(path)
}

/// Checks that each of these names in a directory is free or a plain file: opening a pipe would wait for ever, and
/// opening a link would read and write elsewhere.
///
/// # Errors
/// The first that is not a plain file.
pub fn check_plain_files(folder: &Path, names: &[&str]) -> Result<(), (PathBuf, io::Error)> {
    for path in names.iter().map(|name| folder.join(name)) {
        let Ok(about) = path.symlink_metadata() else { continue };
        if !about.is_file() {
            return Err((path, not_a_plain_file(FileType::from_raw_mode(about.mode()))));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    #[test]
    fn what_is_made_is_its_owners_alone_and_what_is_there_stays() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a/b");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        make_private_folder(&folder).unwrap();
        let file = folder.join("file");
        drop(open_private_file(&file).unwrap());
        assert_eq!((mode(&root.path().join("a")), mode(&folder), mode(&file)), (0o700, 0o700, 0o600));
        fs::write(&file, "kept").unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        make_private_folder(&folder).unwrap();
        drop(open_private_file(&file).unwrap());
        assert_eq!((mode(&folder), fs::read_to_string(&file).unwrap().as_str()), (0o755, "kept"));
        symlink(&file, folder.join("link")).unwrap();
        assert!(open_private_file(&folder.join("link")).is_err());
    }
}
