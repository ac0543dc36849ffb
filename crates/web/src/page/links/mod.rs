//! The links of a page, as written and resolved.

pub(crate) mod anchor;
pub(crate) mod outlinks;
pub(crate) mod relation;
pub(crate) mod resolve;
pub(crate) mod srcset;
