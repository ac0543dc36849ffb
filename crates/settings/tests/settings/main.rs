//! The settings as a user sees them: layers, values, errors, generated documents.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod errors;
mod generated;
mod jobs;
mod layers;
mod support;
mod unknown_names;
mod values;
