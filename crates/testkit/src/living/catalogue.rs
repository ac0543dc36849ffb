//! A site of many plain pages that are added and removed.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::request::ReceivedRequest;
use crate::response::Response;
use crate::site::FakeSite;

/// The site's start page links to all pages and is in no sitemap itself (noindex), so that adding or removing a page
/// changes nothing else in the sitemap. Every page has a strong `ETag` and none has a date.
#[derive(Debug)]
pub struct Catalogue {
    site: FakeSite,
    pages: Arc<Mutex<BTreeSet<String>>>,
}

impl Catalogue {
    /// Opens a site with only the start page, on a free loopback port.
    #[must_use]
    pub fn open() -> Catalogue {
        let pages = Arc::<Mutex<BTreeSet<String>>>::default();
        let site = FakeSite::open();
        let shelf = Arc::clone(&pages);
        site.handler("/*", move |request| answer(&lock(&shelf), request));
        Catalogue { site, pages }
    }

    /// The URL of the start page.
    #[must_use]
    pub fn start(&self) -> String {
        self.site.url("/")
    }

    /// The URLs of all pages but the start page.
    #[must_use]
    pub fn urls(&self) -> BTreeSet<String> {
        lock(&self.pages).iter().map(|path| self.site.url(path)).collect()
    }

    /// The URL of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        self.site.url(path)
    }

    /// The paths of all pages but the start page.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        lock(&self.pages).iter().cloned().collect()
    }

    /// Adds a page at this path.
    pub fn add(&self, path: &str) {
        lock(&self.pages).insert(path.to_owned());
    }

    /// Removes a page: it answers 404, and nothing links to it.
    pub fn remove(&self, path: &str) {
        lock(&self.pages).remove(path);
    }
}

fn lock(pages: &Mutex<BTreeSet<String>>) -> MutexGuard<'_, BTreeSet<String>> {
    pages.lock().unwrap_or_else(PoisonError::into_inner)
}

fn answer(pages: &BTreeSet<String>, request: &ReceivedRequest) -> Response {
    let path = request.path();
    if path == "/" {
        let mut html =
            String::from("<!doctype html><title>All</title><meta name=robots content=noindex><h1>All</h1>\n");
        for page in pages {
            let _ = writeln!(html, "<a href=\"{page}\">{page}</a>");
        }
        return Response::html(html);
    }
    if !pages.contains(path) {
        return Response::html("<h1>Not found</h1>").status(404);
    }
    let tag = format!("\"the-page-at{path}\"");
    if request.header("if-none-match") == Some(tag.as_str()) {
        return Response::new(304).header("ETag", &tag);
    }
    Response::html(format!("<!doctype html><title>{path}</title><h1>The page at {path}</h1>")).header("ETag", &tag)
}
