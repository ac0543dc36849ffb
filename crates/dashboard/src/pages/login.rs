//! `/login` and `/logout`.

use super::{Frame, render};
use crate::desk::{Desk, Shared};
use crate::door::Role;
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
    if desk.door.is_open() {
        return Redirect::to("/").into_response();
    }
    page(&desk, &asked.next, None)
}

fn page(desk: &Desk, next: &str, fault: Option<&'static str>) -> Response {
    let frame = Frame { title: "Log in".to_owned(), ..Frame::default() };
    let (named, token) = (!desk.door.users.is_empty(), desk.door.token.is_some());
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
    if let Some(wait) = desk.attempts.wait_to_log_in(from) {
        return Err(Problem::too_many(wait));
    }
    let Some((name, role)) = known(&desk, &fields, from).await? else {
        let fault = if fields.token.is_empty() { "Name or password are not right." } else { "The token is not right." };
        return Ok(page(&desk, &fields.next, Some(fault)));
    };
    let failed = || Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the system gives no random bytes");
    let (id, _) = desk.sessions.begin(name, role).ok_or_else(failed)?;
    let cookie = set_cookie(&desk, &id, sessions::AGE.as_secs()).ok_or_else(failed)?;
    Ok(([(SET_COOKIE, cookie)], Redirect::to(local(&fields.next))).into_response())
}

/// The address that somebody comes from.
pub(crate) struct Whence(IpAddr);

impl FromRequestParts<Shared> for Whence {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, desk: &Shared) -> Result<Self, Infallible> {
        Ok(Self(address(desk, parts)))
    }
}

/// Who it is, if they are right. Attempts count until they turn out to be right.
async fn known(desk: &Shared, fields: &Fields, from: IpAddr) -> Result<Option<(Option<String>, Role)>, Problem> {
    desk.attempts.note(from);
    let who = if fields.token.is_empty() {
        by_password(desk, &fields.name, &fields.password).await?
    } else {
        is_token(desk, fields.token.trim()).then_some((None, Role::Operator))
    };
    if who.is_some() {
        desk.attempts.forgive(from);
    }
    Ok(who)
}

async fn by_password(desk: &Shared, name: &str, given: &str) -> Result<Option<(Option<String>, Role)>, Problem> {
    let user = desk.door.users.iter().find(|user| user.name == name);
    // Somebody unknown costs as much as somebody known, lest the time tell who there is.
    let Some(hash) = user.or_else(|| desk.door.users.first()).map(|user| user.hash.clone()) else { return Ok(None) };
    if given.is_empty() || given.len() > password::LONGEST {
        return Ok(None);
    }
    let given = given.to_owned();
    let _turn = desk.hashings.acquire().await.map_err(|_| Problem::not_found())?;
    let fits = tokio::task::spawn_blocking(move || password::fits(&given, &hash)).await.unwrap_or(false);
    Ok(user.filter(|_| fits).map(|user| (Some(user.name.clone()), user.role)))
}

/// A path of ours; anything else leads to the list of jobs.
fn local(next: &str) -> &str {
    let plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if plain && next.starts_with('/') && !next.starts_with("//") { next } else { "/" }
}

pub(crate) async fn log_out(State(desk): State<Shared>, visitor: Visitor) -> Response {
    if let Way::Session(id) = &visitor.way {
        desk.sessions.end(id);
    }
    let away = Redirect::to("/login");
    match set_cookie(&desk, "", 0) {
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
