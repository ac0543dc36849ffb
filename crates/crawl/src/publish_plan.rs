//! Builds the plan of the publication from settings.

use crate::error::CrawlError;
use jiff::Timestamp;
use mapwright_publish::{Extras, PublishOptions, Rewrite};
use mapwright_settings::{PublishSection, Settings, SitemapSection};
use mapwright_sitemap::{SeriesLimits, SeriesOptions};
use mapwright_web::{Scope, ScopeKind};
use url::Url;

/// Returns the plan of the publication.
pub(crate) fn publish_plan(settings: &Settings, scope: &Scope) -> Result<PublishOptions, CrawlError> {
    let sitemap = &settings.sitemap;
    let rewrite = rewrites(settings)?;
    let base = match &sitemap.sitemap_base {
        Some(text) => {
            text.parse().map_err(|error| CrawlError::setting(SitemapSection::sitemap_base, error, "give a URL"))?
        }
        None => served_at(scope.sitemap_directory().as_url(), &rewrite),
    };
    let mut series = SeriesOptions::new(base);
    series.limits = SeriesLimits {
        urls: sitemap.max_urls_per_file as usize,
        bytes: sitemap.max_bytes_per_file,
        ..SeriesLimits::default()
    };
    (series.gzip, series.format) = (sitemap.gzip, sitemap.sitemap_format);
    Ok(PublishOptions {
        series,
        extras: Extras { lastmod: !sitemap.no_lastmod, changefreq: sitemap.changefreq, priority: sitemap.priority },
        by_host: settings.crawl.scope == ScopeKind::Domain,
        rewrite,
        grace: settings.publish.grace,
        now: Timestamp::now(),
    })
}

/// Returns the URL of the directory where the files are served, with the host rewritten as in the published URLs.
fn served_at(directory: &Url, rewrites: &[Rewrite]) -> Url {
    let rewritten = rewrites.iter().find_map(|rewrite| rewrite.apply(directory.as_str()));
    rewritten.and_then(|text| text.parse().ok()).unwrap_or_else(|| directory.clone())
}

/// Returns the rewrites of hosts in published URLs.
///
/// # Errors
/// If one is not of the form `FROM=TO`.
pub fn rewrites(settings: &Settings) -> Result<Vec<Rewrite>, CrawlError> {
    let read = |text: &String| {
        Rewrite::parse(text).map_err(|error| CrawlError::setting(PublishSection::rewrite_host, error, "write FROM=TO"))
    };
    settings.publish.rewrite_host.iter().map(read).collect()
}
