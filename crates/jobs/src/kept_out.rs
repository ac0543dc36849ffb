//! What keeps search engines from start pages.

use crate::error::JobError;
use mapwright_store::Record;

/// What keeps search engines from the start pages of the newest run, each in a sentence.
pub(crate) fn starts_kept_out(record: &Record) -> Result<Vec<String>, JobError> {
    let follows = record.setting("crawl.follow-nofollow")?.first().is_some_and(|text| text == "true");
    Ok(record.start_fates()?.iter().filter_map(|fate| fate.kept_out(follows)).collect())
}
