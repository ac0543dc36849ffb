//! The limits of a robots.txt.

/// The number of octets read of a file (RFC 9309 2.5 requires at least this much).
pub const MAX_FILE_BYTES: usize = 500 * 1024;
/// The maximum number of `Sitemap:` lines kept.
pub const MAX_SITEMAPS: usize = 10_000;
/// The maximum number of faults kept.
pub const MAX_FAULTS: usize = 100;
/// The maximum length of a line's text in rulings and faults, in characters.
pub const MAX_TEXT_CHARS: usize = 500;
