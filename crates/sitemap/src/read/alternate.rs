//! Alternates in other languages: `xhtml:link` elements of an entry (Google, "Localized versions of your pages").

use super::entry::{EntryKind, RawEntry};
use super::item::AlternateEntry;
use super::names::Ns;
use super::token::Tag;

/// The maximum number of alternates kept of one entry: more than there are combinations of language and region. Further
/// ones are skipped.
const MAX_ALTERNATES: usize = 500;

/// Keeps the alternate that an element of a foreign namespace names, if it names one.
pub(super) fn take(tag: &Tag<'_>, entry: &mut RawEntry, text_limit: usize) {
    let is_link = tag.ns == Ns::Xhtml && tag.local() == "link";
    if !is_link || entry.listing != EntryKind::Page || entry.alternates.len() >= MAX_ALTERNATES {
        return;
    }
    let rel = tag.attribute("rel").unwrap_or_default();
    if !rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("alternate")) {
        return;
    }
    if let (Some(code), Some(loc)) = (tag.attribute("hreflang"), tag.attribute("href"))
        && code.len() + loc.len() <= text_limit
    {
        entry.alternates.push(AlternateEntry { code: code.trim().to_owned(), loc });
    }
}
