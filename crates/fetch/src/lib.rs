//! Turns one request into one bounded reply, safely.
//!
//! [`HttpFetch`] sends one request and reads one response: a redirect is a response like any other, a failed
//! attempt is data ([`Failure`]), and no server can make a fetch exceed the limits of [`FetchOptions`]: bytes received
//! and decoded, headers, cookies, time. The [`AddressGuard`] decides which addresses may be reached, and judges the
//! very lookup result that is then connected to, so that a name cannot change its address in between.
//!
//! Other crates send requests through the [`Fetch`] trait, the seam for a browser as a second implementation.

mod address_block;
mod address_guard;
mod attempt;
mod attempt_timer;
mod body_need;
mod body_stream;
mod bounded_body;
mod budget;
mod buffers;
mod client;
mod codings;
mod connection_mode;
mod cookies;
mod credential_scope;
mod decode;
mod failure;
mod http;
mod open_files;
mod options;
mod pins;
mod proxy;
mod reply;
mod request;
mod request_headers;
mod resolve;
mod response_headers;
mod retry_after;
mod setup;
mod shared;
mod special_purpose;
mod tls_fault;
mod trust;

use std::future::Future;

use mapwright_web::PageUrl;

pub use address_block::{Net, NetError};
pub use address_guard::{AddressGuard, GuardOptions};
pub use budget::MemoryPermit;
pub use cookies::file::{Cookie, CookieFileError, parse_cookie_file};
pub use failure::Failure;
pub use http::HttpFetch;
pub use open_files::out_of_files_in;
pub use options::{CookiePolicy, DEFAULT_USER_AGENT, FetchOptions};
pub use proxy::ProxyVariables;
pub use reply::{BodyState, Reply, Version};
pub use request::{Accept, Conditions, Method, Request, Scripted};
pub use response_headers::Headers;
pub use retry_after::retry_after;
pub use setup::SetupError;

/// An implementation that turns a request into a reply.
pub trait Fetch: Send + Sync + 'static {
    /// Sends the request and reads the response.
    ///
    /// The request is sent again only where the server did not process it. Following redirects and retrying errors of
    /// the site are decisions of the caller.
    fn fetch(&self, request: Request) -> impl Future<Output = Result<Reply, Failure>> + Send;

    /// Keeps one cookie, which a response of `url` set by this `Set-Cookie` value, and sends it back to its origin from
    /// then on; an existing cookie of the same name and path stays. Returns whether requests carry the cookie now.
    fn keep_cookie(&self, _url: &PageUrl, _set_cookie: &str) -> bool {
        false
    }
}
