//! One attempt, from the request to the last byte of the body.

use std::mem::take;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use jiff::Timestamp;
use mapwright_web::Origin;
use reqwest::Response;
use reqwest::header::{LOCATION, SET_COOKIE};
use tokio::time::Instant;

use crate::address_guard::{canonical_name, literal};
use crate::attempt_timer::AttemptTimer;
use crate::body_need::BodyNeed;
use crate::body_stream::{BodyStream, BodyTimeout};
use crate::bounded_body::{BodyDecoder, DecodedBody};
use crate::budget::BudgetShare;
use crate::connection_mode::{ConnectionFault, ConnectionMode};
use crate::cookies::SetBy;
use crate::failure::Failure;
use crate::failure::cause::{self, Cause, Unprocessed};
use crate::reply::{BodyState, Reply};
use crate::request::{Method, Request};
use crate::request_headers::add_cookies;
use crate::response_headers::Headers;
use crate::shared::Shared;
use mapwright_model::FailureKind;

/// Maximum retries, without penalty, of a request that the server refused unprocessed: until it has announced its limit
/// of concurrent streams, each connection may exceed that.
const REFUSED_RETRIES: u32 = 8;
/// Maximum retries of a request whose connection was closed before the server processed it: where each connection
/// serves only a few requests, all requests that waited for it retry at once, and some of them fail again.
const CLOSED_RETRIES: u32 = 50;
/// Wait that each further retry adds, and the longest wait.
const UNPROCESSED_WAIT: Duration = Duration::from_millis(2);
const MAX_UNPROCESSED_WAIT: Duration = Duration::from_millis(50);

/// Wait between two attempts to connect while the process may open no more files: other requests end, and idle
/// connections of other hosts are closed within a few seconds.
const FILES_WAIT: Duration = Duration::from_millis(50);

/// Overhead of a header field beyond its name and value, in bytes: colon, space, line end.
const FIELD_OVERHEAD: usize = 4;

/// The number of immediate retries that this error permits.
fn again(error: &reqwest::Error) -> u32 {
    match cause::unprocessed(error) {
        Some(Unprocessed::Refused) => REFUSED_RETRIES,
        Some(Unprocessed::Closed) => CLOSED_RETRIES,
        None => 0,
    }
}

/// One request on its way.
pub(crate) struct Attempt<'a> {
    shared: &'a Shared,
    request: &'a Request,
    origin: Origin,
    started: Instant,
    /// Headers and credentials given for first-party origins may be sent.
    with_secrets: bool,
    /// The `Cookie` header that the jar has for this request.
    cookies: Option<String>,
}

