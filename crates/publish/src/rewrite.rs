//! Publishes the URLs of a crawled host under another host.

use mapwright_web::page_url::split_userinfo;
use std::fmt;
use url::{Host, Url};

/// Publishes the URLs of one host under another: a copy is crawled, and the sitemap is that of the real site.
///
/// The part of a URL after the host is unchanged. Several hosts may swap their order in the sitemap or become one:
/// [`PublishOptions::listed`](crate::PublishOptions::listed) orders URLs by their published form and yields each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewrite {
    from: HostPattern,
    to: HostPattern,
}

/// The reason why a rewrite rule cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// The rule does not have two sides.
    #[error("{0:?} does not say what becomes what; write it as staging.example=www.example.com")]
    Sides(String),
    /// One side is not a host.
    #[error(
        "{0:?} is not a host, a host and port, or an origin; write it as www.example.com, www.example.com:8443 or https://www.example.com"
    )]
    HostPattern(String),
}

/// A host, with the port and scheme if they are given.
#[derive(Debug, Clone, PartialEq, Eq)]
struct HostPattern {
    scheme: Option<&'static str>,
    host: Host,
    port: Option<u16>,
}

impl Rewrite {
    /// Reads `from=to`. Each side is a host (`staging.example`), a host and port (`staging.example:8080`) or an origin
    /// (`http://staging.example:8080`). A host alone on the left matches any scheme and port; on the right it keeps the
    /// scheme of the URL, and its port unless the left side names it. An origin without a port has the default port of
    /// its scheme.
    ///
    /// # Errors
    /// When a side is missing or is none of these.
    pub fn parse(text: &str) -> Result<Self, RewriteError> {
        let (from, to) = text.split_once('=').ok_or_else(|| RewriteError::Sides(text.to_owned()))?;
        Ok(Self { from: HostPattern::parse(from)?, to: HostPattern::parse(to)? })
    }

    /// The published form of an absolute URL; `None` if it is of another host.
    #[must_use]
    pub fn apply(&self, url: &str) -> Option<String> {
        let origin = mapwright_web::origin_of(url);
        let rest = url.strip_prefix(origin)?;
        let crawled = HostPattern::parse(origin).ok()?;
        let scheme = crawled.scheme?;
        self.from.covers(&crawled).then(|| {
            let keeps = self.to.scheme.is_none() && self.from.port.is_none();
            let port = self.to.port.or(crawled.port.filter(|_| keeps));
            let place = HostPattern { scheme: self.to.scheme.or(Some(scheme)), host: self.to.host.clone(), port };
            format!("{place}{rest}")
        })
    }

    /// The URLs that are published as this absolute one: those of the rewritten host, under either scheme, that of the
    /// published URL first, and at the ports that the rule, the URL or `ports` names.
    #[must_use]
    pub fn undo(&self, published: &str, ports: &[u16]) -> Vec<String> {
        let origin = mapwright_web::origin_of(published);
        let (Some(rest), Ok(place)) = (published.strip_prefix(origin), HostPattern::parse(origin)) else {
            return Vec::new();
        };
        let mut schemes = ["https", "http"];
        schemes.sort_by_key(|scheme| place.scheme != Some(scheme));
        let named = [None, place.port, self.from.port];
        let ports: Vec<Option<u16>> = named.into_iter().chain(ports.iter().copied().map(Some)).collect();
        let places = schemes.iter().flat_map(|scheme| ports.iter().map(move |port| (*scheme, *port)));
        let mut urls: Vec<String> = Vec::new();
        for (scheme, port) in places {
            let url = format!("{}{rest}", HostPattern { scheme: Some(scheme), host: self.from.host.clone(), port });
            if self.apply(&url).as_deref() == Some(published) && !urls.contains(&url) {
                urls.push(url);
            }
        }
        urls
    }
}

impl HostPattern {
    fn parse(text: &str) -> Result<Self, RewriteError> {
        let wrong = || RewriteError::HostPattern(split_userinfo(text).0);
        let (scheme, authority) = match text.split_once("://") {
            Some(("http", rest)) => (Some("http"), rest),
            Some(("https", rest)) => (Some("https"), rest),
            Some(_) => return Err(wrong()),
            None => (None, text),
        };
        let authority = authority.strip_suffix('/').unwrap_or(authority);
        let parsed = Url::parse(&format!("http://{authority}/")).map_err(|_| wrong())?;
        let bare = parsed.path() == "/" && parsed.username().is_empty() && parsed.password().is_none();
        if !bare || authority.contains(['/', '\\', '?', '#', '@', '=', '*']) {
            return Err(wrong());
        }
        // The parser drops port 80, which is significant here.
        let eighty = authority.ends_with(":80").then_some(80);
        let host = parsed.host().ok_or_else(wrong)?.to_owned();
        Ok(Self { scheme, host, port: parsed.port().or(eighty) })
    }

