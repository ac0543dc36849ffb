//! Dates that a page states.

pub(crate) mod json_ld;
pub(crate) mod relative_time;
