//! Keeps the record of a crawl out of the directory that it publishes: all files of a published directory are served.

use crate::error::CrawlError;
use mapwright_files::resolved;
use mapwright_settings::{Out, OutputSection, Settings};
use mapwright_store::Record;
use std::path::Path;

/// Refuses a record whose folder `state` is the published directory, or lies below one that `--out` names.
///
/// The record may lie below the working directory, which is the default output directory. It may lie below any
/// directory if its place is the default, or if the run resumes a record that lies there.
///
/// # Errors
/// If the record would be published.
pub(crate) fn check(settings: &Settings, state: &Path) -> Result<(), CrawlError> {
    let Out::Directory(out) = &settings.output.out else { return Ok(()) };
    let (out, record) = (resolved(out), resolved(state));
    let below = record.starts_with(&out) && out != resolved(Path::new("."));
    let by_default = settings.output.state.is_none();
    let resumes = settings.record.resume && Record::is_in(state);
    if out == record || (below && !by_default && !resumes) {
        let what = "the record would lie in the directory of the published sitemaps";
        return Err(CrawlError::setting(OutputSection::state, what, "give it another directory than `out`"));
    }
    Ok(())
}
