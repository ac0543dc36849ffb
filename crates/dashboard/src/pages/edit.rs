//! `/new`, `/jobs/NAME/edit` and `/jobs/NAME/remove`: the forms that change the jobs of the configuration file.

use super::{Frame, render, views};
use crate::app_state::Shared;
use crate::edit_permission::EditStep;
use crate::guard::visitor::Visitor;
use crate::job_form::{FormSection, changes, sections};
use crate::problem::Problem;
use crate::text::shown;
use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use mapwright_service::{EditError, JobTable, JobsFileEdit};
use mapwright_settings::{JobChange, ShownValues};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The fields of a submitted form, in order.
type Fields = Form<Vec<(String, String)>>;

#[derive(Template)]
#[template(path = "edit.html")]
struct EditPage {
    frame: Frame,
    /// The path that the form is sent to.
    action: String,
    /// The job that exists, with its path; `None` for a new one.
    job: Option<(String, String)>,
    /// The name of the new job.
    name: String,
    copy_of: String,
    table: JobTable,
    fault: Option<String>,
    sections: Vec<FormSection>,
}

#[derive(Template)]
#[template(path = "edit_preview.html")]
struct PreviewPage {
    frame: Frame,
    action: String,
    /// The heading.
    title: String,
    /// The page to return to.
    back: String,
    file: String,
    removes: bool,
    changed: String,
    lines: Vec<DiffLine>,
    /// The fields that the next step needs.
    fields: Vec<(String, String)>,
}

/// A line of the difference.
struct DiffLine {
    class: &'static str,
    text: String,
}

/// The query parameter of the form of a new job.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct NewQuery {
    /// The job to copy.
    copy_of: String,
}

/// A job that is edited or made.
struct Target {
    /// Its name; empty while a new job has none.
    name: String,
    is_new: bool,
    copy_of: Option<String>,
}

impl Target {
    fn action(&self) -> String {
        if self.is_new { "/new".to_owned() } else { format!("{}/edit", views::path(&self.name)) }
    }

    fn change(&self, values: ShownValues) -> JobChange {
        if self.is_new { JobChange::Make { copy_of: self.copy_of.clone(), values } } else { JobChange::Set(values) }
    }

    /// The job whose values the form begins with.
    fn source(&self) -> &str {
        if self.is_new { self.copy_of.as_deref().unwrap_or_default() } else { &self.name }
    }
}

pub(crate) async fn new(
    State(state): State<Shared>,
    Query(query): Query<NewQuery>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let copy_of = Some(query.copy_of).filter(|name| !name.is_empty());
    let target = Target { name: String::new(), is_new: true, copy_of };
    form(&state, &visitor, &target, None, None).await
}

pub(crate) async fn page(
    State(state): State<Shared>,
    Path(name): Path<String>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    state.jobs_file(&visitor)?;
    state.job(&name).await?;
    form(&state, &visitor, &Target { name, is_new: false, copy_of: None }, None, None).await
}

pub(crate) async fn make(
    State(state): State<Shared>,
    visitor: Visitor,
    Form(fields): Fields,
) -> Result<Response, Problem> {
    let field = |wanted: &str| field(&fields, wanted).map(|text| text.trim().to_owned());
    let target = Target { name: field("name").unwrap_or_default(), is_new: true, copy_of: field("copy_of") };
    submit(&state, &visitor, &target, &fields).await
}

pub(crate) async fn change(
    State(state): State<Shared>,
    Path(name): Path<String>,
    visitor: Visitor,
    Form(fields): Fields,
) -> Result<Response, Problem> {
    submit(&state, &visitor, &Target { name, is_new: false, copy_of: None }, &fields).await
}

/// Takes a submitted form: shows it again, shows its difference, or saves it.
async fn submit(
    state: &Shared,
    visitor: &Visitor,
    target: &Target,
    fields: &[(String, String)],
) -> Result<Response, Problem> {
    let before = table(state, visitor, target.source()).await?.settings;
    let changed = changes(fields, &before);
    let step = match field(fields, "step") {
        Some("form") => return form(state, visitor, target, Some(&changed), None).await,
        Some("save") => EditStep::Save,
        _ => EditStep::Preview,
    };
    let revision = field(fields, "revision").map(str::to_owned);
    let edited = state.edit_job(visitor, &target.name, target.change(changed.clone()), revision, step).await?;
    match edited {
        Err(EditError::Invalid(fault)) => form(state, visitor, target, Some(&changed), Some(fault)).await,
        Err(other) => Err(other.into()),
        Ok(_) if step == EditStep::Save => Ok(Redirect::to(&views::path(&target.name)).into_response()),
        Ok(edit) => Ok(preview(visitor, target, edit, &state.jobs_file_name(), &changed)),
    }
}

