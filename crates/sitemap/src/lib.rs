//! Read, write and check sitemaps within the protocol's limits.
//!
//! The crate has three functions, which use neither network nor clock nor global state:
//!
//! * **Write**: [`Series`] takes [`Entry`] after entry and splits them into files that hold at most
//!   50,000 URLs and a set number of uncompressed bytes, counted exactly before an entry is written.
//!   Files go to a [`Destination`]; gzip output is the same for the same entries, byte by byte.
//! * **Read**: [`Reader`] iterates over the [`Item`]s of any sitemap found in the wild (XML in any
//!   namespace and encoding, RSS, Atom, plain text, gzip under any name) in bounded memory, and
//!   collects errors as [`Fault`]s.
//! * **Check**: [`check()`] checks one document by the protocol of sitemaps.org 0.9; every finding has
//!   its line, its [`CheckRule`] and a fix.
//!
//! # Writing
//!
//! ```
//! use mapwright_sitemap::{Entry, MemoryDestination, Series, SeriesOptions};
//!
//! let base = url::Url::parse("https://www.example.com/")?;
//! let mut files = MemoryDestination::default();
//! let mut series = Series::new(SeriesOptions::new(base), &mut files)?;
//! series.push(&Entry::new("https://www.example.com/a?x=1&y=2"))?;
//! let manifest = series.finish()?;
//!
//! assert_eq!(manifest.entry_point, "sitemap.xml");
//! let text = files.text("sitemap.xml").unwrap_or_default();
//! assert!(text.contains("<loc>https://www.example.com/a?x=1&amp;y=2</loc>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Reading
//!
//! ```
//! use mapwright_sitemap::{Item, ReadLimits, Reader};
//!
//! let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
//!             <url><loc>https://www.example.com/</loc></url></urlset>";
//! let locs: Vec<String> = Reader::new(text.as_bytes(), &ReadLimits::default())
//!     .filter_map(|item| match item {
//!         Item::Page(page) => Some(page.loc),
//!         Item::Sitemap { .. } => None,
//!     })
//!     .collect();
//! assert_eq!(locs, ["https://www.example.com/"]);
//! ```

mod check;
mod entry;
mod fault;
mod lastmod;
mod limits;
mod read;
mod write;

pub use check::{CheckReport, CrossSubmit, DocumentContext, check};
pub use entry::{ChangeFreq, Entry, UnknownChangeFreq};
pub use fault::{CheckRule, Fault};
pub use lastmod::{Lastmod, LastmodError, Moment, Precision, Zone};
pub use limits::{DEFAULT_BYTES, MAX_BYTES, MAX_ENTRIES, MAX_LOC_CHARS, NAMESPACE};
pub use read::{AlternateEntry, DocumentKind, Item, PageEntry, ReadLimits, Reader};
pub use write::{
    ContentHash, Destination, ENTRY_POINT, EntryError, Format, Gzip, IndexEntry, Manifest, MemoryDestination,
    OptionsError, Part, Pushed, Series, SeriesError, SeriesLimits, SeriesOptions, SinglePartName, is_mapwright_format,
    write_indexes,
};

/// Tests the examples of the README as documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
