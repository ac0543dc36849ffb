//! Pages for people. They work without scripts; nothing of a site is ever markup in them.

pub(crate) mod assets;
pub(crate) mod compare;
pub(crate) mod explain;
pub(crate) mod files;
pub(crate) mod findings;
pub(crate) mod job;
pub(crate) mod jobs;
pub(crate) mod login;
pub(crate) mod orders;
pub(crate) mod run;
mod views;

use crate::guard::visitor::{Visitor, Way};
use crate::problem::Problem;
use crate::text::shown;
use askama::Template;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{Html, IntoResponse, Response};

/// What stands around every page.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    pub(crate) title: String,
    /// Who logged in, and what they are; nothing where nobody is asked.
    pub(crate) who: Option<String>,
    pub(crate) csrf: String,
    pub(crate) operator: bool,
    /// There is a session that can be ended.
    pub(crate) leaves: bool,
}

impl Frame {
    pub(crate) fn of(visitor: &Visitor, title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            who: visitor.name.as_ref().map(|name| format!("{} ({})", shown(name), visitor.role.as_str())),
            csrf: visitor.csrf.clone(),
            operator: visitor.is_operator() && !visitor.csrf.is_empty(),
            leaves: matches!(visitor.way, Way::Session(_)),
        }
    }
}

/// The page of a template.
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

/// The page that tells of a problem.
pub(crate) fn problem(problem: &Problem) -> Response {
    let frame = Frame { title: problem.title().to_owned(), ..Frame::default() };
    let mut response = render(&ProblemPage { frame, detail: &problem.detail });
    *response.status_mut() = problem.status;
    response
}

/// Who asks, where the door has let somebody in.
impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let visitor = parts.extensions.get::<Option<Self>>().cloned().flatten();
        visitor.ok_or_else(|| Problem::new(StatusCode::UNAUTHORIZED, "log in first"))
    }
}
