//! Directives that keep search engines from start pages.

use crate::error::CrawlError;
use crate::start_texts::exclusion_notice;
use mapwright_settings::CrawlSection;
use mapwright_store::Record;

/// Returns the directives that keep search engines from the start pages of the newest run, each in a sentence.
pub(crate) fn starts_excluded(record: &Record) -> Result<Vec<String>, CrawlError> {
    let follows = record.setting(CrawlSection::follow_nofollow)?.first().is_some_and(|text| text == "true");
    Ok(record.start_statuses()?.iter().filter_map(|status| exclusion_notice(status, follows)).collect())
}
