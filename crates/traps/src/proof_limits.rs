//! The limits of the proof that a pattern is endless.

/// The measures of the proofs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProofLimits {
    /// URLs that a pattern may have before it can be proven endless.
    pub(crate) budget: u64,
    /// The year of the crawl.
    pub(crate) this_year: u16,
}

/// Factor on the budget of patterns that may be real pages (a series of comics, chapters, pages of a thread; products
/// with random names).
pub(crate) const UNCERTAIN_FACTOR: u64 = 10;