impl<'a> Attempt<'a> {
    pub(crate) fn new(shared: &'a Shared, request: &'a Request) -> Attempt<'a> {
        let origin = request.url.origin();
        let with_secrets = shared.credential_scope.covers(request);
        let cookies = if with_secrets { shared.jar.header(&origin, request, Timestamp::now()) } else { None };
        Attempt { shared, request, origin, started: Instant::now(), with_secrets, cookies }
    }

    /// Sends the request and reads the response.
    pub(crate) async fn run(&self) -> Result<Reply, Failure> {
        self.guard_literal()?;
        let mut watch = self.watch();
        let mut response = self.head(&mut watch).await?;
        let first_byte = self.started.elapsed();
        self.check_head(&response)?;
        let set_cookie = self.take_cookies(&response);
        let (status, version) = (response.status().as_u16(), response.version().into());
        let (headers, address) = (Headers::from_map(take(response.headers_mut())), response.remote_addr());
        let need = BodyNeed::of(self.request, response.status().is_success(), headers.content_type());
        let Read { taken, waited, share } = self.body(response, &headers, watch, need).await?;
        Ok(Reply {
            status,
            version,
            headers,
            body: taken.body,
            body_state: taken.state,
            wire_bytes: taken.wire_bytes,
            first_byte,
            total: self.started.elapsed().saturating_sub(waited),
            address,
            set_cookie,
            sent_cookies: self.sent_cookies(),
            memory_permit: share.settle(taken.charged),
        })
    }

    fn watch(&self) -> AttemptTimer {
        let options = &self.shared.options;
        AttemptTimer::new(self.started, options.timeout.min(options.first_byte_timeout).min(options.idle_timeout))
    }

    /// Checks an address that is literally in the URL, because the resolver never sees it. Through a proxy, the same
    /// holds for the names that every proxy resolves to its own loopback address.
    fn guard_literal(&self) -> Result<(), Failure> {
        let host = self.request.url.host();
        let address = literal(host).or_else(|| self.proxied_loopback(host));
        let judged = address.map_or(Ok(()), |address| self.shared.guard.check(host, address));
        judged.map_err(|refused| self.failure(FailureKind::Guarded, refused.to_string()))
    }

    /// `localhost` and the names below it are loopback addresses wherever they are looked up (RFC 6761, section 6.3).
    fn proxied_loopback(&self, host: &str) -> Option<IpAddr> {
        self.shared.proxies.proxy_for(self.request.url.as_url())?;
        let name = canonical_name(host);
        let is_local = name == "localhost" || name.ends_with(".localhost");
        (is_local && !self.shared.guard.is_first_party(host)).then_some(IpAddr::V4(Ipv4Addr::LOCALHOST))
    }

    /// Returns the head of the response; retries where the server processed nothing.
    async fn head(&self, watch: &mut AttemptTimer) -> Result<Response, Failure> {
        let (mut retries, mut broken) = (0, None);
        loop {
            let mode = self.shared.modes.of(&self.origin);
            match self.send(watch, mode).await? {
                Ok(response) => return Ok(response),
                Err(error) if self.should_switch_mode(mode, &error) && broken.is_none() => broken = Some(error),
                Err(error)
                    if cause::lacks_files(&error).is_some()
                        && self.started.elapsed() + FILES_WAIT < self.head_timeout() =>
                {
                    tokio::time::sleep(FILES_WAIT).await;
                }
                Err(error) if retries < again(&error) => {
                    tokio::time::sleep((UNPROCESSED_WAIT * retries).min(MAX_UNPROCESSED_WAIT)).await;
                    retries += 1;
                }
                // Where the server does not offer the other connection mode, the first error is the one to report.
                Err(error) => return Err(self.failed(broken.filter(|_| error.is_connect()).as_ref().unwrap_or(&error))),
            }
        }
    }

    /// Records what became of the connection; returns whether to send the request again at once in another connection
    /// mode.
    fn should_switch_mode(&self, tried: ConnectionMode, error: &reqwest::Error) -> bool {
        cause::fault(error, tried).is_some_and(|fault| self.shared.modes.note(&self.origin, tried, fault))
    }

    /// Sends the request once, within the timeouts.
    async fn send(
        &self,
        watch: &mut AttemptTimer,
        mode: ConnectionMode,
    ) -> Result<Result<Response, reqwest::Error>, Failure> {
        let mut request = self.shared.outgoing.compose(self.request);
        let headers = request.headers_mut();
        if self.with_secrets {
            self.shared.credential_scope.add_credentials(&self.origin, headers);
        }
        if let Some(cookies) = &self.cookies {
            add_cookies(headers, cookies);
        }
        let head_timeout = self.head_timeout();
        let client = self.shared.clients.for_url(self.request.url.as_url(), mode);
        let answered = watch.until(self.started + head_timeout, client.execute(request)).await;
        answered.ok_or_else(|| {
            if self.origin.as_str().starts_with("https:") {
                self.shared.modes.note(&self.origin, mode, ConnectionFault::Silent);
            }
            self.timed_out("sent no answer", head_timeout, false)
        })
    }

    /// The timeout for the head of the response.
    fn head_timeout(&self) -> Duration {
        self.shared.options.timeout.min(self.shared.options.first_byte_timeout)
    }

    /// The names of the jar's cookies that the request carries.
    fn sent_cookies(&self) -> Vec<String> {
        let pairs = self.cookies.iter().flat_map(|cookies| cookies.split("; "));
        pairs.filter_map(|pair| pair.split('=').next()).map(str::to_owned).collect()
    }

    /// Checks the limits that the underlying client does not enforce.
    fn check_head(&self, response: &Response) -> Result<(), Failure> {
        let headers = response.headers();
        let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + FIELD_OVERHEAD).sum();
        let (max_headers, max_bytes) = (self.shared.options.max_headers, self.shared.options.max_header_bytes);
        let fault = match () {
            () if headers.len() > max_headers => {
                format!("sent {} header fields, more than {max_headers}", headers.len())
            }
            () if bytes > max_bytes => format!("sent {bytes} bytes of header fields, more than {max_bytes}"),
            () if response.status().as_u16() < 200 => format!("answered with {}", response.status().as_u16()),
            () => return Ok(()),
        };
        let detail = format!("{} {fault}", self.origin);
        Err(Failure { head_seen: true, ..self.failure(FailureKind::Protocol, detail) })
    }

    /// Stores the cookies of a response; returns whether it set one.
    fn take_cookies(&self, response: &Response) -> bool {
        let (headers, status, jar) = (response.headers(), response.status(), &self.shared.jar);
        if self.request.cookie_wall && status.is_success() {
            jar.pass_wall(&self.origin, Timestamp::now());
        }
        if !headers.contains_key(SET_COOKIE) {
            return false;
        }
        let values = headers.get_all(SET_COOKIE).iter().filter_map(|value| std::str::from_utf8(value.as_bytes()).ok());
        if let Some(cookie_check_url) = self.cookie_check_url(response) {
            jar.note_check(&self.origin, &cookie_check_url);
        }
        let setting = if status.is_redirection() { SetBy::Redirect } else { SetBy::Other };
        jar.take(&self.origin, (self.request.url.path(), setting), values, Timestamp::now())
    }

    /// The target of a redirect that differs from the URL in its query only.
    fn cookie_check_url(&self, response: &Response) -> Option<String> {
        let url = self.request.url.as_url();
        let location = response.headers().get(LOCATION).filter(|_| response.status().is_redirection())?;
        let target = url.join(location.to_str().ok()?).ok()?;
        let is_check = target.origin() == url.origin() && target.path() == url.path() && target.query() != url.query();
        is_check.then(|| target.into())
    }

    /// Reads and decodes the body.
    async fn body(
        &self,
        response: Response,
        headers: &Headers,
        watch: AttemptTimer,
        need: BodyNeed,
    ) -> Result<Read, Failure> {
        let options = &self.shared.options;
        if self.request.method == Method::Head {
            return Ok(Read::nothing(BodyState::Complete, self.shared.budget.start()));
        }
        let mut stream = BodyStream {
            response,
            watch,
            deadline: self.started + options.timeout,
            idle: options.idle_timeout,
            share: self.shared.budget.start(),
            waited: Duration::ZERO,
        };
        let max_body_bytes = if let BodyNeed::Prefix(bytes) = need { bytes } else { self.request.max_body };
        let mut decoder = match BodyDecoder::new(headers, max_body_bytes, self.shared.pool.take()) {
            Ok(decoder) => decoder,
            Err(unknown) => return Ok(Read::nothing(BodyState::Broken(unknown), stream.share)),
        };
        let ended = match stream.run(&mut decoder, headers).await {
            Ok(ended) => ended,
            Err(_) if need != BodyNeed::Complete => BodyState::Enough,
            Err(BodyTimeout::Idle) => {
                return Err(self.timed_out("fell silent within the body", options.idle_timeout, true));
            }
            Err(BodyTimeout::Complete) => {
                return Err(self.timed_out("did not finish its answer", options.timeout, true));
            }
        };
        let (mut taken, buffers) = decoder.finish(ended);
        self.shared.pool.give(buffers);
        if taken.state == BodyState::Cut && matches!(need, BodyNeed::Prefix(_)) {
            taken.state = BodyState::Enough;
        }
        Ok(Read { taken, waited: stream.waited, share: stream.share })
    }

    fn timed_out(&self, what: &str, head_timeout: Duration, head_seen: bool) -> Failure {
        let detail = format!("{} {what} for {}", self.origin, seconds(head_timeout));
        Failure { head_seen, ..self.failure(FailureKind::TimedOut, detail) }
    }

    /// Converts an error of the client to a failure.
    fn failed(&self, error: &reqwest::Error) -> Failure {
        if let Some(text) = cause::lacks_files(error) {
            let _ = self.shared.out_of_files.set(text.clone());
            return self.failure(FailureKind::Internal, text);
        }
        let proxy = self.shared.proxies.proxy_for(self.request.url.as_url());
        let Cause { kind, text } = if proxy.is_some() { Cause::behind_proxy(error) } else { Cause::of(error) };
        let origin = &self.origin;
        let detail = match kind {
            FailureKind::Dns | FailureKind::Guarded => text,
            FailureKind::Refused => format!("{origin} refuses connections"),
            FailureKind::Reset => format!("{origin} closed the connection before it answered: {text}"),
            FailureKind::Tls => format!("no secure connection to {origin}: {text}{}", self.tls_advice()),
            FailureKind::TimedOut => {
                format!("{origin} took no connection for {}", seconds(self.shared.options.connect_timeout))
            }
            FailureKind::Protocol => format!("{origin} did not answer in proper HTTP: {text}"),
            FailureKind::Unreachable => format!("{origin} cannot be reached: {text}"),
            FailureKind::ProxyFailed => {
                let proxy = proxy.and_then(|proxy| proxy.host_str()).unwrap_or_default();
                format!("the proxy {proxy} did not connect to {origin}: {text}")
            }
            FailureKind::Internal => format!("{origin} could not be requested: {text}"),
        };
        self.failure(kind, detail)
    }

    fn tls_advice(&self) -> &'static str {
        match self.shared.clients.rootless() {
            true => {
                "; this machine has no CA certificates: install its ca-certificates package, or name a bundle with --ca-cert"
            }
            false => "",
        }
    }

    fn failure(&self, kind: FailureKind, detail: String) -> Failure {
        Failure { kind, detail, after: self.started.elapsed(), head_seen: false }
    }
}

/// The result of reading a body.
struct Read {
    taken: DecodedBody,
    /// Time spent waiting for memory.
    waited: Duration,
    share: BudgetShare,
}

impl Read {
    /// No body: the response has none, or it cannot be read at all.
    fn nothing(state: BodyState, share: BudgetShare) -> Read {
        Read { taken: DecodedBody::nothing(state), waited: Duration::ZERO, share }
    }
}

/// A duration for people: `30 s`, `0.5 s`.
fn seconds(duration: Duration) -> String {
    format!("{} s", duration.as_secs_f64())
}
