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

/// The canonical that a page gives, of those that count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Canonical {
    /// None, or none that is honoured.
    #[default]
    None,
    /// This URL.
    To(Node),
}

/// One known URL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Known {
    /// What became of it.
    pub fate: Fate,
    /// Where it redirects to, an instant refresh included.
    pub redirect: Option<Node>,
    /// Its canonical.
    pub canonical: Canonical,
    /// The page says noindex, or its `unavailable_after` has passed.
    pub noindex: bool,
    /// Matched by `--no-list`.
    pub no_list: bool,
    /// 2,048 characters or more.
    pub too_long: bool,
    /// Hash of its bytes; 0 where unknown.
    pub bytes: u64,
    /// Hash of the text that all its twins share; equal for URLs that differ only by slash, index file, case or the
    /// order of parameters.
    pub twin: u64,
    /// It failed in a way that may be one of the hour: 5xx, no answer, throttling.
    pub bad_hour: bool,
    /// Links to it from other pages.
    pub inlinks: u32,
    /// Characters of its URL.
    pub length: u16,
}
