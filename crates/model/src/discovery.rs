//! The discovery of URLs.

use crate::route::Route;
use crate::task::{Purpose, UrlId};
use mapwright_web::{PageUrl, UrlKey};

/// The way in which a URL was found. The order of the variants is their code in the record.
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
    /// A link with nofollow, or on a page with nofollow.
    Nofollow,
    /// A `Sitemap:` line of robots.txt, or the customary place of a sitemap.
    RobotsTxt,
    /// An entry of a sitemap (or an index).
    Sitemap,
    /// An entry of a feed.
    Feed,
    /// A feed named by a page.
    FeedLink,
    /// A URL without one of its parameters, requested to learn the parameter's effect.
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

    /// Reports whether a URL found this way may be fetched at all.
    #[must_use]
    pub fn followed(self) -> bool {
        !matches!(self, Self::Resource | Self::Nofollow)
    }
}

/// A URL as a visit refers to it.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// A URL that is in the record already.
    Known(UrlId),
    /// A URL that was unknown when the visit looked it up: its key and text.
    New(UrlKey, PageUrl),
}

/// A URL that was found, and may have to be fetched.
#[derive(Debug, Clone, PartialEq)]
pub struct Discovery {
    /// The URL's key.
    pub key: UrlKey,
    /// The URL.
    pub url: PageUrl,
    /// The way in which it was found.
    pub via: Via,
    /// The purpose of a fetch.
    pub purpose: Purpose,
    /// The route on which it was found.
    pub route: Route,
    /// The reason not to fetch the URL; `None` when it is to be queued.
    pub refused: Option<Unfetched>,
    /// The URL's own redirect chain came back to it, perhaps with a cookie: it is requested once more although it was
    /// decided before.
    pub after_cookie_wall: bool,
    /// The URL was refused as a variant of another URL, and the role of the parameter was withdrawn since.
    pub reopened: bool,
}

impl Discovery {
    /// Returns a discovery at depth 0 that nothing refuses; the caller sets the other fields.
    #[must_use]
    pub fn new(key: UrlKey, url: PageUrl, via: Via, purpose: Purpose) -> Self {
        Self {
            key,
            url,
            via,
            purpose,
            route: Route::default(),
            refused: None,
            after_cookie_wall: false,
            reopened: false,
        }
    }
}

/// Depth of the URLs that a sitemap or feed lists, as though a start URL linked to them: the nesting of sitemap files
/// does not count.
pub const LISTED_DEPTH: u32 = 1;

/// The reason not to fetch a known URL. The order of the variants is their code in the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unfetched {
    /// Outside the scope of the crawl.
    OutOfScope,
    /// Refused by `--include` or `--exclude`.
    Excluded,
    /// Known only from nofollow links.
    Nofollow,
    /// Known only as an image, a video or the like.
    Resource,
    /// Deeper than `--max-depth`.
    Depth,
    /// Behind too many redirects in a row.
    Redirects,
    /// In a crawl trap whose budget is spent.
    Endless,
    /// A sitemap file beyond the limits of number or nesting.
    SitemapLimit,
    /// A variant of another URL: its parameters change nothing, or only the order of the page.
    ParameterVariant,
    /// A further page of a list that repeats itself, linked from a page that repeats.
    Beyond,
    /// In a pattern family of barren pages, of which only a sample is requested.
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

    /// The reason with a code given by [`Unfetched::code`].
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// Reports whether no other link to the URL could change the decision.
    #[must_use]
    pub fn is_final(self) -> bool {
        matches!(self, Self::OutOfScope | Self::Excluded) || self.is_of_trap()
    }

    /// Reports whether the URL belongs to a crawl trap of which enough was requested.
    #[must_use]
    pub fn is_of_trap(self) -> bool {
        matches!(self, Self::Endless | Self::Sampled)
    }
}
