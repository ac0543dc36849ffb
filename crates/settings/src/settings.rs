//! The settings of one run, valid by construction.

use crate::sections::{
    AuditSection, CrawlSection, FetchSection, JobSection, NotifySection, OutputSection, PublishSection, RecordSection,
    RenderSection, ServeSection, SitemapSection,
};
use crate::shared_environment::SharedEnvironment;
use crate::values::product_token;

/// Every setting of one run. The fields of each section, with type, default and meaning, are declared in a file below
/// `sections/`, the only place where an option is described.
///
/// `Debug` prints no secret.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The destination of results, and the form of messages: `[output]`.
    pub output: OutputSection,
    /// The URLs to visit, their order and the pace: `[crawl]`.
    pub crawl: CrawlSection,
    /// The settings of requests: `[fetch]`.
    pub fetch: FetchSection,
    /// The form of sitemaps, and the conditions of publishing: `[sitemap]`.
    pub sitemap: SitemapSection,
    /// Pages made by scripts: `[render]`.
    pub render: RenderSection,
    /// The data that later runs reuse, and its retention: `[record]`.
    pub record: RecordSection,
    /// The checks of an audit, and the rules that make it fail: `[audit]`.
    pub audit: AuditSection,
    /// Copies of published sitemaps in other places, and search engines to notify: `[publish]`.
    pub publish: PublishSection,
    /// Notifications about changes, and how they are sent: `[notify]`.
    pub notify: NotifySection,
    /// Jobs that run on a schedule: `[job]`, and the table of one job.
    pub job: JobSection,
    /// The service that runs jobs, and access to its dashboard: `[serve]`.
    pub serve: ServeSection,
    /// Other variables of the environment than `MAPWRIGHT_…`: proxies, home directory, colour.
    pub ambient: SharedEnvironment,
}

impl Settings {
    /// The product token that robots.txt groups and robots directives are matched against (RFC 9309, 2.2.1):
    /// `--robots-agent`, else the first product token of the user agent (`mapwright/0.1.0 (…)` gives `mapwright`).
    pub fn robots_token(&self) -> &str {
        self.fetch.robots_agent.as_deref().unwrap_or_else(|| product_token(&self.fetch.user_agent))
    }
}
