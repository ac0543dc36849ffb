//! Groups URLs into batches: URLs of one host, up to the maximum of the protocol.

use std::collections::BTreeMap;

use url::Url;

use super::engine_client::name_of;

/// The maximum number of URLs in one request, by the protocol.
pub const MAX_URLS: usize = 10_000;

/// URLs of one host as they were given, [`MAX_URLS`] at most.
pub(crate) struct Batch<'u> {
    pub(crate) host: String,
    pub(crate) urls: Vec<&'u str>,
}

/// The given URLs, sorted by host.
#[derive(Default)]
pub(crate) struct Batches<'u> {
    /// Batches of one host are adjacent.
    pub(crate) batches: Vec<Batch<'u>>,
    /// The number of URLs that are not http or https.
    pub(crate) invalid: u64,
    /// The number of URLs outside the folder that the key file covers.
    pub(crate) outside_key_scope: u64,
}

impl<'u> Batches<'u> {
    /// Sorts URLs by host. A port is part of the host unless it is the default of the scheme; http and https may be
    /// mixed.
    pub(crate) fn of(urls: &'u [String], key_location: Option<&Url>) -> Self {
        let mut sorted = Batches::default();
        let mut hosts = BTreeMap::<String, Vec<&str>>::new();
        for given in urls {
            match Url::parse(given) {
                Ok(url) if is_web(&url) && is_covered(&url, key_location) => {
                    hosts.entry(name_of(&url)).or_default().push(given);
                }
                Ok(url) if is_web(&url) => sorted.outside_key_scope += 1,
                _ => sorted.invalid += 1,
            }
        }
        for (host, urls) in hosts {
            let chunks = urls.chunks(MAX_URLS);
            sorted.batches.extend(chunks.map(|urls| Batch { host: host.clone(), urls: urls.to_vec() }));
        }
        sorted
    }
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| !host.is_empty())
}

/// Returns true if the key file covers the URL: a key file outside the root covers its own folder only.
fn is_covered(url: &Url, key_location: Option<&Url>) -> bool {
    match key_location {
        Some(location) if name_of(location) == name_of(url) => url.path().starts_with(folder_of(location)),
        _ => true,
    }
}

fn folder_of(url: &Url) -> &str {
    let path = url.path();
    path.rfind('/').and_then(|slash| path.get(..=slash)).unwrap_or("/")
}
