//! The settings of a job as they apply, each with the place where it was set.

use crate::job::{GRACE, Job, MAX_RUN};
use mapwright_settings::{CrawlSection, JobSection, OutputSection, PublishSection, SettingOrigin, SettingSource};
use serde::Serialize;
use std::path::Path;
use std::time::Duration;
use utoipa::ToSchema;

/// A setting of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct EffectiveSetting {
    /// Its key with its section, such as `crawl.max-depth`.
    pub key: String,
    /// Its value, a list joined by `, `; empty if it has none, `(secret)` for a secret.
    pub value: String,
    /// The place where it was set: a line of the file, a variable, a flag, or `default`.
    pub set_at: String,
    /// It was set; false for a default.
    pub is_set: bool,
}

impl Job {
    /// Returns the settings of the job, in the order of the documentation. Where jobs have a default of their own, it is
    /// shown.
    #[must_use]
    pub fn effective_settings(&self) -> Vec<EffectiveSetting> {
        self.origins.iter().map(|origin| self.effective(origin)).collect()
    }

    fn effective(&self, origin: &SettingOrigin) -> EffectiveSetting {
        let SettingOrigin { key, value, set_at } = origin;
        let is_set = *set_at != SettingSource::Default;
        let own = if is_set { None } else { self.default_of_jobs(key) };
        let set_at = if own.is_some() { "default of jobs".to_owned() } else { set_at.to_string() };
        EffectiveSetting { key: key.clone(), value: own.unwrap_or_else(|| value.clone()), set_at, is_set }
    }

    /// Returns the value of a setting that is not set, where jobs have another default than other commands.
    fn default_of_jobs(&self, key: &str) -> Option<String> {
        let path = |path: &Path| path.display().to_string();
        match key {
            CrawlSection::max_time => Some(hours(MAX_RUN)),
            PublishSection::grace => Some(hours(GRACE)),
            OutputSection::state => Some(path(&self.record)),
            OutputSection::out => self.sitemaps.as_deref().map(path),
            JobSection::reports => self.reports.as_deref().map(path),
            _ => None,
        }
    }
}

fn hours(duration: Duration) -> String {
    format!("{}h", duration.as_secs() / 3_600)
}
