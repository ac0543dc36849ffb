//! Builds the fetcher of a crawl.

use crate::error::CrawlError;
use crate::fetch_options::fetch_options;
use crate::starts::StartUrl;
use mapwright_fetch::{FetchOptions, HttpFetch, SetupError};
use mapwright_settings::{FetchSection, Settings};
use mapwright_web::{Origin, PageUrl};

/// Builds the fetcher for start URLs and the URLs of a list.
pub(crate) fn fetcher(settings: &Settings, starts: &[StartUrl], list: &[PageUrl]) -> Result<HttpFetch, CrawlError> {
    let listed = starts.is_empty().then(|| list.iter().map(|url| url.origin()));
    let origins = starts.iter().map(|start| start.url.origin());
    let mut first_party: Vec<Origin> = origins.chain(listed.into_iter().flatten()).collect();
    first_party.sort();
    first_party.dedup();
    let userinfo = starts.iter().filter_map(|s| Some((s.url.origin(), s.userinfo.clone()?))).collect();
    let options = FetchOptions { first_party, userinfo, ..fetch_options(settings)? };
    HttpFetch::new(options).map_err(|error| unusable(&error, settings))
}

/// Builds the error for settings from which no fetcher can be built.
fn unusable(error: &SetupError, settings: &Settings) -> CrawlError {
    let key = match error {
        SetupError::UserAgent(_) => FetchSection::user_agent,
        SetupError::Header { name, .. } if name.eq_ignore_ascii_case("authorization") => FetchSection::auth,
        SetupError::Header { .. } => FetchSection::header,
        SetupError::Proxy(_) if settings.fetch.proxy.is_none() => {
            let place = "variable HTTP_PROXY, HTTPS_PROXY or ALL_PROXY";
            return CrawlError::usage(place, error, "fix it, or give another proxy by --proxy");
        }
        SetupError::Proxy(_) => FetchSection::proxy,
        SetupError::Certificates(_) => FetchSection::ca_cert,
        SetupError::Pins(_) => FetchSection::resolve,
        SetupError::Client(_) => return CrawlError::usage("the requests", error, "fix the setting"),
    };
    CrawlError::setting(key, error, "fix the setting")
}
