//! The form in which a server writes one of its own URLs, if that is not the canonical form.

use crate::page_url::{PageUrl, UrlIdentity};
use encoding_rs::UTF_8;
use url::Url;

/// The form of a URL that a redirect enforces: it identifies the same page, and differs from the requested URL only in
/// details that identity ignores, such as a tracking parameter or the case of an escape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelling(Box<Url>);

impl Spelling {
    /// The form of `page` that `location`, the target of a redirect (RFC 9110 section 10.2.2), gives in response to a
    /// request for `requested`. `None` if it leads to another page, or to the requested URL itself.
    #[must_use]
    pub fn of(location: &str, requested: &Url, page: &PageUrl, identity: &UrlIdentity) -> Option<Spelling> {
        if PageUrl::join(requested, location, UTF_8, identity).ok()? != *page {
            return None;
        }
        let mut url = requested.join(location).ok()?;
        url.set_fragment(None);
        // Credentials in a redirect are never sent. Neither call fails: the URL has a host.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        (url != *requested).then(|| Spelling(Box::new(url)))
    }

    /// The URL that robots rules are matched against: no parameter is dropped.
    #[must_use]
    pub fn for_robots(&self) -> Option<PageUrl> {
        PageUrl::recorded(self.0.as_str())
    }

    /// The URL to request.
    #[must_use]
    pub fn as_url(&self) -> &Url {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_by_nothing_that_counts_is_a_spelling() {
        for (requested, location, spelt) in [
            ("/", "/?utm_source=a", Some("/?utm_source=a")),
            ("/a", "?gclid=1#top", Some("/a?gclid=1")),
            ("/caf%C3%A9/", "/caf%c3%a9/", Some("/caf%c3%a9/")),
            ("/p%7Cq", "/p|q", Some("/p|q")),
            ("/~u", "http://a:b@example.com/%7Eu", Some("/%7Eu")),
            ("/a", "/a", None),
            ("/a", "/a#top", None),
            ("/a", "/b?gclid=1", None),
            ("/a", "/a?page=2", None),
            ("/a", "https://example.com/a?gclid=1", None),
            ("/a", "http://[", None),
        ] {
            let identity = UrlIdentity::default();
            let page = PageUrl::parse(&format!("http://example.com{requested}"), &identity).unwrap();
            let found = Spelling::of(location, page.as_url(), &page, &identity);
            let expected = spelt.map(|spelt| format!("http://example.com{spelt}"));
            assert_eq!(found.map(|found| found.as_url().to_string()), expected, "{requested} to {location}");
        }
    }
}
