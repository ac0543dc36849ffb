//! Checks for obstacles to a run: files in the output directory that mapwright did not write for its site, and a record
//! of another site.

use crate::crawl_spec::CrawlSpec;
use crate::error::CrawlError;
use crate::explain::is_of_site;
use crate::publish_plan::publish_plan;
use crate::site::{Site, somebody_elses};
use mapwright_publish::{Directory, PublishError, check_own};
use mapwright_store::Record;
use mapwright_web::PageUrl;

/// Start URLs and URLs of a list that identify the site of a job, at most.
const MAX_HOMES: usize = 10_000;

impl Site {
    /// Returns the site of a crawl.
    pub(crate) fn of(spec: &CrawlSpec) -> Result<Self, CrawlError> {
        let plan = publish_plan(&spec.settings, &spec.scope)?;
        let starts: Vec<PageUrl> =
            spec.start_urls().into_iter().chain(spec.list.iter().cloned()).take(MAX_HOMES).collect();
        let published =
            starts.iter().filter_map(|url| plan.rewrite.iter().find_map(|rewrite| rewrite.apply(url.as_str())));
        let published: Vec<PageUrl> = published.filter_map(|url| PageUrl::recorded(&url)).collect();
        let base = PageUrl::recorded(plan.series.base.as_str());
        Ok(Self::at(starts.iter().chain(&published).chain(&base)))
    }
}

/// Checks, before the first request, that the files that a run replaces were written for its site, and that its record
/// is of that site.
///
/// # Errors
/// If a file or the record belongs to another site.
pub(crate) fn check(spec: &CrawlSpec, record: &Record, directory: Option<&Directory>) -> Result<(), CrawlError> {
    check_record(spec, record)?;
    let site = Site::of(spec)?;
    if let Some(directory) = directory {
        let plan = publish_plan(&spec.settings, &spec.scope)?;
        check_own(record, &plan, directory, spec.settings.output.replace, &|url| site.holds(url)).map_err(|error| {
            match error {
                PublishError::Foreign { .. } => somebody_elses(&error),
                error => CrawlError::output("the output directory (--out)", &error),
            }
        })?;
    }
    spec.audit.as_ref().map_or(Ok(()), |plan| plan.check_own(&site))
}

/// Checks that the record that `--state` names is of the site of a start URL.
fn check_record(spec: &CrawlSpec, record: &Record) -> Result<(), CrawlError> {
    let starts = spec.seeds();
    let (Some(_), Some(first)) = (&spec.settings.output.state, starts.first()) else { return Ok(()) };
    for start in &starts {
        if is_of_site(record, start.as_str())? {
            return Ok(());
        }
    }
    let what = format!("the record is of another site, {}", record.run_facts()?.starts.join(", "));
    Err(CrawlError::usage(format!("URL `{first}`"), what, "name another directory by --state"))
}
