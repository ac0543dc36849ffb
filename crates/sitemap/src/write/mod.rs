//! Writes entries into files within the protocol's limits.

mod destination;
mod error;
mod form;
mod format;
mod hash;
mod index;
mod line;
mod manifest;
mod options;
mod part;
mod series;

pub use destination::{Destination, MemoryDestination};
pub use error::{EntryError, OptionsError, SeriesError};
pub use form::is_mapwright_format;
pub use format::Format;
pub use hash::ContentHash;
pub use index::{IndexEntry, write_indexes};
pub use manifest::{Manifest, Part};
pub use options::{ENTRY_POINT, Gzip, SeriesLimits, SeriesOptions, SinglePartName};
pub use series::{Pushed, Series};
