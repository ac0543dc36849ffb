//! The built-in site: one example of each thing that a crawler meets.

use std::borrow::Cow;
use std::collections::HashMap;

/// A page: target of the request, HTML, and its `Last-Modified`, if any.
type Page = (&'static str, &'static str, Option<&'static str>);

macro_rules! html {
    ($file:literal) => {
        include_str!(concat!("site/", $file, ".html"))
    };
}

/// Pages that answer 200.
const PAGES: &[Page] = &[
    ("/", html!("index"), Some("Mon, 02 Jun 2025 08:00:00 GMT")),
    ("/da/", html!("da"), None),
    // The same page at two URLs that differ only by a slash.
    ("/about", html!("about"), None),
    ("/about/", html!("about"), None),
    ("/contact", html!("contact"), None),
    // noindex.
    ("/thank-you", html!("thank-you"), None),
    // Redirects to another page by a meta refresh.
    ("/webcam", html!("webcam"), None),
    ("/visit/", html!("visit/index"), Some("Tue, 01 Apr 2025 07:15:00 GMT")),
    ("/visit/opening-hours", html!("visit/opening-hours"), Some("Tue, 01 Apr 2025 07:20:00 GMT")),
    ("/visit/getting-here", html!("visit/getting-here"), None),
    ("/visit/groups", html!("visit/groups"), None),
    ("/exhibits/", html!("exhibits/index"), None),
    ("/exhibits/tide-wheel", html!("exhibits/tide-wheel"), None),
    // Names the page above as its canonical.
    ("/exhibits/tide-wheel/print", html!("exhibits/tide-wheel-print"), None),
    ("/exhibits/millstones", html!("exhibits/millstones"), None),
    ("/exhibits/grain-lift", html!("exhibits/grain-lift"), None),
    ("/exhibits/sluice", html!("exhibits/sluice"), None),
    ("/exhibits/models", html!("exhibits/models"), None),
    ("/exhibits/models?page=2", html!("exhibits/models-2"), None),
    ("/history/", html!("history/index"), None),
    ("/history/first-charter", html!("history/first-charter"), None),
    // States its own date in JSON-LD.
    ("/history/restoration", html!("history/restoration"), None),
    // Only in the site's sitemap.
    ("/history/flood", html!("history/flood"), None),
    ("/news/", html!("news/index"), None),
    // States its own date in a meta element.
    ("/news/season", html!("news/season"), None),
    ("/news/night-opening", html!("news/night-opening"), None),
    // Only in the feed.
    ("/news/volunteers", html!("news/volunteers"), None),
    ("/recipes/", html!("recipes/index"), None),
    ("/recipes/bread", html!("recipes/bread"), None),
    // `/recipes/æblekage`.
    ("/recipes/%C3%A6blekage", html!("recipes/apple-cake"), None),
];

/// Files that contain the site's own URL, as `{base}`: target, media type, text.
const TEMPLATES: &[(&str, &str, &str)] = &[
    ("/robots.txt", "text/plain; charset=utf-8", include_str!("site/robots.txt")),
    ("/sitemap.xml", "application/xml", include_str!("site/sitemap.xml")),
    ("/feed.xml", "application/atom+xml", include_str!("site/feed.xml")),
];

/// Other files.
const FILES: &[(&str, &str, &[u8])] = &[
    ("/mill.png", "image/png", include_bytes!("site/mill.png")),
    ("/plan.pdf", "application/pdf", include_bytes!("site/plan.pdf")),
];

/// Permanent redirects: from, to.
const REDIRECTS: &[(&str, &str)] = &[("/old-opening-hours", "/visit/opening-hours")];

const HTML: &str = "text/html; charset=utf-8";

/// The response to a request.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    /// Status code and reason phrase.
    pub(super) status: &'static str,
    /// Header fields beside those of every response.
    pub(super) headers: Vec<(&'static str, &'static str)>,
    pub(super) body: Cow<'static, [u8]>,
}

impl Answer {
    /// A response without a body.
    pub(super) fn bare(status: &'static str) -> Answer {
        Answer { status, headers: Vec::new(), body: Cow::Borrowed(&[]) }
    }

    /// Adds a header field.
    pub(super) fn with(mut self, name: &'static str, value: &'static str) -> Answer {
        self.headers.push((name, value));
        self
    }

    fn of(media: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Answer {
        Answer { body: body.into(), ..Answer::bare("200 OK") }.with("Content-Type", media)
    }
}

/// The responses of the site, by target.
#[derive(Debug)]
pub(super) struct Site(HashMap<&'static str, Answer>);

impl Site {
    /// The site as served at `base`, an origin without a trailing slash.
    pub(super) fn at(base: &str) -> Site {
        let pages = PAGES.iter().map(|(target, html, modified)| {
            let answer = Answer::of(HTML, html.as_bytes());
            (*target, modified.iter().fold(answer, |answer, date| answer.with("Last-Modified", date)))
        });
        let templates = TEMPLATES
            .iter()
            .map(|(target, media, text)| (*target, Answer::of(media, text.replace("{base}", base).into_bytes())));
        let files = FILES.iter().map(|(target, media, bytes)| (*target, Answer::of(media, *bytes)));
        let redirects =
            REDIRECTS.iter().map(|(from, to)| (*from, Answer::bare("301 Moved Permanently").with("Location", to)));
        Site(pages.chain(templates).chain(files).chain(redirects).collect())
    }

    /// The response to a request for `target`, with path and query exactly as in the request.
    pub(super) fn answer(&self, target: &str) -> Answer {
        let not_found = || Answer { status: "404 Not Found", ..Answer::of(HTML, html!("not-found").as_bytes()) };
        self.0.get(target).cloned().unwrap_or_else(not_found)
    }
}
