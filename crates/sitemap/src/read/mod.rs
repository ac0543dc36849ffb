//! Reads bytes into entries and faults, in bounded memory.
//!
//! Each layer knows only the one below it:
//!
//! ```text
//! bytes → Unpacked (gzip) → Decoded (UTF-8) → Source (lines, bounds) → Markup (tokens) → walks → Document → Reader
//! ```

mod alternate;
mod attributes;
mod channel;
mod charset;
mod declaration;
mod decoded;
mod document;
mod entry;
mod faults;
mod feed;
mod item;
mod limits;
mod line_ends;
mod lines;
mod markup;
mod markup_split;
mod names;
mod open_tags;
mod plain;
mod reader;
mod reference;
mod sitemap;
mod source;
mod step;
mod token;
mod unpacked;
mod walk;
mod xml_name;

pub(crate) use document::Document;
pub(crate) use entry::{EntryKind, Flaw, RawEntry, Value};
pub(crate) use faults::{Faults, quoted};
pub(crate) use feed::rfc822;

pub use item::{AlternateEntry, DocumentKind, Item, PageEntry};
pub use limits::ReadLimits;
pub use reader::Reader;
