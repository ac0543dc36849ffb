//! The types of values, each with its one parser.

mod address;
mod choice;
mod file;
mod number;
mod quantity;
mod secret;
mod start;
mod text;

pub use address::{AddressRange, Pin};
pub use choice::{
    Color, ListKind, ListType, LogFormat, Recrawl, RenderMode, RenderSandbox, ReportFormat, SmtpTls, Task,
};
pub use file::{Input, Out};
pub use secret::{Credentials, Header, ProxyUrl, SecretText};
pub use start::StartText;

pub(crate) use text::product_token;
