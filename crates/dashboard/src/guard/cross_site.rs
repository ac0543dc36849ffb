//! Requests that pages of other sites make in a visitor's name: they are refused.

use super::visitor::{AuthMethod, Visitor};
use crate::active_access::ActiveAccess;
use crate::problem::Problem;
use axum::http::StatusCode;
use axum::http::header::{HOST, ORIGIN};
use axum::http::request::Parts;
use subtle::ConstantTimeEq;

/// The header field in which our scripts send the CSRF token of their session.
const CSRF_HEADER: &str = "x-csrf-token";
/// A header field that programs must send where there is no authentication: pages of other sites cannot set it.
const CLIENT_HEADER: &str = "x-mapwright-client";

/// Checks that the request names this server, and comes from one of our own pages where browsers send its origin.
pub(super) fn check_names(active: &ActiveAccess, parts: &Parts) -> Result<(), Problem> {
    let field = |name: &str| parts.headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let mut hosts = parts.headers.get_all(HOST).into_iter();
    let host = hosts.next().and_then(|host| host.to_str().ok()).unwrap_or_default();
    let in_uri = parts.uri.authority().is_none_or(|authority| active.names.knows(authority.as_str()));
    if !active.names.knows(host) || hosts.next().is_some() || !in_uri {
        let what = "the dashboard is not served under this name (the flag --server-name adds one)";
        return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, what));
    }
    let foreign = || Problem::new(StatusCode::FORBIDDEN, "the request comes from a page of another site");
    let (origin, site) = (field(ORIGIN.as_str()), field("sec-fetch-site"));
    if parts.method.is_safe() {
        // A link from another site is allowed; anything that another site's page loads from here is not.
        let is_visit = field("sec-fetch-mode").is_none_or(|mode| mode == "navigate");
        return if site == Some("cross-site") && !is_visit { Err(foreign()) } else { Ok(()) };
    }
    let own = origin.is_none_or(|origin| active.names.is_own(origin, host));
    if own && site.is_none_or(|site| site == "same-origin") { Ok(()) } else { Err(foreign()) }
}

/// Checks the CSRF token of requests with credentials that browsers send by themselves. A bearer token needs none,
/// because no other site's page can send it.
pub(super) fn check_csrf(visitor: &Visitor, parts: &Parts, body: &[u8]) -> Result<(), Problem> {
    if visitor.auth_method == AuthMethod::Token {
        return Ok(());
    }
    let header = parts.headers.get(CSRF_HEADER).map(|value| value.as_bytes().to_vec());
    let is_program = visitor.csrf.is_empty() && parts.headers.contains_key(CLIENT_HEADER);
    let in_form = || in_form(body, "csrf").map(String::into_bytes);
    let given = header.or_else(in_form).unwrap_or_default();
    let is_right = !visitor.csrf.is_empty() && bool::from(given.ct_eq(visitor.csrf.as_bytes()));
    let fault = "the form is not of this session: load its page again (programs: send the token, or, where there is \
                 none, the field X-Mapwright-Client)";
    if is_right || is_program { Ok(()) } else { Err(Problem::new(StatusCode::FORBIDDEN, fault)) }
}

pub(super) fn in_form(body: &[u8], field: &str) -> Option<String> {
    let mut fields = url::form_urlencoded::parse(body);
    fields.find(|(name, _)| name == field).map(|(_, value)| value.into_owned())
}
