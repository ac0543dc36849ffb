//! The images and other resources of the site, read once per run after all pages.

use crate::error::StoreError;
use crate::record::Record;
use mapwright_model::{Unfetched, Via};
use mapwright_web::{Origin, PageUrl};
use std::collections::HashSet;

/// Returns the first `most` URLs of these origins, in alphabetical order, that this run found only as images or other
/// resources, in or out of the scope.
pub(crate) fn resources(record: &Record, origins: &HashSet<Origin>, most: u64) -> Result<Vec<PageUrl>, StoreError> {
    let mut select = record.connection.prepare(
        "SELECT u.text FROM found f JOIN url u ON u.id = f.url
         WHERE f.run = ?1 AND (f.refused = ?2 OR f.refused = ?3 AND f.via = ?4) ORDER BY u.text",
    )?;
    let (resource, outside) = (Unfetched::Resource.code(), Unfetched::OutOfScope.code());
    let mut rows = select.query((record.run, resource, outside, Via::Resource.code()))?;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut found = Vec::new();
    while found.len() < most
        && let Some(row) = rows.next()?
    {
        found.extend(PageUrl::recorded(&row.get::<_, String>(0)?).filter(|url| origins.contains(&url.origin())));
    }
    Ok(found)
}
