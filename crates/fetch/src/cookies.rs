//! The cookies that sites set: kept per origin, sent back to that origin alone.

pub(crate) mod file;
pub(crate) mod list;
pub(crate) mod set_cookie;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

use jiff::Timestamp;
use mapwright_web::Origin;

use crate::cookies::file::Cookie;
use crate::cookies::list::CookieList;
use crate::cookies::set_cookie::{Setter, StoredCookie, parse};
use crate::options::CookiePolicy;
use crate::request::Request;

/// Maximum number of origins with cookies; the least recently used is evicted first.
pub(crate) const MAX_ORIGINS: usize = 10_000;

/// Maximum number of an origin's cookie check URLs; such a check follows its redirect within a few requests.
const MAX_CHECKS: usize = 1_000;

/// The cookie jar of a crawl, shared by all fetches.
///
/// Cookies are host-only and bound to scheme and port too, which is stricter than RFC 6265 (section 8.5 regrets that
/// it is not): a `Domain` attribute widens nothing.
pub(crate) struct CookieJar {
    policy: CookiePolicy,
    jar: Mutex<Jar>,
    /// The jar has ever held a cookie. Most crawls have none and need not take the lock.
    filled: AtomicBool,
}

/// The kind of response that set a cookie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetBy {
    /// A redirect, which may be a cookie wall.
    Redirect,
    /// Any other response.
    Other,
}

#[derive(Default)]
struct Jar {
    origins: HashMap<Origin, OriginCookies>,
    /// Counts uses, to find the least recently used origin.
    clock: u64,
}

/// The cookies of one origin.
#[derive(Default)]
struct OriginCookies {
    /// Cookies that every request carries.
    sent: CookieList,
    /// Cookies that redirects set: they are sent to a page behind a cookie wall, and move to `sent` once that page
    /// opens.
    held: CookieList,
    /// Targets of redirects that set a cookie and changed only the query: such a URL may check that the cookie comes
    /// back, so a request of it carries the held cookies too.
    checks: HashSet<String>,
    used: u64,
}

impl CookieJar {
    pub(crate) fn new(policy: CookiePolicy) -> CookieJar {
        CookieJar { policy, jar: Mutex::default(), filled: AtomicBool::new(false) }
    }

    /// Adds the cookies of the cookie file that match this origin.
    pub(crate) fn seed(&self, origin: &Origin, cookies: &[Cookie], now: Timestamp) {
        let fits = |cookie: &&Cookie| cookie.matches_host(origin.host()) && (!cookie.secure || origin.is_https());
        let fitting = cookies.iter().filter(fits).map(|cookie| StoredCookie {
            name: cookie.name.clone(),
            value: cookie.value.clone(),
            path: cookie.path.clone(),
            expires: cookie.expires,
            given: true,
        });
        let fitting: Vec<StoredCookie> = fitting.collect();
        if !fitting.is_empty() {
            self.fill(origin, |kept| fitting.into_iter().for_each(|cookie| kept.sent.keep(cookie, now)));
        }
    }

