//! What every answer carries.

use crate::guard::is_for_programs;
use crate::pages;
use crate::problem::Problem;
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

/// Our own files and nothing else: should a text of a site ever become markup, it would still do nothing.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

const FIELDS: [(HeaderName, &str); 7] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    // Nothing to other sites. Not "no-referrer": browsers then say "null" for the origin of our own forms.
    (REFERRER_POLICY, "same-origin"),
    (CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Gives each answer the fields that keep it safe, and problems a form that their reader can use.
pub(crate) async fn dress(request: Request, next: Next) -> Response {
    let for_programs = is_for_programs(request.uri().path());
    let mut response = next.run(request).await;
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        let fields = std::mem::take(response.headers_mut());
        response = if for_programs { problem.as_json() } else { pages::problem(&problem) };
        keep(&mut response, fields);
    }
    for (name, value) in FIELDS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn keep(response: &mut Response, fields: HeaderMap) {
    for (name, value) in fields {
        if let Some(name) = name.filter(|name| name != "content-type" && name != "content-length") {
            response.headers_mut().append(name, value);
        }
    }
}
