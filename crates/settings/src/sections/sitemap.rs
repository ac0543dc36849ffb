//! `[sitemap]`: the form of sitemaps, and the conditions of publishing.

use crate::commands::OptionCommands;
use crate::kind::ValueKind;
use crate::section_macro::section;
use crate::values::{ListKind, ListType};
use mapwright_sitemap::{Format, Gzip};

section! {
    /// The form of sitemaps, and the conditions of publishing.
    pub struct SitemapSection in Sitemap;

    /// Write at most this many URLs to one sitemap file.
    max_urls_per_file: u32 = "50000", kind ValueKind::Count { min: 1, max: 50_000 }, for OptionCommands::SITEMAPS;

    /// Write at most this many bytes to one sitemap file, before compression.
    max_bytes_per_file: u64 = "10MiB",
        kind ValueKind::Size { min: 4096, max: 52_428_800 }, for OptionCommands::SITEMAPS;

    /// Compress sitemap files: `auto` compresses the parts of an index and leaves a single file plain.
    gzip: Gzip = "auto", for OptionCommands::SITEMAPS;

    /// Write XML sitemaps, or plain text with one URL a line.
    sitemap_format: Format = "xml", for OptionCommands::SITEMAPS;

    /// The URL below which the files will be served; a sitemap index lists its parts by it.
    ///
    /// Without it, the root of the start URL's host.
    sitemap_base: Option<String> = "", kind ValueKind::BaseUrl, for OptionCommands::SITEMAPS;

    /// Write `changefreq`, from the changes seen between runs.
    changefreq: bool = "false", for OptionCommands::SITEMAPS;

    /// Write `priority`, from the number of clicks between the start and the page.
    priority: bool = "false", for OptionCommands::SITEMAPS;

    /// Write no `lastmod`.
    no_lastmod: bool = "false", for OptionCommands::SITEMAPS;

    /// List these URLs: with `recommended`, those that an expert would submit; with `indexable`, all that the site
    /// allows.
    ///
    /// `recommended` leaves out variants by URL parameters without effect, soft 404s, duplicates, pages of crawl traps,
    /// forms, and further pages of lists; each on evidence from this site, which `mapwright explain URL` shows.
    list: ListKind = "recommended", for OptionCommands::SITEMAPS;

    /// Kinds of documents to list; `html` includes XHTML.
    list_types: Vec<ListType> = "html", for OptionCommands::SITEMAPS;

    /// Leave the old sitemap in place if the new one would lose more than this percentage of its URLs; 0 turns the
    /// check off.
    shrink_guard: u8 = "50", kind ValueKind::Percent, for OptionCommands::SITEMAPS;

    /// Publish the sitemap of a crawl that was cut short too.
    allow_partial: bool = "false", for OptionCommands::SITEMAPS;
}
