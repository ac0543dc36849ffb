//! The definition of an option: the single source of its flag, variable, key, help and default.

use crate::kind::ValueKind;
use crate::sections::{
    AuditSection, CrawlSection, FetchSection, JobSection, NotifySection, OutputSection, PublishSection, RecordSection,
    ServeSection, SitemapSection,
};

/// The commands that take options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// `crawl URL…`
    Crawl,
    /// `audit URL…`
    Audit,
    /// `resume`
    Resume,
    /// `serve`
    Serve,
    /// `run JOB`, which takes what crawls and audits take.
    Run,
    /// `jobs list` and `jobs next`
    Jobs,
    /// `demo`
    Demo,
    /// `explain URL`
    Explain,
    /// `diff`
    Diff,
    /// `runs`
    Runs,
    /// `export WHAT`
    Export,
    /// `sitemap list` and `sitemap check`
    Sitemap,
    /// `robots check`
    Robots,
    /// `config show` and `config check`, which take every option to show its effect.
    Config,
}

impl CommandKind {
    /// Every kind, in the order of the options page, with the words it goes by there.
    pub const ALL: [(CommandKind, &'static str); 14] = [
        (CommandKind::Crawl, "crawl"),
        (CommandKind::Audit, "audit"),
        (CommandKind::Resume, "resume"),
        (CommandKind::Serve, "serve"),
        (CommandKind::Run, "run"),
        (CommandKind::Jobs, "jobs"),
        (CommandKind::Demo, "demo"),
        (CommandKind::Explain, "explain"),
        (CommandKind::Diff, "diff"),
        (CommandKind::Runs, "runs"),
        (CommandKind::Export, "export"),
        (CommandKind::Sitemap, "sitemap"),
        (CommandKind::Robots, "robots"),
        (CommandKind::Config, "config"),
    ];
}

/// The commands that take an option. `config` takes every option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionCommands(&'static [CommandKind]);

impl OptionCommands {
    pub(crate) const CRAWL: OptionCommands =
        OptionCommands(&[CommandKind::Crawl, CommandKind::Audit, CommandKind::Resume, CommandKind::Run]);
    /// Options that only sitemaps need.
    pub(crate) const SITEMAPS: OptionCommands =
        OptionCommands(&[CommandKind::Crawl, CommandKind::Resume, CommandKind::Run]);
    /// Options that only audits need.
    pub(crate) const AUDIT: OptionCommands =
        OptionCommands(&[CommandKind::Audit, CommandKind::Resume, CommandKind::Run]);
    /// Options that make no sense for `resume`.
    pub(crate) const CRAWL_ONLY: OptionCommands = OptionCommands(&[CommandKind::Crawl, CommandKind::Audit]);
    pub(crate) const AUDIT_ONLY: OptionCommands = OptionCommands(&[CommandKind::Audit]);
    pub(crate) const CRAWLS: OptionCommands = OptionCommands(&[
        CommandKind::Crawl,
        CommandKind::Audit,
        CommandKind::Resume,
        CommandKind::Demo,
        CommandKind::Run,
    ]);
    pub(crate) const RECORD: OptionCommands = OptionCommands(&[
        CommandKind::Crawl,
        CommandKind::Audit,
        CommandKind::Resume,
        CommandKind::Explain,
        CommandKind::Diff,
        CommandKind::Runs,
        CommandKind::Export,
        CommandKind::Run,
    ]);
    pub(crate) const RETENTION: OptionCommands = OptionCommands(&[
        CommandKind::Crawl,
        CommandKind::Audit,
        CommandKind::Resume,
        CommandKind::Runs,
        CommandKind::Run,
    ]);
    pub(crate) const REPORT: OptionCommands = OptionCommands(&[
        CommandKind::Crawl,
        CommandKind::Audit,
        CommandKind::Resume,
        CommandKind::Demo,
        CommandKind::Explain,
        CommandKind::Diff,
        CommandKind::Runs,
        CommandKind::Sitemap,
        CommandKind::Run,
        CommandKind::Jobs,
    ]);
    /// Options that requests for pages and for named sitemaps need.
    pub(crate) const FETCH: OptionCommands = OptionCommands(&[
        CommandKind::Crawl,
        CommandKind::Audit,
        CommandKind::Resume,
        CommandKind::Sitemap,
        CommandKind::Run,
    ]);
    /// Options of one job.
    pub(crate) const JOB: OptionCommands = OptionCommands(&[CommandKind::Run]);
    /// Options of notifications, for all jobs or for one.
    pub(crate) const NOTIFICATIONS: OptionCommands = OptionCommands(&[CommandKind::Serve, CommandKind::Run]);
    /// Options that only the service needs.
    pub(crate) const SERVE: OptionCommands = OptionCommands(&[CommandKind::Serve]);
    /// Options that locate the records of jobs.
    pub(crate) const SERVICE: OptionCommands = OptionCommands(&[
        CommandKind::Serve,
        CommandKind::Run,
        CommandKind::Jobs,
        CommandKind::Explain,
        CommandKind::Diff,
        CommandKind::Runs,
        CommandKind::Export,
    ]);
    pub(crate) const ALL: OptionCommands = OptionCommands(&[
        CommandKind::Crawl,
        CommandKind::Audit,
        CommandKind::Resume,
        CommandKind::Demo,
        CommandKind::Explain,
        CommandKind::Diff,
        CommandKind::Runs,
        CommandKind::Export,
        CommandKind::Sitemap,
        CommandKind::Robots,
        CommandKind::Serve,
        CommandKind::Run,
        CommandKind::Jobs,
    ]);

