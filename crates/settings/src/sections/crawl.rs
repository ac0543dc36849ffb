//! `[crawl]`: what is visited, in what order and at what pace.

use crate::definition::{Audience, section};
use crate::kind::Kind;
use crate::values::{Input, ScopeKind};
use std::time::Duration;

section! {
    /// What is visited, in what order and at what pace.
    pub struct CrawlSection in Crawl;

    /// Requests in flight, in all.
    ///
    /// A ceiling: each host begins with two, and has more while its answers come as fast as before.
    concurrency: usize = "16", Kind::Count { min: 1, max: 1024 }, Audience::CRAWL, short 'c';

    /// Requests a second that each origin gets at most; a fraction such as `0.5` is one request in two seconds.
    rate_limit: Option<f64> = "", Kind::Rate, Audience::CRAWL;

    /// Time between two requests to one origin.
    delay: Duration = "0", Kind::Duration { min: Duration::ZERO }, Audience::CRAWL;

    /// Follow links at most this far from the start URLs; 0 fetches the start URLs alone. What sitemaps and feeds list
    /// counts as one link away, whichever file lists it.
    max_depth: Option<u32> = "", Kind::Count { min: 0, max: u32::MAX as u64 }, Audience::CRAWL, short 'd';

    /// Request at most this many pages; robots files, sitemaps and feeds are not counted.
    max_urls: Option<u64> = "", Kind::Count { min: 1, max: i64::MAX as u64 }, Audience::CRAWL;

    /// Stop after this time. A crawl that was cut publishes nothing, unless `--allow-partial` is given.
    ///
    /// A run of a job (`[job.NAME]`) stops after twelve hours, unless this says otherwise: a site that has become slow is
    /// not to keep its place from other jobs. Its next run goes on.
    max_time: Option<Duration> = "", Kind::Duration { min: Duration::from_millis(1) }, Audience::CRAWL;

    /// Which URLs belong to the site.
    ///
    /// `path`: the start URL's origin and directory; `host`: its origin; `domain`: every host below its registrable
    /// domain, whatever scheme and port; `list`: exactly the URLs of `--url-list`.
    scope: ScopeKind = "path", Kind::Choice(ScopeKind::WORDS), Audience::CRAWL;

    /// Read further URLs to visit from this file, one a line; `-` reads standard input.
    ///
    /// They are visited as far as the scope and the patterns admit them, as those of a sitemap are, and do not widen the
    /// scope as start URLs do.
    url_list: Option<Input> = "", Kind::Input { example: "urls.txt" }, Audience::CRAWL;

    /// Visit only URLs that match one of these regular expressions; start URLs are always visited.
    include: Vec<String> = "", Kind::Regex, Audience::CRAWL;

    /// Do not visit URLs that match one of these regular expressions.
    exclude: Vec<String> = "", Kind::Regex, Audience::CRAWL;

    /// Visit URLs that match one of these regular expressions, but list them in no sitemap.
    no_list: Vec<String> = "", Kind::Regex, Audience::CRAWL;

    /// Drop these query parameters from every URL; a trailing `*` matches any ending, as in `ref_*`.
    drop_param: Vec<String> = "", Kind::Parameter, Audience::CRAWL;

    /// Keep the well-known tracking parameters (`utm_*`, `gclid` and others) that are dropped otherwise.
    keep_tracking_params: bool = "false", Kind::Switch, Audience::CRAWL;

    /// Follow links marked `nofollow`, and the links of pages marked so.
    follow_nofollow: bool = "false", Kind::Switch, Audience::CRAWL;

    /// Take links only from the parts of a page that match one of these CSS selectors. What `head` and header fields say
    /// speaks of the page as a whole: its `next`, `prev`, `alternate` and canonical links are taken all the same.
    links_in: Vec<String> = "", Kind::Selector, Audience::CRAWL;

    /// Take no links from the parts of a page that match one of these CSS selectors.
    no_links_in: Vec<String> = "", Kind::Selector, Audience::CRAWL;

    /// Do not read the site's own sitemaps.
    no_sitemaps: bool = "false", Kind::Switch, Audience::CRAWL;

    /// Do not read the site's feeds.
    no_feeds: bool = "false", Kind::Switch, Audience::CRAWL;

    /// Visit at most this many URLs of a pattern that was proven to be endless. Ten times as many where each page only
    /// leads to the next number, as strips, chapters and lists do, or to names drawn by lot, as products may; and where
    /// nearly each page leads to new names that no other page links. A fiftieth of it more where twenty pages in a row
    /// said nothing new.
    pattern_budget: u32 = "1000", Kind::Count { min: 1, max: u32::MAX as u64 }, Audience::CRAWL;

    /// Obey a `Crawl-delay` up to this time; a longer one counts as this.
    max_crawl_delay: Duration = "10s", Kind::Duration { min: Duration::ZERO }, Audience::CRAWL;

    /// Read at most this many sitemap files. Feeds are read as long as they and the sitemaps are not more.
    max_sitemap_files: u32 = "2000", Kind::Count { min: 1, max: 1_000_000 }, Audience::FETCH;

    /// Read sitemaps at most this many levels deep, the first one included; the parts of an index are a level deeper.
    max_sitemap_depth: u32 = "5", Kind::Count { min: 1, max: 100 }, Audience::FETCH;
}
