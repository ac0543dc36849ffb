//! The syntax of a document: its bytes as tags, attributes and texts.

pub(crate) mod attributes;
pub(crate) mod foreign;
pub(crate) mod names;
pub(crate) mod open_names;
pub(crate) mod phase;
pub(crate) mod raw_text;
pub(crate) mod references;
pub(crate) mod scan;
pub(crate) mod tag;
pub(crate) mod xml;
