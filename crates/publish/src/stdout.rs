//! One sitemap, to standard output.

use crate::entries::entry;
use crate::error::PublishError;
use crate::set::Plan;
use mapwright_sitemap::{Alone, Gzip, MemoryDestination, Series, SeriesOptions};
use mapwright_store::Record;
use mapwright_web::origin_of;
use std::io::Write;

/// Writes the listed URLs as one sitemap to `out`, which is bounded by the limits of one file; compressed only where
/// every sitemap is to be.
///
/// # Errors
/// When they do not fit one file or are of several hosts, which no sitemap may mix, or `out` cannot be written.
pub fn to_stdout(record: &Record, plan: &Plan, out: &mut dyn Write) -> Result<u64, PublishError> {
    let gzip = if plan.series.gzip == Gzip::Always { Gzip::Always } else { Gzip::Never };
    let options = SeriesOptions { gzip, alone: Alone::Part, ..plan.series.clone() };
    let mut files = MemoryDestination::default();
    let mut series = Series::new(options, &mut files)?;
    let mut host = String::new();
    plan.listed(record, |listed| {
        let of = origin_of(&listed.url);
        if host != of {
            series.cut();
            of.clone_into(&mut host);
        }
        match series.push(&entry(&listed, plan.extras)) {
            Err(error) if !error.is_entry() => Err(PublishError::from(error)),
            _ => Ok(()),
        }
    })?;
    let parts = series.finish_parts()?;
    let [part] = parts.as_slice() else {
        return Err(if parts.is_empty() { PublishError::empty() } else { PublishError::SeveralFiles(parts.len()) });
    };
    let bytes = files.files.get(&part.name).map(Vec::as_slice).unwrap_or_default();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(PublishError::file("standard output"))?;
    Ok(part.urls)
}
