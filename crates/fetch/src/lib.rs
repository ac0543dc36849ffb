//! Turn one request into one bounded reply, safely.
//!
//! [`HttpFetch`] sends one GET or HEAD and reads one answer: a redirect is an answer like any other, a failed attempt is
//! data ([`Failure`]), and nothing a server sends can make a fetch exceed the bounds of [`FetchOptions`]: bytes on
//! the wire and decoded, headers, cookies, time. The [`Guard`] decides which addresses may be reached, and judges the
//! very answer of the name lookup that is then connected to, so that a name cannot change its address in between.
//!
//! Requests are read by others through the [`Fetch`] trait, the seam where a browser may stand in one day.

mod attempt;
mod body;
mod budget;
mod cause;
mod client;
mod codings;
mod cookie_list;
mod cookies;
mod decode;
mod failure;
mod guard;
mod headers;
mod home;
mod http;
mod kit;
mod manner;
mod net;
mod netscape;
mod open_files;
mod options;
mod outgoing;
mod pins;
mod pour;
mod proxy;
mod ranges;
mod reply;
mod request;
mod resolve;
mod retry_after;
mod set_cookie;
mod setup;
mod tls_fault;
mod trust;
mod watch;

use std::future::Future;

use mapwright_web::PageUrl;

pub use budget::Hold;
pub use failure::{Failure, FailureKind};
pub use guard::{Guard, GuardOptions};
pub use headers::Headers;
pub use http::HttpFetch;
pub use net::{Net, NetError};
pub use netscape::{Cookie, CookieFileError, parse_cookie_file};
pub use open_files::out_of_files_in;
pub use options::{CookiePolicy, FetchOptions};
pub use proxy::ProxyVariables;
pub use reply::{BodyState, Reply, Version};
pub use request::{Accept, Conditions, Method, Request};
pub use retry_after::retry_after;
pub use setup::SetupError;
pub use tls_fault::tls_hint;

/// Something that can turn a request into a reply.
pub trait Fetch: Send + Sync + 'static {
    /// Sends the request and reads the answer.
    ///
    /// It is sent again only where the server says that it never saw it. Redirects are not followed and errors of the
    /// site are not retried: both are decisions of the caller.
    fn fetch(&self, request: Request) -> impl Future<Output = Result<Reply, Failure>> + Send;

    /// Keeps one cookie, which an answer of `url` set by this `Set-Cookie` value, and sends it back to its origin from
    /// then on; the first of a name stays. Returns whether requests bear it now.
    fn keep_cookie(&self, _url: &PageUrl, _set_cookie: &str) -> bool {
        false
    }
}
