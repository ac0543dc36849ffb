//! `/login` and `/logout`.

use super::{Frame, render};
use crate::access::{AccessConfig, Credential};
use crate::app_state::Shared;
use crate::guard::attempts::Claim;
use crate::guard::visitor::{AuthMethod, Visitor, address, is_token};
use crate::guard::{sessions, set_cookie};
use crate::password;
use crate::problem::Problem;
use askama::Template;
use axum::Form;
use axum::extract::{FromRequestParts, Query, State};
use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;

#[derive(Template)]
#[template(path = "login.html")]
struct Page {
    frame: Frame,
    /// There are users, so the form has a name and a password; otherwise only a token.
    named: bool,
    /// A token is configured.
    token: bool,
    next: String,
    fault: Option<&'static str>,
}

/// The query parameter with the page to show after the login.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct LoginQuery {
    next: String,
}

/// The fields of the form.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Fields {
    name: String,
    password: String,
    token: String,
    next: String,
}

pub(crate) async fn form(State(state): State<Shared>, Query(query): Query<LoginQuery>) -> Response {
    let active = state.access();
    if active.access.is_open() {
        return Redirect::to("/").into_response();
    }
    page(&active.access, &query.next, None)
}

fn page(access: &AccessConfig, next: &str, fault: Option<&'static str>) -> Response {
    let frame = Frame { title: "Log in".to_owned(), ..Frame::default() };
    let (named, token) = (!access.users.is_empty(), access.token.is_some());
    let mut response = render(&Page { frame, named, token, next: local(next).to_owned(), fault });
    if fault.is_some() {
        *response.status_mut() = StatusCode::UNAUTHORIZED;
    }
    response
}

pub(crate) async fn log_in(
    State(state): State<Shared>,
    ClientAddress(from): ClientAddress,
    Form(fields): Form<Fields>,
) -> Result<Response, Problem> {
    let active = state.access();
    let Some(credential) = known(&state, &active.access, &fields, from).await? else {
        let fault = if fields.token.is_empty() { "Name or password are not right." } else { "The token is not right." };
        return Ok(page(&active.access, &fields.next, Some(fault)));
    };
    let failed = || Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the system gives no random bytes");
    let id = state.sessions.begin(credential).ok_or_else(failed)?;
    let cookie = set_cookie(&active.access, &id, sessions::AGE.as_secs()).ok_or_else(failed)?;
    Ok(([(SET_COOKIE, cookie)], Redirect::to(local(&fields.next))).into_response())
}

/// The client address of the request.
pub(crate) struct ClientAddress(IpAddr);

impl FromRequestParts<Shared> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &Shared) -> Result<Self, Infallible> {
        Ok(Self(address(&state.access().access, parts)))
    }
}

/// Checks a login and returns its credential, if it is right. Attempts count until they turn out to be right.
async fn known(
    state: &Shared,
    access: &AccessConfig,
    fields: &Fields,
    from: IpAddr,
) -> Result<Option<Credential>, Problem> {
    let claim = if fields.token.is_empty() { Claim::User(&fields.name) } else { Claim::Token };
    // An unknown name may be a password that was typed into the wrong field, so it is not logged.
    let user = access.users.iter().map(|user| user.name.as_str()).find(|name| claim == Claim::User(name));
    let user = if claim == Claim::Token { "(token)" } else { user.unwrap_or("(unknown)") };
    state.attempts.begin(from, claim).map_err(|wait| {
        tracing::warn!(%from, user, "login refused: too many attempts");
        Problem::too_many(wait)
    })?;
    let credential = match claim {
        Claim::User(name) => by_password(state, access, name, &fields.password).await?,
        Claim::Token => {
            let token = fields.token.trim();
            is_token(access, token).then(|| Credential::Token(token.to_owned()))
        }
    };
    if credential.is_some() {
        state.attempts.forgive(from, claim);
        tracing::info!(%from, user, "logged in");
    } else {
        tracing::warn!(%from, user, "login refused: it is wrong");
    }
    Ok(credential)
}

async fn by_password(
    state: &Shared,
    access: &AccessConfig,
    name: &str,
    given: &str,
) -> Result<Option<Credential>, Problem> {
    let user = access.users.iter().find(|user| user.name == name);
    // An unknown user costs the same time as a known one, so that the time does not reveal which names exist.
    let Some(hash) = user.or_else(|| access.users.first()).map(|user| user.hash.clone()) else { return Ok(None) };
    if given.is_empty() || given.len() > password::MAX_PASSWORD_BYTES {
        return Ok(None);
    }
    let given = given.to_owned();
    let turn = Arc::clone(&state.hash_permits).acquire_owned().await.map_err(|_| Problem::not_found())?;
    // The permit is held as long as the work, even if the client has disconnected.
    let fits = move || {
        let fits = password::fits(&given, &hash);
        drop(turn);
        fits
    };
    let fits = tokio::task::spawn_blocking(fits).await.unwrap_or(false);
    Ok(user.filter(|_| fits).map(|user| Credential::User { name: user.name.clone(), hash: user.hash.clone() }))
}

/// Returns a local path; anything else leads to the list of jobs.
fn local(next: &str) -> &str {
    let plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if plain && next.starts_with('/') && !next.starts_with("//") { next } else { "/" }
}

pub(crate) async fn log_out(
    State(state): State<Shared>,
    ClientAddress(from): ClientAddress,
    visitor: Visitor,
) -> Response {
    if let AuthMethod::Session(id) = &visitor.auth_method {
        state.sessions.end(id);
        tracing::info!(%from, user = visitor.name.as_deref().unwrap_or("(token)"), "logged out");
    }
    let away = Redirect::to("/login");
    match set_cookie(&state.access().access, "", 0) {
        Some(cookie) => ([(SET_COOKIE, cookie)], away).into_response(),
        None => away.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::local;

    #[test]
    fn one_is_led_on_to_our_own_pages_alone() {
        assert_eq!(local("/jobs/a?x=1"), "/jobs/a?x=1");
        for next in ["", "//evil.test", "/\\evil.test", "https://evil.test/", "evil", "/a\r\nb", "/\u{e9}"] {
            assert_eq!(local(next), "/", "{next:?}");
        }
    }
}
