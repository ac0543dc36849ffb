//! The text of a version in the form in which it is compared: the title and the text blocks, four bytes each in the
//! record.
//!
//! The bytes are a number, the low byte first: 27 bits of the text's hash, enough to distinguish the blocks of one
//! site; three bits of its length, as a power of two; two bits of its role on the page.

use mapwright_verdict::content::{BlockHash, Passage, PassageRole};
use mapwright_web::page::block::{self, BlockRole};
use mapwright_web::{KeyMaker, PageFacts};

/// The bits of a role.
const ROLE: u32 = 0b11;
/// The shift and the bits of a length.
const LENGTH: (u32, u32) = (2, 0b111);
/// The bits of a hash.
const HASH: u32 = u32::MAX << 5;
/// The length in bytes below which all lengths have one class; each further power of two is another class, up to eight
/// classes.
const SHORTEST: u32 = 16;
/// The bits that mark the title; no text block has them.
const TITLE: BlockHash = 1;
/// The separator between the title and the text, so that the first block of the text has a neighbour that never
/// changes.
const END_OF_TITLE: BlockHash = 2;

/// The blocks of a page in the form of the record.
pub(crate) fn pack(facts: &PageFacts) -> Vec<u8> {
    facts.blocks.iter().flat_map(|block| packed(block).to_le_bytes()).collect()
}

fn packed(block: &block::Block) -> u32 {
    #[allow(clippy::cast_possible_truncation, reason = "the lower half of what was folded")]
    let hash = (block.hash ^ block.hash >> 32) as u32;
    let length = (block.bytes / SHORTEST).checked_ilog2().map_or(0, |log| log + 1).min(LENGTH.1);
    let role = match block.role {
        BlockRole::Text => 0,
        BlockRole::Link => 1,
        BlockRole::Boilerplate => 2,
    };
    hash & HASH | length << LENGTH.0 | role
}

/// The blocks of a version, of any role.
pub(crate) fn texts(bytes: &[u8]) -> Vec<BlockHash> {
    numbers(bytes).map(text_of).collect()
}

/// The blocks of a version without boilerplate; all blocks where the page has nothing but boilerplate.
pub(crate) fn content(bytes: &[u8]) -> Vec<BlockHash> {
    let own: Vec<BlockHash> =
        numbers(bytes).filter(|number| role(*number) != PassageRole::Boilerplate).map(text_of).collect();
    if own.is_empty() { texts(bytes) } else { own }
}

/// The blocks of a version in their order, each with its text, and whether it is boilerplate.
pub(crate) fn blocks(bytes: &[u8]) -> impl Iterator<Item = (BlockHash, bool)> {
    numbers(bytes).map(|number| (text_of(number), role(number) == PassageRole::Boilerplate))
}

/// The title and blocks of a version; empty where it is not a page.
pub(crate) fn read(title: Option<&str>, bytes: &[u8]) -> Vec<Passage> {
    let blocks =
        numbers(bytes).map(|number| Passage { text: text_of(number), bytes: bytes_of(number), role: role(number) });
    let titled = title.map(|title| text_of(hash_of(title)) | TITLE).into_iter().chain([END_OF_TITLE]);
    let titled = titled.map(|text| Passage { text, bytes: 0, role: PassageRole::Text });
    if bytes.is_empty() { Vec::new() } else { titled.chain(blocks).collect() }
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks().0.iter().map(|four| u32::from_le_bytes(*four))
}

/// The hash and the length class of a block, without its role.
fn text_of(number: u32) -> BlockHash {
    number & !ROLE
}

fn bytes_of(number: u32) -> u32 {
    let power = number >> LENGTH.0 & LENGTH.1;
    SHORTEST << power >> 1
}

fn role(number: u32) -> PassageRole {
    match number & ROLE {
        0 => PassageRole::Text,
        1 => PassageRole::Link,
        _ => PassageRole::Boilerplate,
    }
}

fn hash_of(title: &str) -> u32 {
    let hash = KeyMaker::new(0, 0).hash(title.as_bytes());
    #[allow(clippy::cast_possible_truncation, reason = "some of its bits")]
    let some = hash as u32;
    some
}
