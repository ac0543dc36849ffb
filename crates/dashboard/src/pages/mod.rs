//! Pages for people. They work without scripts, and show nothing of a site as markup.

pub(crate) mod assets;
pub(crate) mod commands;
pub(crate) mod compare;
pub(crate) mod edit;
pub(crate) mod explain;
pub(crate) mod files;
pub(crate) mod findings;
pub(crate) mod job;
pub(crate) mod jobs;
pub(crate) mod login;
pub(crate) mod parameters;
pub(crate) mod run;
pub(crate) mod settings;
pub(crate) mod tabs;
pub(crate) mod urls;
mod views;

use crate::guard::visitor::{AuthMethod, Visitor};
use crate::problem::Problem;
use crate::text::shown;
use askama::Template;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{Html, IntoResponse, Response};
use tabs::Tab;

/// The frame around every page.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    pub(crate) title: String,
    /// The user who logged in, with the role; `None` without authentication.
    pub(crate) who: Option<String>,
    pub(crate) csrf: String,
    pub(crate) operator: bool,
    /// There is a session to log out of.
    pub(crate) leaves: bool,
    /// The path and the name of the job whose page this is, unless it is the job's own.
    pub(crate) job: Option<(String, String)>,
    /// The pages of the job.
    pub(crate) tabs: Vec<Tab>,
}

impl Frame {
    pub(crate) fn of(visitor: &Visitor, title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            who: visitor.name.as_ref().map(|name| format!("{} ({})", shown(name), visitor.role.as_str())),
            csrf: visitor.csrf.clone(),
            operator: visitor.is_operator() && !visitor.csrf.is_empty(),
            leaves: matches!(visitor.auth_method, AuthMethod::Session(_)),
            job: None,
            tabs: Vec::new(),
        }
    }
}

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
