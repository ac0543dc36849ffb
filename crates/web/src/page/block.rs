//! A block of text, and what it is to its page.

/// The text between two block-level tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// The hash of its text: references decoded, blanks collapsed.
    pub hash: u64,
    /// The length of its text.
    pub bytes: u32,
    /// What it is to the page.
    pub role: BlockRole,
}

/// What a block of text is to the page that it stands on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum BlockRole {
    /// Text, as far as its markup tells.
    #[default]
    Text,
    /// The text of links, and little else.
    Link,
    /// Navigation, a pager, a box of other pages, a footer.
    Boilerplate,
}

/// A block shorter than this is one of links where half of its text is; a longer one, where three quarters are.
const SHORT: u64 = 80;

/// The role of a block of so many bytes, of which so many are the text of links.
pub(super) fn role_of(bytes: u32, linked: u32) -> BlockRole {
    let (bytes, linked) = (u64::from(bytes), u64::from(linked));
    let is_linked = if bytes < SHORT { 2 * linked >= bytes } else { 4 * linked >= 3 * bytes };
    if linked > 0 && is_linked { BlockRole::Link } else { BlockRole::Text }
}
