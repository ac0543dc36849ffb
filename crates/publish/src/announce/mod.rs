//! Notifies search engines that the sitemap changed.
//!
//! There are three ways: [`IndexNow`] takes the URLs that changed, [`SearchConsole`] takes the sitemap's address from
//! the property's owner, and robots.txt names the sitemap to every crawler ([`robots_names`]). [`Ping`] is for engines
//! that still have an address to call; those of Google and Bing are gone and are refused.
//!
//! Nothing is retried and nothing waits: URLs to be sent later are returned together with the delay that the engine
//! requested, and the caller keeps them. A response is bounded in bytes and time, and only its status and a few words
//! are used. Errors and `Debug` texts never contain a key or token.

mod account;
mod batches;
mod console;
mod encode;
mod engine_client;
mod engine_response;
mod error;
mod excerpt;
mod indexnow;
mod key;
mod ping;
mod retired_endpoints;
mod robots;
mod token;

pub use batches::MAX_URLS;
pub use console::SearchConsole;
pub use engine_client::EngineClient;
pub use error::AnnounceError;
pub use indexnow::{IndexNow, Submitted};
pub use key::{Key, generate_key, key_file};
pub use ping::Ping;
pub use robots::robots_names;
