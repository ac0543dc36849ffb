//! The finished graph, as far as verdicts depend on it: a few bytes for each known URL.

/// Place of a URL in the graph.
pub type Node = u32;

/// What became of a URL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fate {
    /// Not in this run at all.
    #[default]
    Absent,
    /// Known and not fetched, for a reason that was clear at once.
    NotFetched(crate::Reason),
    /// Fetched, and no success: no answer, a status, a broken answer.
    Failed(crate::Reason),
    /// A redirect; [`Known::redirect`] says where to.
    Redirect,
    /// 200 with a document of a kind that is listed.
    Page,
    /// 200 with anything else.
    File,
}

/// Another URL of the graph, or none: four bytes, where `Option` takes eight. A graph has one for each of millions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Pointer(Node);

impl Pointer {
    /// No other URL.
    pub const NONE: Self = Self(Node::MAX);

    /// To this URL.
    #[must_use]
    pub const fn to(node: Node) -> Self {
        Self(node)
    }

    /// The URL, if there is one.
    #[must_use]
    pub fn get(self) -> Option<Node> {
        (self != Self::NONE).then_some(self.0)
    }
}

impl Default for Pointer {
    fn default() -> Self {
        Self::NONE
    }
}

impl From<Option<Node>> for Pointer {
    fn from(node: Option<Node>) -> Self {
        node.map_or(Self::NONE, Self)
    }
}

impl std::fmt::Debug for Pointer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(f)
    }
}

/// One known URL, in 32 bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Known {
    /// What became of it.
    pub fate: Fate,
    /// Where it redirects to, an instant refresh included.
    pub redirect: Pointer,
    /// Its canonical, of those that count.
    pub canonical: Pointer,
    /// The page says noindex, or its `unavailable_after` has passed.
    pub noindex: bool,
    /// Matched by `--no-list`.
    pub no_list: bool,
    /// 2,048 characters or more.
    pub too_long: bool,
    /// Equal for twins with equal bytes: URLs that differ only by slash, index file, case or parameters, and answer the
    /// same; a hash of both. 0 where its bytes are unknown.
    pub twin: u64,
    /// It failed in a way that may be one of the hour: 5xx, no answer, throttling.
    pub bad_hour: bool,
    /// It stays listed though it fails: its bad hour is not to bring in what gives its place to it.
    pub kept: bool,
    /// Its content was seen in this run, or a 304 vouched for it.
    pub checked: bool,
    /// Links to it from other pages.
    pub inlinks: u32,
    /// Characters of its URL.
    pub length: u16,
}

const _: () = assert!(size_of::<Known>() == 32, "ten million of them are to fit into little memory");
