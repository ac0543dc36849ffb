//! Show jobs, runs, pages and findings over HTTP.
//!
//! [`Board`] serves what a [`mapwright_jobs::service::Service`] tells: pages that work without scripts, a JSON API
//! with an `OpenAPI` document, and metrics. All that comes from crawled sites is hostile: it is shown as text, under a
//! content security policy that lets nothing but our own files act.

mod api;
mod archive;
mod board;
mod charts;
mod comparison;
mod connection;
mod desk;
mod door;
mod findings;
mod folder;
mod guard;
mod keeper;
mod limits;
mod metrics;
mod opened;
mod pages;
mod password;
mod patient;
mod problem;
mod routes;
mod text;
mod tls;
mod waiting_room;

pub use board::Board;
pub use door::{Door, DoorError, Role, User, warn_of_readers};
pub use keeper::{CheckedDoor, Keeper};
pub use limits::Limits;
pub use password::hash_password;
