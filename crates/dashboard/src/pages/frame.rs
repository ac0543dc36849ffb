//! The frame around every page: its title, the visitor, and the links between the pages of a job.

use super::views;
use crate::app_state::AppState;
use crate::guard::visitor::{AuthMethod, Visitor};
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

/// The frame around every page.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    pub(crate) title: String,
    /// The user who logged in, with the role; `None` without authentication.
    pub(crate) who: Option<String>,
    pub(crate) csrf: String,
    pub(crate) operator: bool,
    /// There is a session to log out of.
    pub(crate) leaves: bool,
    /// The path and the name of the job whose page this is, unless it is the job's own.
    pub(crate) job: Option<(String, String)>,
    /// The pages of the job.
    pub(crate) tabs: Vec<Tab>,
}

impl Frame {
    pub(crate) fn of(visitor: &Visitor, title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            who: visitor.name.as_ref().map(|name| format!("{} ({})", shown(name), visitor.role.as_str())),
            csrf: visitor.csrf.clone(),
            operator: visitor.is_operator() && !visitor.csrf.is_empty(),
            leaves: matches!(visitor.auth_method, AuthMethod::Session(_)),
            job: None,
            tabs: Vec::new(),
        }
    }

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
