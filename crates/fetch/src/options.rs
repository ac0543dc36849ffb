//! The settings of a fetcher.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use mapwright_web::Origin;
use mapwright_web::page_url::Userinfo;

use crate::address_guard::GuardOptions;
use crate::cookies::file::Cookie;
use crate::proxy::ProxyVariables;

/// The `User-Agent` header of mapwright: its name, its version and the place where it is described.
pub const DEFAULT_USER_AGENT: &str =
    concat!("mapwright/", env!("CARGO_PKG_VERSION"), " (+", env!("CARGO_PKG_REPOSITORY"), ")");

/// Which of the cookies that sites set are sent back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CookiePolicy {
    /// None.
    None,
    /// Cookies without which the site cannot be read: see [`Request::cookie_wall`](crate::Request::cookie_wall) and
    /// [`Fetch::keep_cookie`](crate::Fetch::keep_cookie).
    #[default]
    Needed,
    /// All.
    All,
}

/// Settings of an [`HttpFetch`](crate::HttpFetch). Its `Debug` text shows no secret.
#[derive(Clone)]
pub struct FetchOptions {
    /// The `User-Agent` header.
    pub user_agent: String,
    /// Timeout of an entire attempt, head and body.
    pub timeout: Duration,
    /// Timeout for a connection: name lookup, TCP and TLS together.
    pub connect_timeout: Duration,
    /// Timeout for the head of the response, connecting included.
    pub first_byte_timeout: Duration,
    /// Timeout for silence within a body.
    pub idle_timeout: Duration,
    /// Header fields sent to the origins of `first_party` alone.
    pub headers: Vec<(String, String)>,
    /// Credentials (Basic, RFC 7617) sent to the origins of `first_party` alone.
    pub auth: Option<Userinfo>,
    /// Credentials of single origins, from start URLs; they take precedence over `auth`.
    pub userinfo: Vec<(Origin, Userinfo)>,
    /// Initial cookies, sent to those origins of `first_party` that they match.
    pub cookies: Vec<Cookie>,
    /// Which of the cookies that sites set are sent back.
    pub cookie_policy: CookiePolicy,
    /// The origins of the start URLs.
    pub first_party: Vec<Origin>,
    /// A proxy for everything (`http://` or `https://`, `http` when no scheme is given); it overrides the variables.
    pub proxy: Option<String>,
    /// Proxies named by the environment.
    pub proxy_variables: ProxyVariables,
    /// Servers' certificates are not verified.
    pub insecure: bool,
    /// Certificates (PEM) to trust in addition to those of the machine.
    pub ca_cert: Option<Vec<u8>>,
    /// Addresses pinned to host and port, which override lookups; port 0 stands for every port. The guard judges them
    /// too.
    pub resolve: Vec<(String, u16, IpAddr)>,
    /// The addresses that may be reached beyond public ones and those of start URLs' hosts.
    pub guard: GuardOptions,
    /// Memory for bodies in flight, in bytes, beyond 256 KiB that each body has in any case.
    pub bytes_in_flight: u64,
    /// Maximum number of header fields of a response.
    pub max_headers: usize,
    /// Maximum size of a response's header fields, names and values together, in bytes.
    pub max_header_bytes: usize,
    /// Connections kept open for reuse, per origin.
    pub max_idle: usize,
    /// HTTP/2 may be negotiated.
    pub http2: bool,
}

impl Default for FetchOptions {
    fn default() -> FetchOptions {
        FetchOptions {
            user_agent: DEFAULT_USER_AGENT.to_owned(),
            timeout: Duration::from_secs(30),
            connect_timeout: Duration::from_secs(10),
            first_byte_timeout: Duration::from_secs(30),
            idle_timeout: Duration::from_secs(15),
            headers: Vec::new(),
            auth: None,
            userinfo: Vec::new(),
            cookies: Vec::new(),
            cookie_policy: CookiePolicy::default(),
            first_party: Vec::new(),
            proxy: None,
            proxy_variables: ProxyVariables::default(),
            insecure: false,
            ca_cert: None,
            resolve: Vec::new(),
            guard: GuardOptions::default(),
            bytes_in_flight: 64 << 20,
            max_headers: 256,
            max_header_bytes: 64 << 10,
            max_idle: 16,
            http2: true,
        }
    }
}

impl fmt::Debug for FetchOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("FetchOptions")
            .field("user_agent", &self.user_agent)
            .field("timeout", &self.timeout)
            .field("headers", &names)
            .field("auth", &self.auth.is_some())
            .field("cookies", &self.cookies.len())
            .field("cookie_policy", &self.cookie_policy)
            .field("home", &self.first_party)
            .field("proxy", &self.proxy.is_some())
            .field("insecure", &self.insecure)
            .field("resolve", &self.resolve)
            .field("guard", &self.guard)
            .field("http2", &self.http2)
            .finish_non_exhaustive()
    }
}
