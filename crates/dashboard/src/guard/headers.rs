//! The header fields of every response.

use crate::guard::is_for_programs;
use crate::pages;
use crate::problem::Problem;
use crate::text::shown;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

/// The content security policy admits our own files only: if a text of a site ever became markup, it would still do
/// nothing.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// Maximum length of a framework message that is passed on, in bytes.
const MAX_REPORTED: usize = 4 << 10;

const FIELDS: [(HeaderName, &str); 7] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    // No referrer to other sites. With "no-referrer", browsers would send "null" as the origin of our own forms.
    (REFERRER_POLICY, "same-origin"),
    (CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Adds the security headers to each response, and renders problems in the form for their reader: a page or JSON.
pub(crate) async fn add_security_headers(request: Request, next: Next) -> Response {
    let for_programs = is_for_programs(request.uri().path());
    let mut response = next.run(request).await;
    let problem = match response.extensions_mut().remove::<Problem>() {
        Some(problem) => Some(problem),
        None => rejection(&mut response).await,
    };
    if let Some(problem) = problem {
        let fields = std::mem::take(response.headers_mut());
        response = if for_programs { problem.as_json() } else { pages::problem(&problem) };
        keep(&mut response, fields);
    }
    for (name, value) in FIELDS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// The problem of a request that the framework rejects before any of our handlers runs: its response is plain text, or
/// empty.
async fn rejection(response: &mut Response) -> Option<Problem> {
    let media_type = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    if !response.status().is_client_error() || media_type.starts_with(b"text/html") {
        return None;
    }
    let allowed = response.headers().get(ALLOW).and_then(|value| value.to_str().ok());
    let detail = match allowed {
        Some(methods) => format!("this path takes no such method, but {}", methods.replace(',', ", ")),
        None => framework_message(std::mem::take(response.body_mut())).await,
    };
    Some(Problem::new(response.status(), detail))
}

/// The message of the framework, which may contain text from the request.
async fn framework_message(body: Body) -> String {
    let text = to_bytes(body, MAX_REPORTED).await.unwrap_or_default();
    let text = shown(String::from_utf8_lossy(&text).trim());
    if text.is_empty() { "the request is not one that this path takes".to_owned() } else { text }
}

fn keep(response: &mut Response, fields: HeaderMap) {
    for (name, value) in fields {
        if let Some(name) = name.filter(|name| name != "content-type" && name != "content-length") {
            response.headers_mut().append(name, value);
        }
    }
}
