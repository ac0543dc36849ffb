//! A small site of today: a navigation on every page, a few pages that it links, and the pages that a test adds.

use std::collections::{BTreeMap, BTreeSet};

use mapwright_e2e::{Crawl, Crawled};
use mapwright_testkit::{FakeSite, ReceivedRequest, Response};

use super::text::paragraphs;

/// The links of the navigation.
const NAVIGATION: [(&str, &str); 5] = [
    ("/", "Home"),
    ("/about", "About the town"),
    ("/history", "A short history"),
    ("/visit", "Plan your visit"),
    ("/people", "People of the town"),
];

/// The option that these tests are about.
pub(crate) const RECOMMENDED: [&str; 2] = ["--list", "recommended"];

/// A small site.
#[derive(Debug)]
pub(crate) struct SmallSite {
    pub(crate) site: FakeSite,
    /// The HTML of each path.
    pages: BTreeMap<String, String>,
    /// The URLs that must be in the sitemap.
    belongs: BTreeSet<String>,
}

impl SmallSite {
    /// A site whose home page has this main part.
    pub(crate) fn open(home: &str) -> SmallSite {
        let mut town = SmallSite { site: FakeSite::open(), pages: BTreeMap::new(), belongs: BTreeSet::new() };
        let [(root, name), others @ ..] = NAVIGATION;
        town.page(root, name, &format!("{}{home}", paragraphs("the home page", 1)));
        for (path, title) in others {
            town.article(path, title);
        }
        town
    }

    /// Adds a text page that belongs in the sitemap.
    pub(crate) fn article(&mut self, path: &str, title: &str) {
        self.page(path, title, &paragraphs(title, 3));
    }

    /// Adds a page with this main part that belongs in the sitemap.
    pub(crate) fn page(&mut self, path: &str, title: &str, main: &str) {
        self.belongs(path);
        self.junk(path, title, main);
    }

    /// Adds a page with this main part that does not belong in the sitemap.
    pub(crate) fn junk(&mut self, path: &str, title: &str, main: &str) {
        let html = shell(title, main);
        self.site.page(path, html.clone());
        self.pages.insert(path.to_owned(), html);
    }

    /// Expects this path, with its query, in the sitemap.
    pub(crate) fn belongs(&mut self, path: &str) {
        self.belongs.insert(self.site.url(path));
    }

    /// The number of pages that belong in the sitemap.
    pub(crate) fn size(&self) -> usize {
        self.belongs.len()
    }

    /// Serves each page added so far, with any query and any matrix parameter, as rewritten by this function.
    pub(crate) fn rewrite(&self, rewritten: impl Fn(&ReceivedRequest, &str) -> String + Clone + Send + Sync + 'static) {
        for (path, html) in &self.pages {
            for pattern in [path.clone(), format!("{path};*")] {
                let (rewritten, html) = (rewritten.clone(), html.clone());
                self.site.handler(&pattern, move |request| Response::html(rewritten(request, &html)));
            }
        }
    }

    /// Serves this page with status 200 for any path without a page.
    pub(crate) fn answers_all(&self, page: impl Fn(&ReceivedRequest) -> String + Send + Sync + 'static) {
        self.site.handler("/*", move |request| Response::html(page(request)));
        self.site.status("/robots.txt", 404).status("/sitemap.xml", 404);
    }

    /// The HTML of this path.
    pub(crate) fn html(&self, path: &str) -> &str {
        &self.pages[path]
    }

    /// A crawl with `--list recommended` from the home page, in a fresh workspace.
    pub(crate) fn plan(&self) -> Crawl {
        Crawl::of(&self.site).args(RECOMMENDED)
    }

    /// Crawls completely.
    #[track_caller]
    pub(crate) fn crawl(&self) -> Crawled {
        self.plan().run().exited(0)
    }

    /// Crawls, and asserts that the sitemap lists exactly the expected URLs.
    #[track_caller]
    pub(crate) fn crawl_exactly(&self) -> Crawled {
        let crawled = self.crawl();
        self.assert_exact(&crawled);
        crawled
    }

    /// Asserts that the sitemap lists exactly the expected URLs.
    #[track_caller]
    pub(crate) fn assert_exact(&self, crawled: &Crawled) {
        let listed = crawled.listed();
        let excluded = crawled.excluded();
        let reason = |url: &&String| excluded.get(*url).map_or("unknown", |exclusion| &exclusion.reason).to_owned();
        let missing: Vec<_> = self.belongs.difference(&listed).map(|url| (url, reason(&url))).collect();
        let junk: Vec<_> = listed.difference(&self.belongs).collect();
        assert!(missing.is_empty() && junk.is_empty(), "lacks {missing:#?} and lists without reason {junk:#?}");
    }

    /// Asserts that the sitemap lists all expected URLs, and possibly others.
    #[track_caller]
    pub(crate) fn assert_complete(&self, crawled: &Crawled) {
        let (listed, excluded) = (crawled.listed(), crawled.excluded());
        let missing: Vec<_> = self.belongs.difference(&listed).map(|url| (url, excluded.get(url))).collect();
        assert!(missing.is_empty(), "lacks {missing:#?}");
    }

    /// Asserts that this path, with exactly this query, was requested.
    #[track_caller]
    pub(crate) fn assert_requested(&self, path: &str) {
        let requested = self.site.requests().iter().any(|request| request.origin_form() == path);
        assert!(requested, "{path} was not requested");
    }
}

/// A page in the layout of this site.
pub(crate) fn shell(title: &str, main: &str) -> String {
    let entry = |(path, name): &(&str, &str)| format!("<li><a href=\"{path}\">{name}</a></li>");
    let navigation: String = NAVIGATION.iter().map(entry).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title} - Millbrook</title></head>\n\
         <body><header><p>Millbrook, a town by the river</p><nav><ul>{navigation}</ul></nav></header>\n\
         <main><h1>{title}</h1>\n{main}</main>\n\
         <footer><p>Published by the town of Millbrook. All rights reserved.</p></footer></body></html>\n"
    )
}

/// Appends this parameter to each link of the page, after `?` or `&`.
pub(crate) fn with_parameter(html: &str, parameter: &str) -> String {
    with_links(html, |href| {
        let mark = if href.contains('?') { '&' } else { '?' };
        format!("{href}{mark}{parameter}")
    })
}

/// Changes each link of the page.
pub(crate) fn with_links(html: &str, changed: impl Fn(&str) -> String) -> String {
    let mut parts = html.split("href=\"");
    let mut complete = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (href, rest) = part.split_once('"').expect("an attribute that ends");
        complete.push_str(&format!("href=\"{}\"{rest}", changed(href)));
    }
    complete
}

/// Asserts that URLs with this part are excluded, each for one of these reasons.
#[track_caller]
pub(crate) fn assert_left_out(crawled: &Crawled, part: &str, reasons: &[&str]) {
    let mut excluded = crawled.excluded();
    excluded.retain(|url, _| url.contains(part));
    assert!(!excluded.is_empty(), "no URL with {part:?} is among the excluded");
    excluded.retain(|_, exclusion| !reasons.contains(&exclusion.reason.as_str()));
    assert!(excluded.is_empty(), "left out for other reasons than {reasons:?}: {excluded:#?}");
}
