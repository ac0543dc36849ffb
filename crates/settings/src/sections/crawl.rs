//! `[crawl]`: the URLs to visit, their order and the pace.

use crate::commands::OptionCommands;
use crate::kind::ValueKind;
use crate::section_macro::section;
use crate::values::Input;
use mapwright_web::ScopeKind;
use std::time::Duration;

section! {
    /// The URLs to visit, their order and the pace.
    pub struct CrawlSection in Crawl;

    /// Send at most this many requests at the same time, over all hosts.
    ///
    /// Each host begins with two requests in flight, and gets more while its response times stay the same.
    concurrency: usize = "16", kind ValueKind::Count { min: 1, max: 1024 }, for OptionCommands::CRAWL, short 'c';

    /// Send each origin at most this many requests a second; a fraction such as `0.5` is one request in two seconds.
    rate_limit: Option<f64> = "", for OptionCommands::CRAWL;

    /// Time between two requests to one origin.
    delay: Duration = "0", kind ValueKind::Duration { min: Duration::ZERO }, for OptionCommands::CRAWL;

    /// Follow links at most this far from the start URLs; 0 fetches only the start URLs. URLs that sitemaps and feeds
    /// list count as one link away, whichever file lists them.
    max_depth: Option<u32> = "",
        kind ValueKind::Count { min: 0, max: u32::MAX as u64 }, for OptionCommands::CRAWL, short 'd';

    /// Request at most this many pages; robots files, sitemaps and feeds are not counted.
    max_urls: Option<u64> = "", kind ValueKind::Count { min: 1, max: i64::MAX as u64 }, for OptionCommands::CRAWL;

    /// Stop after this time. A crawl that was cut short publishes nothing, unless `--allow-partial` is given.
    ///
    /// A run of a job (`[job.NAME]`) stops after twelve hours unless this option is set, so that a slow site does not
    /// hold up other jobs. The next run of the job resumes it.
    max_time: Option<Duration> = "",
        kind ValueKind::Duration { min: Duration::from_millis(1) }, for OptionCommands::CRAWL;

    /// The URLs that belong to the site.
    ///
    /// `path`: the start URL's origin and directory; `host`: its origin; `domain`: every host below its registrable
    /// domain, whatever scheme and port; `list`: exactly the URLs of `--url-list`.
    scope: ScopeKind = "path", for OptionCommands::CRAWL;

    /// Read further URLs to visit from this file, one a line; `-` reads standard input.
    ///
    /// They are visited if the scope and the patterns admit them, like those of a sitemap; unlike start URLs, they do
    /// not widen the scope.
    url_list: Option<Input> = "", kind ValueKind::Input { example: "urls.txt" }, for OptionCommands::CRAWL;

    /// Visit only URLs that match one of these regular expressions; start URLs are always visited.
    include: Vec<String> = "", kind ValueKind::Regex, for OptionCommands::CRAWL;

    /// Do not visit URLs that match one of these regular expressions.
    exclude: Vec<String> = "", kind ValueKind::Regex, for OptionCommands::CRAWL;

    /// Visit URLs that match one of these regular expressions, but list them in no sitemap.
    no_list: Vec<String> = "", kind ValueKind::Regex, for OptionCommands::CRAWL;

    /// Drop these query parameters from every URL; a trailing `*` matches any ending, as in `ref_*`.
    drop_param: Vec<String> = "", kind ValueKind::Parameter, for OptionCommands::CRAWL;

    /// Keep the well-known tracking parameters (`utm_*`, `gclid` and others) that are dropped otherwise.
    keep_tracking_params: bool = "false", for OptionCommands::CRAWL;

    /// Follow links marked `nofollow`, and the links of pages marked so.
    follow_nofollow: bool = "false", for OptionCommands::CRAWL;

    /// Take links only from the parts of a page that match one of these CSS selectors. Links in `head` and in header
    /// fields apply to the complete page: `next`, `prev`, `alternate` and canonical links are always taken from them.
    links_in: Vec<String> = "", kind ValueKind::Selector, for OptionCommands::CRAWL;

    /// Take no links from the parts of a page that match one of these CSS selectors.
    no_links_in: Vec<String> = "", kind ValueKind::Selector, for OptionCommands::CRAWL;

    /// Do not read the site's own sitemaps.
    no_sitemaps: bool = "false", for OptionCommands::CRAWL;

    /// Do not read the site's feeds.
    no_feeds: bool = "false", for OptionCommands::CRAWL;

    /// Visit at most this many URLs of a crawl trap (a URL pattern that has proven endless). The limit is ten times as
    /// high if each page only links to the next number, as comic strips, chapters and lists do, or to random names, as
    /// product pages may, and if nearly every page links to new names that no other page links to. After twenty pages
    /// in a row without new content, a fiftieth of the limit more is visited.
    pattern_budget: u32 = "1000", kind ValueKind::Count { min: 1, max: u32::MAX as u64 }, for OptionCommands::CRAWL;

    /// Obey a `Crawl-delay` up to this time; a longer one counts as this.
    max_crawl_delay: Duration = "10s", kind ValueKind::Duration { min: Duration::ZERO }, for OptionCommands::CRAWL;

    /// Read at most this many sitemap files. Feeds are read while sitemaps and feeds together stay within this limit.
    max_sitemap_files: u32 = "2000", kind ValueKind::Count { min: 1, max: 1_000_000 }, for OptionCommands::FETCH;

    /// Read sitemaps at most this many levels deep, the first one included; the parts of an index are a level deeper.
    max_sitemap_depth: u32 = "5", kind ValueKind::Count { min: 1, max: 100 }, for OptionCommands::FETCH;
}
