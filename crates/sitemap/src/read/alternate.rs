//! Alternates in other languages: `xhtml:link` elements of an entry (Google, "Localized versions of your pages").

use super::entry::{Listing, RawEntry};
use super::item::Alternate;
use super::markup::Tag;
use super::names::Ns;

/// Alternates of one entry that are kept: more than there are languages and regions to tell apart. Further ones are
/// passed over.
const MOST: usize = 500;

/// Keeps what an element of a foreign namespace inside an entry names as an alternate, if it does.
pub(super) fn take(tag: &Tag<'_>, entry: &mut RawEntry, text_limit: usize) {
    let is_link = tag.ns == Ns::Xhtml && tag.local() == "link";
    if !is_link || entry.listing != Listing::Page || entry.alternates.len() >= MOST {
        return;
    }
    let rel = tag.attribute("rel").unwrap_or_default();
    if !rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("alternate")) {
        return;
    }
    if let (Some(code), Some(loc)) = (tag.attribute("hreflang"), tag.attribute("href"))
        && code.len() + loc.len() <= text_limit
    {
        entry.alternates.push(Alternate { code: code.trim().to_owned(), loc });
    }
}