    /// Stores the `Set-Cookie` values of a response; returns whether one of them set an unexpired cookie.
    pub(crate) fn take<'v>(
        &self,
        origin: &Origin,
        (path, set_by): (&str, SetBy),
        values: impl Iterator<Item = &'v str>,
        now: Timestamp,
    ) -> bool {
        let setter = Setter { host: origin.host(), path, https: origin.is_https() };
        if self.policy == CookiePolicy::None {
            return false;
        }
        let cookies: Vec<StoredCookie> = values.filter_map(|value| parse(value, setter, now)).collect();
        let alive = cookies.iter().any(|cookie| !cookie.is_over(now));
        match self.policy {
            _ if cookies.is_empty() => {}
            CookiePolicy::All => {
                self.fill(origin, |kept| cookies.into_iter().for_each(|cookie| kept.sent.keep(cookie, now)))
            }
            CookiePolicy::Needed if set_by == SetBy::Redirect => {
                self.fill(origin, |kept| cookies.into_iter().for_each(|cookie| kept.held.keep(cookie, now)));
            }
            CookiePolicy::Needed | CookiePolicy::None => {}
        }
        alive
    }

    /// Keeps the cookie of a `Set-Cookie` value that the site cannot be read without; an existing cookie of the same
    /// name and path stays. Returns whether it is sent from now on.
    pub(crate) fn keep_needed(&self, origin: &Origin, path: &str, value: &str, now: Timestamp) -> bool {
        let setter = Setter { host: origin.host(), path, https: origin.is_https() };
        let cookie = parse(value, setter, now).filter(|cookie| !cookie.is_over(now));
        let Some(cookie) = cookie.filter(|_| self.policy == CookiePolicy::Needed) else { return false };
        self.fill(origin, |kept| {
            if !kept.sent.has(&cookie, now) {
                kept.sent.keep(cookie, now);
            }
        });
        true
    }

    /// Records that a redirect that set a cookie leads to this URL, which may check that the cookie comes back.
    pub(crate) fn note_check(&self, origin: &Origin, url: &str) {
        if self.policy == CookiePolicy::Needed {
            self.fill(origin, |kept| {
                if kept.checks.len() >= MAX_CHECKS {
                    kept.checks.clear();
                }
                kept.checks.insert(url.to_owned());
            });
        }
    }

    /// Sends the held cookies with every request from now on, because a page behind a cookie wall answered successfully
    /// with them.
    pub(crate) fn pass_wall(&self, origin: &Origin, now: Timestamp) {
        if !self.was_never_filled()
            && let Some(kept) = self.lock().touch(origin)
        {
            let opened = std::mem::take(&mut kept.held);
            kept.sent.add(&opened, now);
        }
    }

    /// The value of the `Cookie` header for a request, longer paths first (RFC 6265, section 5.4).
    pub(crate) fn header(&self, origin: &Origin, request: &Request, now: Timestamp) -> Option<String> {
        if self.was_never_filled() {
            return None;
        }
        let mut jar = self.lock();
        let kept = jar.touch(origin)?;
        let is_wall = request.cookie_wall || kept.checks.contains(request.url.as_str());
        let behind_wall = is_wall.then(|| kept.behind_wall(now));
        let sent = behind_wall.as_ref().unwrap_or(&kept.sent).iter();
        let mut fitting: Vec<&StoredCookie> =
            sent.filter(|cookie| cookie.matches_path(request.url.path()) && !cookie.is_over(now)).collect();
        fitting.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        let pairs: Vec<String> = fitting.iter().map(|cookie| format!("{}={}", cookie.name, cookie.value)).collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }

    fn was_never_filled(&self) -> bool {
        !self.filled.load(Ordering::Acquire)
    }

    fn fill(&self, origin: &Origin, fill: impl FnOnce(&mut OriginCookies)) {
        self.lock().fill(origin, fill);
        self.filled.store(true, Ordering::Release);
    }

    fn lock(&self) -> MutexGuard<'_, Jar> {
        // No code panics while it holds the lock, so a poisoned jar is still consistent.
        self.jar.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl OriginCookies {
    /// The cookies for a page that may be behind a cookie wall.
    fn behind_wall(&self, now: Timestamp) -> CookieList {
        let mut sent = self.sent.clone();
        sent.add(&self.held, now);
        sent
    }
}

impl Jar {
    fn fill(&mut self, origin: &Origin, fill: impl FnOnce(&mut OriginCookies)) {
        if !self.origins.contains_key(origin) {
            if self.origins.len() >= MAX_ORIGINS {
                self.evict();
            }
            self.origins.insert(origin.clone(), OriginCookies::default());
        }
        if let Some(kept) = self.touch(origin) {
            fill(kept);
        }
    }

    /// Returns the cookies of an origin and marks it as the most recently used.
    fn touch(&mut self, origin: &Origin) -> Option<&mut OriginCookies> {
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

#[cfg(test)]
mod tests;
