//! The links between the pages of a job.

use super::{Frame, views};
use crate::app_state::AppState;
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::{in_query, shown};
use mapwright_service::JobView;

/// A page of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JobPage {
    Overview,
    Findings,
    Urls,
    Explain,
    Compare,
    Parameters,
    Files,
    Settings,
}

/// A link to a page of the job.
#[derive(Debug)]
pub(crate) struct Tab {
    pub(crate) path: String,
    pub(crate) title: &'static str,
    /// It leads to the page that shows it.
    pub(crate) is_current: bool,
}

impl Frame {
    /// The frame of a page of a job, with links to the others that have something to show.
    ///
    /// # Errors
    /// When the service does not answer.
    pub(crate) async fn of_job(
        state: &AppState,
        visitor: &Visitor,
        job: &JobView,
        page: Option<JobPage>,
        title: String,
    ) -> Result<Self, Problem> {
        let frame = Self::of(visitor, title);
        let has = state.job_results(job).await?;
        let path = views::path(&job.name);
        let tab = |is_there: bool, of: JobPage, name: &str, title| {
            is_there.then(|| Tab { path: format!("{path}/{name}"), title, is_current: page == Some(of) })
        };
        let command = |path: String, title| frame.operator.then_some(Tab { path, title, is_current: false });
        let tabs = [
            tab(has.findings, JobPage::Findings, "findings", "Findings"),
            tab(has.record, JobPage::Urls, "urls", "URLs"),
            tab(true, JobPage::Explain, "explain", "Explain a page"),
            tab(has.record, JobPage::Compare, "compare", "Compare crawls"),
            tab(has.record, JobPage::Parameters, "parameters", "URL parameters"),
            tab(true, JobPage::Files, "files", "Sitemaps and reports"),
            tab(true, JobPage::Settings, "settings", "Settings"),
            command(format!("{path}/edit"), "Edit"),
            command(format!("/new?copy_of={}", in_query(&job.name)), "Copy"),
            command(format!("{path}/remove"), "Remove"),
        ];
        let tabs = tabs.into_iter().flatten().collect();
        let job = (page != Some(JobPage::Overview)).then(|| (path, shown(&job.name)));
        Ok(Self { job, tabs, ..frame })
    }
}