    /// Returns true if `command` takes the option.
    pub fn includes(self, command: CommandKind) -> bool {
        command == CommandKind::Config || self.0.contains(&command)
    }
}

/// A table of the configuration file, and a heading of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// `[output]`
    Output,
    /// `[crawl]`
    Crawl,
    /// `[fetch]`
    Fetch,
    /// `[sitemap]`
    Sitemap,
    /// `[record]`
    Record,
    /// `[audit]`
    Audit,
    /// `[publish]`
    Publish,
    /// `[notify]`
    Notify,
    /// `[job]`, with a table for each job in it.
    Job,
    /// `[serve]`
    Serve,
}

impl Section {
    /// Every section, in the order of the generated documents.
    pub const ALL: [Section; 10] = [
        Section::Output,
        Section::Crawl,
        Section::Fetch,
        Section::Sitemap,
        Section::Record,
        Section::Audit,
        Section::Publish,
        Section::Notify,
        Section::Job,
        Section::Serve,
    ];

    /// The sections that the table of a job may hold.
    pub(crate) const OF_A_JOB: [Section; 8] = [
        Section::Output,
        Section::Crawl,
        Section::Fetch,
        Section::Sitemap,
        Section::Record,
        Section::Audit,
        Section::Publish,
        Section::Notify,
    ];

    /// The section's name in the configuration file.
    pub fn name(self) -> &'static str {
        match self {
            Section::Output => "output",
            Section::Crawl => "crawl",
            Section::Fetch => "fetch",
            Section::Sitemap => "sitemap",
            Section::Record => "record",
            Section::Audit => "audit",
            Section::Publish => "publish",
            Section::Notify => "notify",
            Section::Job => "job",
            Section::Serve => "serve",
        }
    }

    /// The section's heading in help and documents.
    pub fn title(self) -> &'static str {
        match self {
            Section::Output => "Output",
            Section::Crawl => "Crawling",
            Section::Fetch => "Fetching",
            Section::Sitemap => "Sitemap",
            Section::Record => "Record",
            Section::Audit => "Audit",
            Section::Publish => "Publishing",
            Section::Notify => "Notifications",
            Section::Job => "Jobs",
            Section::Serve => "Service",
        }
    }

    /// Returns a sentence that describes the section.
    pub fn about(self) -> &'static str {
        match self {
            Section::Output => OutputSection::ABOUT,
            Section::Crawl => CrawlSection::ABOUT,
            Section::Fetch => FetchSection::ABOUT,
            Section::Sitemap => SitemapSection::ABOUT,
            Section::Record => RecordSection::ABOUT,
            Section::Audit => AuditSection::ABOUT,
            Section::Publish => PublishSection::ABOUT,
            Section::Notify => NotifySection::ABOUT,
            Section::Job => JobSection::ABOUT,
            Section::Serve => ServeSection::ABOUT,
        }
        .trim()
    }

    /// The options of the section.
    pub fn definitions(self) -> &'static [Definition] {
        match self {
            Section::Output => OutputSection::DEFINITIONS,
            Section::Crawl => CrawlSection::DEFINITIONS,
            Section::Fetch => FetchSection::DEFINITIONS,
            Section::Sitemap => SitemapSection::DEFINITIONS,
            Section::Record => RecordSection::DEFINITIONS,
            Section::Audit => AuditSection::DEFINITIONS,
            Section::Publish => PublishSection::DEFINITIONS,
            Section::Notify => NotifySection::DEFINITIONS,
            Section::Job => JobSection::DEFINITIONS,
            Section::Serve => ServeSection::DEFINITIONS,
        }
    }
}

