//! One sitemap, to standard output.

use crate::entries::entry;
use crate::error::PublishError;
use crate::set::Plan;
use mapwright_sitemap::{Alone, Gzip, MemoryDestination, Series, SeriesOptions};
use mapwright_store::Record;
use std::io::Write;

/// Writes the listed URLs as one sitemap to `out`, which is bounded by the limits of one file.
///
/// # Errors
/// When they do not fit one file, or `out` cannot be written.
pub fn to_stdout(record: &Record, plan: &Plan, out: &mut dyn Write) -> Result<u64, PublishError> {
    let options = SeriesOptions { gzip: Gzip::Never, alone: Alone::EntryPoint, ..plan.series.clone() };
    let mut files = MemoryDestination::default();
    let mut series = Series::new(options, &mut files)?;
    plan.listed(record, |listed| series.push(&entry(&listed, plan.extras)).map(drop).map_err(PublishError::from))?;
    let manifest = series.finish()?;
    if manifest.parts.len() > 1 {
        return Err(PublishError::SeveralFiles(manifest.parts.len()));
    }
    let bytes = files.files.get(&manifest.entry_point).map(Vec::as_slice).unwrap_or_default();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(PublishError::file("standard output"))?;
    Ok(manifest.urls)
}
