//! The assets of a site, fetched once in a run: search engines keep them long, whatever their headers say (Google
//! Search Central, "JavaScript SEO basics").

use mapwright_fetch::{MemoryPermit, Method, Reply, Request};
use mapwright_model::FailedReason;
use mapwright_web::media::essence;
use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Mutex as AsyncMutex;

/// Most bytes of bodies that are kept. The least recently used are dropped first.
const MAX_BYTES: usize = 64 << 20;
/// Most URLs that are remembered, with those whose answers are not kept.
const MAX_ENTRIES: usize = 20_000;

/// The assets that were fetched.
#[derive(Debug, Default)]
pub(crate) struct AssetCache {
    entries: Mutex<Entries>,
}

#[derive(Debug, Default)]
struct Entries {
    by_url: HashMap<Key, Entry>,
    bytes: usize,
    uses: u64,
}

/// The URL, and the `Origin` that the request names: an answer may be for that alone.
type Key = (String, String);

#[derive(Debug, Default)]
struct Entry {
    answer: Arc<AsyncMutex<Answer>>,
    bytes: usize,
    used: u64,
}

/// The answer at a URL.
#[derive(Debug, Default)]
enum Answer {
    /// Not requested yet.
    #[default]
    Unknown,
    /// An asset.
    Kept(Arc<Reply>),
    /// Content of its own for each request.
    Passing,
}

impl AssetCache {
    /// Returns the answer to a request: the one that is kept, or that of `send`.
    pub(crate) async fn get<S, A>(&self, request: Request, send: S) -> Result<Reply, FailedReason>
    where
        S: FnOnce(Request) -> A,
        A: Future<Output = Result<Reply, FailedReason>>,
    {
        if request.method != Method::Get {
            return send(request).await;
        }
        let origin = request.scripted.as_ref().and_then(|scripted| scripted.headers.get("origin"));
        let key = (request.url.as_str().to_owned(), origin.unwrap_or_default().to_owned());
        let place = self.entry(&key);
        let mut answer = place.lock().await;
        match &*answer {
            // Nothing was received for it this time.
            Answer::Kept(reply) => return Ok(Reply { wire_bytes: 0, ..Reply::clone(reply) }),
            Answer::Passing => {
                drop(answer);
                return send(request).await;
            }
            Answer::Unknown => {}
        }
        let reply = send(request).await?;
        if !is_asset(&reply) {
            *answer = Answer::Passing;
            return Ok(reply);
        }
        let kept = Reply { memory_permit: MemoryPermit::none(), ..reply.clone() };
        *answer = Answer::Kept(Arc::new(kept));
        drop(answer);
        self.note(&key, reply.body.len());
        Ok(reply)
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entry(&self, key: &Key) -> Arc<AsyncMutex<Answer>> {
        let mut entries = self.entries();
        if entries.by_url.len() >= MAX_ENTRIES && !entries.by_url.contains_key(key) {
            entries.drop_oldest();
        }
        entries.uses += 1;
        let used = entries.uses;
        let entry = entries.by_url.entry(key.clone()).or_default();
        entry.used = used;
        Arc::clone(&entry.answer)
    }

    /// Notes the size of an asset, and makes room for it.
    fn note(&self, key: &Key, bytes: usize) {
        let mut entries = self.entries();
        if let Some(entry) = entries.by_url.get_mut(key) {
            // The entry may be one that another request has made since.
            let before = std::mem::replace(&mut entry.bytes, bytes);
            entries.bytes = entries.bytes - before + bytes;
        }
        while entries.bytes > MAX_BYTES && entries.drop_oldest() {}
    }
}

impl Entries {
    /// Drops the least recently used entry. Returns false if there is none.
    fn drop_oldest(&mut self) -> bool {
        let Some(key) = self.by_url.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone()) else {
            return false;
        };
        self.bytes -= self.by_url.remove(&key).map_or(0, |entry| entry.bytes);
        true
    }
}

/// Reports whether an answer is an asset: a script or a style sheet, or data that says how long it stays fresh
/// (RFC 9111 section 4.2).
fn is_asset(reply: &Reply) -> bool {
    if reply.status != 200 || !reply.body_state.is_complete() {
        return false;
    }
    let kind = reply.headers.content_type().and_then(essence).unwrap_or_default();
    let is_code = kind.ends_with("javascript") || kind.ends_with("ecmascript");
    is_code || matches!(kind.as_str(), "text/css" | "application/wasm") || is_fresh(reply)
}

fn is_fresh(reply: &Reply) -> bool {
    let control = reply.headers.get("cache-control").unwrap_or_default().to_ascii_lowercase();
    let mut directives = control.split(',').map(str::trim);
    let is_limited = |directive: &str| matches!(directive, "no-store" | "no-cache" | "private");
    let age = |directive: &str| directive.strip_prefix("max-age=")?.trim_matches('"').parse::<u64>().ok();
    !directives.clone().any(is_limited) && directives.find_map(age).is_some_and(|age| age > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_fetch::Headers;

    fn reply(status: u16, headers: &[(&str, &str)]) -> Reply {
        Reply::of(status, Headers::from_pairs(headers.iter().copied()), b"x".to_vec())
    }

    #[test]
    fn code_and_fresh_data_are_kept() {
        let kind = |kind| ("Content-Type", kind);
        assert!(is_asset(&reply(200, &[kind("text/javascript; charset=utf-8")])));
        assert!(is_asset(&reply(200, &[kind("text/css"), ("Cache-Control", "no-store")])));
        assert!(is_asset(&reply(200, &[kind("application/json"), ("Cache-Control", "public, max-age=60")])));
        for control in ["", "max-age=0", "no-store, max-age=60", "private, max-age=60"] {
            let data = reply(200, &[kind("application/json"), ("Cache-Control", control)]);
            assert!(!is_asset(&data), "{control}");
        }
        assert!(!is_asset(&reply(404, &[kind("text/javascript")])));
        assert!(!is_asset(&reply(302, &[kind("text/javascript")])));
    }
}
