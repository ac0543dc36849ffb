//! The codes of all findings, each with its meaning, severity and fix.

use crate::severity::Severity::{self, Error, Notice, Warning};
use serde::{Serialize, Serializer};

/// The topics of findings, in the order of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// The site itself.
    Site,
    /// Reachability by links.
    Reachability,
    /// Responses.
    Responses,
    /// Redirects and their targets.
    Redirects,
    /// Robots directives.
    Indexability,
    /// Canonicals and their targets.
    Canonicals,
    /// The sitemaps that the site publishes.
    Sitemaps,
    /// Alternates in other languages.
    Languages,
    /// Duplicates.
    Duplicates,
    /// Crawl traps.
    Traps,
    /// Links to other sites.
    External,
    /// The effects of a robots.txt that is not deployed yet.
    WhatIf,
}

impl Topic {
    /// The heading used in reports.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Site => "The entire site",
            Self::Reachability => "Reachability",
            Self::Responses => "Responses",
            Self::Redirects => "Redirects",
            Self::Indexability => "Indexability",
            Self::Canonicals => "Canonicals",
            Self::Sitemaps => "Published sitemaps",
            Self::Languages => "Languages",
            Self::Duplicates => "Duplicates",
            Self::Traps => "Traps",
            Self::External => "Other sites",
            Self::WhatIf => "What if",
        }
    }
}

impl Serialize for Topic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.title())
    }
}

macro_rules! codes {
    ($($topic:ident { $($name:ident = $code:literal, $severity:ident, $reason:literal, $fix:literal;)* })*) => {
        /// The kind of a finding. The names are stable.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $reason] $name,)*)*
        }

        impl Code {
            /// Every code, in the order of reports.
            pub const ALL: &'static [Self] = &[$($(Self::$name,)*)*];

            /// The stable name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $($(Self::$name => $code,)*)* }
            }

            /// The topic.
            #[must_use]
            pub const fn topic(self) -> Topic {
                match self { $($(Self::$name => Topic::$topic,)*)* }
            }

            /// The severity, unless the settings change it.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $($(Self::$name => $severity,)*)* }
            }

            /// The problem, in one sentence.
            #[must_use]
            pub const fn reason(self) -> &'static str {
                match self { $($(Self::$name => $reason,)*)* }
            }

            /// The fix, in one sentence.
            #[must_use]
            pub const fn fix(self) -> &'static str {
                match self { $($(Self::$name => $fix,)*)* }
            }
        }
    };
}

