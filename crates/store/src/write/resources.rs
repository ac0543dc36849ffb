//! The images and other resources of the site, read once per run after all pages.

use crate::error::StoreError;
use crate::record::Record;
use mapwright_model::Unfetched;
use mapwright_web::PageUrl;

/// The URLs that this run found only as images or other resources, in alphabetical order.
pub(crate) fn resources(record: &Record, most: u64) -> Result<Vec<PageUrl>, StoreError> {
    let mut select = record.connection.prepare(
        "SELECT u.text FROM found f JOIN url u ON u.id = f.url WHERE f.run = ? AND f.refused = ? ORDER BY u.text LIMIT ?",
    )?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let texts = select.query_map((record.run, Unfetched::Resource.code(), most), |row| row.get::<_, String>(0))?;
    texts.map(|text| Ok(PageUrl::recorded(&text?))).filter_map(Result::transpose).collect()
}
