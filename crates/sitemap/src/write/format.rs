//! The form of sitemaps.

/// The form of the sitemaps. Indexes are always XML.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// `urlset` documents.
    #[default]
    Xml,
    /// One URL per line; dates, frequencies and priorities are left out.
    Text,
}
