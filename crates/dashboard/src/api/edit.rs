//! Making, changing and removing the jobs of the configuration file.

use super::document::{ChangeFields, JobPath};
use crate::app_state::Shared;
use crate::edit_permission::EditStep;
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mapwright_service::{JobTable, JobsFileEdit};
use mapwright_settings::{JobChange, ShownValues};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::{IntoParams, ToSchema};

/// The settings that the table of a job in the configuration file sets
#[utoipa::path(
    get,
    path = "/jobs/{job}/table",
    params(JobPath),
    responses((status = 200, description = "The table", body = JobTable), Problem)
)]
pub(super) async fn table(
    State(state): State<Shared>,
    Path(name): Path<String>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let file = state.jobs_file(&visitor)?;
    state.job(&name).await?;
    Ok(Json(state.query_service(move |_| file.table(&name)).await??).into_response())
}

/// A job to make or change.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct JobBody {
    /// The settings, by key with the section (`job.cron`, `crawl.max-depth`); null removes one, and those that are not
    /// named stay. `(secret)`, and a value as it is shown, stand for the value that is there.
    #[schema(value_type = Object)]
    settings: BTreeMap<String, Value>,
    /// The job to copy, for a new one.
    copy_of: Option<String>,
    /// The fingerprint that the file must have.
    revision: Option<String>,
    /// The change is checked and shown, and not made.
    dry_run: bool,
}

/// Returns the texts of a value: a text, a number, a truth value, or a list of these.
fn texts(key: &str, value: &Value) -> Result<Vec<String>, Problem> {
    let single = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    };
    let texts = match value {
        Value::Null => Some(Vec::new()),
        Value::Array(many) => many.iter().map(single).collect(),
        one => single(one).map(|text| vec![text]),
    };
    let fault = || format!("settings.{}: write a text, a number, true, false, or a list of these", key.escape_debug());
    texts.ok_or_else(|| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, fault()))
}

/// A change of the configuration file.
#[derive(Serialize, ToSchema)]
struct Edited {
    /// It was made; false for a dry run.
    saved: bool,
    /// The keys of the settings that change, of those with secrets too.
    changed: Vec<String>,
    /// The unified difference of the file; secrets are hidden.
    diff: String,
    /// The fingerprint of the file as it is now: after the change if that was made.
    revision: String,
}

/// Make a job, or change its settings, in the configuration file
#[utoipa::path(
    put,
    path = "/jobs/{job}",
    params(JobPath, ChangeFields),
    request_body = JobBody,
    responses((status = 200, description = "The change", body = Edited), Problem)
)]
pub(super) async fn put(
    State(state): State<Shared>,
    Path(name): Path<String>,
    visitor: Visitor,
    Json(body): Json<JobBody>,
) -> Result<Response, Problem> {
    state.jobs_file(&visitor)?;
    let values = body.settings.iter().map(|(key, value)| Ok((key.clone(), texts(key, value)?)));
    let values: ShownValues = values.collect::<Result<_, Problem>>()?;
    let change = match state.job(&name).await {
        Ok(_) if body.copy_of.is_none() => JobChange::Set(values),
        _ => JobChange::Make { copy_of: body.copy_of, values },
    };
    edit(&state, &visitor, &name, change, body.revision, body.dry_run).await
}

/// The query parameters of a removal.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(super) struct RemoveQuery {
    /// The fingerprint that the file must have.
    revision: Option<String>,
    /// The change is checked and shown, and not made.
    dry_run: bool,
}

/// Remove a job from the configuration file; its record and its reports stay
#[utoipa::path(
    delete,
    path = "/jobs/{job}",
    params(JobPath, RemoveQuery, ChangeFields),
    responses((status = 200, description = "The change", body = Edited), Problem)
)]
pub(super) async fn delete(
    State(state): State<Shared>,
    Path(name): Path<String>,
    Query(query): Query<RemoveQuery>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    edit(&state, &visitor, &name, JobChange::Remove, query.revision, query.dry_run).await
}

async fn edit(
    state: &Shared,
    visitor: &Visitor,
    name: &str,
    change: JobChange,
    revision: Option<String>,
    dry_run: bool,
) -> Result<Response, Problem> {
    let step = if dry_run { EditStep::Preview } else { EditStep::Save };
    let JobsFileEdit { changed, diff, revision } = state.edit_job(visitor, name, change, revision, step).await??;
    Ok(Json(Edited { saved: !dry_run, changed, diff, revision }).into_response())
}
