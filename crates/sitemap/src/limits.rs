//! The limits of the protocol (sitemaps.org 0.9, "XML tag definitions" and "Using Sitemap index files").

/// The namespace of sitemaps and sitemap indexes: with `http`, even for a site served over https.
pub const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// The maximum number of entries of a sitemap or a sitemap index.
pub const MAX_ENTRIES: usize = 50_000;

/// The maximum size of an uncompressed sitemap in bytes, by the current edition of the protocol (50 MiB).
pub const MAX_BYTES: u64 = 52_428_800;

/// The default maximum size of a written sitemap in bytes: the stricter, older edition's 10 MiB.
pub const DEFAULT_BYTES: u64 = 10_485_760;

/// The maximum number of characters of a `loc`: "less than 2,048".
pub const MAX_LOC_CHARS: usize = 2_047;

/// The rest of a URL after `http://` or `https://`, in any case, or `None` if `text` has no such prefix or nothing that
/// could be a host follows.
///
/// The test is deliberately cheap: it decides if a text is meant as an absolute URL, not if it is valid.
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

/// Returns true for white space of XML 1.0 (2.3, production 3), which may also surround a `loc` (XML Schema part 2,
/// 4.3.6). Other white space of Unicode is ordinary text.
pub(crate) const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// The text without surrounding white space.
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// Returns true if XML 1.0 (2.2, production 2) permits this character, even as a reference.
pub(crate) fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}