    /// Returns true if the origin of a URL matches this place, in the components that it names.
    fn covers(&self, crawled: &Self) -> bool {
        let same_port = match (self.scheme, self.port) {
            (None, None) => true,
            _ => self.effective_port(crawled.scheme) == crawled.effective_port(None),
        };
        self.host == crawled.host && same_port && self.scheme.is_none_or(|scheme| crawled.scheme == Some(scheme))
    }

    fn effective_port(&self, scheme: Option<&str>) -> Option<u16> {
        self.port.or_else(|| default_port(self.scheme.or(scheme)?))
    }
}

/// An origin as URLs write it: without the default port of its scheme.
impl fmt::Display for HostPattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = self.scheme.unwrap_or_default();
        write!(out, "{scheme}://{}", self.host)?;
        match self.port.filter(|port| default_port(scheme) != Some(*port)) {
            Some(port) => write!(out, ":{port}"),
            None => Ok(()),
        }
    }
}

fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(rule: &str, url: &str) -> Option<String> {
        Rewrite::parse(rule).unwrap().apply(url)
    }

    #[track_caller]
    fn assert_becomes(rule: &str, url: &str, expected: &str) {
        assert_eq!(rewritten(rule, url).as_deref(), Some(expected), "{rule} on {url}");
    }

    #[test]
    fn a_host_keeps_scheme_port_and_all_that_follows() {
        let rule = "staging.example=www.example.com";
        assert_becomes(
            rule,
            "https://staging.example/a%2Fb?x=http://staging.example/",
            "https://www.example.com/a%2Fb?x=http://staging.example/",
        );
        assert_becomes(rule, "http://staging.example:8080/", "http://www.example.com:8080/");
        assert_becomes(rule, "https://staging.example?x", "https://www.example.com?x");
        assert_becomes("Bücher.example=www.example.com", "https://xn--bcher-kva.example/", "https://www.example.com/");
        assert_becomes("[::1]:8443=www.example.com:443", "https://[::1]:8443/x", "https://www.example.com/x");
    }

    #[test]
    fn a_port_is_that_of_the_scheme_where_none_is_written() {
        assert_becomes("127.0.0.1:8801=www.example.com", "http://127.0.0.1:8801/x", "http://www.example.com/x");
        assert_becomes("staging.example:80=www.example.com", "http://staging.example/x", "http://www.example.com/x");
        assert_becomes(
            "http://staging.example=https://www.example.com",
            "http://staging.example/x",
            "https://www.example.com/x",
        );
        assert_becomes(
            "http://staging.example:8080=https://www.example.com",
            "http://staging.example:8080/x",
            "https://www.example.com/x",
        );
        assert_becomes(
            "staging.example=www.example.com:8443",
            "https://staging.example/x",
            "https://www.example.com:8443/x",
        );
        assert_eq!(rewritten("staging.example:80=www.example.com", "https://staging.example/x"), None);
        assert_eq!(rewritten("http://staging.example=www.example.com", "http://staging.example:8080/x"), None);
        assert_eq!(rewritten("http://staging.example=www.example.com", "https://staging.example/x"), None);
    }

    #[test]
    fn other_hosts_stay_as_they_are() {
        for other in [
            "https://www.staging.example/",
            "https://staging.example.org/",
            "https://a.example/staging.example",
            "mailto:x",
        ] {
            assert_eq!(rewritten("staging.example=www.example.com", other), None, "{other}");
        }
    }

    #[test]
    fn what_a_url_was_before_is_found_back() {
        let cases: [(&str, &str, &[u16], &[&str]); 6] = [
            ("s.example=www.example.com", "https://www.example.com/a?b", &[], &["https://s.example/a?b"]),
            ("s.example=www.example.com", "http://www.example.com:81/", &[80], &["http://s.example:81/"]),
            (
                "s.example=https://www.example.com",
                "https://www.example.com/a",
                &[8080],
                &["https://s.example/a", "https://s.example:8080/a", "http://s.example/a", "http://s.example:8080/a"],
            ),
            ("http://s.example:81=https://w.example", "https://w.example/a", &[80], &["http://s.example:81/a"]),
            ("s.example:81=w.example", "http://w.example/", &[], &["http://s.example:81/"]),
            ("s.example=www.example.com", "https://s.example/a", &[443], &[]),
        ];
        for (rule, published, ports, crawled) in cases {
            assert_eq!(Rewrite::parse(rule).unwrap().undo(published, ports), crawled, "{rule} of {published}");
        }
    }

    #[test]
    fn what_is_no_host_is_refused_by_name() {
        for rule in [
            "staging.example",
            "a.example=",
            "=b.example",
            "a.example/x=b.example",
            "ftp://a.example=b.example",
            "u@a.example=b.example",
            "a.example=b.example?x",
            "a.example=b.example=c",
            "a.example:x=b",
            "*=b.example",
            "*.a.example=b.example",
        ] {
            assert!(Rewrite::parse(rule).is_err(), "{rule}");
        }
        let error = Rewrite::parse("staging.example=https://www.example.com/maps").unwrap_err().to_string();
        assert!(error.contains("https://www.example.com/maps") && error.contains("write it as"), "{error}");
    }
}
