//! `/api/v1`: the JSON API. Its OpenAPI document is generated from the routes and the types of their responses.

mod compare;
mod document;
mod edit;
mod files;
mod finding_shapes;
mod findings;
mod jobs;
mod live;
mod settings;
mod shapes;
mod urls;

use crate::app_state::Shared;
use axum::{Extension, Router};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The paths of the API.
pub(crate) fn routes() -> Router<Shared> {
    let (router, api) = OpenApiRouter::<Shared>::with_openapi(document::Document::openapi())
        .routes(routes!(document::openapi))
        .routes(routes!(jobs::jobs))
        .routes(routes!(jobs::job, edit::put, edit::delete))
        .routes(routes!(edit::table))
        .routes(routes!(jobs::runs))
        .routes(routes!(jobs::log))
        .routes(routes!(jobs::start))
        .routes(routes!(jobs::stop))
        .routes(routes!(jobs::pause))
        .routes(routes!(jobs::resume))
        .routes(routes!(jobs::test))
        .routes(routes!(live::live))
        .routes(routes!(findings::findings))
        .routes(routes!(findings::explain))
        .routes(routes!(urls::urls))
        .routes(routes!(settings::settings))
        .routes(routes!(settings::parameters))
        .routes(routes!(compare::compare))
        .routes(routes!(files::files))
        .split_for_parts();
    Router::new().nest("/api/v1", router.layer(Extension(document::Text::from(api))))
}
