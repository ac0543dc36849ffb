//! The settings of one run, valid by construction, as `jobs` and the command read them.

use crate::ambient::Ambient;
use crate::sections::{
    AuditSection, CrawlSection, FetchSection, JobSection, NotifySection, OutputSection, PublishSection, RecordSection,
    ServeSection, SitemapSection,
};
use crate::values::{Color, product_token};

/// Every setting of one run. The fields of each section, with type, default and meaning, are declared in
/// a file below `sections/`, which is the only place where an option is described.
///
/// `Debug` prints no secret.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Where results and words go: `[output]`.
    pub output: OutputSection,
    /// What is visited, in what order and at what pace: `[crawl]`.
    pub crawl: CrawlSection,
    /// How requests are made: `[fetch]`.
    pub fetch: FetchSection,
    /// What the sitemaps look like: `[sitemap]`.
    pub sitemap: SitemapSection,
    /// What is built on from run to run: `[record]`.
    pub record: RecordSection,
    /// What an audit looks at, and what it fails on: `[audit]`.
    pub audit: AuditSection,
    /// Where sitemaps go beyond a directory, and which search engines hear of them: `[publish]`.
    pub publish: PublishSection,
    /// Whom to tell what changed, and by what: `[notify]`.
    pub notify: NotifySection,
    /// What runs at night, and when: `[job]`, and what the table of one job says.
    pub job: JobSection,
    /// The nightly service: `[serve]`.
    pub serve: ServeSection,
    /// What the environment says beside `MAPWRIGHT_…`: proxies, home directory, colour.
    pub ambient: Ambient,
}

impl Settings {
    /// The product token that robots.txt groups and robots directives are matched against (RFC 9309, 2.2.1):
    /// `--robots-agent`, else the first product token of the user agent (`mapwright/0.1.0 (…)` gives `mapwright`).
    pub fn robots_token(&self) -> &str {
        self.fetch.robots_agent.as_deref().unwrap_or_else(|| product_token(&self.fetch.user_agent))
    }

    /// Whether to colour what goes to a stream that is, or is not, a terminal.
    pub fn colored(&self, is_terminal: bool) -> bool {
        match self.output.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && !self.ambient.no_color,
        }
    }
}
