//! Writes files into directories that other users may write to as well, such as the web root of another user.
//!
//! Another user with write access can create links and files of any name at any time. So a directory is opened once and
//! every operation is relative to its descriptor; a file is created under a random name, which must not exist yet; it
//! gets its final name when it is complete; and no file is written or read through a link.

mod folder;
mod lock;
mod open_directory;
mod private;
mod resolved;
mod temp_file;

pub use folder::{Folder, read, replace};
pub use lock::{Lock, LockError};
pub use private::{check_plain_files, make_private_folder, open_private_file};
pub use resolved::resolved;
pub use temp_file::TempFile;
