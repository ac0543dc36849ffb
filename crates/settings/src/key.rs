//! The keys of options: `crawl.max-depth`.

use std::str;

/// Writes the key of a field: the name of its section, a dot, and its own name with hyphens. `N` is its length in bytes.
#[allow(clippy::indexing_slicing, reason = "it runs when the program is compiled, and fails there")]
pub(crate) const fn bytes<const N: usize>(section: &str, field: &str) -> [u8; N] {
    let (section, field) = (section.as_bytes(), field.as_bytes());
    let mut key = [b'.'; N];
    let mut at = 0;
    while at < section.len() {
        key[at] = section[at];
        at += 1;
    }
    at = 0;
    while at < field.len() {
        key[section.len() + 1 + at] = if field[at] == b'_' { b'-' } else { field[at] };
        at += 1;
    }
    key
}

/// Returns a key as text.
pub(crate) const fn text(key: &'static [u8]) -> &'static str {
    match str::from_utf8(key) {
        Ok(text) => text,
        Err(_) => "",
    }
}

#[cfg(test)]
mod tests {
    use crate::definitions::definitions;
    use crate::sections::{CrawlSection, JobSection, OutputSection};

    #[test]
    fn the_constant_of_a_field_is_the_key_of_its_option() {
        let keys: Vec<String> = definitions().map(|definition| definition.key()).collect();
        for key in [CrawlSection::url_list, CrawlSection::scope, OutputSection::out, JobSection::url] {
            assert!(keys.iter().any(|known| known == key), "{key}");
        }
        assert_eq!(CrawlSection::max_urls, "crawl.max-urls");
    }
}
