//! The page reader compared with a tree builder (`scraper`) on broken HTML: both find the same links, canonicals,
//! titles and the like.
//!
//! An input is a recipe, not markup: its first byte chooses the list of pieces, with foreign content or without, and
//! each further byte a piece or a single character. Every mutation is therefore a document on which both are expected
//! to agree.

#![no_main]

#[path = "../../../crates/web/tests/oracle/mod.rs"]
mod oracle;

use libfuzzer_sys::fuzz_target;
use oracle::soup::{FOREIGN, HTML};

/// Characters that change the tokenizer's state, and some ordinary ones.
const CHARACTERS: [&str; 32] = [
    "<", ">", "/", "=", "!", "?", "-", "-", "[", "]", "'", "\"", "`", "&", "#", ";", " ", "\t", "\n", "\r", "\x0c",
    "\0", "a", "b", "h", "i", "p", "s", "x", "X", "1", "é",
];

/// End tags that, inside an SVG, close an open HTML element around it. The reader only counts tags there, which
/// `mapwright_web::page` documents as a difference. The slash is excluded too, so that characters do not form such a
/// tag.
const AMBIGUOUS: [&str; 4] = ["</a>", "</div>", "</g>", "/"];

/// Table tags, excluded after a template: a tree builder copies elements left open in the template out of the table,
/// another difference that `mapwright_web::page` documents.
const TABLES: [&str; 6] = ["<table>", "<caption>", "<tr>", "<td>", "</table>", "</td>"];

/// The maximum length of a document in bytes, with U+0000 counted as its replacement character: a longer title is
/// truncated, and the time of a tree builder is quadratic in its depth.
const MAX_CHARS: usize = 1_000;

fuzz_target!(|data: &[u8]| {
    let Some((first, recipe)) = data.split_first() else { return };
    let foreign = first % 2 == 1;
    let pieces = if foreign { FOREIGN } else { HTML };
    let (mut text, mut size) = (String::new(), 0);
    for byte in recipe {
        let piece = piece(pieces, usize::from(*byte));
        size += if piece == "\0" { '\u{fffd}'.len_utf8() } else { piece.len() };
        if size > MAX_CHARS {
            break;
        }
        let named = (foreign && AMBIGUOUS.contains(&piece)) || (TABLES.contains(&piece) && text.contains("<template>"));
        if !named {
            text.push_str(piece);
        }
    }
    if let Some(difference) = oracle::difference(&text) {
        panic!("{difference}");
    }
});

/// The piece for a byte: the highest bytes mean characters, the others cycle through the list.
fn piece(pieces: &'static [&'static str], byte: usize) -> &'static str {
    let characters = usize::from(u8::MAX) + 1 - CHARACTERS.len();
    byte.checked_sub(characters).map_or_else(|| pieces[byte % pieces.len()], |at| CHARACTERS[at])
}
