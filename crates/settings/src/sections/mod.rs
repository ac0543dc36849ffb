//! The options, one section a file. Each is described once here; flags, variables, file keys, the example file, the
//! options page and the typed field all come from that description.

mod audit;
mod crawl;
mod fetch;
mod output;
mod record;
mod sitemap;

pub use audit::AuditSection;
pub use crawl::CrawlSection;
pub use fetch::FetchSection;
pub use output::OutputSection;
pub use record::RecordSection;
pub use sitemap::SitemapSection;
