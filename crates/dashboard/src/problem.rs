//! The error responses of the dashboard.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use mapwright_service::Denied;
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// The reason why a request cannot be answered. The middleware renders it as a page, or as JSON (RFC 9457).
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    /// One plain sentence.
    pub(crate) detail: String,
    wait: Option<Duration>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), wait: None }
    }

    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "there is nothing here")
    }

    pub(crate) fn too_many(wait: Duration) -> Self {
        let minutes = wait.as_secs().div_ceil(60);
        let detail = format!("too many wrong attempts; try again in {minutes} minutes");
        Self { wait: Some(wait), ..Self::new(StatusCode::TOO_MANY_REQUESTS, detail) }
    }

    /// The reason phrase of the status.
    pub(crate) fn title(&self) -> &'static str {
        self.status.canonical_reason().unwrap_or("Problem")
    }

    /// The problem as JSON (RFC 9457).
    pub(crate) fn as_json(&self) -> Response {
        let (title, detail) = (self.title(), self.detail.as_str());
        let details = ProblemDetails { kind: "about:blank", title, status: self.status.as_u16(), detail };
        let body = serde_json::to_string(&details).unwrap_or_default();
        let fields = [(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"))];
        (self.status, fields, body).into_response()
    }
}

/// Problem details (RFC 9457, section 3.1).
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemDetails<'p> {
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'p str,
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// One plain sentence.
    detail: &'p str,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.status;
        let fields = response.headers_mut();
        if let Some(wait) = self.wait {
            fields.insert(RETRY_AFTER, HeaderValue::from(wait.as_secs().max(1)));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            fields.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"mapwright\""));
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Denied> for Problem {
    fn from(denied: Denied) -> Self {
        let status = match denied {
            Denied::Unknown => StatusCode::NOT_FOUND,
            Denied::Running | Denied::Idle => StatusCode::CONFLICT,
            Denied::Ending | Denied::Outage => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self::new(status, denied.to_string())
    }
}
