//! Every option, by section.

use crate::definition::Definition;
use crate::section::Section;
use crate::sections::{
    AuditSection, CrawlSection, FetchSection, JobSection, NotifySection, OutputSection, PublishSection, RecordSection,
    RenderSection, ServeSection, SitemapSection,
};

/// Every option, section by section.
pub fn definitions() -> impl Iterator<Item = &'static Definition> {
    Section::ALL.into_iter().flat_map(|section| section.definitions())
}

impl Section {
    /// Returns a sentence that describes the section.
    pub fn about(self) -> &'static str {
        match self {
            Section::Output => OutputSection::ABOUT,
            Section::Crawl => CrawlSection::ABOUT,
            Section::Fetch => FetchSection::ABOUT,
            Section::Sitemap => SitemapSection::ABOUT,
            Section::Render => RenderSection::ABOUT,
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
            Section::Render => RenderSection::DEFINITIONS,
            Section::Record => RecordSection::DEFINITIONS,
            Section::Audit => AuditSection::DEFINITIONS,
            Section::Publish => PublishSection::DEFINITIONS,
            Section::Notify => NotifySection::DEFINITIONS,
            Section::Job => JobSection::DEFINITIONS,
            Section::Serve => ServeSection::DEFINITIONS,
        }
    }
}