/// Shows the form, with the changes that were submitted before and the fault in them.
async fn form(
    state: &Shared,
    visitor: &Visitor,
    target: &Target,
    changed: Option<&ShownValues>,
    fault: Option<String>,
) -> Result<Response, Problem> {
    let table = table(state, visitor, target.source()).await?;
    let mut values = table.settings.clone();
    values.extend(changed.cloned().unwrap_or_default());
    let title = if target.is_new { "New job".to_owned() } else { format!("Edit {}", shown(&target.name)) };
    let is_fault = fault.is_some();
    let page = EditPage {
        frame: Frame::of(visitor, title),
        action: target.action(),
        job: (!target.is_new).then(|| (shown(&target.name), views::path(&target.name))),
        name: shown(&target.name),
        copy_of: target.copy_of.clone().unwrap_or_default(),
        sections: sections(&values, &otherwise(state, target.source()).await),
        table,
        fault: fault.as_deref().map(shown),
    };
    let mut response = render(&page);
    if is_fault && response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    Ok(response)
}

async fn table(state: &Shared, visitor: &Visitor, job: &str) -> Result<JobTable, Problem> {
    let (file, job) = (state.jobs_file(visitor)?, job.to_owned());
    Ok(state.query_service(move |_| file.table(&job)).await??)
}

/// Returns the values that apply where a job sets none, by key: those that another part of the configuration sets.
async fn otherwise(state: &Shared, job: &str) -> BTreeMap<String, String> {
    let settings = state.settings(job).await.unwrap_or_default();
    settings.into_iter().map(|setting| (setting.key, setting.value)).collect()
}

fn preview(visitor: &Visitor, target: &Target, edit: JobsFileEdit, file: &str, changed: &ShownValues) -> Response {
    let title = if target.is_new { "Make" } else { "Change" };
    let mut fields = vec![("revision".to_owned(), edit.revision.clone())];
    if target.is_new {
        fields.push(("name".to_owned(), target.name.clone()));
        fields.extend(target.copy_of.clone().map(|name| ("copy_of".to_owned(), name)));
    }
    fields.extend(changed.iter().map(|(key, texts)| (key.clone(), texts.join("\n"))));
    difference(visitor, format!("{title} {}", shown(&target.name)), target.action(), edit, file, fields, false)
}

fn difference(
    visitor: &Visitor,
    title: String,
    action: String,
    edit: JobsFileEdit,
    file: &str,
    fields: Vec<(String, String)>,
    removes: bool,
) -> Response {
    let line = |line: &str| {
        let class = match line.as_bytes().first() {
            Some(b'+') => "added",
            Some(b'-') => "removed",
            Some(b'@') => "muted",
            _ => "",
        };
        DiffLine { class, text: shown(line) }
    };
    let back = action.trim_end_matches("/edit").trim_end_matches("/remove").to_owned();
    render(&PreviewPage {
        frame: Frame::of(visitor, title.clone()),
        title,
        back: if back == "/new" { "/".to_owned() } else { back },
        action,
        file: shown(file),
        removes,
        changed: edit.changed.join(", "),
        lines: edit.diff.lines().map(line).collect(),
        fields,
    })
}

/// Shows what removing a job takes out of the file.
pub(crate) async fn remove_page(
    State(state): State<Shared>,
    Path(name): Path<String>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let edit = state.edit_job(&visitor, &name, JobChange::Remove, None, EditStep::Preview).await??;
    let fields = vec![("revision".to_owned(), edit.revision.clone())];
    let action = format!("{}/remove", views::path(&name));
    Ok(difference(&visitor, format!("Remove {}", shown(&name)), action, edit, &state.jobs_file_name(), fields, true))
}

/// Removes a job, and returns to the list.
pub(crate) async fn remove(
    State(state): State<Shared>,
    Path(name): Path<String>,
    visitor: Visitor,
    Form(fields): Fields,
) -> Result<Response, Problem> {
    let revision = field(&fields, "revision").map(str::to_owned);
    state.edit_job(&visitor, &name, JobChange::Remove, revision, EditStep::Save).await??;
    Ok(Redirect::to("/").into_response())
}

/// The value of a field that is not empty.
fn field<'f>(fields: &'f [(String, String)], wanted: &str) -> Option<&'f str> {
    fields.iter().find(|(name, text)| name == wanted && !text.is_empty()).map(|(_, text)| text.as_str())
}
