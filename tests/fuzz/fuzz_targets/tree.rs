//! The page reader beside a browser's tree (`scraper`), on broken HTML: the same links, canonicals, titles and the like.
//!
//! An input is not markup but a recipe: its first byte chooses the pieces, with foreign content or without, and each
//! further byte one of them, or a single character. So every mutation is a document again, and none leaves what the two
//! are meant to agree on.

#![no_main]

#[path = "../../../crates/web/tests/oracle/mod.rs"]
mod oracle;

use libfuzzer_sys::fuzz_target;
use oracle::soup::{FOREIGN, HTML};

/// Characters that the tokenizer's states turn on, and some that none does.
const CHARACTERS: [&str; 32] = [
    "<", ">", "/", "=", "!", "?", "-", "-", "[", "]", "'", "\"", "`", "&", "#", ";", " ", "\t", "\n", "\r", "\x0c",
    "\0", "a", "b", "h", "i", "p", "s", "x", "X", "1", "é",
];

/// End tags that, inside an SVG, close an element of HTML around it if one is open: the reader knows that by counting tags
/// alone, which `mapwright_web::page` names as a difference. Nor may they be spelt out.
const AMBIGUOUS: [&str; 4] = ["</a>", "</div>", "</g>", "/"];

/// Tables, out of which a tree copies what is left open in a template, another difference that is named there.
const TABLES: [&str; 6] = ["<table>", "<caption>", "<tr>", "<td>", "</table>", "</td>"];

/// Bytes of one document, a U+0000 counted as the character that replaces it: of a longer title not all is kept, and a
/// tree costs time quadratic in its depth.
const LONGEST: usize = 1_000;

fuzz_target!(|data: &[u8]| {
    let Some((first, recipe)) = data.split_first() else { return };
    let foreign = first % 2 == 1;
    let pieces = if foreign { FOREIGN } else { HTML };
    let (mut text, mut size) = (String::new(), 0);
    for byte in recipe {
        let piece = piece(pieces, usize::from(*byte));
        size += if piece == "\0" { '\u{fffd}'.len_utf8() } else { piece.len() };
        if size > LONGEST {
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

/// The piece that a byte stands for: the last ones for characters, the others in turn for the list's.
fn piece(pieces: &'static [&'static str], byte: usize) -> &'static str {
    let characters = usize::from(u8::MAX) + 1 - CHARACTERS.len();
    byte.checked_sub(characters).map_or_else(|| pieces[byte % pieces.len()], |at| CHARACTERS[at])
}
