//! The visitor of a request.

use crate::access::{AccessConfig, Role};
use crate::app_state::AppState;
use crate::connection::Peer;
use crate::problem::Problem;
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use std::net::{IpAddr, Ipv4Addr};
use subtle::ConstantTimeEq;

/// The visitor of a request, with role and authentication.
#[derive(Debug, Clone)]
pub(crate) struct Visitor {
    /// The name of the user who logged in.
    pub(crate) name: Option<String>,
    pub(crate) role: Role,
    pub(crate) auth_method: AuthMethod,
    /// The CSRF token of forms; empty where there is no session.
    pub(crate) csrf: String,
}

/// The authentication of a visitor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AuthMethod {
    /// No authentication is configured.
    Open,
    /// The bearer token.
    Token,
    /// The session of this identifier, which began with a login.
    Session(String),
}

impl Visitor {
    pub(crate) fn is_operator(&self) -> bool {
        self.role == Role::Operator
    }

    /// Checks that the visitor may change something by a request to this path.
    ///
    /// # Errors
    /// When the visitor is a reader, who may only log out.
    pub(crate) fn check_change(&self, path: &str) -> Result<(), Problem> {
        if self.is_operator() || path == "/logout" {
            return Ok(());
        }
        Err(Problem::new(StatusCode::FORBIDDEN, "readers may see everything and change nothing"))
    }
}

/// Identifies the visitor; `None` where a login is needed.
///
/// # Errors
/// When a token is wrong, or there were too many wrong ones.
pub(crate) fn visitor(state: &AppState, access: &AccessConfig, parts: &Parts) -> Result<Option<Visitor>, Problem> {
    if let Some(token) = bearer(&parts.headers) {
        return by_token(state, access, token, address(access, parts)).map(Some);
    }
    let id = cookie(&parts.headers, &cookie_name(access));
    if access.is_open() {
        let csrf = id.and_then(|id| state.csrf_tokens.csrf(id)).unwrap_or_default();
        return Ok(Some(Visitor { name: None, role: Role::Operator, auth_method: AuthMethod::Open, csrf }));
    }
    Ok(id.and_then(|id| by_session(state, access, id)))
}

/// Identifies the visitor by session, as long as the current configuration admits its credential: the configuration may
/// have changed since the login.
fn by_session(state: &AppState, access: &AccessConfig, id: &str) -> Option<Visitor> {
    let session = state.sessions.find(id)?;
    let role = access.admits(&session.credential)?;
    let name = session.credential.name().map(str::to_owned);
    Some(Visitor { name, role, auth_method: AuthMethod::Session(id.to_owned()), csrf: session.csrf })
}

fn by_token(state: &AppState, access: &AccessConfig, token: &str, from: IpAddr) -> Result<Visitor, Problem> {
    if let Some(wait) = state.attempts.wait(from) {
        tracing::warn!(%from, user = "(token)", "login refused: too many attempts");
        return Err(Problem::too_many(wait));
    }
    if !is_token(access, token) {
        state.attempts.note(from);
        tracing::warn!(%from, user = "(token)", "login refused: it is wrong");
        return Err(Problem::new(StatusCode::UNAUTHORIZED, "the token is not the right one"));
    }
    Ok(Visitor { name: None, role: Role::Operator, auth_method: AuthMethod::Token, csrf: String::new() })
}

/// Returns whether this is the configured token, compared in constant time.
pub(crate) fn is_token(access: &AccessConfig, token: &str) -> bool {
    access.token.as_ref().is_some_and(|right| bool::from(right.as_bytes().ct_eq(token.as_bytes())))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let pairs = headers.get_all(COOKIE).into_iter().filter_map(|field| field.to_str().ok());
    pairs.flat_map(|field| field.split(';')).find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

/// The name of the session cookie. Cookies are shared by all ports of a host, so without https the name contains the
/// port.
pub(crate) fn cookie_name(access: &AccessConfig) -> String {
    if access.is_https() { "__Host-mapwright".to_owned() } else { format!("mapwright-{}", access.listen.port()) }
}

/// The client address of a request: from the proxy's `X-Forwarded-For` if there is a proxy, otherwise that of the
/// connection.
pub(crate) fn address(access: &AccessConfig, parts: &Parts) -> IpAddr {
    let forwarded = || {
        let field = parts.headers.get_all("x-forwarded-for").into_iter().next_back()?.to_str().ok()?;
        field.rsplit(',').next()?.trim().parse().ok()
    };
    let peer = || parts.extensions.get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip());
    access.behind_proxy.as_ref().and_then(|_| forwarded()).unwrap_or_else(peer)
}
