//! The part of the finished graph that verdicts depend on: a few bytes for each known URL.

/// The index of a URL in the graph.
pub type NodeIndex = u32;

/// The fetch status of a URL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FetchStatus {
    /// Not in this run at all.
    #[default]
    Absent,
    /// Known and not fetched, for this reason.
    NotFetched(crate::Reason),
    /// Requested without success: no answer, an HTTP error, a broken response.
    Failed(crate::Reason),
    /// A redirect to [`UrlNode::redirect`].
    Redirect,
    /// 200 with a document of a media type that is listed.
    Page,
    /// 200 with anything else.
    File,
}

/// Another URL of the graph, or none. It takes four bytes where `Option` takes eight, and a graph has millions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Pointer(NodeIndex);

impl Pointer {
    /// No other URL.
    pub const NONE: Self = Self(NodeIndex::MAX);

    /// A pointer to this URL.
    #[must_use]
    pub const fn to(node: NodeIndex) -> Self {
        Self(node)
    }

    /// The URL, if there is one.
    #[must_use]
    pub fn get(self) -> Option<NodeIndex> {
        (self != Self::NONE).then_some(self.0)
    }
}

impl Default for Pointer {
    fn default() -> Self {
        Self::NONE
    }
}

impl From<Option<NodeIndex>> for Pointer {
    fn from(node: Option<NodeIndex>) -> Self {
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
pub struct UrlNode {
    /// The fetch status.
    pub fetch_status: FetchStatus,
    /// The target of its redirect or instant refresh.
    pub redirect: Pointer,
    /// The target of its canonical, if the canonical counts.
    pub canonical: Pointer,
    /// The page says noindex, or its `unavailable_after` has passed.
    pub noindex: bool,
    /// Matched by `--no-list`.
    pub no_list: bool,
    /// 2,048 characters or more.
    pub too_long: bool,
    /// A hash that is equal for exact duplicates: URLs that differ only by slash, index file, case or parameters, and
    /// answer with equal bytes. 0 where the bytes are unknown.
    pub duplicate_key: u64,
    /// A transient failure: 5xx, no answer, throttling.
    pub transient_failure: bool,
    /// It fails and stays listed, so that pages canonicalised to it stay excluded during its transient failure.
    pub kept: bool,
    /// This run fetched its content, or revalidated it with a 304.
    pub checked: bool,
    /// The number of links to it from other pages.
    pub inlinks: u32,
    /// Characters of its URL.
    pub length: u16,
}

const _: () = assert!(size_of::<UrlNode>() == 32, "ten million of them are to fit into little memory");
