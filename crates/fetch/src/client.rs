//! The underlying HTTP clients.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::{Client, ClientBuilder, Proxy, Url};

use crate::address_guard::AddressGuard;
use crate::connection_mode::ConnectionMode;
use crate::options::FetchOptions;
use crate::pins::{MAX_PORTS, Pins};
use crate::proxy::ProxyRules;
use crate::resolve::{GuardedResolver, SystemResolver};
use crate::setup::SetupError;
use crate::trust;

/// Idle time after which a connection is closed. Common servers close one after 5 s, and a request that is sent into a
/// connection that is being closed is lost.
const POOL_IDLE: Duration = Duration::from_secs(4);

/// HTTP/2 flow-control windows, in bytes: for one response, and for all responses of a connection.
const STREAM_WINDOW: u32 = 1 << 20;
const CONNECTION_WINDOW: u32 = 4 << 20;

/// The clients, by connection mode.
pub(crate) struct Clients {
    usual: Family,
    /// Created when an origin needs them.
    http1: OnceLock<Option<Family>>,
    single: OnceLock<Option<Family>>,
    options: FetchOptions,
    guard: Arc<AddressGuard>,
    proxies: ProxyRules,
}

impl Clients {
    pub(crate) fn new(
        options: &FetchOptions,
        guard: &Arc<AddressGuard>,
        proxies: &ProxyRules,
    ) -> Result<Clients, SetupError> {
        Ok(Clients {
            usual: Family::new(options, guard, proxies)?,
            http1: OnceLock::new(),
            single: OnceLock::new(),
            options: options.clone(),
            guard: Arc::clone(guard),
            proxies: proxies.clone(),
        })
    }

    /// The client for a URL.
    pub(crate) fn for_url(&self, url: &Url, mode: ConnectionMode) -> &Client {
        let family = match mode {
            ConnectionMode::Usual => None,
            ConnectionMode::Http1 => self.http1.get_or_init(|| self.other(self.options.max_idle)).as_ref(),
            ConnectionMode::Single => self.single.get_or_init(|| self.other(0)).as_ref(),
        };
        family.unwrap_or(&self.usual).for_url(url)
    }

    /// The client for URLs whose addresses are not pinned.
    pub(crate) fn common(&self) -> &Client {
        &self.usual.common
    }

    /// The machine has no CA certificates, and none were given.
    pub(crate) fn rootless(&self) -> bool {
        self.usual.rootless
    }

    /// Clients of HTTP/1.1 that keep at most `max_idle` connections. Where they cannot be built, the usual ones serve.
    fn other(&self, max_idle: usize) -> Option<Family> {
        let options = FetchOptions { http2: false, max_idle, ..self.options.clone() };
        let made = Family::new(&options, &self.guard, &self.proxies);
        made.inspect_err(|error| tracing::warn!(%error, "no further client can be made")).ok()
    }
}

/// One client for all URLs, and one more for each port that addresses are pinned for.
struct Family {
    common: Client,
    by_port: BTreeMap<u16, Client>,
    rootless: bool,
}

impl Family {
    fn new(options: &FetchOptions, guard: &Arc<AddressGuard>, proxies: &ProxyRules) -> Result<Family, SetupError> {
        let pins = Pins::new(&options.resolve);
        let ports = pins.ports();
        if ports.len() > MAX_PORTS {
            return Err(SetupError::Pins(ports.len()));
        }
        let (trusted, system) = (Arc::new(proxies.hosts().collect()), Arc::new(SystemResolver::default()));
        let make = |port| {
            let resolver = GuardedResolver {
                pins: pins.for_port(port),
                guard: guard.clone(),
                trusted: Arc::clone(&trusted),
                system: Arc::clone(&system),
            };
            client(options, proxies, resolver)
        };
        let (common, rootless) = make(None)?;
        let mut by_port = BTreeMap::new();
        for port in ports {
            by_port.insert(port, make(Some(port))?.0);
        }
        Ok(Family { common, by_port, rootless })
    }

    fn for_url(&self, url: &Url) -> &Client {
        let port = url.port_or_known_default();
        port.and_then(|port| self.by_port.get(&port)).unwrap_or(&self.common)
    }
}

/// Builds a client; returns it and whether it has no CA certificate at all.
///
/// The platform's verifier cannot be built on a machine without CA certificates, which must not prevent plain http from
/// being fetched.
fn client(
    options: &FetchOptions,
    proxies: &ProxyRules,
    resolver: GuardedResolver,
) -> Result<(Client, bool), SetupError> {
    let (base, extra) = (plain(options, proxies, resolver), trust::certificates(options)?);
    let is_given = !extra.is_empty();
    let (builder, rootless) = match trust::trusting(extra, options) {
        _ if options.insecure => (base.tls_danger_accept_invalid_certs(true), false),
        Ok(tls) => (base.tls_backend_preconfigured(tls), false),
        Err(error) if is_given => return Err(SetupError::Certificates(error.to_string())),
        Err(_) => (base.tls_certs_only([]), true),
    };
    builder.build().map(|client| (client, rootless)).map_err(|error| SetupError::Client(chain(&error)))
}

/// A client with everything switched off that this crate does itself: redirects, retries, decoding, cookies, system
/// proxies.
fn plain(options: &FetchOptions, proxies: &ProxyRules, resolver: GuardedResolver) -> ClientBuilder {
    let header_bytes = u32::try_from(options.max_header_bytes).unwrap_or(u32::MAX);
    let mut builder = Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .retry(reqwest::retry::never().max_retries_per_request(0))
        .no_proxy()
        .dns_resolver(resolver)
        .connect_timeout(options.connect_timeout)
        .pool_idle_timeout(POOL_IDLE)
        .pool_max_idle_per_host(options.max_idle)
        .tcp_nodelay(true)
        .http1_title_case_headers()
        .http1_max_headers(options.max_headers)
        .http1_allow_obsolete_multiline_headers_in_responses(true)
        .http1_allow_spaces_after_header_name_in_responses(true)
        .http1_ignore_invalid_headers_in_responses(true)
        .http2_max_header_list_size(header_bytes)
        .http2_initial_stream_window_size(STREAM_WINDOW)
        .http2_initial_connection_window_size(CONNECTION_WINDOW);
    if !options.http2 {
        builder = builder.http1_only();
    }
    if proxies.any() {
        let rules = proxies.clone();
        builder = builder.proxy(Proxy::custom(move |url| rules.proxy_for(url).cloned()));
    }
    builder
}

/// The message of the innermost cause, which is the most specific.
fn chain(error: &reqwest::Error) -> String {
    let mut deepest: &dyn std::error::Error = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}
