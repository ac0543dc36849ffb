//! The options, one section a file. Each is described once here; flags, variables, file keys, the example file, the
//! options page and the typed field all come from that description.

mod audit;
mod crawl;
mod fetch;
mod job;
mod notify;
mod output;
mod publish;
mod record;
mod render;
mod serve;
mod sitemap;

pub use audit::AuditSection;
pub use crawl::CrawlSection;
pub use fetch::FetchSection;
pub use job::JobSection;
pub use notify::NotifySection;
pub use output::OutputSection;
pub use publish::PublishSection;
pub use record::RecordSection;
pub use render::RenderSection;
pub use serve::ServeSection;
pub use sitemap::SitemapSection;
