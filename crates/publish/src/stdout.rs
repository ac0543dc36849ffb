//! One sitemap, to standard output.

use crate::entries::entry;
use crate::error::PublishError;
use crate::options::PublishOptions;
use crate::published_set::PublishedSet;
use mapwright_sitemap::{Gzip, MemoryDestination, Series, SeriesOptions, SinglePartName};
use mapwright_store::Record;
use mapwright_web::origin_of;
use std::io::{ErrorKind, Write};

/// Writes the listed URLs as one sitemap to `out`, within the limits of one file; compressed only if every sitemap is
/// to be. The result has the number of URLs and those that fit into no file.
///
/// # Errors
/// When they do not fit one file or are of several hosts, which no sitemap may mix, or `out` cannot be written.
pub fn to_stdout(record: &Record, plan: &PublishOptions, out: &mut dyn Write) -> Result<PublishedSet, PublishError> {
    let gzip = if plan.series.gzip == Gzip::Always { Gzip::Always } else { Gzip::Never };
    let options = SeriesOptions { gzip, alone: SinglePartName::Part, ..plan.series.clone() };
    let mut files = MemoryDestination::default();
    let mut series = Series::new(options, &mut files)?;
    let mut published = PublishedSet::default();
    plan.listed(record, |listed| {
        let origin = origin_of(&listed.url);
        let is_other = published.origins.last().is_some_and(|host| host != origin);
        if is_other {
            series.cut();
        }
        match series.push(&entry(&listed, plan.extras)) {
            // The first entry of a second file ends the loop.
            Ok(pushed) if pushed.part > 0 && is_other => return Err(PublishError::SeveralHosts),
            Ok(pushed) if pushed.part > 0 => return Err(PublishError::SeveralFiles),
            Ok(_) => published.urls += 1,
            Err(error) if error.is_entry() => published.refused.push(listed.url.clone()),
            Err(error) => return Err(error.into()),
        }
        if published.origins.is_empty() && published.urls > 0 {
            published.origins.push(origin.to_owned());
        }
        Ok(())
    })?;
    let parts = series.finish_parts()?;
    let Some(part) = parts.first() else { return Err(PublishError::empty()) };
    let bytes = files.files.get(&part.name).map(Vec::as_slice).unwrap_or_default();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        // A reader such as `head` may close its end early.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(published),
        written => written.map(|()| published).map_err(PublishError::file("standard output")),
    }
}
