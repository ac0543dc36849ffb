//! The findings about a sitemap, with their lines.

use std::fmt;

/// One finding in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line of the fault, from 1; the last one if it spans several lines.
    pub line: u64,
    /// The violated rule.
    pub rule: CheckRule,
    /// The message, with the offending text shortened and control characters shown as escapes.
    pub what: String,
    /// The fix.
    pub fix: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {} [{}]; {}", self.line, self.what, self.rule.code(), self.fix)
    }
}

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $clause:literal, $fix:literal;)*) => {
        /// The rules that a sitemap is checked by. Codes are stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum CheckRule {
            $($(#[$doc])* $name,)*
        }

        impl CheckRule {
            /// Every rule.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The stable name, in kebab case.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// The section of the standard that contains the rule.
            pub const fn clause(self) -> &'static str {
                match self { $(Self::$name => $clause,)* }
            }

            /// The fix for a violation.
            pub const fn fix(self) -> &'static str {
                match self { $(Self::$name => $fix,)* }
            }
        }
    };
}

rules! {
    /// Crossed or unclosed tags, a bare `&`, text after the root and the like.
    NotWellFormed = "not-well-formed", "XML 1.0, 2.1 (well-formed documents)", "write the file with an XML library, or escape & and < and close every tag";
    /// A character that no XML document may hold.
    ForbiddenCharacter = "forbidden-character", "XML 1.0, 2.2 (characters)", "remove the character, or percent-encode it in a URL";
    /// Bytes that are invalid in the declared or assumed encoding, a declaration that contradicts the bytes, or another
    /// encoding than UTF-8.
    Encoding = "encoding", "sitemaps.org, \"Entity escaping\" (the file must be UTF-8 encoded); XML 1.0, 4.3.3", "save the file as UTF-8 and declare encoding=\"UTF-8\" or nothing";
    /// The root is neither `urlset` nor `sitemapindex`, nor that of a feed.
    Root = "root", "sitemaps.org, \"XML tag definitions\"", "begin the document with <urlset> or <sitemapindex>, spelt in lower case";
    /// The namespace of the root is missing or wrong.
    Namespace = "namespace", "sitemaps.org, \"XML tag definitions\" (urlset references the protocol standard); RFC 4287, 1.2 (Atom)", "write xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" on the root element, with http";
    /// A `DOCTYPE` declaration.
    Doctype = "doctype", "sitemaps.org schema (a sitemap needs no DTD); XML 1.0, 2.8", "remove the DOCTYPE declaration";
    /// A reference to an entity other than XML's five.
    Entity = "entity", "sitemaps.org, \"Entity escaping\"; XML 1.0, 4.1 (entity declared)", "use only &amp; &apos; &quot; &gt; &lt; and numeric references";
    /// An element of the sitemap namespace that the protocol does not have, or at a wrong place.
    UnknownElement = "unknown-element", "sitemaps.org schema, sitemap.xsd and siteindex.xsd", "remove the element, or put it in a namespace of its own";
    /// Text where only elements belong.
    StrayText = "stray-text", "sitemaps.org schema, sitemap.xsd and siteindex.xsd", "remove the text";
    /// The same element twice in one entry.
    Repeated = "repeated-element", "sitemaps.org schema, sitemap.xsd and siteindex.xsd", "keep one of them; further URLs need entries of their own";
    /// A feed that lacks what its format requires.
    Feed = "feed", "RSS 2.0 (the channel and its items, the version of rss); RFC 4287, 4.2.7.1 (the href of a link)", "write the feed as its format requires";
    /// An entry without `loc`.
    LocMissing = "loc-missing", "sitemaps.org, \"XML tag definitions\" (loc is required)", "add a <loc> with the URL, or remove the entry";
    /// An empty `loc`.
    LocEmpty = "loc-empty", "sitemaps.org, \"XML tag definitions\" (loc)", "write the URL, or remove the entry";
    /// A `loc` that is no absolute URL.
    LocRelative = "loc-relative", "sitemaps.org, \"XML tag definitions\" (loc begins with the protocol)", "write the absolute URL, beginning with http:// or https://";
    /// An absolute `loc` of another scheme than `http` and `https`.
    LocScheme = "loc-scheme", "sitemaps.org, \"XML tag definitions\" (loc begins with the protocol)", "list only http:// and https:// URLs";
    /// A `loc` of 2,048 characters or more.
    LocLength = "loc-length", "sitemaps.org, \"XML tag definitions\" (loc: less than 2,048 characters)", "leave the URL out: it must be shorter than 2,048 characters";
    /// Characters in a `loc` that a URL must escape.
    LocEscape = "loc-escape", "sitemaps.org, \"Entity escaping\"; RFC 3986, 2", "percent-encode everything that RFC 3986 does not allow, in UTF-8";
    /// A `loc` that no reader can parse as a URL.
    LocInvalid = "loc-invalid", "RFC 3986, 3", "correct the URL";
    /// A `loc` on another host, scheme or port than the sitemap.
    LocHost = "loc-host", "sitemaps.org, \"Sitemap file location\"", "list it in a sitemap on its own host, scheme and port, or in one that lists that host alone and that its robots.txt names";
    /// All entries are on one other host than the sitemap, whose robots.txt was not requested.
    CrossSubmit = "cross-submit", "sitemaps.org, \"Sitemaps & Cross Submits\"", "name the sitemap, or its index, in the robots.txt of that host";
    /// A `loc` outside the directory of the sitemap.
    LocDirectory = "loc-directory", "sitemaps.org, \"Sitemap file location\"", "move the sitemap up to a directory that holds all of its URLs";
    /// An index that lists an index.
    NestedIndex = "nested-index", "sitemaps.org, \"Using Sitemap index files\" (an index lists sitemaps); Google Search Central, \"Manage your sitemaps with a sitemap index file\"", "list the sitemaps themselves, and name further indexes in robots.txt";
    /// A `loc` with a fragment.
    LocFragment = "loc-fragment", "RFC 3986, 3.5 (a fragment is no part of what is fetched)", "remove the # and what follows";
    /// A `loc` that was listed before.
    LocDuplicate = "loc-duplicate", "good practice: each URL once", "list each URL once";
    /// A date that is no W3C Datetime, or in a feed none of its format.
    Lastmod = "lastmod", "sitemaps.org, \"XML tag definitions\" (lastmod is in W3C Datetime format); RSS 2.0 (pubDate); RFC 4287, 3.3", "write it as YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm, or leave it out";
    /// A date in the future.
    LastmodFuture = "lastmod-future", "sitemaps.org, \"XML tag definitions\" (lastmod: the date of last modification)", "write when the page last changed, or leave the date out";
    /// A `changefreq` that is none of the seven.
    ChangeFreq = "changefreq", "sitemaps.org, \"XML tag definitions\" (changefreq)", "use one of always, hourly, daily, weekly, monthly, yearly, never, or leave it out";
    /// A `priority` that is no number from 0.0 to 1.0.
    Priority = "priority", "sitemaps.org, \"XML tag definitions\" (priority: 0.0 to 1.0)", "write a number from 0.0 to 1.0, or leave it out";
    /// No entry at all.
    NoEntries = "no-entries", "sitemaps.org schema (at least one url or sitemap)", "add an entry, or do not publish the file";
    /// More than 50,000 entries.
    TooMany = "too-many-entries", "sitemaps.org, \"XML tag definitions\" (no more than 50,000 URLs)", "split it into several files and list them in a sitemap index";
    /// More than 52,428,800 bytes uncompressed.
    TooLarge = "too-large", "sitemaps.org, \"XML tag definitions\" (no larger than 50 MB)", "split it into several files and list them in a sitemap index";
    /// gzip data that is cut short or whose checksum is wrong.
    Gzip = "gzip", "RFC 1952, 2.3 (member format)", "compress the file again and upload it completely, in binary mode";
    /// A line of a text sitemap that is not one absolute URL.
    TextLine = "text-line", "sitemaps.org, \"Text file\" (one URL per line, nothing else)", "write one absolute URL on each line and nothing else";
    /// One of the reader's own limits was reached.
    ReaderLimit = "reader-limit", "a limit of the reader, not of the protocol", "make the file smaller or simpler";
    /// The bytes could not be read.
    Unreadable = "unreadable", "the input itself", "fetch or copy the file again";
}

impl fmt::Display for CheckRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
