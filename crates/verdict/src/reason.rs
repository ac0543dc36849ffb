//! The closed list of reasons for which a URL is not in the sitemap.

use serde::{Deserialize, Serialize};

macro_rules! reasons {
    ($($(#[doc = $doc:literal])+ $name:ident = $word:literal, $advice:literal;)+) => {
        /// The reason for which a URL is not in the sitemap. The order of the variants is their precedence: a URL to
        /// which several apply gets the first.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Reason { $($(#[doc = $doc])+ $name,)+ }

        impl Reason {
            /// All reasons, in the order of their precedence and of their codes.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The word used in reports, exports and the record.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }

            /// The meaning of the reason and the option that changes it, in a sentence.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$name => $advice,)+ }
            }
        }
    };
}

reasons! {
    /// Outside the scope of the crawl.
    OutOfScope = "out-of-scope", "is outside the scope of the crawl; --scope widens it";
    /// Refused by `--include` or `--exclude`.
    Excluded = "excluded", "is excluded by --include or --exclude";
    /// Known only from links that say nofollow.
    Nofollow = "nofollow", "is linked only with nofollow; --follow-nofollow follows such links";
    /// Known only as an image, a video or the like, or from a canonical outside the head.
    Resource = "resource", "is known only as an image, a media file or the like, or from a canonical outside the head";
    /// Disallowed by robots.txt.
    Robots = "robots", "is blocked by robots.txt";
    /// robots.txt answered 429 or 5xx, which forbids everything.
    RobotsUnavailable = "robots-unavailable", "is blocked: robots.txt answered 429 or a server error (5xx), which disallows everything";
    /// Points to a private or reserved address, which the address guard refuses.
    Address = "address", "points to a private or reserved address; --allow-address permits it";
    /// Deeper than `--max-depth`.
    Depth = "depth-limit", "is deeper than --max-depth";
    /// Not requested because `--max-urls` was reached.
    Budget = "url-limit", "was not requested: --max-urls was reached";
    /// Behind too many redirects in a row.
    Redirects = "redirect-limit", "is behind more redirects in a row than are followed";
    /// Part of a crawl trap: a URL pattern without end, or a pattern family whose pages have no new content.
    Endless = "endless-pattern", "belongs to a crawl trap: its URL pattern grows without end, and --pattern-budget is spent";
    /// A variant of the page at another URL: its parameters change nothing, sort the items or leave some out.
    ParameterVariant = "parameter-variant", "is a variant of another page: its parameters change its order, narrow it or change nothing; --list indexable lists it";
    /// Not requested because the crawl was stopped before.
    NotReached = "not-reached", "was not requested: the crawl was cut before its turn";
    /// No answer.
    NoAnswer = "no-answer", "did not answer (the cause is in the crawl database)";
    /// The server limits requests (429), or its firewall challenged the crawler.
    Throttled = "throttled", "was not served: the server limits requests (429), or its firewall challenged the crawler; crawl more slowly, or later if the site is under maintenance";
    /// The response broke off, or its content coding is corrupt.
    Broken = "broken-answer", "sent a response that broke off or cannot be decoded";
    /// A status that is neither 200 nor 203 (RFC 9110 section 15.3.4: 200, seen through a proxy that changed it).
    HttpError = "http-error", "answered an HTTP error such as 404 Not Found, or another status than 200 OK";
    /// A redirect, or an instant refresh to another URL.
    Redirect = "redirect", "redirects to another URL";
    /// The media type is not one that is listed.
    MediaType = "media-type", "is not an HTML page; --list-types lists other types";
    /// The page says noindex.
    Noindex = "noindex", "is set to noindex";
    /// Another URL is its canonical.
    Canonical = "canonical", "is canonicalised to another URL";
    /// Answers 200 with the page that the site shows for names that cannot exist.
    Soft404 = "soft-404", "shows the page that the site shows for names that do not exist; --list indexable lists it";
    /// An exact duplicate, or a page of the same URL pattern with the same content, is listed.
    Duplicate = "duplicate", "is a duplicate of a listed page";
    /// A page of a crawl trap that has no content of its own, and that no page outside the trap and no sitemap names.
    CrawlTrap = "crawl-trap", "belongs to a crawl trap and has no content of its own; --list indexable lists it";
    /// A page whose main content is a form: login, registration, reply and the like.
    FormPage = "form-page", "is a form (login, registration, reply and the like); --list indexable lists it";
    /// Page 2 or later of a paginated list whose items are listed.
    Pagination = "pagination", "is a further page of a list whose items are listed; --list indexable lists it";
    /// Matched by `--no-list`.
    NoList = "no-list", "is left out by --no-list";
    /// 2,048 characters or more.
    TooLong = "too-long", "has 2,048 characters or more, which the sitemap protocol does not allow";
    /// The visit failed because of a fault in mapwright.
    Failed = "failed", "could not be read because of a fault in mapwright; please report it";
}

impl Reason {
    /// Returns true for a reason that mapwright infers (`--list recommended`) instead of reading it from the site.
    #[must_use]
    pub fn is_judgement(self) -> bool {
        matches!(self, Self::ParameterVariant | Self::Soft404 | Self::CrawlTrap | Self::FormPage | Self::Pagination)
    }

    /// The stable number that the record stores.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The reason with a number from [`Reason::code`].
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}
