//! The types of values, each with its one parser.

mod address;
mod choice;
mod file;
mod number;
mod quantity;
mod secret;
mod text;

pub use address::{AddressRange, Pin};
pub use choice::{Color, Gzip, ListType, Recrawl, ReportFormat, ScopeKind, SitemapFormat};
pub use file::{Input, Out};
pub use secret::{Credentials, Header, ProxyUrl};

pub(crate) use text::product_token;
