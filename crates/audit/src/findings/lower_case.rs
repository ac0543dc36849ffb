//! URLs that differ in case alone.

/// A URL in lower case, letters beyond ASCII among them: their escapes are decoded, where they are UTF-8; those of other
/// characters stay, since they differ from what they stand for (RFC 3986, section 2.2).
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
