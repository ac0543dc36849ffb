//! Checks for obstacles to a run: files in the output directory that mapwright did not write for its site, and a record
//! of another site.

use crate::crawl_spec::CrawlSpec;
use crate::error::{CrawlError, CrawlFault};
use crate::explain::is_of_site;
use crate::wire;
use mapwright_publish::{Directory, PublishError, check_own};
use mapwright_store::{Record, StoreError};
use mapwright_web::PageUrl;
use std::fmt::Display;

/// Start URLs and URLs of a list that identify the site of a job, at most.
const MAX_HOMES: usize = 10_000;

/// The site of a job: the hosts and ports of its start URLs, and those of the published URLs.
pub(crate) struct Site(Vec<(String, Option<u16>)>);

impl Site {
    pub(crate) fn of(spec: &CrawlSpec) -> Result<Self, CrawlError> {
        let plan = wire::publish_plan(&spec.settings, &spec.scope)?;
        let starts: Vec<PageUrl> =
            spec.start_urls().into_iter().chain(spec.list.iter().cloned()).take(MAX_HOMES).collect();
        let published =
            starts.iter().filter_map(|url| plan.rewrite.iter().find_map(|rewrite| rewrite.apply(url.as_str())));
        let published: Vec<PageUrl> = published.filter_map(|url| PageUrl::recorded(&url)).collect();
        let base = PageUrl::recorded(plan.series.base.as_str());
        Ok(Self::at(starts.iter().chain(&published).chain(&base)))
    }

    /// Returns the site of the newest run of a record.
    pub(crate) fn of_run(record: &Record) -> Result<Self, StoreError> {
        let run = record.run_facts()?;
        let homes: Vec<PageUrl> =
            run.starts.iter().chain(&run.roots).filter_map(|url| PageUrl::recorded(url)).collect();
        Ok(Self::at(homes.iter()))
    }

    fn at<'u>(urls: impl Iterator<Item = &'u PageUrl>) -> Self {
        let mut places: Vec<_> = urls.map(place).collect();
        places.sort();
        places.dedup();
        Self(places)
    }

    /// Returns whether a URL is of the site: at one of its hosts, or at a parent domain or subdomain, which a start URL
    /// may redirect to.
    pub(crate) fn holds(&self, url: &str) -> bool {
        let Some(url) = PageUrl::recorded(url) else { return false };
        let (host, port) = place(&url);
        self.0.iter().any(|(own, at)| *at == port && (is_below(&host, own) || is_below(own, &host)))
    }
}

fn place(url: &PageUrl) -> (String, Option<u16>) {
    (url.host().to_owned(), url.as_url().port())
}

/// Returns whether a host equals another one, or is a subdomain of it.
fn is_below(host: &str, other: &str) -> bool {
    host.strip_suffix(other).is_some_and(|before| before.is_empty() || before.ends_with('.'))
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
        let plan = wire::publish_plan(&spec.settings, &spec.scope)?;
        check_own(record, &plan, directory, spec.settings.output.replace, &|url| site.holds(url)).map_err(|error| {
            match error {
                PublishError::Foreign { .. } => somebody_elses(&error),
                error => CrawlError::output("the output directory (--out)", &error),
            }
        })?;
    }
    spec.audit.as_ref().map_or(Ok(()), |plan| plan.check_own(&site))
}

/// Builds the error for a file that mapwright did not write for the site of a job.
pub(crate) fn somebody_elses(what: &dyn Display) -> CrawlError {
    CrawlError {
        fault: CrawlFault::Output,
        what: what.to_string(),
        place: String::new(),
        hint: "--replace replaces it, --out names another directory".to_owned(),
        key: None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_its_host_and_those_above_and_below_at_one_port() {
        let site = Site(vec![("www.site.example".to_owned(), None), ("127.0.0.1".to_owned(), Some(8080))]);
        for url in ["http://www.site.example/a", "https://site.example/", "http://127.0.0.1:8080/x"] {
            assert!(site.holds(url), "{url}");
        }
        for url in ["http://othersite.example/", "http://www.site.example:81/", "http://127.0.0.1:81/", "no URL"] {
            assert!(!site.holds(url), "{url}");
        }
    }
}
