//! The template of a page, by which pages are grouped whose scripts do the same.

use super::syntax::attributes::{Attribute, Attributes};
use super::syntax::raw_text::raw_text;
use super::syntax::scan::{Scanner, Token};
use super::syntax::tag::Tag;
use std::collections::BTreeSet;

/// Most names that are taken of a page.
const MAX_NAMES: usize = 256;
/// Levels below `body` whose names are taken.
const LEVELS: usize = 2;
/// Fewest characters of a hash.
const HASH: usize = 8;

/// Returns the text that the pages of a template share: the URLs of their scripts, without their queries and with what
/// varies in them folded, and the IDs and classes of the first two levels below `body`, folded too. The document is not
/// parsed into a tree, so that the levels of one with open elements are approximate.
#[must_use]
pub fn template_of(document: &[u8]) -> String {
    let text = String::from_utf8_lossy(document);
    let (mut scanner, mut attributes) = (Scanner::new(&text, false), Attributes::default());
    let (mut names, mut level) = (BTreeSet::new(), None::<usize>);
    while let Some(token) = scanner.next(&mut attributes) {
        match token {
            Token::Start { name, .. } => {
                let tag = Tag::of(name);
                if let Some(kind) = raw_text(tag, false) {
                    scanner.raw_text(name, kind);
                }
                if tag == Tag::Script {
                    names.extend(attributes.get(Attribute::Src).map(|src| fold_url(&src)));
                }
                match &mut level {
                    None => level = (tag == Tag::Body).then_some(0),
                    Some(level) => {
                        if *level < LEVELS && tag != Tag::Script {
                            names.extend(attributes.raw(Attribute::Id).map(|id| format!("#{}", fold(id))));
                            let classes = attributes.raw(Attribute::Class).unwrap_or_default();
                            names.extend(classes.split_ascii_whitespace().map(|class| format!(".{}", fold(class))));
                        }
                        *level += usize::from(!tag.is_void());
                    }
                }
            }
            Token::End(name) if !Tag::of(name).is_void() => level = level.map(|level| level.saturating_sub(1)),
            Token::End(_) | Token::Text(_) => {}
        }
        if names.len() >= MAX_NAMES {
            break;
        }
    }
    names.into_iter().collect::<Vec<_>>().join("\n")
}

/// Returns the URL of a script without its query, with what varies in it folded.
fn fold_url(url: &str) -> String {
    fold(url.split(['?', '#']).next().unwrap_or_default())
}

/// Returns a name in which numbers and hashes are a `0`: builds name files by their content, and pages elements by
/// their numbers.
fn fold(name: &str) -> String {
    let mut folded = String::new();
    for part in name.split_inclusive(|char: char| !char.is_ascii_alphanumeric()) {
        let word = part.trim_end_matches(|char: char| !char.is_ascii_alphanumeric());
        folded.push_str(if varies(word) { "0" } else { word });
        folded.push_str(part.get(word.len()..).unwrap_or_default());
    }
    folded
}

/// Reports whether a word is a number or a hash: it has a digit, or it is long and mixes cases after its first character,
/// or it is long and hexadecimal.
fn varies(word: &str) -> bool {
    let is_long = word.len() >= HASH;
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let uppers = word.bytes().skip(1).filter(u8::is_ascii_uppercase).count();
    has_digit || is_long && (uppers > 2 || word.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::template_of;

    fn template(html: &str) -> String {
        template_of(html.as_bytes())
    }

    #[test]
    fn a_template_has_the_scripts_and_the_names_of_two_levels() {
        let page = "<html class=x><head><script src='/js/app.js?v=3'></script></head><body class=y><div id=page>\
                    <img class=void><main class='wide list'><p class=deep>Text.</p></main></div><script src=b.js></script>\
                    <footer class=foot></footer></body></html>";
        assert_eq!(template(page), "#page\n.foot\n.list\n.void\n.wide\n/js/app.js\nb.js");
    }

    #[test]
    fn numbers_and_hashes_are_folded() {
        let page = |chunk: &str, id: u32| {
            format!(
                "<body><article id=post-{id}><p class='item-{id} new'></p></article><script src='/c/{chunk}'></script>"
            )
        };
        let first = template(&page("page-00c0ffee.js", 1));
        for chunk in ["page-deadbeef.js", "page-DhGsKzXyBw.js", "page-4f.js"] {
            assert_eq!(template(&page(chunk, 27)), first, "{chunk}");
        }
        assert_ne!(template(&page("basket-00c0ffee.js", 1)), first);
    }

    #[test]
    fn the_text_and_the_number_of_elements_do_not_matter() {
        let page = |items: usize| format!("<body><ul class=list>{}</ul>", "<li class=item>An item.</li>".repeat(items));
        assert_eq!(template(&page(1)), template(&page(40)));
        assert_eq!(template("<p>No body, no scripts."), "");
    }

    #[test]
    fn what_scripts_and_styles_hold_is_no_element() {
        let page = "<body><script>'<b class=x>'</script><style><b class=y></style><i class=z></i>";
        assert_eq!(template(page), ".z");
    }
}
