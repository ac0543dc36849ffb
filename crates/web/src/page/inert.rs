//! Documents in which nothing runs.

use memchr::memmem;

/// The types of scripts that are data (HTML 4.12.1): no browser runs them.
const DATA: [&[u8]; 5] =
    [b"application/ld+json", b"application/json", b"importmap", b"speculationrules", b"text/template"];

/// Reports whether nothing in a document runs: no script but data, no attribute with a script, no URL of one, and no
/// declared shadow root, which only browsers build. The document that a browser makes of it is then the document itself.
///
/// The bytes are searched as they are, in text and comments too, so that the answer is at times false where nothing
/// runs; it is never true where something does. The encoding must be one in which ASCII is written as ASCII.
#[must_use]
pub fn is_inert(bytes: &[u8]) -> bool {
    let lower = bytes.to_ascii_lowercase();
    let has = |word: &[u8]| memmem::find(&lower, word).is_some();
    !has(b"javascript:") && !has(b"shadowrootmode") && !has_script(&lower) && !has_handler(&lower)
}

/// Reports whether there is a script that is no data.
fn has_script(lower: &[u8]) -> bool {
    memmem::find_iter(lower, b"<script").any(|at| {
        let tag = lower.get(at..).unwrap_or_default();
        let end = memchr::memchr(b'>', tag).unwrap_or(tag.len());
        let attributes = tag.get(..end).unwrap_or_default();
        // A data block has one `type` and no `src`; whatever is unusual counts as a script.
        let types = memmem::find_iter(attributes, b"type").count();
        let is_data = DATA.iter().any(|kind| memmem::find(attributes, kind).is_some());
        !(is_data && types == 1 && memmem::find(attributes, b"src").is_none())
    })
}

/// Reports whether there is an attribute that names an event, such as `onload=`.
fn has_handler(lower: &[u8]) -> bool {
    memmem::find_iter(lower, b"on").any(|at| {
        let before = at.checked_sub(1).and_then(|before| lower.get(before));
        let begins = before.is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'/'));
        let rest = lower.get(at + 2..).unwrap_or_default();
        let name = rest.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        let after = rest.get(name..).unwrap_or_default().trim_ascii_start();
        begins && name > 0 && after.first() == Some(&b'=')
    })
}

#[cfg(test)]
mod tests {
    use super::is_inert;

    #[test]
    fn whatever_runs_is_found() {
        for page in [
            "<script>1</script>",
            "<SCRIPT src=a.js></SCRIPT>",
            "<script type=module>1</script>",
            "<script type='text/template' type=module>1</script>",
            "<script src='application/json'></script>",
            "<body onload=\"go()\">",
            "<img alt='x'onerror = go()>",
            "<svg/onload=go()>",
            "<iframe src='JavaScript:go()'>",
            "<a href=\"javascript:go()\">x</a>",
            "<div><template shadowrootmode=open></template></div>",
        ] {
            assert!(!is_inert(page.as_bytes()), "{page}");
        }
    }

    #[test]
    fn documents_without_scripts_are_inert() {
        for page in [
            "",
            "<p>Go on = yes. Only once</p><a href='/?on=1'>x</a>",
            "<script type=\"application/ld+json\">{\"@type\":\"Thing\"}</script>",
            "<SCRIPT TYPE=importmap>{}</SCRIPT><script type='speculationrules'>{}</script>",
        ] {
            assert!(is_inert(page.as_bytes()), "{page}");
        }
    }
}
