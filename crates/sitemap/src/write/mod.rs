//! Writes entries into files within the protocol's limits.

mod destination;
mod error;
mod format;
mod hash;
mod index;
mod manifest;
mod markup;
mod options;
mod own_format;
mod part;
mod series;

pub use destination::{Destination, MemoryDestination};
pub use error::{EntryError, OptionsError, SeriesError};
pub use format::Format;
pub use hash::ContentHash;
pub use index::{IndexEntry, write_indexes};
pub use manifest::{Manifest, Part};
pub use options::{ENTRY_POINT, Gzip, SeriesLimits, SeriesOptions, SinglePartName};
pub use own_format::is_mapwright_format;
pub use series::{Pushed, Series};
