//! Who asks.

use crate::connection::Peer;
use crate::desk::Desk;
use crate::door::{Door, Role};
use crate::problem::Problem;
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use std::net::{IpAddr, Ipv4Addr};
use subtle::ConstantTimeEq;

/// Who asks, and what they may do.
#[derive(Debug, Clone)]
pub(crate) struct Visitor {
    /// Who logged in.
    pub(crate) name: Option<String>,
    pub(crate) role: Role,
    pub(crate) way: Way,
    /// What forms must carry; empty where there is no session.
    pub(crate) csrf: String,
}

/// How a visitor is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Way {
    /// Nobody is asked.
    Open,
    /// By the token.
    Token,
    /// By a session, of this identifier, which somebody began by logging in.
    Session(String),
}

impl Visitor {
    pub(crate) fn is_operator(&self) -> bool {
        self.role == Role::Operator
    }
}

/// Who asks; nothing where they are to log in.
///
/// # Errors
/// When a token is wrong, or was wrong too often.
pub(crate) fn visitor(desk: &Desk, door: &Door, parts: &Parts) -> Result<Option<Visitor>, Problem> {
    if let Some(token) = bearer(&parts.headers) {
        return by_token(desk, door, token, address(door, parts)).map(Some);
    }
    let id = cookie(&parts.headers, &cookie_name(door));
    if door.is_open() {
        let csrf = id.and_then(|id| desk.forms.csrf(id)).unwrap_or_default();
        return Ok(Some(Visitor { name: None, role: Role::Operator, way: Way::Open, csrf }));
    }
    Ok(id.and_then(|id| by_session(desk, door, id)))
}

/// By their session, as long as the door takes what began it: it may be another door than then.
fn by_session(desk: &Desk, door: &Door, id: &str) -> Option<Visitor> {
    let session = desk.sessions.find(id)?;
    let role = door.admits(&session.pass)?;
    let name = session.pass.name().map(str::to_owned);
    Some(Visitor { name, role, way: Way::Session(id.to_owned()), csrf: session.csrf })
}

fn by_token(desk: &Desk, door: &Door, token: &str, from: IpAddr) -> Result<Visitor, Problem> {
    if let Some(wait) = desk.attempts.wait(from) {
        tracing::warn!(%from, user = "(token)", "login refused: too many attempts");
        return Err(Problem::too_many(wait));
    }
    if !is_token(door, token) {
        desk.attempts.note(from);
        tracing::warn!(%from, user = "(token)", "login refused: it is wrong");
        return Err(Problem::new(StatusCode::UNAUTHORIZED, "the token is not the right one"));
    }
    Ok(Visitor { name: None, role: Role::Operator, way: Way::Token, csrf: String::new() })
}

/// Whether this is the door's token, in a time that does not tell how much of it is right.
pub(crate) fn is_token(door: &Door, token: &str) -> bool {
    door.token.as_ref().is_some_and(|right| bool::from(right.as_bytes().ct_eq(token.as_bytes())))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let pairs = headers.get_all(COOKIE).into_iter().filter_map(|field| field.to_str().ok());
    pairs.flat_map(|field| field.split(';')).find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

/// The name of the session's cookie. Cookies do not heed ports: that of a plain door bears its port in its name.
pub(crate) fn cookie_name(door: &Door) -> String {
    if door.is_https() { "__Host-mapwright".to_owned() } else { format!("mapwright-{}", door.listen.port()) }
}

/// Where a request comes from: what the proxy in front says, where there is one.
pub(crate) fn address(door: &Door, parts: &Parts) -> IpAddr {
    let told = || {
        let field = parts.headers.get_all("x-forwarded-for").into_iter().next_back()?.to_str().ok()?;
        field.rsplit(',').next()?.trim().parse().ok()
    };
    let peer = || parts.extensions.get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip());
    door.behind_proxy.as_ref().and_then(|_| told()).unwrap_or_else(peer)
}
