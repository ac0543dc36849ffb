//! What the record tells, for other programs.

use crate::error::JobError;
use crate::state::state_folder;
use mapwright_settings::Settings;
use mapwright_store::{Excluded, Record, StoreError};
use mapwright_web::PageUrl;

/// Opens the record that `--state` names, or that belongs to the start URLs, for reading.
///
/// # Errors
/// When there is none.
pub fn open_record(settings: &Settings, starts: &[PageUrl]) -> Result<Record, JobError> {
    Ok(Record::open_to_read(&state_folder(settings, starts)?)?)
}

/// Hands over every URL of the newest run that is not in the sitemap, with its one reason.
///
/// # Errors
/// When the record cannot be read, and the errors of `take`.
pub fn excluded<E: From<StoreError>>(record: &Record, take: impl FnMut(Excluded) -> Result<(), E>) -> Result<(), E> {
    record.excluded(take)
}
