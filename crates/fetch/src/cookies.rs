//! The cookies that sites set: kept per origin, sent back to that origin alone.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

use jiff::Timestamp;
use mapwright_web::Origin;

use crate::cookie_list::CookieList;
use crate::netscape::Cookie;
use crate::options::CookiePolicy;
use crate::request::Request;
use crate::set_cookie::{Setter, StoredCookie, parse};

/// Origins with cookies, at most; the one that was used longest ago goes first.
pub(crate) const MAX_ORIGINS: usize = 10_000;

/// URLs of one origin that may look for a cookie, at most; a check follows the redirect to it within a few requests.
const MAX_CHECKS: usize = 1_000;

/// A jar for the cookies of a crawl, shared by all who fetch.
///
/// Cookies are host-only and bound to scheme and port too, which is stricter than RFC 6265 (section 8.5 regrets that
/// it is not): a `Domain` attribute widens nothing.
pub(crate) struct CookieJar {
    policy: CookiePolicy,
    jar: Mutex<Jar>,
    /// A cookie was ever put in. Most crawls keep none, and need not take the lock.
    filled: AtomicBool,
}

/// What kind of answer set a cookie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetBy {
    /// A redirect: it may be a cookie wall.
    Redirect,
    /// Any other.
    Other,
}

#[derive(Default)]
struct Jar {
    origins: HashMap<Origin, OriginCookies>,
    /// Counts uses, to know the oldest.
    clock: u64,
}

/// The cookies of one origin.
#[derive(Default)]
struct OriginCookies {
    /// Those that every request bears.
    sent: CookieList,
    /// Those that redirects set: they are sent to a page behind a cookie wall, and kept once they open it.
    held: CookieList,
    /// URLs that redirects led to which set a cookie and differ from them by the query alone: they may look whether it
    /// comes back, and get those that are held, too.
    checks: HashSet<String>,
    used: u64,
}

impl CookieJar {
    pub(crate) fn new(policy: CookiePolicy) -> CookieJar {
        CookieJar { policy, jar: Mutex::default(), filled: AtomicBool::new(false) }
    }

    /// Puts those cookies of a file into the jar that this origin would get.
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

    /// Takes in the `Set-Cookie` values of an answer; says whether a living cookie came of it.
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

    /// Keeps the cookie of a `Set-Cookie` value, since the site cannot be read without; the first of a name and path
    /// stays. Says whether it is sent from now on.
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

    /// Notes that a redirect which set a cookie leads to this URL, to look whether the cookie comes back.
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

    /// A page behind a cookie wall was answered well: the cookies that opened it are sent from now on.
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
        // No code panics while it holds the lock, and a jar is whole at any rate.
        self.jar.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl OriginCookies {
    /// What a page gets that may be behind a cookie wall.
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

    /// The cookies of an origin, now the one used last.
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
