//! A block of text and its role on the page.

/// The text between two block-level tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// The hash of its text: references decoded, white space collapsed.
    pub hash: u64,
    /// The length of its text.
    pub bytes: u32,
    /// Its role on the page.
    pub role: BlockRole,
}

/// The role of a text block on its page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum BlockRole {
    /// Text, by its markup.
    #[default]
    Text,
    /// Mostly the text of links.
    Link,
    /// Navigation, a pager, a box of other pages, or a footer.
    Boilerplate,
}

/// The length below which a block is one of links if half of its text is link text; a longer block needs three
/// quarters.
const SHORT: u64 = 80;

/// The role of a block, by its length and the length of its link text in bytes.
pub(in crate::page) fn role_of(bytes: u32, linked: u32) -> BlockRole {
    let (bytes, linked) = (u64::from(bytes), u64::from(linked));
    let is_linked = if bytes < SHORT { 2 * linked >= bytes } else { 4 * linked >= 3 * bytes };
    if linked > 0 && is_linked { BlockRole::Link } else { BlockRole::Text }
}
