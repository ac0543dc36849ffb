//! x
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, dead_code)]
#[path = "store/migrations.rs"]
mod migrations;
#[path = "store/plans.rs"]
mod plans;
#[path = "store/site.rs"]
mod site;
#[path = "store/open.rs"]
mod open;
