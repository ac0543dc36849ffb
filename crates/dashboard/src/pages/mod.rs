//! Pages for people. They work without scripts, and show nothing of a site as markup.

pub(crate) mod assets;
pub(crate) mod commands;
pub(crate) mod compare;
pub(crate) mod edit;
pub(crate) mod explain;
pub(crate) mod files;
pub(crate) mod findings;
pub(crate) mod frame;
pub(crate) mod job;
pub(crate) mod jobs;
pub(crate) mod login;
pub(crate) mod parameters;
pub(crate) mod run;
pub(crate) mod settings;
pub(crate) mod urls;
mod views;

use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use askama::Template;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{Html, IntoResponse, Response};
pub(crate) use frame::Frame;

/// Renders a template as a page.
pub(crate) fn render(page: &impl Template) -> Response {
    match page.render() {
        Ok(html) => Html(html).into_response(),
        Err(error) => {
            tracing::error!(%error, "a page of the dashboard failed");
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "it failed on our side; please report it").into_response()
        }
    }
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'p> {
    frame: Frame,
    detail: &'p str,
}

/// The page that reports a problem.
pub(crate) fn problem(problem: &Problem) -> Response {
    let frame = Frame { title: problem.title().to_owned(), ..Frame::default() };
    let mut response = render(&ProblemPage { frame, detail: &problem.detail });
    *response.status_mut() = problem.status;
    response
}

/// Extracts the authenticated visitor of a request.
impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let visitor = parts.extensions.get::<Option<Self>>().cloned().flatten();
        visitor.ok_or_else(|| Problem::new(StatusCode::UNAUTHORIZED, "log in first"))
    }
}
