//! The numbers of the protocol (sitemaps.org 0.9, "XML tag definitions" and "Using Sitemap index files").

/// The namespace of sitemaps and sitemap indexes: with `http`, whatever the site is served over.
pub const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// The most entries a sitemap, or a sitemap index, may hold.
pub const MAX_ENTRIES: usize = 50_000;

/// The most bytes a sitemap may have uncompressed by today's edition of the protocol (50 MiB).
pub const MAX_BYTES: u64 = 52_428_800;

/// The bytes a written sitemap has at most unless told otherwise: the stricter, older edition's 10 MiB.
pub const DEFAULT_BYTES: u64 = 10_485_760;

/// The most characters a `loc` may have: "less than 2,048".
pub const MAX_LOC_CHARS: usize = 2_047;

/// The start of an absolute URL of the web, or `None` where `text` is none: what follows `http://` or
/// `https://`, in any case, when there is anything there that could be a host.
///
/// A cheap test on purpose: it decides whether something is meant as an absolute URL, not whether it is valid.
pub(crate) fn after_web_scheme(text: &str) -> Option<&str> {
    let rest = [7, 8].into_iter().find_map(|length| {
        let (scheme, rest) = text.split_at_checked(length)?;
        let known = scheme.eq_ignore_ascii_case("http://") || scheme.eq_ignore_ascii_case("https://");
        known.then_some(rest)
    })?;
    let has_host =
        rest.bytes().next().is_some_and(|b| !matches!(b, b'/' | b'?' | b'#' | b'\\') && !b.is_ascii_whitespace());
    has_host.then_some(rest)
}

/// Whether this is white space to XML 1.0 (2.3, production 3), which is also what the type of a `loc` lets be around it
/// (XML Schema part 2, 4.3.6). Other blanks of Unicode are characters like any other.
pub(crate) const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// The text without blanks around it.
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// Whether XML 1.0 (2.2, production 2) can hold this character at all, even as a reference.
pub(crate) fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}
