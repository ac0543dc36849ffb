//! Writing: entries in, files within the protocol's limits out.

mod destination;
mod error;
mod form;
mod hash;
mod index;
mod line;
mod manifest;
mod options;
mod part;
mod series;

pub use destination::{Destination, MemoryDestination};
pub use error::{EntryError, OptionsError, SeriesError};
pub use form::is_our_form;
pub use hash::ContentHash;
pub use index::{IndexEntry, write_indexes};
pub use manifest::{Manifest, Part, Published};
pub use options::{Alone, ENTRY_POINT, Format, Gzip, SeriesLimits, SeriesOptions};
pub use series::{Pushed, Series};
