//! Shows jobs, runs, pages and findings over HTTP.
//!
//! [`Server`] serves the data of a [`mapwright_service::Service`]: pages that work without scripts, a JSON API
//! with an `OpenAPI` document, and metrics. Everything from crawled sites is hostile: it is shown as text, under a
//! content security policy that admits our own files only.

mod access;
mod access_error;
mod active_access;
mod api;
mod app_state;
mod archive;
mod charts;
mod comparison;
mod connection;
mod connection_slots;
mod deadline;
mod edit_permission;
mod findings;
mod folder;
mod guard;
mod job_form;
mod job_list;
mod limits;
mod metrics;
mod pages;
mod parameters;
mod password;
mod problem;
mod reload_handle;
mod routes;
mod server;
mod text;
mod tls;
mod urls;
mod write_timeout;

pub use access::{AccessConfig, Role, User, warn_of_readers};
pub use access_error::AccessError;
pub use limits::ServerLimits;
pub use password::hash_password;
pub use reload_handle::{CheckedAccess, ReloadHandle};
pub use server::Server;
