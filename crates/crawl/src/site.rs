//! The site of a crawl, by which files and records of other sites are recognised.

use crate::error::{CrawlError, CrawlFault};
use mapwright_store::{Record, StoreError};
use mapwright_web::PageUrl;
use std::fmt::Display;

/// The site of a job: the hosts and ports of its start URLs, and those of the published URLs.
pub(crate) struct Site(Vec<(String, Option<u16>)>);

impl Site {
    /// Returns the site of the newest run of a record.
    pub(crate) fn of_run(record: &Record) -> Result<Self, StoreError> {
        let run = record.run_facts()?;
        let homes: Vec<PageUrl> =
            run.starts.iter().chain(&run.roots).filter_map(|url| PageUrl::recorded(url)).collect();
        Ok(Self::at(homes.iter()))
    }

    pub(crate) fn at<'u>(urls: impl Iterator<Item = &'u PageUrl>) -> Self {
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
