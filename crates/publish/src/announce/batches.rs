//! Which URLs are sent together: those of one host, so many at most.

use std::collections::BTreeMap;

use url::Url;

use super::caller::name_of;
use super::indexnow::MAX_URLS;

/// URLs of one host, as they were given, at most [`MAX_URLS`].
pub(crate) struct Batch<'u> {
    pub(crate) host: String,
    pub(crate) urls: Vec<&'u str>,
}

/// What was given, sorted.
#[derive(Default)]
pub(crate) struct Batches<'u> {
    /// Those of one host stand together.
    pub(crate) batches: Vec<Batch<'u>>,
    /// How many are no URLs of http or https.
    pub(crate) unfit: u64,
    /// How many are outside of what the key file vouches for.
    pub(crate) beyond: u64,
}

impl<'u> Batches<'u> {
    /// Sorts URLs by host. A host's port is part of it where it is not the scheme's own; http and https may be mixed.
    pub(crate) fn of(urls: &'u [String], key_location: Option<&Url>) -> Self {
        let mut sorted = Batches::default();
        let mut hosts = BTreeMap::<String, Vec<&str>>::new();
        for given in urls {
            match Url::parse(given) {
                Ok(url) if is_web(&url) && is_vouched_for(&url, key_location) => {
                    hosts.entry(name_of(&url)).or_default().push(given);
                }
                Ok(url) if is_web(&url) => sorted.beyond += 1,
                _ => sorted.unfit += 1,
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

/// A key file that does not lie at the root vouches for what is below its own folder alone.
fn is_vouched_for(url: &Url, key_location: Option<&Url>) -> bool {
    match key_location {
        Some(location) if name_of(location) == name_of(url) => url.path().starts_with(folder_of(location)),
        _ => true,
    }
}

fn folder_of(url: &Url) -> &str {
    let path = url.path();
    path.rfind('/').and_then(|slash| path.get(..=slash)).unwrap_or("/")
}
