//! Places errors at the job that they belong to.

use mapwright_crawl::CrawlError;
use mapwright_settings::{SettingOrigin, SettingSource};

/// Sets the place of an error to the job and the line of the file where its setting at fault is written, or where the
/// `table` of the job begins if the file does not write the setting.
pub(crate) fn of_job(
    error: CrawlError,
    name: &str,
    origins: &[SettingOrigin],
    table: Option<&SettingSource>,
) -> CrawlError {
    let Some(key) = &error.key else {
        return CrawlError { place: format!("job {name}, {}", error.place), ..error };
    };
    let meant = origins.iter().find(|origin| origin.key == *key).map(|origin| &origin.set_at);
    let place = match meant.filter(|place| **place != SettingSource::Default).or(table) {
        Some(SettingSource::File { name: file, line, .. }) => format!("job {name}, {key}, file {file} line {line}"),
        Some(place @ (SettingSource::Variable(_) | SettingSource::Flag(_))) => {
            format!("job {name}, {key}, {place}")
        }
        Some(_) | None => format!("job {name}, {key}"),
    };
    CrawlError { place, ..error }
}
