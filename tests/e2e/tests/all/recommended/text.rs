//! Text for pages: the same text for the same seed, and a different text for every other seed.

use super::words::{ADJECTIVES, ENGLISH, Language, NOUNS};

/// The number of sentences of a paragraph.
const SENTENCES: u64 = 4;

/// The subject of a page, such as an article or a product.
#[derive(Debug, Clone)]
pub(crate) struct Thing {
    pub(crate) title: String,
    pub(crate) slug: String,
}

/// This number of things with distinct titles, up to 156, because the twelve adjectives and thirteen nouns combine
/// without repetition (12 and 13 are coprime).
pub(crate) fn things(count: usize) -> Vec<Thing> {
    (0..count).map(thing).collect()
}

fn thing(number: usize) -> Thing {
    let title = format!("{} {}", word(ADJECTIVES, number), word(NOUNS, number));
    let slug = title.to_lowercase().replace(' ', "-");
    Thing { title, slug }
}

/// The word of this number; the list repeats after its last word.
fn word(words: &'static str, number: usize) -> &'static str {
    words.split('|').cycle().nth(number).unwrap_or_default()
}

/// A pseudorandom number, the same for the same seed and place (FNV-1a, then splitmix64).
pub(crate) fn lot(seed: &str, place: u64) -> u64 {
    let hash = seed
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let mut mixed = hash.wrapping_add(place.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// This number of paragraphs in English.
pub(crate) fn paragraphs(seed: &str, count: u64) -> String {
    paragraphs_in(&ENGLISH, seed, count)
}

/// This number of paragraphs in this language.
pub(crate) fn paragraphs_in(language: &Language, seed: &str, count: u64) -> String {
    let paragraph = |at: u64| {
        let sentences = (0..SENTENCES).map(|place| sentence(language, seed, at * SENTENCES + place));
        format!("<p>{}</p>\n", sentences.collect::<Vec<_>>().join(" "))
    };
    (0..count).map(paragraph).collect()
}

/// One sentence in English.
pub(crate) fn teaser(seed: &str) -> String {
    sentence(&ENGLISH, seed, 1_000)
}

fn sentence(language: &Language, seed: &str, place: u64) -> String {
    let words = language.iter().zip(0..).map(|(list, part)| {
        let choice = lot(seed, place * 8 + part) % list.split('|').count() as u64;
        word(list, usize::try_from(choice).expect("an index of a short list"))
    });
    format!("{}.", words.collect::<Vec<_>>().join(" "))
}

/// A list of links, each with a title and a sentence about it.
pub(crate) fn teasers<H: AsRef<str>, T: AsRef<str>>(entries: &[(H, T)]) -> String {
    let entry = |(href, title): &(H, T)| {
        let title = title.as_ref();
        format!("<li><a href=\"{}\">{title}</a> <span>{}</span></li>\n", href.as_ref(), teaser(title))
    };
    format!("<ul>\n{}</ul>\n", entries.iter().map(entry).collect::<String>())
}
