//! Elements that can carry a link, and the result of the selection for one.

/// Elements that can carry a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum LinkElement {
    /// `a`.
    A,
    /// `area`.
    Area,
    /// `frame`.
    Frame,
    /// `iframe`.
    Iframe,
    /// `link`.
    Link,
}

/// The result of the selection for a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SelectionResult {
    /// Not checked: the budget ended before, or the tree does not contain it.
    Unchecked,
    /// Outside the parts of `--links-in`.
    Outside,
    /// In a part of `--no-links-in`.
    Refused,
    /// Links are taken from here.
    Taken,
}
