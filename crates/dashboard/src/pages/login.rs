//! `/login` and `/logout`.

use super::{Frame, render};
use crate::desk::Shared;
use crate::door::{Door, Pass};
use crate::guard::attempts::Claim;
use crate::guard::visitor::{Visitor, Way, address, is_token};
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
    /// There are users, who have names; otherwise there is the token alone.
    named: bool,
    /// There is a token.
    token: bool,
    next: String,
    fault: Option<&'static str>,
}

/// Where to go on.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Asked {
    next: String,
}

/// What the form holds.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Fields {
    name: String,
    password: String,
    token: String,
    next: String,
}

pub(crate) async fn form(State(desk): State<Shared>, Query(asked): Query<Asked>) -> Response {
    let opened = desk.door();
    if opened.door.is_open() {
        return Redirect::to("/").into_response();
    }
    page(&opened.door, &asked.next, None)
}

fn page(door: &Door, next: &str, fault: Option<&'static str>) -> Response {
    let frame = Frame { title: "Log in".to_owned(), ..Frame::default() };
    let (named, token) = (!door.users.is_empty(), door.token.is_some());
    let mut response = render(&Page { frame, named, token, next: local(next).to_owned(), fault });
    if fault.is_some() {
        *response.status_mut() = StatusCode::UNAUTHORIZED;
    }
    response
}

pub(crate) async fn log_in(
    State(desk): State<Shared>,
    Whence(from): Whence,
    Form(fields): Form<Fields>,
) -> Result<Response, Problem> {
    let opened = desk.door();
    let Some(pass) = known(&desk, &opened.door, &fields, from).await? else {
        let fault = if fields.token.is_empty() { "Name or password are not right." } else { "The token is not right." };
        return Ok(page(&opened.door, &fields.next, Some(fault)));
    };
    let failed = || Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the system gives no random bytes");
    let id = desk.sessions.begin(pass).ok_or_else(failed)?;
    let cookie = set_cookie(&opened.door, &id, sessions::AGE.as_secs()).ok_or_else(failed)?;
    Ok(([(SET_COOKIE, cookie)], Redirect::to(local(&fields.next))).into_response())
}

/// The address that somebody comes from.
pub(crate) struct Whence(IpAddr);

impl FromRequestParts<Shared> for Whence {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, desk: &Shared) -> Result<Self, Infallible> {
        Ok(Self(address(&desk.door().door, parts)))
    }
}

/// What somebody comes in by, if they are right. Attempts count until they turn out to be right.
async fn known(desk: &Shared, door: &Door, fields: &Fields, from: IpAddr) -> Result<Option<Pass>, Problem> {
    let claim = if fields.token.is_empty() { Claim::User(&fields.name) } else { Claim::Token };
    // A name that nobody has may be a password that was typed into the wrong field.
    let user = door.users.iter().map(|user| user.name.as_str()).find(|name| claim == Claim::User(name));
    let user = if claim == Claim::Token { "(token)" } else { user.unwrap_or("(unknown)") };
    desk.attempts.begin(from, claim).map_err(|wait| {
        tracing::warn!(%from, user, "login refused: too many attempts");
        Problem::too_many(wait)
    })?;
    let pass = match claim {
        Claim::User(name) => by_password(desk, door, name, &fields.password).await?,
        Claim::Token => {
            let token = fields.token.trim();
            is_token(door, token).then(|| Pass::Token(token.to_owned()))
        }
    };
    if pass.is_some() {
        desk.attempts.forgive(from, claim);
        tracing::info!(%from, user, "logged in");
    } else {
        tracing::warn!(%from, user, "login refused: it is wrong");
    }
    Ok(pass)
}

async fn by_password(desk: &Shared, door: &Door, name: &str, given: &str) -> Result<Option<Pass>, Problem> {
    let user = door.users.iter().find(|user| user.name == name);
    // Somebody unknown costs as much as somebody known, lest the time tell who there is.
    let Some(hash) = user.or_else(|| door.users.first()).map(|user| user.hash.clone()) else { return Ok(None) };
    if given.is_empty() || given.len() > password::LONGEST {
        return Ok(None);
    }
    let given = given.to_owned();
    let turn = Arc::clone(&desk.hashings).acquire_owned().await.map_err(|_| Problem::not_found())?;
    // The turn lasts as long as the work, though whoever asked may be gone before.
    let fits = move || {
        let fits = password::fits(&given, &hash);
        drop(turn);
        fits
    };
    let fits = tokio::task::spawn_blocking(fits).await.unwrap_or(false);
    Ok(user.filter(|_| fits).map(|user| Pass::User { name: user.name.clone(), hash: user.hash.clone() }))
}

/// A path of ours; anything else leads to the list of jobs.
fn local(next: &str) -> &str {
    let plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if plain && next.starts_with('/') && !next.starts_with("//") { next } else { "/" }
}

pub(crate) async fn log_out(State(desk): State<Shared>, Whence(from): Whence, visitor: Visitor) -> Response {
    if let Way::Session(id) = &visitor.way {
        desk.sessions.end(id);
        tracing::info!(%from, user = visitor.name.as_deref().unwrap_or("(token)"), "logged out");
    }
    let away = Redirect::to("/login");
    match set_cookie(&desk.door().door, "", 0) {
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
