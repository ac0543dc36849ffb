//! The checks that every request must pass before it is answered.

pub(crate) mod attempts;
mod cross_site;
pub(crate) mod csrf_token;
mod headers;
pub(crate) mod names;
mod random;
pub(crate) mod sessions;
pub(crate) mod visitor;

pub(crate) use headers::add_security_headers;

use crate::access::AccessConfig;
use crate::active_access::ActiveAccess;
use crate::app_state::{AppState, Shared};
use crate::limits::MAX_BODY;
use crate::problem::Problem;
use crate::text::in_query;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::SET_COOKIE;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use cross_site::{check_csrf, check_names, in_form};
use std::sync::Arc;
use visitor::{AuthMethod, Visitor};

/// Checks each request and answers those that pass.
pub(crate) async fn guard(State(state): State<Shared>, request: Request, next: Next) -> Response {
    let answer = async {
        let passed = check_request(&state, request).await?;
        Ok::<Response, Problem>(match passed {
            Checked::Admitted(request, cookie) => with_cookie(next.run(request).await, cookie),
            Checked::Answered(response) => response,
        })
    };
    match tokio::time::timeout(state.limits.answer, answer).await {
        Ok(answer) => answer.unwrap_or_else(Problem::into_response),
        Err(_) => Problem::new(StatusCode::SERVICE_UNAVAILABLE, "it took too long; try again").into_response(),
    }
}

/// The result of the checks.
enum Checked {
    /// The request passes; the response may set a cookie.
    Admitted(Request, Option<HeaderValue>),
    /// The request is answered with this response.
    Answered(Response),
}

async fn check_request(state: &AppState, request: Request) -> Result<Checked, Problem> {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path().to_owned();
    if matches!(path.as_str(), "/healthz" | "/readyz") {
        return Ok(Checked::Admitted(Request::from_parts(parts, Body::empty()), None));
    }
    let active = state.access();
    check_names(&active, &parts)?;
    if path.starts_with("/assets/") {
        return Ok(Checked::Admitted(Request::from_parts(parts, Body::empty()), None));
    }
    let body = if parts.method.is_safe() { Vec::new() } else { read(body).await? };
    let Some(mut visitor) = visitor::visitor(state, &active.access, &parts)? else {
        return if path == "/login" {
            Ok(admitted_request(parts, body, active, None, None))
        } else {
            require_login(&parts, &body)
        };
    };
    if !parts.method.is_safe() && path != "/login" {
        check_csrf(&visitor, &parts, &body)?;
        visitor.check_change(&path)?;
    }
    let cookie = begin_open(state, &active.access, &parts, &mut visitor);
    Ok(admitted_request(parts, body, active, Some(visitor), cookie))
}

fn admitted_request(
    mut parts: Parts,
    body: Vec<u8>,
    active: Arc<ActiveAccess>,
    visitor: Option<Visitor>,
    cookie: Option<HeaderValue>,
) -> Checked {
    parts.extensions.insert(visitor);
    // The configuration that admitted the visitor; it may be replaced before the response is ready.
    parts.extensions.insert(active);
    Checked::Admitted(Request::from_parts(parts, Body::from(body)), cookie)
}

async fn read(body: Body) -> Result<Vec<u8>, Problem> {
    let bytes = to_bytes(body, MAX_BODY).await;
    bytes.map(Into::into).map_err(|_| Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "more than 64 KiB"))
}

/// Redirects people to the login form, and answers programs with 401 Unauthorized.
fn require_login(parts: &Parts, body: &[u8]) -> Result<Checked, Problem> {
    if is_for_programs(parts.uri.path()) {
        return Err(Problem::new(StatusCode::UNAUTHORIZED, "send the token: Authorization: Bearer …"));
    }
    let next = if parts.method.is_safe() { here(parts) } else { page_of(parts.uri.path(), body) };
    Ok(Checked::Answered(Redirect::to(&format!("/login?next={}", in_query(next))).into_response()))
}

fn here(parts: &Parts) -> &str {
    parts.uri.path_and_query().map_or("/", |path| path.as_str())
}

/// The page of a button, because the button's own path takes no GET.
fn page_of<'p>(path: &'p str, body: &[u8]) -> &'p str {
    if in_form(body, "back").is_some_and(|back| back == "list") {
        return "/";
    }
    let name = path.strip_prefix("/jobs/").map_or(0, |rest| rest.find('/').unwrap_or(rest.len()));
    path.get(.."/jobs/".len() + name).filter(|_| name > 0).unwrap_or("/")
}

/// Returns whether programs request this path, so that problems are reported in JSON.
pub(crate) fn is_for_programs(path: &str) -> bool {
    path.starts_with("/api/") || path == "/metrics"
}

/// Without authentication, gives the browser a cookie on its first page, because the CSRF token of forms is derived
/// from it.
fn begin_open(state: &AppState, access: &AccessConfig, parts: &Parts, visitor: &mut Visitor) -> Option<HeaderValue> {
    let is_page = matches!(parts.method, Method::GET | Method::HEAD) && !is_for_programs(parts.uri.path());
    if visitor.auth_method != AuthMethod::Open || !visitor.csrf.is_empty() || !is_page {
        return None;
    }
    let id = random::text()?;
    visitor.csrf = state.csrf_tokens.csrf(&id)?;
    set_cookie(access, &id, sessions::AGE.as_secs())
}

/// The header field that gives a browser its session for `age` seconds.
pub(crate) fn set_cookie(access: &AccessConfig, id: &str, age: u64) -> Option<HeaderValue> {
    let secure = if access.is_https() { "; Secure" } else { "" };
    let name = visitor::cookie_name(access);
    // With "Strict", a link in an email would not find the session. Changes need more than a cookie.
    HeaderValue::try_from(format!("{name}={id}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}")).ok()
}

fn with_cookie(mut response: Response, cookie: Option<HeaderValue>) -> Response {
    if let Some(cookie) = cookie {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}
