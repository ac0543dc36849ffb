//! What of a page is compared: its own text, without what stands beside it.

use super::{Block, differing};
use std::cmp::Ordering;
use std::collections::HashSet;

/// A block of text, and what it is to its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passage {
    /// Its text.
    pub text: Block,
    /// About how long it is, in bytes.
    pub bytes: u32,
    /// What it is to the page.
    pub role: Role,
}

/// What a block of text is to its page, as far as markup tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The page's title, or its text.
    Text,
    /// The text of links, and little else.
    Link,
    /// Navigation, a pager, a box of other pages, a footer.
    Boilerplate,
}

/// Two fetches of one page, as far as they are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// What of the page before is compared.
    pub old: Vec<Block>,
    /// What of the page of now is.
    pub new: Vec<Block>,
    /// All that differs, compared or not.
    pub differing: Vec<Block>,
    /// Links by which a list within the text of an article is longer or shorter now.
    resized: Vec<Block>,
}

/// A page that has less text of its own than this, and less than a quarter of all its text, has its content where others
/// have navigation: a table of contents in `nav`, a box that is the page.
const SCANT: u64 = 128;
/// A run of links as long as this is a list: a pager has fewer, and a box of related pages keeps its length.
const LIST: usize = 5;
/// Links that came or went on so many pages at once are of a box that these share.
const TOGETHER: u32 = 3;

impl Pair {
    /// Reads what of two fetches is compared. `is_template` tells the blocks that stand on many pages of the site.
    ///
    /// Boilerplate is left out; and so are, in an article, the blocks that are links: the names of its neighbours, which
    /// are theirs to change. Where links are the most that a page has, they are its content.
    #[must_use]
    pub fn of(old: &[Passage], new: &[Passage], is_template: &dyn Fn(Block) -> bool) -> Self {
        let pages = [old, new];
        let is_scant = pages.iter().any(|page| is_scant(page));
        let is_list = pages.iter().any(|page| is_list(page, is_template));
        let counts = |passage: &&Passage| match passage.role {
            Role::Text => true,
            Role::Link => is_list || is_scant,
            Role::Boilerplate => is_scant,
        };
        let [kept_old, kept_new] = pages.map(|page| texts(page.iter().filter(counts)));
        let [all_old, all_new] = pages.map(|page| texts(page.iter()));
        let resized = if is_list || is_scant { Vec::new() } else { resized(old, new) };
        Self { old: kept_old, new: kept_new, differing: differing(&all_old, &all_new), resized }
    }

    /// Whether a list within the text grew or shrank by what did not come or go on other pages too. `moved` tells on how
    /// many pages a block did.
    #[must_use]
    pub fn has_another_list(&self, moved: &dyn Fn(Block) -> u32) -> bool {
        self.resized.iter().any(|block| moved(*block) < TOGETHER)
    }
}

fn texts<'p>(passages: impl Iterator<Item = &'p Passage>) -> Vec<Block> {
    passages.map(|passage| passage.text).collect()
}

fn bytes<'p>(passages: impl Iterator<Item = &'p Passage>) -> u64 {
    passages.map(|passage| u64::from(passage.bytes)).sum()
}

fn is_scant(page: &[Passage]) -> bool {
    let own = bytes(page.iter().filter(|passage| passage.role != Role::Boilerplate));
    own < SCANT && 4 * own < bytes(page.iter())
}

/// Whether links are the most that a page has, what many pages have left out.
fn is_list(page: &[Passage], is_template: &dyn Fn(Block) -> bool) -> bool {
    let of = |role| bytes(page.iter().filter(|passage| passage.role == role && !is_template(passage.text)));
    of(Role::Link) > of(Role::Text)
}

/// The links that came into lists, where more came than left; else those that left.
fn resized(old: &[Passage], new: &[Passage]) -> Vec<Block> {
    let (come, gone) = (listed_apart(new, old), listed_apart(old, new));
    match come.len().cmp(&gone.len()) {
        Ordering::Equal => Vec::new(),
        Ordering::Greater => come,
        Ordering::Less => gone,
    }
}

/// The links in lists of `page` that do not stand on `other`.
fn listed_apart(page: &[Passage], other: &[Passage]) -> Vec<Block> {
    let known: HashSet<Block> = other.iter().map(|passage| passage.text).collect();
    let runs = page.chunk_by(|one, next| one.role == next.role);
    let lists = runs.filter(|run| run.len() >= LIST && run.iter().all(|passage| passage.role == Role::Link));
    lists.flatten().map(|passage| passage.text).filter(|text| !known.contains(text)).collect()
}
