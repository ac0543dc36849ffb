//! Documents that say that they need scripts.

use memchr::memmem;

/// Reports whether a `noscript` element of the document speaks of JavaScript to its readers, as in "You need to enable
/// JavaScript to run this app." Tags in it do not count: those of counters and trackers.
#[must_use]
pub fn needs_scripts(document: &[u8]) -> bool {
    let lower = document.to_ascii_lowercase();
    let mut rest = lower.as_slice();
    while let Some(start) = memmem::find(rest, b"<noscript") {
        rest = rest.get(start..).unwrap_or_default();
        let end = memmem::find(rest, b"</noscript").unwrap_or(rest.len());
        let (element, after) = rest.split_at_checked(end).unwrap_or_default();
        if texts(element).any(|text| memmem::find(text, b"javascript").is_some()) {
            return true;
        }
        rest = after;
    }
    false
}

/// Returns the texts between the tags of an element.
fn texts(element: &[u8]) -> impl Iterator<Item = &[u8]> {
    let parts = element.split(|byte| *byte == b'<');
    parts.map(|part| memchr::memchr(b'>', part).and_then(|end| part.get(end + 1..)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::needs_scripts;

    #[test]
    fn a_noscript_that_speaks_of_javascript_needs_scripts() {
        for page in [
            "<noscript>You need to enable JavaScript to run this app.</noscript>",
            "<NOSCRIPT><p>Bitte <b>JavaScript</b> aktivieren.</p>",
            "<noscript><img src=x></noscript><p>x<noscript>Needs javascript</noscript>",
        ] {
            assert!(needs_scripts(page.as_bytes()), "{page}");
        }
    }

    #[test]
    fn counters_and_other_texts_do_not() {
        for page in [
            "",
            "<p>JavaScript for beginners</p>",
            "<noscript><img src='/javascript/count.gif' alt='JavaScript'></noscript>",
            "<noscript>More pages: <a href=/all>all</a></noscript><p>JavaScript",
        ] {
            assert!(!needs_scripts(page.as_bytes()), "{page}");
        }
    }
}
