//! Selects the part of a page that is compared: its own text, without boilerplate.

use super::{BlockHash, differing};
use std::cmp::Ordering;
use std::collections::HashSet;

/// A block of text and its role on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passage {
    /// The hash of its text.
    pub text: BlockHash,
    /// Its approximate length in bytes.
    pub bytes: u32,
    /// Its role on the page.
    pub role: PassageRole,
}

/// The role of a block of text on its page, by its markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassageRole {
    /// The page's title, or its text.
    Text,
    /// Mostly the text of links.
    Link,
    /// Navigation, a pager, a box of other pages, a footer.
    Boilerplate,
}

/// The compared parts of two fetches of one page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The compared blocks of the old page.
    pub old: Vec<BlockHash>,
    /// The compared blocks of the new page.
    pub new: Vec<BlockHash>,
    /// All blocks that differ, compared or not.
    pub differing: Vec<BlockHash>,
    /// Links by which a list within the text of an article grew or shrank.
    resized: Vec<BlockHash>,
}

/// The bytes of own text below which a page has its content in boilerplate elements, such as a table of contents in
/// `nav`; its own text must also be less than a quarter of all its text.
const SCANT: u64 = 128;
/// The number of consecutive links from which on they are a list. A pager has fewer, and a box of related pages keeps
/// its length.
const LIST: usize = 5;
/// The number of pages from which on links that came or went on all of them belong to a box that these pages share.
const TOGETHER: u32 = 3;

impl Pair {
    /// Selects the blocks of two fetches that are compared. `is_template` recognises the blocks on many pages of the
    /// site.
    ///
    /// Boilerplate is left out. In an article, so are blocks of links, which name other pages and change with them. On
    /// a page that consists mostly of links, the links are its content.
    #[must_use]
    pub fn of(old: &[Passage], new: &[Passage], is_template: &dyn Fn(BlockHash) -> bool) -> Self {
        let pages = [old, new];
        let is_scant = pages.iter().any(|page| is_scant(page));
        let is_list = pages.iter().any(|page| is_list(page, is_template));
        let counts = |passage: &&Passage| match passage.role {
            PassageRole::Text => true,
            PassageRole::Link => is_list || is_scant,
            PassageRole::Boilerplate => is_scant,
        };
        let [kept_old, kept_new] = pages.map(|page| texts(page.iter().filter(counts)));
        let [all_old, all_new] = pages.map(|page| texts(page.iter()));
        let resized = if is_list || is_scant { Vec::new() } else { resized(old, new) };
        Self { old: kept_old, new: kept_new, differing: differing(&all_old, &all_new), resized }
    }

    /// Reports whether a list within the text grew or shrank by links that did not come or go on other pages too.
    /// `moved` returns the number of pages on which a block came or went.
    #[must_use]
    pub fn has_another_list(&self, moved: &dyn Fn(BlockHash) -> u32) -> bool {
        self.resized.iter().any(|block| moved(*block) < TOGETHER)
    }
}

fn texts<'p>(passages: impl Iterator<Item = &'p Passage>) -> Vec<BlockHash> {
    passages.map(|passage| passage.text).collect()
}

fn bytes<'p>(passages: impl Iterator<Item = &'p Passage>) -> u64 {
    passages.map(|passage| u64::from(passage.bytes)).sum()
}

fn is_scant(page: &[Passage]) -> bool {
    let own = bytes(page.iter().filter(|passage| passage.role != PassageRole::Boilerplate));
    own < SCANT && 4 * own < bytes(page.iter())
}

/// Reports whether a page has more text in links than outside, not counting blocks on many pages of the site.
fn is_list(page: &[Passage], is_template: &dyn Fn(BlockHash) -> bool) -> bool {
    let of = |role| bytes(page.iter().filter(|passage| passage.role == role && !is_template(passage.text)));
    of(PassageRole::Link) > of(PassageRole::Text)
}

/// The links added to lists if more were added than removed, the removed links if more were removed, else none.
fn resized(old: &[Passage], new: &[Passage]) -> Vec<BlockHash> {
    let (come, gone) = (listed_apart(new, old), listed_apart(old, new));
    match come.len().cmp(&gone.len()) {
        Ordering::Equal => Vec::new(),
        Ordering::Greater => come,
        Ordering::Less => gone,
    }
}

/// The links in lists of `page` that are not on `other`.
fn listed_apart(page: &[Passage], other: &[Passage]) -> Vec<BlockHash> {
    let known: HashSet<BlockHash> = other.iter().map(|passage| passage.text).collect();
    let runs = page.chunk_by(|one, next| one.role == next.role);
    let lists = runs.filter(|run| run.len() >= LIST && run.iter().all(|passage| passage.role == PassageRole::Link));
    lists.flatten().map(|passage| passage.text).filter(|text| !known.contains(text)).collect()
}
