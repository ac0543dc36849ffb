//! `[fetch]`: how requests are made.

use crate::commands::OptionCommands;
use crate::kind::ValueKind;
use crate::section_macro::section;
use crate::values::{AddressRange, Credentials, Header, Pin, ProxyUrl};
use mapwright_fetch::{CookiePolicy, DEFAULT_USER_AGENT};
use std::path::PathBuf;
use std::time::Duration;

section! {
    /// The settings of requests: agent, credentials, connections, retries and limits.
    pub struct FetchSection in Fetch;

    /// The `User-Agent` of every request. Its first word, up to a slash, is also the name that robots.txt is read for.
    user_agent: String = DEFAULT_USER_AGENT, kind ValueKind::UserAgent, for OptionCommands::FETCH, short 'A';

    /// The name that robots.txt and robots directives are read for, without changing the user agent.
    robots_agent: Option<String> = "", kind ValueKind::Token, for OptionCommands::CRAWL;

    /// The search engine whose robots directives (`<meta name="googlebot">`) bind beside our own.
    search_agent: String = "Googlebot", kind ValueKind::Token, for OptionCommands::CRAWL;

    /// Send this header, written `Name: value`, to the origins of the start URLs.
    header: Vec<Header> = "", for OptionCommands::FETCH, short 'H', secret true;

    /// Log in to the origins of the start URLs with HTTP basic authentication.
    auth: Option<Credentials> = "", for OptionCommands::FETCH, secret true;

    /// The cookies set by sites that are sent back.
    ///
    /// A crawl is stateless, as search engines are, because a site that remembers a visitor changes its pages (a trail
    /// of pages visited, products viewed). `needed` sends cookies back only where a site cannot be read without them:
    /// to an origin whose pages redirect to themselves until a cookie comes back (a cookie wall), or whose links carry
    /// a session ID as long as there is no cookie. `all` sends back every cookie, as browsers do. Cookies of
    /// `--cookie-file` are always sent.
    cookies: CookiePolicy = "needed", for OptionCommands::CRAWL;

    /// Send the cookies of this file, in the format of Netscape and curl, to the origins of the start URLs.
    cookie_file: Option<PathBuf> = "",
        kind ValueKind::Path { name: "FILE", example: "/etc/mapwright/cookies.txt" }, for OptionCommands::FETCH;

    /// Time limit of one attempt, head and body included.
    timeout: Duration = "30s", kind ValueKind::Duration { min: Duration::from_millis(1) }, for OptionCommands::FETCH;

    /// Time limit for connecting, name look-up and TLS included.
    connect_timeout: Duration = "10s",
        kind ValueKind::Duration { min: Duration::from_millis(1) }, for OptionCommands::FETCH;

    /// Retry a request after a transient failure at most this many times.
    ///
    /// The last retry is made after everything else, with no other request to that host in flight, and its answer
    /// counts: a failure then is not caused by the crawl's own load. Requests that a server rejects while it answers
    /// others (429, 503, a connection refused or reset) are repeated more slowly and up to eight times more, beyond
    /// these retries, because such an answer says nothing about the page. With 0, no request is retried.
    retries: u32 = "2", kind ValueKind::Count { min: 0, max: 10 }, for OptionCommands::CRAWL;

    /// Send all requests through this proxy, written `http://HOST:PORT` or `https://HOST:PORT`; without a
    /// scheme, `http://` is taken.
    ///
    /// Without it, `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` of the environment are honoured. The
    /// addresses that a proxy connects to cannot be checked against the address rules.
    proxy: Option<ProxyUrl> = "", for OptionCommands::FETCH, secret true;

    /// Accept any TLS certificate, even one that is forged.
    insecure: bool = "false", for OptionCommands::FETCH, short 'k';

    /// Trust the certificates of this PEM file, beside those of the system.
    ///
    /// Each is the certificate of an authority or of a server, but not both: `openssl req -x509` makes one that is both
    /// unless `-addext basicConstraints=CA:FALSE` is given.
    ca_cert: Option<PathBuf> = "",
        kind ValueKind::Path { name: "FILE", example: "/etc/mapwright/ca.pem" }, for OptionCommands::FETCH;

    /// Connect to this address for a host and port, written `HOST:PORT:ADDRESS`.
    resolve: Vec<Pin> = "", for OptionCommands::FETCH;

    /// Allow requests to this address or range, such as `10.1.0.0/16`, though it is not public.
    allow_address: Vec<AddressRange> = "", for OptionCommands::FETCH;

    /// Allow requests to all private and local addresses. Only for sites whose links you trust.
    allow_private: bool = "false", for OptionCommands::FETCH;

    /// Fetch URLs that robots.txt disallows. Only for sites that are your own.
    ignore_robots: bool = "false", for OptionCommands::CRAWL;

    /// Read at most this many decoded bytes of one response, and at most 256 KiB of a type that is not listed in
    /// sitemaps (`--list-types`).
    max_body: u64 = "16MiB", kind ValueKind::Size { min: 1024, max: 1 << 32 }, for OptionCommands::CRAWL;

    /// Hold at most this many bytes of responses in memory at once.
    bytes_in_flight: u64 = "64MiB", kind ValueKind::Size { min: 1 << 20, max: 1 << 40 }, for OptionCommands::CRAWL;

    /// Follow at most this many redirects in a row.
    max_redirects: u32 = "10", kind ValueKind::Count { min: 0, max: 100 }, for OptionCommands::FETCH;

    /// Use HTTP/1.1 only.
    no_http2: bool = "false", for OptionCommands::FETCH;
}
