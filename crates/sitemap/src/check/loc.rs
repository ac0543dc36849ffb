//! The protocol's rules for locations.

use url::{Origin, Url};

use crate::read::{Faults, quoted};
use crate::{CheckRule, CrossSubmit, MAX_LOC_CHARS};

/// The place of a sitemap, which decides what it may list.
pub(super) enum SitemapLocation {
    /// The URL is unknown, and no entry has been read yet.
    Unknown,
    /// The sitemap is served from here.
    Served {
        origin: Origin,
        /// The path up to its last slash.
        directory: String,
        /// The permission to list another host, which its first page determines.
        cross_submit: CrossSubmit,
    },
    /// On the host of its first entry, because all are on a single one (sitemaps.org, "XML tag definitions").
    Like(Origin),
}

impl SitemapLocation {
    pub(super) fn of(url: &Url, cross_submit: CrossSubmit) -> Self {
        let path = url.path();
        let directory = path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or("/");
        Self::Served { origin: url.origin(), directory: directory.to_owned(), cross_submit }
    }

    /// Applies the permission to list another host, which is that of the first page.
    fn settle(&mut self, first: &Url, line: u64, remarks: &mut Faults) {
        let Self::Served { origin, cross_submit, .. } = self else { return };
        let cross_submit = std::mem::take(cross_submit);
        if cross_submit == CrossSubmit::Unproven || *origin == first.origin() {
            return;
        }
        if cross_submit == CrossSubmit::NotRequested {
            remarks.add(line, CheckRule::CrossSubmit, || {
                let (own, listed) = (origin.ascii_serialization(), first.origin().ascii_serialization());
                format!("a sitemap on {own} lists {listed}: whether that host's robots.txt allows it was not checked")
            });
        }
        *self = Self::Like(first.origin());
    }
}

/// The part of the site that entries may be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocationRule {
    /// For a sitemap: its directory and below.
    Directory,
    /// For an index: the entire site.
    Site,
    /// For a feed: the entire site, wherever the feed is, so a page outside the directory is only a remark.
    Feed,
}

/// Checks a location that is not empty, and returns its URL if it has one.
pub(super) fn check_loc(
    text: &str,
    line: u64,
    place: &mut SitemapLocation,
    rule: LocationRule,
    faults: &mut Faults,
    remarks: &mut Faults,
) -> Option<Url> {
    let chars = text.chars().count();
    if chars > MAX_LOC_CHARS {
        faults.add(line, CheckRule::LocLength, || {
            format!("the URL is too long: {chars} characters, and at most {MAX_LOC_CHARS} are allowed")
        });
    }
    let url = absolute(text, line, faults)?;
    escapes(text, line, faults);
    if text.contains('#') {
        remarks.add(line, CheckRule::LocFragment, || format!("the URL {} has a fragment (#)", quoted(text)));
    }
    if rule != LocationRule::Site {
        place.settle(&url, line, remarks);
    }
    match place {
        SitemapLocation::Unknown => *place = SitemapLocation::Like(url.origin()),
        SitemapLocation::Like(origin) if *origin != url.origin() => faults.add(line, CheckRule::LocHost, || {
            let origin = origin.ascii_serialization();
            format!("the URL {} is on another host, scheme or port than the first one, {origin}", quoted(text))
        }),
        SitemapLocation::Served { origin, .. } if *origin != url.origin() => {
            faults.add(line, CheckRule::LocHost, || {
                let origin = origin.ascii_serialization();
                format!("the URL {} is outside the sitemap's host, scheme and port, {origin}", quoted(text))
            })
        }
        SitemapLocation::Served { directory, .. }
            if rule != LocationRule::Site && !url.path().starts_with(&**directory) =>
        {
            let findings = if rule == LocationRule::Feed { remarks } else { faults };
            findings.add(line, CheckRule::LocDirectory, || {
                format!("the URL {} is outside the sitemap's directory, {directory}", quoted(text))
            });
        }
        SitemapLocation::Like(_) | SitemapLocation::Served { .. } => {}
    }
    Some(url)
}

/// The parsed URL if it is absolute with http or https; otherwise adds a fault.
fn absolute(text: &str, line: u64, faults: &mut Faults) -> Option<Url> {
    let scheme = text.split_once(':').map(|(scheme, _)| scheme).filter(|scheme| is_scheme(scheme));
    let Some(scheme) = scheme else {
        faults.add(line, CheckRule::LocRelative, || format!("the URL {} is not absolute", quoted(text)));
        return None;
    };
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        faults.add(line, CheckRule::LocScheme, || {
            format!("the URL {} has another scheme than http or https", quoted(text))
        });
        return None;
    }
    let after = text.get(scheme.len()..).unwrap_or_default();
    let has_host = after.strip_prefix("://").is_some_and(|rest| !rest.starts_with(['/', '?', '#', '\\']));
    match Url::parse(text) {
        Ok(url) if has_host => Some(url),
        Ok(_) => {
            faults.add(line, CheckRule::LocInvalid, || {
                format!("the URL {} is invalid: it names no host after ://", quoted(text))
            });
            None
        }
        Err(error) => {
            faults.add(line, CheckRule::LocInvalid, || format!("the URL {} is invalid: {error}", quoted(text)));
            None
        }
    }
}

/// RFC 3986, 3.1, without the dot on purpose: `example.com:8080/a` is meant as a host.
fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-'))
}

/// RFC 3986, 2: characters that are not allowed must be percent-encoded, and a percent sign begins an escape.
fn escapes(text: &str, line: u64, faults: &mut Faults) {
    let (_, path) = split_host(text);
    let raw = text.chars().find(|&c| !is_uri_char(c)).or_else(|| path.chars().find(|c| matches!(c, '[' | ']')));
    if let Some(raw) = raw {
        faults.add(line, CheckRule::LocEscape, || {
            format!(
                "the URL {} holds the character {}, which must be escaped",
                quoted(text),
                quoted(raw.encode_utf8(&mut [0; 4]))
            )
        });
        return;
    }
    let is_escape = |rest: &str| rest.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
    if text.split('%').skip(1).any(|rest| !is_escape(rest)) {
        faults.add(line, CheckRule::LocEscape, || {
            format!("the URL {} holds a % that begins no escape; by itself it is escaped as %25", quoted(text))
        });
    }
}

/// Splits an absolute URL into scheme with host, and the rest.
fn split_host(text: &str) -> (&str, &str) {
    let host = text.find("://").map_or(0, |at| at + "://".len());
    let end = text.get(host..).and_then(|rest| rest.find(['/', '?', '#'])).map_or(text.len(), |at| host + at);
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Includes brackets: RFC 3986, 3.2.2, has them around an IPv6 address and nowhere else.
fn is_uri_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c)
}
