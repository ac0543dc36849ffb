//! The cookies that sites set: kept per origin, sent back to that origin alone.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

use jiff::Timestamp;
use mapwright_web::Origin;

use crate::netscape::Cookie;
use crate::set_cookie::{Setter, StoredCookie, parse};

/// Cookies of one origin, at most.
pub(crate) const MAX_COOKIES: usize = 50;

/// The `Cookie` header, in bytes, at most: all cookies of an origin together.
pub(crate) const MAX_BYTES: usize = 16 << 10;

/// Origins with cookies, at most; the one that was used longest ago goes first.
pub(crate) const MAX_ORIGINS: usize = 10_000;

/// A jar for the cookies of a crawl, shared by all who fetch.
///
/// Cookies are host-only and bound to scheme and port too, which is stricter than RFC 6265 (section 8.5 regrets that
/// it is not): a `Domain` attribute widens nothing.
#[derive(Default)]
pub(crate) struct CookieJar {
    jar: Mutex<Jar>,
    /// A cookie was ever put in. Most crawls see none, and need not take the lock.
    filled: AtomicBool,
}

#[derive(Default)]
struct Jar {
    origins: HashMap<Origin, Kept>,
    /// Counts uses, to know the oldest.
    clock: u64,
}

/// The cookies of one origin, the oldest first.
#[derive(Default)]
struct Kept {
    cookies: Vec<StoredCookie>,
    used: u64,
}

impl CookieJar {
    /// Puts those cookies of a file into the jar that this origin would get.
    pub(crate) fn seed(&self, origin: &Origin, cookies: &[Cookie], now: Timestamp) {
        let fits = |cookie: &&Cookie| cookie.matches_host(origin.host()) && (!cookie.secure || origin.is_https());
        let fitting = cookies.iter().filter(fits).map(|cookie| StoredCookie {
            name: cookie.name.clone(),
            value: cookie.value.clone(),
            path: cookie.path.clone(),
            expires: cookie.expires,
        });
        let fitting: Vec<StoredCookie> = fitting.collect();
        if !fitting.is_empty() {
            self.keep(origin, fitting, now);
        }
    }

    /// Takes in the `Set-Cookie` values of an answer; says whether a living cookie came of it.
    pub(crate) fn take<'v>(
        &self,
        origin: &Origin,
        path: &str,
        values: impl Iterator<Item = &'v str>,
        now: Timestamp,
    ) -> bool {
        let setter = Setter { host: origin.host(), path, https: origin.is_https() };
        let cookies: Vec<StoredCookie> = values.filter_map(|value| parse(value, setter, now)).collect();
        let alive = cookies.iter().any(|cookie| !cookie.is_over(now));
        if !cookies.is_empty() {
            self.keep(origin, cookies, now);
        }
        alive
    }

    /// The value of the `Cookie` header for a request, longer paths first (RFC 6265, section 5.4).
    pub(crate) fn header(&self, origin: &Origin, path: &str, now: Timestamp) -> Option<String> {
        let mut jar = self.lock();
        let kept = jar.touch(origin)?;
        let mut fitting: Vec<&StoredCookie> =
            kept.cookies.iter().filter(|cookie| cookie.matches_path(path) && !cookie.is_over(now)).collect();
        fitting.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        let pairs: Vec<String> = fitting.iter().map(|cookie| format!("{}={}", cookie.name, cookie.value)).collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }

    /// Whether no cookie was ever put in.
    pub(crate) fn was_never_filled(&self) -> bool {
        !self.filled.load(Ordering::Acquire)
    }

    fn keep(&self, origin: &Origin, cookies: Vec<StoredCookie>, now: Timestamp) {
        self.lock().keep(origin, cookies, now);
        self.filled.store(true, Ordering::Release);
    }

    fn lock(&self) -> MutexGuard<'_, Jar> {
        // No code panics while it holds the lock, and a jar is whole at any rate.
        self.jar.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Jar {
    fn keep(&mut self, origin: &Origin, cookies: Vec<StoredCookie>, now: Timestamp) {
        if !self.origins.contains_key(origin) {
            if self.origins.len() >= MAX_ORIGINS {
                self.evict();
            }
            self.origins.insert(origin.clone(), Kept::default());
        }
        if let Some(kept) = self.touch(origin) {
            cookies.into_iter().for_each(|cookie| kept.keep(cookie, now));
        }
    }

    /// The cookies of an origin, now the one used last.
    fn touch(&mut self, origin: &Origin) -> Option<&mut Kept> {
        self.clock += 1;
        let kept = self.origins.get_mut(origin)?;
        kept.used = self.clock;
        Some(kept)
    }

    fn evict(&mut self) {
        let oldest = self.origins.iter().min_by_key(|(_, kept)| kept.used).map(|(origin, _)| origin.clone());
        if let Some(origin) = oldest {
            self.origins.remove(&origin);
        }
    }
}

impl Kept {
    /// Adds a cookie, or replaces the one of the same name and path, which keeps its place; one that is over deletes.
    fn keep(&mut self, cookie: StoredCookie, now: Timestamp) {
        self.cookies.retain(|known| !known.is_over(now));
        let same = |known: &StoredCookie| known.name == cookie.name && known.path == cookie.path;
        let place = self.cookies.iter().position(same);
        match place {
            _ if cookie.is_over(now) => self.cookies.retain(|known| !same(known)),
            Some(place) => {
                if let Some(known) = self.cookies.get_mut(place) {
                    *known = cookie;
                }
            }
            None => self.cookies.push(cookie),
        }
        while self.cookies.len() > MAX_COOKIES || self.bytes() > MAX_BYTES {
            self.cookies.remove(0);
        }
    }

    fn bytes(&self) -> usize {
        self.cookies.iter().map(StoredCookie::size).sum()
    }
}

#[cfg(test)]
mod tests;
