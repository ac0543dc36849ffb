//! Move URLs through fetch, read and commit until nothing is left.
