//! The settings of a job, and the URL parameters of its newest complete run.

use super::document::JobPath;
use crate::app_state::Shared;
use crate::parameters::{self, AdvisedParameter};
use crate::problem::Problem;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use mapwright_service::EffectiveSetting;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
struct JobSettings {
    settings: Vec<EffectiveSetting>,
}

/// The settings of a job as they apply, and where each was set
#[utoipa::path(
    get,
    path = "/jobs/{job}/settings",
    params(JobPath),
    responses((status = 200, description = "The settings", body = JobSettings), Problem)
)]
pub(super) async fn settings(State(state): State<Shared>, Path(name): Path<String>) -> Result<Response, Problem> {
    Ok(Json(JobSettings { settings: state.settings(&name).await? }).into_response())
}

#[derive(Serialize, ToSchema)]
struct Parameters<'p> {
    /// The number of all parameters.
    all: u64,
    /// The most frequent ones.
    #[schema(max_items = 1000)]
    parameters: Vec<ParameterJson<'p>>,
}

/// A URL parameter.
#[derive(Serialize, ToSchema)]
#[schema(as = Parameter)]
struct ParameterJson<'p> {
    /// Its name, with `;` before it for a parameter in the path.
    parameter: &'p str,
    /// The pattern of the paths.
    pattern: &'p str,
    /// Its role, once it is certain.
    #[schema(required)]
    role: Option<&'p str>,
    /// The number of requested URLs with it.
    urls: u64,
    /// One of these URLs.
    example: &'p str,
    /// Comparisons in which the pages with and without it were equal.
    equal: u32,
    /// Comparisons in which one had the items of the other in another order.
    sorted: u32,
    /// Comparisons in which one was a part of the other.
    subset: u32,
    /// Comparisons in which they differed.
    differs: u32,
    /// The lines that end the waste, in words.
    advice: &'p [String],
}

impl<'p> From<&'p AdvisedParameter> for ParameterJson<'p> {
    fn from(parameter: &'p AdvisedParameter) -> Self {
        let AdvisedParameter { row, advice } = parameter;
        Self {
            parameter: &row.parameter,
            pattern: &row.pattern,
            role: row.role.as_deref(),
            urls: row.urls,
            example: &row.example,
            equal: row.evidence.equal,
            sorted: row.evidence.sorted,
            subset: row.evidence.subset,
            differs: row.evidence.differs,
            advice,
        }
    }
}

/// The URL parameters of the newest complete run, with their roles
#[utoipa::path(
    get,
    path = "/jobs/{job}/parameters",
    params(JobPath),
    responses((status = 200, description = "The parameters", body = Parameters), Problem)
)]
pub(super) async fn parameters(State(state): State<Shared>, Path(name): Path<String>) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let found = state.read(move |deadline| parameters::read(&job.record, deadline)).await?;
    let rows = found.parameters.iter().map(ParameterJson::from).collect();
    Ok(Json(Parameters { all: found.all, parameters: rows }).into_response())
}
