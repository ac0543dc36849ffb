//! The sections of the configuration file.

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
    /// `[render]`
    Render,
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
    pub const ALL: [Section; 11] = [
        Section::Output,
        Section::Crawl,
        Section::Fetch,
        Section::Sitemap,
        Section::Render,
        Section::Record,
        Section::Audit,
        Section::Publish,
        Section::Notify,
        Section::Job,
        Section::Serve,
    ];

    /// The sections that the table of a job may hold.
    pub(crate) const OF_A_JOB: [Section; 9] = [
        Section::Output,
        Section::Crawl,
        Section::Fetch,
        Section::Sitemap,
        Section::Render,
        Section::Record,
        Section::Audit,
        Section::Publish,
        Section::Notify,
    ];

    /// The section's name in the configuration file.
    pub const fn name(self) -> &'static str {
        match self {
            Section::Output => "output",
            Section::Crawl => "crawl",
            Section::Fetch => "fetch",
            Section::Sitemap => "sitemap",
            Section::Render => "render",
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
            Section::Render => "Rendering",
            Section::Record => "Record",
            Section::Audit => "Audit",
            Section::Publish => "Publishing",
            Section::Notify => "Notifications",
            Section::Job => "Jobs",
            Section::Serve => "Service",
        }
    }
}
