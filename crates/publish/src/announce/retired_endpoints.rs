//! Addresses that once took sitemaps and no longer do.

use url::Url;

/// An address that is gone.
struct RetiredEndpoint {
    hosts: &'static [&'static str],
    /// The paths, in lower case.
    paths: &'static [&'static str],
    /// The date since when the address is gone, and what to do instead.
    words: &'static str,
}

const GONE: [RetiredEndpoint; 2] = [
    RetiredEndpoint {
        hosts: &["google.com", "www.google.com"],
        paths: &["/ping", "/webmasters/tools/ping", "/webmasters/sitemaps/ping"],
        words: "Google's ping answers 404 since the end of 2023 (announced in June 2023): name the sitemap in \
                robots.txt, or submit it by the Search Console API",
    },
    RetiredEndpoint {
        hosts: &["bing.com", "www.bing.com"],
        paths: &["/ping", "/webmaster/ping.aspx"],
        words: "Bing's ping answers 410 since December 2021 (given up for good in May 2022): use IndexNow, or name \
                the sitemap in robots.txt",
    },
];

/// Returns the date and the alternative for an address that is known to be gone.
pub(crate) fn retired(url: &Url) -> Option<&'static str> {
    let host = url.host_str()?;
    let path = url.path().to_ascii_lowercase();
    let path = path.trim_end_matches('/');
    GONE.iter().find(|gone| gone.hosts.contains(&host) && gone.paths.contains(&path)).map(|gone| gone.words)
}
