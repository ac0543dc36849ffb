//! The style sheet, the scripts and the icon, which are the same for everybody.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;

pub(crate) async fn style() -> impl IntoResponse {
    file("text/css; charset=utf-8", include_str!("../../assets/dashboard.css"))
}

pub(crate) async fn script() -> impl IntoResponse {
    file("text/javascript; charset=utf-8", include_str!("../../assets/dashboard.js"))
}

pub(crate) async fn times() -> impl IntoResponse {
    file("text/javascript; charset=utf-8", include_str!("../../assets/times.js"))
}

pub(crate) async fn refresh() -> impl IntoResponse {
    file("text/javascript; charset=utf-8", include_str!("../../assets/refresh.js"))
}

pub(crate) async fn icon() -> impl IntoResponse {
    file("image/svg+xml", include_str!("../../assets/icon.svg"))
}

fn file(media_type: &'static str, text: &'static str) -> impl IntoResponse {
    // They may change in the next version under the same name.
    ([(CONTENT_TYPE, media_type), (CACHE_CONTROL, "no-cache")], text)
}