/// The number of values that an option holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly one; there is always a default.
    One,
    /// None or one; an empty value means none.
    Optional,
    /// Any number; the flag may be repeated.
    Many,
}

/// One option.
#[derive(Debug)]
pub struct Definition {
    /// The table of the configuration file that holds it.
    pub section: Section,
    /// Its field in the section, in snake case.
    pub field: &'static str,
    /// The kind of its values.
    pub kind: ValueKind,
    /// The number of values that it holds.
    pub arity: Arity,
    /// Its default, as a user would write it; empty if there is none.
    pub default: &'static str,
    /// Its help, as written at its field: paragraphs are separated by an empty line; the first one is the short help.
    pub(crate) help: &'static str,
    /// Its short flag.
    pub short: Option<char>,
    /// Its value must not be printed or stored.
    pub secret: bool,
    /// The commands that take it.
    pub commands: OptionCommands,
}

impl Definition {
    /// The long flag without dashes, which is also the key in the file: `max-depth`.
    pub fn name(&self) -> String {
        self.field.replace('_', "-")
    }

    /// The environment variable: `MAPWRIGHT_MAX_DEPTH`.
    pub fn variable(&self) -> String {
        format!("{VARIABLE_PREFIX}{}", self.field.to_ascii_uppercase())
    }

    /// The key in the file with its section: `crawl.max-depth`.
    pub fn key(&self) -> String {
        format!("{}.{}", self.section.name(), self.name())
    }

    /// The help text, one string a paragraph, without line breaks.
    pub fn paragraphs(&self) -> Vec<String> {
        let trimmed: Vec<&str> = self.help.lines().map(str::trim).collect();
        trimmed.split(|line| line.is_empty()).map(|lines| lines.join(" ")).filter(|text| !text.is_empty()).collect()
    }
}

/// The prefix of mapwright's environment variables.
pub(crate) const VARIABLE_PREFIX: &str = "MAPWRIGHT_";

/// Every option, section by section.
pub fn definitions() -> impl Iterator<Item = &'static Definition> {
    Section::ALL.into_iter().flat_map(|section| section.definitions())
}

/// Declares a section: its struct with one typed field per option, and the description of each option.
///
/// `field: Type = "default", kind, audience, short 'x', secret true;`, the last two being optional. The doc comment is
/// the help text.
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident in $section:ident;
        $(
            $(#[doc = $help:literal])+
            $field:ident: $type:ty = $default:expr, $kind:expr, $commands:expr
                $(, short $short:literal)? $(, secret $secret:literal)?;
        )+
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $( $(#[doc = $help])+ pub $field: $type, )+
        }

        impl $name {
            pub(crate) const ABOUT: &'static str = concat!($($about),+);

            pub(crate) const DEFINITIONS: &'static [$crate::definition::Definition] = &[
                $( $crate::definition::Definition {
                    section: $crate::definition::Section::$section,
                    field: stringify!($field),
                    kind: $kind,
                    arity: <$type as $crate::resolved_settings::Field>::ARITY,
                    default: $default,
                    help: concat!($($help, "\n"),+),
                    short: $crate::definition::section!(@short $($short)?),
                    secret: $crate::definition::section!(@secret $($secret)?),
                    commands: $commands,
                }, )+
            ];

            /// Reads the text chosen for each option.
            pub(crate) fn read(resolved: &$crate::resolved_settings::ResolvedSettings) -> Result<Self, $crate::error::SettingsError> {
                Ok(Self { $( $field: resolved.read(stringify!($field))?, )+ })
            }
        }
    };
    (@short) => { None };
    (@short $short:literal) => { Some($short) };
    (@secret) => { false };
    (@secret $secret:literal) => { $secret };
}
pub(crate) use section;
