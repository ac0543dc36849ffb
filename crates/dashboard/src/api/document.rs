//! `/api/v1/openapi.json`: the OpenAPI document.

use super::shapes::LiveJson;
use crate::problem::{Problem, ProblemDetails};
use axum::Extension;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{RefOr, Response as ResponseObject};
use utoipa::{IntoParams, IntoResponses, Modify, OpenApi, ToSchema};

/// The parts of the document besides routes and types.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "mapwright",
        version = "1",
        description = "The service: its jobs, their runs and their findings. Within version 1, fields are only ever added. Authorization: Bearer TOKEN, or the session of a browser; with a session, requests that change something must carry its X-Csrf-Token. Where the dashboard needs no login, programs send no cookie, and requests that change something must carry the field X-Mapwright-Client with any value."
    ),
    servers((url = "/api/v1")),
    security(("token" = []), ("session" = []), ("plain_session" = []), ()),
    modifiers(&Schemes),
    components(schemas(ProblemDetails, LiveJson))
)]
pub(super) struct Document;

struct Schemes;

impl Modify for Schemes {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let cookie = |name: &str, description: &str| {
            SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(name, description)))
        };
        let components = api.components.get_or_insert_default();
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        components.add_security_scheme("token", SecurityScheme::Http(bearer));
        let of_tls = "With TLS, of the dashboard or of a proxy in front";
        components.add_security_scheme("session", cookie("__Host-mapwright", of_tls));
        let plain = "Without TLS; PORT is that of the dashboard, as in mapwright-8470";
        components.add_security_scheme("plain_session", cookie("mapwright-PORT", plain));
    }
}

/// The document as it is served.
#[derive(Debug, Clone)]
pub(super) struct Text(Arc<str>);

impl From<utoipa::openapi::OpenApi> for Text {
    fn from(api: utoipa::openapi::OpenApi) -> Self {
        Self(api.to_pretty_json().unwrap_or_default().into())
    }
}

/// This document
#[utoipa::path(
    get,
    path = "/openapi.json",
    responses((status = 200, description = "This document", body = Object, content_type = "application/json"), Problem)
)]
pub(super) async fn openapi(Extension(document): Extension<Text>) -> Response {
    ([(CONTENT_TYPE, "application/json")], document.0.to_string()).into_response()
}

/// The job of a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a segment that handlers take as a text")]
pub(super) struct JobPath {
    /// The name of the job.
    job: String,
}

/// The header fields of requests that change something.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes fields that the guard reads")]
pub(super) struct ChangeFields {
    /// Any value, such as the program's name. Needed where the dashboard requires no login; pages of other sites cannot
    /// send it.
    #[param(rename = "X-Mapwright-Client")]
    client: Option<String>,
    /// The value that forms of the session carry in their field `csrf`. Needed with a cookie.
    #[param(rename = "X-Csrf-Token")]
    csrf: Option<String>,
}

impl IntoResponses for Problem {
    fn responses() -> BTreeMap<String, RefOr<ResponseObject>> {
        let schema = utoipa::openapi::Ref::from_schema_name(ProblemDetails::name());
        let response = ResponseBuilder::new()
            .description("The error, as problem details (RFC 9457)")
            .content("application/problem+json", ContentBuilder::new().schema(Some(schema)).build());
        BTreeMap::from([("default".to_owned(), response.build().into())])
    }
}
