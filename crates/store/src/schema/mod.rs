//! Opens, creates and migrates the database, and names what its columns hold.

pub(crate) mod json;
pub(crate) mod migrate;
pub(crate) mod names;
pub(crate) mod numbers;
pub(crate) mod open;
pub(crate) mod same_file;
