//! A fake web site on raw sockets that can show every fault of servers, and assertions in the field's words.
//!
//! It is for tests and benchmarks only: the command does not depend on it. It uses no HTTP library, because the site
//! must be able to lie, drip, stall and reset; the test chooses every byte that is sent.
//!
//! ```
//! use mapwright_testkit::{Response, FakeSite};
//!
//! let site = FakeSite::open();
//! site.page("/", "<a href=/old>Old</a> <a href=/slow>Slow</a>")
//!     .redirect("/old", "/new", 301)
//!     .page("/new", "<h1>New</h1>")
//!     .first_n("/slow", 2, Response::new(503).header("Retry-After", "1"))
//!     .page("/slow", "<h1>At last</h1>")
//!     .reset("/broken");
//! assert_eq!(site.hits("/old"), 0);
//! ```
//!
//! The site runs on its own thread and runtime, so that a test may block (on a child process, for example) and still be
//! served. It closes when it is dropped.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "test support: a fixture that cannot be set up fails the caller's test"
)]

mod answer;
pub mod bench;
mod canary;
mod gate;
mod journal;
pub mod labelled;
mod listing;
pub mod living;
pub mod nginx;
pub mod process;
mod request;
mod response;
mod routes;
mod serve;
mod site;
mod sitemap;

pub use answer::{Ending, ServerAction};
pub use canary::Canary;
pub use gate::ResponseGate;
pub use listing::{assert_listed, assert_not_listed, listed, locations, read_listed};
pub use nginx::Nginx;
pub use request::ReceivedRequest;
pub use response::{Response, gzip};
pub use site::FakeSite;
