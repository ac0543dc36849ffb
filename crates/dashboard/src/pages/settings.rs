//! `/jobs/NAME/settings`: the settings of a job as they apply, and where each was set.

use super::frame::JobPage;
use super::{Frame, render, views};
use crate::app_state::Shared;
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::shown;
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use mapwright_service::EffectiveSetting;
use mapwright_text::counted_in_groups;
use serde::Deserialize;

#[derive(Template)]
#[template(path = "settings.html")]
struct Page {
    frame: Frame,
    path: String,
    /// Only settings that were set are shown.
    only_set: bool,
    counted: String,
    sections: Vec<Section>,
}

/// The settings of a section.
struct Section {
    name: String,
    rows: Vec<Row>,
}

/// A row of the page: one setting.
struct Row {
    key: String,
    value: String,
    set_at: String,
    is_set: bool,
}

/// The query parameter that leaves out defaults.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SettingsQuery {
    /// `set`: only settings that were set.
    only: String,
}

pub(crate) async fn page(
    State(state): State<Shared>,
    Path(name): Path<String>,
    Query(query): Query<SettingsQuery>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let title = format!("Settings of {}", shown(&name));
    let frame = Frame::of_job(&state, &visitor, &job, Some(JobPage::Settings), title).await?;
    let settings = state.settings(&name).await?;
    let only_set = query.only == "set";
    let set = settings.iter().filter(|setting| setting.is_set).count();
    Ok(render(&Page {
        frame,
        path: views::path(&name),
        only_set,
        counted: format!("{}, {set} of them set", counted_in_groups(settings.len() as u64, "setting")),
        sections: sections(settings.iter().filter(|setting| setting.is_set || !only_set)),
    }))
}

fn sections<'s>(settings: impl Iterator<Item = &'s EffectiveSetting>) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for setting in settings {
        let (name, key) = setting.key.split_once('.').unwrap_or(("", &setting.key));
        if sections.last().is_none_or(|section| section.name != name) {
            sections.push(Section { name: name.to_owned(), rows: Vec::new() });
        }
        let value = if setting.value.is_empty() { "not set".to_owned() } else { shown(&setting.value) };
        let row = Row { key: key.to_owned(), value, set_at: shown(&setting.set_at), is_set: setting.is_set };
        if let Some(section) = sections.last_mut() {
            section.rows.push(row);
        }
    }
    sections
}
