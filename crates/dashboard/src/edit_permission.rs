//! Editing the jobs of the configuration file: who may, and the errors.

use crate::app_state::AppState;
use crate::guard::visitor::{AuthMethod, Visitor};
use crate::problem::Problem;
use axum::http::StatusCode;
use mapwright_service::{EditError, JobsFile, JobsFileEdit};
use mapwright_settings::JobChange;
use std::sync::Arc;

/// A step of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EditStep {
    /// It is checked and shown.
    Preview,
    /// It is written and applied.
    Save,
}

impl AppState {
    /// Returns the jobs file for a visitor who may edit it: an operator who logged in or sent the token. Without a
    /// login, every user of the machine could have the service read and write files.
    ///
    /// # Errors
    /// When the visitor may not, or the service was started without a file.
    pub(crate) fn jobs_file(&self, visitor: &Visitor) -> Result<Arc<JobsFile>, Problem> {
        let forbidden = |what: &str| Err(Problem::new(StatusCode::FORBIDDEN, what));
        if !visitor.is_operator() {
            return forbidden("readers may see everything and change nothing");
        }
        if visitor.auth_method == AuthMethod::Open {
            return forbidden(
                "jobs are edited here by operators who log in: start the service with --token-file or --users-file, or \
                 edit the file",
            );
        }
        let missing = || Problem::new(StatusCode::CONFLICT, "the service was started without a configuration file");
        self.jobs_file.clone().ok_or_else(missing)
    }

    /// Shows or makes a change of a job.
    pub(crate) async fn edit_job(
        &self,
        visitor: &Visitor,
        job: &str,
        change: JobChange,
        revision: Option<String>,
        step: EditStep,
    ) -> Result<Result<JobsFileEdit, EditError>, Problem> {
        let file = self.jobs_file(visitor)?;
        let name = job.to_owned();
        let edited = self
            .query_service(move |_| match step {
                EditStep::Preview => file.preview(&name, &change, revision.as_deref()),
                EditStep::Save => file.save(&name, &change, revision.as_deref()),
            })
            .await?;
        if step == EditStep::Save {
            let by = visitor.name.as_deref().unwrap_or("operator");
            let changed = edited.as_ref().map(|edit| edit.changed.join(", ")).unwrap_or_default();
            tracing::info!(job, by, changed, done = edited.is_ok(), "a job was edited");
        }
        Ok(edited)
    }
}

impl From<EditError> for Problem {
    fn from(error: EditError) -> Self {
        let status = match error {
            EditError::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            EditError::Stale | EditError::ReadOnly(_) => StatusCode::CONFLICT,
            EditError::Failed(_) => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self::new(status, error.to_string())
    }
}
