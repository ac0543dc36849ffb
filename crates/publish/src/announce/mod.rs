//! Telling search engines that the sitemap changed.
//!
//! Three ways are left: [`IndexNow`] takes the URLs that changed, [`SearchConsole`] is given the sitemap's address by
//! the property's owner, and robots.txt names it to everybody ([`robots_names`]). [`Ping`] is for engines that still
//! have an address to call; Google's and Bing's are gone and are refused.
//!
//! Nothing is tried twice and nothing waits: what is to be sent later is handed back together with how long the engine
//! asked to be left alone, and the caller keeps it. What an engine answers is bounded in bytes and time and believed
//! in nothing but its status and a few words. No key and no token is ever in an error or in a `Debug` text.

mod account;
mod answer;
mod batches;
mod caller;
mod console;
mod dead;
mod encode;
mod error;
mod excerpt;
mod indexnow;
mod key;
mod ping;
mod robots;
mod token;

pub use caller::Caller;
pub use console::SearchConsole;
pub use error::AnnounceError;
pub use indexnow::{IndexNow, MAX_URLS, Submitted};
pub use key::{Key, generate_key, key_file};
pub use ping::Ping;
pub use robots::robots_names;
