//! URLs that differ only in case.

/// Returns a URL in lower case, including non-ASCII letters: their percent-encoding is decoded if it is UTF-8. The
/// encoding of other characters stays, because it differs from the plain character (RFC 3986, section 2.2).
pub(super) fn in_lower_case(url: &str) -> String {
    let mut kept = String::with_capacity(url.len());
    for (at, part) in url.split('%').enumerate() {
        let is_ascii = part.starts_with(|first: char| !first.is_ascii_hexdigit() || first < '8');
        kept.push_str(if at == 0 {
            ""
        } else if is_ascii {
            "%25"
        } else {
            "%"
        });
        kept.push_str(part);
    }
    let decoded = mapwright_web::percent_decoded(&kept);
    if decoded.contains(char::REPLACEMENT_CHARACTER) { url.to_ascii_lowercase() } else { decoded.to_lowercase() }
}
