//! Cookies of one origin, bounded in number and bytes.

use jiff::Timestamp;

use crate::cookies::set_cookie::StoredCookie;

/// Maximum number of cookies of one origin.
pub(crate) const MAX_COOKIES: usize = 50;

/// Maximum size of the `Cookie` header, in bytes: all cookies of an origin together.
const MAX_BYTES: usize = 16 << 10;

/// Cookies of one origin, the oldest first.
#[derive(Clone, Default)]
pub(crate) struct CookieList {
    cookies: Vec<StoredCookie>,
}

impl CookieList {
    /// Adds a cookie, or replaces the one of the same name and path at its position; an expired cookie deletes that
    /// one.
    pub(crate) fn keep(&mut self, cookie: StoredCookie, now: Timestamp) {
        self.cookies.retain(|known| !known.is_over(now));
        let place = self.cookies.iter().position(|known| known.replaces(&cookie));
        match place {
            _ if cookie.is_over(now) => self.cookies.retain(|known| !known.replaces(&cookie)),
            Some(place) => {
                if let Some(known) = self.cookies.get_mut(place) {
                    *known = cookie;
                }
            }
            None => self.cookies.push(cookie),
        }
        while self.cookies.len() > MAX_COOKIES || self.bytes() > MAX_BYTES {
            let oldest = self.cookies.iter().position(|known| !known.given).unwrap_or_default();
            self.cookies.remove(oldest);
        }
    }

    /// Adds the cookies of another list, except those that would replace a cookie from the cookie file.
    pub(crate) fn add(&mut self, others: &CookieList, now: Timestamp) {
        for cookie in &others.cookies {
            if !self.cookies.iter().any(|known| known.given && known.replaces(cookie)) {
                self.keep(cookie.clone(), now);
            }
        }
    }

    /// Returns whether an unexpired cookie of the same name and path exists.
    pub(crate) fn has(&self, cookie: &StoredCookie, now: Timestamp) -> bool {
        self.cookies.iter().any(|known| known.replaces(cookie) && !known.is_over(now))
    }

    /// The cookies, the oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &StoredCookie> {
        self.cookies.iter()
    }

    fn bytes(&self) -> usize {
        self.cookies.iter().map(StoredCookie::size).sum()
    }
}
