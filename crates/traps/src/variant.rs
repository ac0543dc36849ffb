//! A parameter of one URL.

use crate::parameter::ParameterKey;

/// A parameter of a URL at a path.
#[derive(Debug)]
pub(crate) struct VariantParameter {
    pub(crate) key: ParameterKey,
    /// The hash of the path.
    pub(crate) path: u64,
    /// The value is a small number, such as a page number of a list.
    pub(crate) is_numbered: bool,
}