impl Code {
    /// The code of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == name)
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

codes! {
    Site {
        NeedsJs = "needs-js", Error, "The site shows its content and links only with JavaScript.", "Serve the content and plain links in the HTML itself, or render it on the server.";
        Firewall = "firewall", Error, "A firewall or bot protection refuses most requests of the crawler.", "Allow this agent in the firewall, or give it the credentials it needs; until then most of this report is blind.";
        SitewideNoindex = "sitewide-noindex", Error, "Nearly all pages say noindex: the site is kept out of search results.", "Remove the noindex, which is often left over from a staging site.";
        CanonicalAllHome = "canonical-all-home", Error, "Nearly all pages name the home page as their canonical, so that only it is indexed.", "Let each page name itself as its canonical.";
        MixedScheme = "mixed-scheme", Warning, "The site is linked or answers under http and https side by side.", "Link to https everywhere, and redirect http to it.";
        RobotsMissing = "robots-missing", Notice, "There is no robots.txt.", "Publish one, be it only to name the sitemap.";
        RobotsFaulty = "robots-faulty", Warning, "robots.txt has lines that are no rules, is not in UTF-8, is longer than is read, or is no robots file at all.", "Correct the lines named; each is a field, a colon and a value (RFC 9309, section 2.2), and a sitemap is named by its absolute URL. Save the file as UTF-8, and in less than 500 KiB.";
        RobotsUnreachable = "robots-unreachable", Error, "robots.txt is not available, which forbids crawling the entire site (RFC 9309, section 2.3.1.4).", "Let the server answer /robots.txt with 200, or with 404 where there is none.";
    }
    Reachability {
        Orphan = "orphan", Warning, "The page is known from a sitemap, a feed or a list, and no page links to it.", "Link to it from where visitors would look for it, or take it out of the sitemap if it is obsolete.";
        IsolatedCanonical = "isolated-canonical", Warning, "The page is reached only as another page's canonical: no page links to it.", "Link to it instead of to its variants.";
        IsolatedRedirect = "isolated-redirect", Warning, "The page is reached only by a redirect: no page links to it.", "Link to it directly.";
        IsolatedNoindex = "isolated-noindex", Warning, "The page is linked only from noindex pages, whose links search engines give up in time.", "Link to it from a page that is indexed.";
        IsolatedIsolated = "isolated-isolated", Warning, "The page is in an unlinked island: only orphans, or pages of the island itself, link to it.", "Link to it, or to another page of the island, from the site that visitors see.";
        NofollowOnly = "nofollow-only", Notice, "All links to the URL say nofollow, so that search engines do not follow them.", "Remove nofollow from a link to it, if it is to be found.";
        SingleInlink = "single-inlink", Notice, "Only one page links to the page.", "Link to it from further pages, if it matters.";
        DeadEnd = "dead-end", Notice, "The page links to no other page of the site.", "Add a way on, such as the site's navigation.";
        Deep = "deep", Notice, "The page is more clicks from the start page than the limit allows.", "Link to it from nearer to the start page.";
        RobotsBlockedLinked = "robots-blocked-linked", Warning, "Pages link to a URL that robots.txt disallows.", "Allow it in robots.txt if it is to be found, or remove the links.";
    }
    Responses {
        Http4xx = "http-4xx", Error, "The URL answers with a client error (4xx), such as 404 Not Found.", "Correct or remove the links to it, bring the page back, or redirect it to its successor; with another status than 404 or 410, see why the server refuses the request.";
        Http5xx = "http-5xx", Error, "The URL answers with a server error, also on a second try.", "Look into the server's log for the cause.";
        NoAnswer = "no-answer", Error, "The URL gives no valid HTTP answer, also on a second try.", "See what the server sends; the evidence says what went wrong.";
        NoAnswerDns = "no-answer-dns", Error, "The host's name does not resolve.", "Correct the name in the links, or its entry in the DNS.";
        NoAnswerTls = "no-answer-tls", Error, "The TLS handshake or the certificate fails.", "Renew or correct the certificate, or the links' scheme and host.";
        NoAnswerRefused = "no-answer-refused", Error, "The connection is refused.", "Start the server, or correct host and port in the links.";
        NoAnswerReset = "no-answer-reset", Error, "The connection is reset or closed before an answer.", "Look into the server's log for why it hangs up.";
        NoAnswerTimeout = "no-answer-timeout", Error, "The URL gives no answer within the time allowed.", "Find out what the server waits for; --timeout allows more time.";
        ResourceBroken = "resource-broken", Warning, "An image or a media file of the site that pages show fails.", "Put the file in place, or correct the page.";
        BrokenAnswer = "broken-answer", Error, "The answer breaks off, or cannot be decoded.", "See that the server sends complete bodies, encoded as their header says.";
        OddAnswer = "odd-answer", Warning, "The URL answers with a status that is neither a page nor an error, such as a redirect without a target.", "Answer with 200 and the page, or with a redirect that names its target.";
        Auth = "auth", Warning, "The URL wants a login or refuses access (401, 403).", "Link to it only where visitors have access, or let them in.";
        Soft404 = "soft-404", Warning, "The URL answers 200 with the page that the site shows for names that do not exist, or redirects to it.", "Answer 404 or 410, and fix the links to it.";
        Slow = "slow", Warning, "The URL answers slowly, by the limit and against the site's other pages.", "Find out what takes the time; caching often helps.";
        Oversize = "oversize", Warning, "The body is larger than the limit.", "Split the page, or move data out of it: search engines read only its beginning.";
        MediaType = "media-type", Warning, "The page has no media type, or one that its content belies.", "Send Content-Type: text/html; charset=utf-8 for pages.";
        BrokenFragment = "broken-fragment", Notice, "Links name an element of the page that is not there.", "Correct the links' #fragment, or give the element that id.";
    }
    Redirects {
        RedirectLink = "redirect-link", Notice, "Pages link to a URL that redirects.", "Link to the final target.";
        RedirectChain = "redirect-chain", Warning, "The redirect takes more than one hop.", "Redirect to the final target at once.";
        RedirectLoop = "redirect-loop", Error, "The redirects lead back to themselves.", "Break the loop: one of these URLs has to answer with the page.";
        RedirectToError = "redirect-to-error", Error, "The redirect leads to a URL that fails.", "Redirect to a page that exists, or answer 404 or 410.";
        RedirectToBlocked = "redirect-to-blocked", Warning, "The redirect leads to a URL that robots.txt disallows.", "Allow the target in robots.txt, or redirect elsewhere.";
        RedirectOutOfScope = "redirect-out-of-scope", Notice, "The redirect leads out of the crawl's scope.", "Link to the target directly, if it is meant.";
        RedirectTemporary = "redirect-temporary", Notice, "The redirect is temporary (302 or 307).", "Use 301 or 308 if it is permanent.";
        RedirectSlash = "redirect-slash", Notice, "The redirect only adds or removes the last slash.", "Write the links as the server wants them.";
        RedirectCase = "redirect-case", Notice, "The redirect only changes upper and lower case.", "Write the links as the server wants them.";
        RedirectScheme = "redirect-scheme", Notice, "The redirect only changes http to https, or back.", "Write the links with the scheme that the site has.";
        MetaRefresh = "meta-refresh", Notice, "The page sends visitors on by a refresh.", "Answer with a redirect (301 or 308) instead.";
    }
    Indexability {
        StartExcluded = "start-excluded", Error, "The start page says noindex or nofollow, or robots.txt disallows it: search engines leave it out, or follow none of its links.", "Remove the directive or rule, which is often left over from a test or set by a theme.";
        Noindex = "noindex", Notice, "The page says noindex, and stays out of search results.", "Remove it if the page is to be found.";
        Nofollow = "nofollow", Notice, "The page says nofollow, and its links are not followed.", "Remove it if its links are to be found.";
        DirectiveConflict = "directive-conflict", Warning, "The robots directives in tag and header contradict each other; the stricter counts.", "Give one directive at one place.";
        DirectiveOutsideHead = "directive-outside-head", Warning, "A robots directive stands in a tag outside head.", "Move it into head, before any element that ends it.";
        DirectiveDuplicated = "directive-duplicated", Notice, "The same robots directive is given twice.", "Give it once.";
    }
    Canonicals {
        CanonicalMissing = "canonical-missing", Notice, "An indexable page names no canonical.", "Let the page name itself.";
        CanonicalOther = "canonical-other", Notice, "The canonical names another page, which is indexed in place of this one.", "See that it is meant; let the page name itself otherwise.";
        CanonicalToError = "canonical-to-error", Error, "The canonical names a URL that fails.", "Name a page that exists.";
        CanonicalToRedirect = "canonical-to-redirect", Warning, "The canonical names a URL that redirects.", "Name the final target.";
        CanonicalToNoindex = "canonical-to-noindex", Error, "The canonical names a noindex page: neither is indexed.", "Name an indexable page, or remove the noindex.";
        CanonicalToBlocked = "canonical-to-blocked", Error, "The canonical names a URL that robots.txt disallows.", "Name a page that may be crawled, or allow it.";
        CanonicalChain = "canonical-chain", Warning, "The canonical names a page that names yet another.", "Name the last one directly.";
        CanonicalLoop = "canonical-loop", Error, "The canonicals name each other in a circle.", "Let one of the pages name itself, and the others that one.";
        CanonicalConflict = "canonical-conflict", Error, "The page gives several canonicals that differ; search engines ignore them all.", "Give one canonical, at one place.";
        CanonicalRelative = "canonical-relative", Notice, "The canonical is a relative URL.", "Write the absolute URL, which no base can change.";
        CanonicalOutsideHead = "canonical-outside-head", Warning, "The canonical stands in a tag outside head, where it does not count.", "Move it into head, before any element that ends it.";
        CanonicalOtherOrigin = "canonical-other-origin", Notice, "The canonical lies on another origin.", "See that it is meant: this page then gives way to the other site's.";
    }
    Sitemaps {
        Sitemap4xx = "sitemap-4xx", Error, "An entry of the published sitemap answers with a client error.", "Take it out of the sitemap, or bring the page back.";
        Sitemap5xx = "sitemap-5xx", Error, "An entry of the published sitemap answers with a server error.", "Look into the server's log for the cause.";
        SitemapAuth = "sitemap-auth", Warning, "An entry of the published sitemap answers 401 or 403.", "Take it out of the sitemap, or let visitors in.";
        SitemapRedirect = "sitemap-redirect", Warning, "An entry of the published sitemap redirects.", "List the final target.";
        SitemapTimeout = "sitemap-timeout", Warning, "An entry of the published sitemap does not answer in time.", "Find out what the server waits for.";
        SitemapNoindex = "sitemap-noindex", Error, "An entry of the published sitemap says noindex.", "Take it out of the sitemap, or remove the noindex.";
        SitemapCanonicalised = "sitemap-canonicalised", Warning, "An entry of the published sitemap names another page as its canonical.", "List the canonical instead.";
        SitemapBlocked = "sitemap-blocked", Warning, "An entry of the published sitemap is disallowed by robots.txt.", "Allow it, or take it out of the sitemap.";
        SitemapOutOfScope = "sitemap-out-of-scope", Notice, "An entry of the published sitemap lies out of the crawl's scope.", "List it in a sitemap of its own site; --scope widens the crawl.";
        SitemapSeveral = "sitemap-several", Notice, "A URL stands in several sitemap files.", "List each URL once.";
        SitemapOmits = "sitemap-omits", Warning, "An indexable page is in none of the published sitemaps.", "List it; `mapwright crawl` writes sitemaps that hold all such pages.";
        SitemapTooMany = "sitemap-too-many", Error, "A sitemap file has more than 50,000 entries, the protocol's limit.", "Split it into several files, gathered by an index.";
        SitemapTooBig = "sitemap-too-big", Error, "A sitemap file has more than 52,428,800 bytes, the protocol's limit.", "Split it into several files, gathered by an index.";
        SitemapMalformed = "sitemap-malformed", Error, "A sitemap file is not well-formed or not valid.", "Correct what the evidence names; `mapwright sitemap check` judges a file.";
        SitemapUnreachable = "sitemap-unreachable", Error, "A sitemap that robots.txt or an index names is not available, so that nobody learns what it lists.", "Publish the file, or correct or remove the line that names it.";
        SitemapWrongPlace = "sitemap-wrong-place", Warning, "An entry stands on another host than its sitemap, or outside its directory.", "Put the sitemap at the site's root, on the host that it lists.";
        SitemapUnnamed = "sitemap-unnamed", Notice, "The site has a sitemap that robots.txt does not name.", "Add a Sitemap: line to robots.txt.";
        LastmodFuture = "lastmod-future", Warning, "An entry's lastmod lies in the future.", "Write when the page last changed, or leave it out.";
        LastmodNow = "lastmod-now", Warning, "The lastmods are the time of the request, so that search engines ignore them.", "Write when each page last changed, or leave it out.";
        LastmodStale = "lastmod-stale", Notice, "An entry's lastmod is older than a change that an earlier run saw.", "Update lastmod with the page.";
    }
    Languages {
        HreflangNoReturn = "hreflang-no-return", Warning, "An alternate does not link back, so that search engines ignore the pair.", "Let each alternate list all the others.";
        HreflangNot200 = "hreflang-not-200", Warning, "An alternate does not answer 200.", "Name a page that exists, or remove the alternate.";
        HreflangNoindex = "hreflang-noindex", Warning, "An alternate is a noindex page.", "Remove the noindex, or the alternate.";
        HreflangNotCanonical = "hreflang-not-canonical", Warning, "An alternate names another page as its canonical.", "Name the canonical page as the alternate.";
        HreflangUnknownCode = "hreflang-unknown-code", Warning, "A code is no language, no language and region, and not x-default.", "Write an ISO 639-1 language, and an ISO 3166-1 region after a hyphen, as in en-GB.";
        HreflangSeveral = "hreflang-several", Warning, "Several alternates are given for one code.", "Give one URL for each code.";
        HreflangNoSelf = "hreflang-no-self", Notice, "The set of alternates lacks the page itself.", "List the page itself with its own language.";
        HreflangNoDefault = "hreflang-no-default", Notice, "The set of alternates has no x-default.", "Name the page for all other visitors as x-default.";
    }
    Duplicates {
        DupExact = "dup-exact", Warning, "Pages have the same bytes.", "Keep one, and redirect the others to it or name it as their canonical.";
        DupNear = "dup-near", Notice, "Pages have nearly the same text.", "Merge them, make them differ, or name one as the others' canonical.";
        DupTitle = "dup-title", Notice, "Pages have the same title.", "Give each page a title of its own.";
        DupSlash = "dup-slash", Warning, "Equal pages have URLs that differ only by the last slash.", "Redirect one form to the other.";
        DupIndex = "dup-index", Warning, "Equal pages have URLs that differ only by the name of the index file.", "Redirect the long form to the directory's URL.";
        DupCase = "dup-case", Warning, "Equal pages have URLs that differ only in upper and lower case.", "Redirect to one form, best the lower-case one.";
        DupParamOrder = "dup-param-order", Warning, "Equal pages have URLs that differ only in the order of parameters.", "Link with one order, and name it as canonical.";
        DupSession = "dup-session", Warning, "Equal pages have URLs that differ only by a session identifier.", "Keep sessions in cookies, not in URLs.";
        ParamSession = "param-session", Warning, "Links carry a session in a URL parameter: each session is a further URL of the same page.", "Keep sessions in cookies, and link pages without the parameter. Until then disallow it in robots.txt, or give the pages a canonical without it; --drop-param keeps this crawl from it.";
        ParamSort = "param-sort", Warning, "Links carry a URL parameter that only sorts: each order is a further URL with the same items.", "Disallow the parameter in robots.txt, or give the pages a canonical without it; --drop-param keeps this crawl from it.";
        ParamNoEffect = "param-no-effect", Warning, "Links carry a URL parameter that has no effect: each value is a further URL of the same page.", "Link pages without the parameter. Where it is needed, disallow it in robots.txt, or give the pages a canonical without it; --drop-param keeps this crawl from it.";
    }
    Traps {
        TrapCalendar = "trap-calendar", Warning, "A calendar goes on without end.", "End it where there is nothing to show, or disallow it in robots.txt.";
        TrapRepeating = "trap-repeating", Warning, "Path segments repeat without end, often by a relative link that should be absolute.", "Correct the link, and answer 404 for paths that do not exist.";
        TrapGrowing = "trap-growing", Warning, "Paths grow, or new names come up, without end.", "Correct the links, and answer 404 for paths that do not exist.";
        TrapSession = "trap-session", Warning, "Links carry ever new session identifiers.", "Keep sessions in cookies, not in URLs.";
        TrapFacets = "trap-facets", Warning, "Filters can be combined without end.", "Disallow combinations in robots.txt, or take them out of plain links.";
    }
    External {
        ExternalBroken = "external-broken", Warning, "A link to another site fails.", "Correct or remove the link.";
    }
    WhatIf {
        WhatifBlocks = "whatif-blocks", Notice, "The robots.txt to come would disallow a URL that is allowed now.", "See that it is meant before the file is deployed.";
        WhatifFrees = "whatif-frees", Notice, "The robots.txt to come would allow a URL that is disallowed now.", "See that it is meant before the file is deployed.";
    }
}
