//! The commands that take options.

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
