//! Every option of mapwright, defined once, and the layering of defaults, file, environment and flags.
//!
//! The sections ([`OutputSection`], [`CrawlSection`], [`FetchSection`], [`SitemapSection`], [`RenderSection`],
//! [`RecordSection`], [`AuditSection`], [`PublishSection`], [`NotifySection`], [`JobSection`], [`ServeSection`]) describe each option: its
//! name, kind of value, default and help text. From that one description come the command-line arguments
//! ([`arguments`]), the `MAPWRIGHT_…` variables, the keys of the configuration file, the example file
//! ([`example_file`]), the options page ([`options_page`]) and the typed field in [`Settings`].
//!
//! The crate is pure: arguments, environment and the file's text are handed in ([`Settings::load`]).

mod arguments;
mod color;
mod commands;
mod definition;
mod definitions;
mod edit;
mod environment;
mod error;
mod field;
mod file;
mod generate;
mod key;
mod kind;
mod layers;
mod nearest;
mod recorded;
mod resolved_settings;
mod section;
mod section_macro;
mod sections;
mod settings;
mod shared_environment;
mod userinfo;
mod values;

pub use arguments::arguments;
pub use commands::{CommandKind, OptionCommands};
pub use definition::Definition;
pub use definitions::definitions;
pub use edit::{JobChange, ShownValues, changed_keys, edit_job, job_definitions, own_values, without_secrets};
pub use error::{SettingSource, SettingsError};
pub use field::Arity;
pub use generate::{example_file, options_page};
pub use kind::ValueKind;
pub use layers::{Layers, Loaded};
pub use nearest::nearest;
pub use recorded::{RecordedSettings, SettingDifference};
pub use resolved_settings::SettingOrigin;
pub use section::Section;
pub use sections::{
    AuditSection, CrawlSection, FetchSection, JobSection, NotifySection, OutputSection, PublishSection, RecordSection,
    RenderSection, ServeSection, SitemapSection,
};
pub use settings::Settings;
pub use shared_environment::SharedEnvironment;
pub use values::{
    AddressRange, Color, Credentials, Header, Input, ListKind, ListType, LogFormat, Out, Pin, ProxyUrl, Recrawl,
    RenderMode, RenderSandbox, ReportFormat, SecretText, SmtpTls, StartText, Task,
};
