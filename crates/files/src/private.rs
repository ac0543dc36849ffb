//! Directories and files of mapwright's own, which no other user may look into: a record tells what a site shows to those
//! who are logged in.

use crate::folder::unfit;
use rustix::fs::{FileType, OFlags};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Makes a directory, and those above it, where they are missing, for its owner alone; one that is there stays as it is.
///
/// # Errors
/// When it cannot be made.
pub fn make_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Opens a file for writing, and makes it where it is missing, for its owner alone; what it holds stays. No link is followed.
///
/// # Errors
/// When it can be neither opened nor made.
pub fn open_private_file(path: &Path) -> io::Result<File> {
    // A pipe that nobody reads is refused, where it would be waited for.
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).unwrap_or_default();
    OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).custom_flags(flags).open(path)
}

/// Sees that where these files are to be in a directory nothing stands but plain files: who opens a pipe waits for ever, and
/// who opens a link reads and writes elsewhere.
///
/// # Errors
/// The first that is no plain file.
pub fn only_plain_files(folder: &Path, names: &[&str]) -> Result<(), (PathBuf, io::Error)> {
    for path in names.iter().map(|name| folder.join(name)) {
        let Ok(about) = path.symlink_metadata() else { continue };
        if !about.is_file() {
            return Err((path, unfit(FileType::from_raw_mode(about.mode()))));
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
