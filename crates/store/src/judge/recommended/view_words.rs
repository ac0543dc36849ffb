//! The words of views, as applications write them into paths.

/// Reports whether a name is a word of views, or has one before or after an underscore.
pub(super) fn has_word(name: &str) -> bool {
    name.as_bytes().split(|byte| *byte == b'_').any(is_word)
}

/// Reports whether applications use a word in the paths of views. It decides nothing about a page with text.
fn is_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"annotate"
            | b"blame"
            | b"commitdiff"
            | b"comparison"
            | b"diff"
            | b"edit"
            | b"embed"
            | b"history"
            | b"log"
            | b"patch"
            | b"plain"
            | b"print"
            | b"raw"
            | b"source"
    )
}
