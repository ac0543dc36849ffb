//! How a URL came to be known.

use crate::task::{Purpose, UrlId};
use mapwright_web::{PageUrl, UrlKey};

/// The way a URL was found. The order of the variants is their code in the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Via {
    /// Given as a start URL.
    Start,
    /// Given in `--url-list`.
    UrlList,
    /// A link on a page (`a`, `area`, frames, next, prev, alternate, slow refresh).
    Link,
    /// `Location` of a redirect.
    Redirect,
    /// An instant refresh.
    Refresh,
    /// Another page's canonical.
    Canonical,
    /// An image, a video or the like.
    Resource,
    /// A link that says nofollow, or stands on a page that does.
    Nofollow,
    /// A `Sitemap:` line of robots.txt, or the place where sitemaps are by custom.
    RobotsTxt,
    /// An entry of a sitemap (or an index).
    Sitemap,
    /// An entry of a feed.
    Feed,
    /// A feed named by a page.
    FeedLink,
    /// A URL without one of its parameters, requested to learn what the parameter does.
    ParameterTest,
}

impl Via {
    /// All ways, in the order of their codes.
    pub const ALL: [Self; 13] = [
        Self::Start,
        Self::UrlList,
        Self::Link,
        Self::Redirect,
        Self::Refresh,
        Self::Canonical,
        Self::Resource,
        Self::Nofollow,
        Self::RobotsTxt,
        Self::Sitemap,
        Self::Feed,
        Self::FeedLink,
        Self::ParameterTest,
    ];

    /// Stable number, for the record.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The word used in reports and exports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::UrlList => "url-list",
            Self::Link => "link",
            Self::Redirect => "redirect",
            Self::Refresh => "refresh",
            Self::Canonical => "canonical",
            Self::Resource => "resource",
            Self::Nofollow => "nofollow",
            Self::RobotsTxt => "robots-txt",
            Self::Sitemap => "sitemap",
            Self::Feed => "feed",
            Self::FeedLink => "feed-link",
            Self::ParameterTest => "parameter-test",
        }
    }

    /// Whether a URL found this way may be fetched at all.
    #[must_use]
    pub fn followed(self) -> bool {
        !matches!(self, Self::Resource | Self::Nofollow)
    }
}

/// A URL as a visit refers to it.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// In the record already.
    Known(UrlId),
    /// Not known when the visit asked: its key and text.
    New(UrlKey, PageUrl),
}

/// A URL that was found, and may have to be fetched.
#[derive(Debug, Clone, PartialEq)]
pub struct Discovery {
    /// Its key.
    pub key: UrlKey,
    /// The URL.
    pub url: PageUrl,
    /// How it was found.
    pub via: Via,
    /// What it would be read as.
    pub purpose: Purpose,
    /// Clicks from the start.
    pub depth: u32,
    /// Redirects in a row that lead to it.
    pub hops: u8,
    /// Sitemap indexes above it.
    pub level: u8,
    /// Found on the way from a start URL.
    pub seed: bool,
    /// Named by robots.txt itself.
    pub invited: bool,
    /// Pages of the same shape in a row that lead here: see [`crate::Patterns`].
    pub generation: u16,
    /// Why it will not be fetched; `None` when it is to be queued.
    pub refused: Option<Unfetched>,
    /// Its own redirect came back to it, maybe with a cookie: it is asked for once more, though it was decided on.
    pub back: bool,
    /// It was refused as a variant of another URL, and the role of the parameter has been withdrawn since.
    pub reopened: bool,
}

impl Discovery {
    /// A discovery at depth 0 that nothing refuses; what else is known of it is set beside.
    #[must_use]
    pub fn new(key: UrlKey, url: PageUrl, via: Via, purpose: Purpose) -> Self {
        Self {
            key,
            url,
            via,
            purpose,
            depth: 0,
            hops: 0,
            level: 0,
            seed: false,
            invited: false,
            generation: 0,
            refused: None,
            back: false,
            reopened: false,
        }
    }
}

/// Depth of what a sitemap or feed lists, as though a start URL linked it: files that name files are no links.
pub const LISTED_DEPTH: u32 = 1;

/// Why a known URL is not fetched. The order of the variants is their code in the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unfetched {
    /// Outside the scope of the crawl.
    OutOfScope,
    /// Refused by `--include` or `--exclude`.
    Excluded,
    /// Known only from links that say nofollow.
    Nofollow,
    /// Known only as an image, a video or the like.
    Resource,
    /// Deeper than `--max-depth`.
    Depth,
    /// At the end of too many redirects in a row.
    Redirects,
    /// Of a pattern proven endless whose budget is spent.
    Endless,
    /// A sitemap file beyond the limits of number or nesting.
    SitemapLimit,
    /// A variant of another URL by parameters that change nothing, or the order of the page alone.
    ParameterVariant,
    /// A further page of a list that repeats itself, found on one that does.
    Beyond,
    /// Of a family of barren pages, of which a sample is requested.
    Sampled,
}

impl Unfetched {
    /// All reasons, in the order of their codes.
    pub const ALL: [Self; 11] = [
        Self::OutOfScope,
        Self::Excluded,
        Self::Nofollow,
        Self::Resource,
        Self::Depth,
        Self::Redirects,
        Self::Endless,
        Self::SitemapLimit,
        Self::ParameterVariant,
        Self::Beyond,
        Self::Sampled,
    ];

    /// Stable number, for the record.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The reason of a number given by [`Unfetched::code`].
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// Whether no other way to the URL could change the decision.
    #[must_use]
    pub fn is_final(self) -> bool {
        matches!(self, Self::OutOfScope | Self::Excluded) || self.is_of_trap()
    }

    /// Whether the URL belongs to a crawl trap of which enough was requested.
    #[must_use]
    pub fn is_of_trap(self) -> bool {
        matches!(self, Self::Endless | Self::Sampled)
    }
}
