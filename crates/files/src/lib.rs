//! Files written into directories that others may write to as well: a web root, say, of another user.
//!
//! Who may write there can make links and files of any name at any time. So a directory is opened once and everything is
//! done relative to it; a file is begun under a name that nobody can guess, which must not exist; it comes under its own
//! name when it is whole; and nothing is written or read through a link.

mod draft;
mod folder;
mod lock;
mod private;
mod walk;

pub use draft::Draft;
pub use folder::{Folder, read, replace};
pub use lock::{Lock, LockError};
pub use private::{make_private_folder, only_plain_files, open_private_file};
