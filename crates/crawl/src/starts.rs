//! Reads start URLs as people write them.

use crate::error::CrawlError;
use crate::shortened::shortened;
use mapwright_web::page_url::{Userinfo, split_userinfo};
use mapwright_web::{PageUrl, UrlIdentity};

/// A start URL, with the credentials that it carried.
#[derive(Debug, Clone)]
pub(crate) struct StartUrl {
    pub(crate) url: PageUrl,
    pub(crate) userinfo: Option<Userinfo>,
    /// The text had no scheme, and https is assumed.
    pub(crate) assumed_https: bool,
}

/// Checks one start URL as [`CrawlSpec::new`](crate::CrawlSpec::new) does.
///
/// # Errors
/// If the text is no URL that can be crawled.
pub fn check_start(text: &str) -> Result<(), CrawlError> {
    read(text, &UrlIdentity::default()).map(drop)
}

/// Reads one start URL. A text without a scheme is read as https.
pub(crate) fn read(text: &str, identity: &UrlIdentity) -> Result<StartUrl, CrawlError> {
    let (bare, userinfo) = split_userinfo(text.trim());
    let shown = format!("URL `{}`", shortened(&bare));
    let wrong = |what: String| CrawlError::usage(&shown, what, "give an http:// or https:// URL");
    if bare.is_empty() {
        return Err(wrong("no URL".to_owned()));
    }
    let assumed_https = !bare.contains("://");
    if assumed_https && let Some(scheme) = other_scheme(&bare) {
        return Err(wrong(format!("`{scheme}:` cannot be crawled")));
    }
    if assumed_https && is_path(&bare) {
        return Err(wrong("it is a path, and names no host".to_owned()));
    }
    let full = if assumed_https { format!("https://{bare}") } else { bare.clone() };
    let url = PageUrl::parse(&full, identity).map_err(|error| wrong(error.to_string()))?;
    Ok(StartUrl { url, userinfo, assumed_https })
}

/// Returns whether a text is a path. The parser would read `shop` in `/shop` as the host.
fn is_path(text: &str) -> bool {
    text.starts_with('.') || text.starts_with('/') && !text.starts_with("//")
}

/// Returns a scheme that is not followed by `//` (`mailto:`, `javascript:`); a host with a port is not a scheme.
fn other_scheme(text: &str) -> Option<&str> {
    let (before, after) = text.split_once(':')?;
    let is_port = after.split(['/', '?', '#']).next().is_some_and(|port| port.parse::<u16>().is_ok());
    let is_scheme = before.starts_with(|c: char| c.is_ascii_alphabetic())
        && before.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    (is_scheme && !is_port).then_some(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Result<String, String> {
        read(text, &UrlIdentity::default()).map(|start| start.url.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_path_is_no_url() {
        for path in ["/shop", "/", "./shop", "../shop/"] {
            assert!(url(path).unwrap_err().contains("it is a path"), "{path}");
        }
        assert_eq!(url("//example.com/shop").unwrap(), "https://example.com/shop");
    }

    #[test]
    fn a_text_without_a_scheme_is_tried_as_https() {
        assert_eq!(url("example.com/shop/").unwrap(), "https://example.com/shop/");
        assert_eq!(url("localhost:8080").unwrap(), "https://localhost:8080/");
        assert!(read("example.com", &UrlIdentity::default()).unwrap().assumed_https);
    }

    #[test]
    fn a_text_that_is_not_an_http_url_is_rejected_with_a_hint() {
        for text in ["", "ftp://a.example/", "file:///etc/hostname", "http://", "http://[::1", "javascript:alert(1)"] {
            let error = url(text).unwrap_err();
            assert!(error.contains("give an http:// or https:// URL"), "{error}");
        }
    }

    #[test]
    fn a_url_that_is_too_long_is_shortened_in_the_message() {
        let error = url(&format!("ftp://a.example/{}", "x".repeat(9000))).unwrap_err();
        assert!(error.len() < 500 && error.contains("xxx…`"), "{error}");
    }

    #[test]
    fn credentials_are_taken_out_of_the_url() {
        let start = read("http://user:p%40ss@a.example/", &UrlIdentity::default()).unwrap();
        assert_eq!(start.url.as_str(), "http://a.example/");
        assert_eq!(start.userinfo.map(|info| (info.user, info.password)), Some(("user".into(), "p@ss".into())));
    }
}
