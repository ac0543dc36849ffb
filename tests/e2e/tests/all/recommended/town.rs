//! A small site of today: a navigation on every page, a few pages that it leads to, and what a test adds.

use std::collections::{BTreeMap, BTreeSet};

use mapwright_e2e::{Crawl, Crawled};
use mapwright_testkit::{Request, Response, Site};

use super::text::paragraphs;

/// What the navigation leads to.
const NAVIGATION: [(&str, &str); 5] = [
    ("/", "Home"),
    ("/about", "About the town"),
    ("/history", "A short history"),
    ("/visit", "Plan your visit"),
    ("/people", "People of the town"),
];

/// The switch that these tests are about.
pub(crate) const RECOMMENDED: [&str; 2] = ["--list", "recommended"];

/// A small site.
#[derive(Debug)]
pub(crate) struct Town {
    pub(crate) site: Site,
    /// What each path answers.
    pages: BTreeMap<String, String>,
    /// The paths, with their queries, of which each must be in the sitemap.
    belongs: BTreeSet<String>,
}

impl Town {
    /// A site whose home page has this in its main part.
    pub(crate) fn open(home: &str) -> Town {
        let mut town = Town { site: Site::open(), pages: BTreeMap::new(), belongs: BTreeSet::new() };
        let [(root, name), others @ ..] = NAVIGATION;
        town.page(root, name, &format!("{}{home}", paragraphs("the home page", 1)));
        for (path, title) in others {
            town.article(path, title);
        }
        town
    }

    /// Adds a page of text that belongs in the sitemap.
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

    /// This path, with its query, belongs in the sitemap.
    pub(crate) fn belongs(&mut self, path: &str) {
        self.belongs.insert(self.site.url(path));
    }

    /// The number of pages that belong in the sitemap.
    pub(crate) fn size(&self) -> usize {
        self.belongs.len()
    }

    /// Each page added so far, with any query and any matrix parameter, answers what this function makes of it.
    pub(crate) fn rewrite(&self, rewritten: impl Fn(&Request, &str) -> String + Clone + Send + Sync + 'static) {
        for (path, html) in &self.pages {
            for pattern in [path.clone(), format!("{path};*")] {
                let (rewritten, html) = (rewritten.clone(), html.clone());
                self.site.handler(&pattern, move |request| Response::html(rewritten(request, &html)));
            }
        }
    }

    /// Any path without a page of its own answers 200 with this page.
    pub(crate) fn answers_all(&self, page: impl Fn(&Request) -> String + Send + Sync + 'static) {
        self.site.handler("/*", move |request| Response::html(page(request)));
        self.site.status("/robots.txt", 404).status("/sitemap.xml", 404);
    }

    /// What this path answers.
    pub(crate) fn html(&self, path: &str) -> &str {
        &self.pages[path]
    }

    /// A crawl that lists what is recommended, from the home page, in a fresh workspace.
    pub(crate) fn plan(&self) -> Crawl {
        Crawl::of(&self.site).args(RECOMMENDED)
    }

    /// Crawls, to a whole end.
    #[track_caller]
    pub(crate) fn crawl(&self) -> Crawled {
        self.plan().run().exited(0)
    }

    /// Crawls, and asserts that the sitemap lists what belongs there and no more.
    #[track_caller]
    pub(crate) fn crawl_exactly(&self) -> Crawled {
        let crawled = self.crawl();
        self.assert_exact(&crawled);
        crawled
    }

    /// Asserts that the sitemap lists what belongs there and no more.
    #[track_caller]
    pub(crate) fn assert_exact(&self, crawled: &Crawled) {
        let listed = crawled.listed();
        let excluded = crawled.excluded();
        let reason = |url: &&String| excluded.get(*url).map_or("unknown", |exclusion| &exclusion.reason).to_owned();
        let missing: Vec<_> = self.belongs.difference(&listed).map(|url| (url, reason(&url))).collect();
        let junk: Vec<_> = listed.difference(&self.belongs).collect();
        assert!(missing.is_empty() && junk.is_empty(), "lacks {missing:#?} and lists without reason {junk:#?}");
    }

    /// Asserts that the sitemap lists all that belongs there, whatever else it lists.
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

/// A page as this site makes them.
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

/// The page with this at the end of each of its links, behind `?` or `&` as it must be.
pub(crate) fn with_parameter(html: &str, parameter: &str) -> String {
    with_links(html, |href| {
        let mark = if href.contains('?') { '&' } else { '?' };
        format!("{href}{mark}{parameter}")
    })
}

/// The page with each of its links changed.
pub(crate) fn with_links(html: &str, changed: impl Fn(&str) -> String) -> String {
    let mut parts = html.split("href=\"");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (href, rest) = part.split_once('"').expect("an attribute that ends");
        whole.push_str(&format!("href=\"{}\"{rest}", changed(href)));
    }
    whole
}

/// Asserts that there are URLs with this in them that are left out, and each for one of these reasons.
#[track_caller]
pub(crate) fn assert_left_out(crawled: &Crawled, part: &str, reasons: &[&str]) {
    let mut excluded = crawled.excluded();
    excluded.retain(|url, _| url.contains(part));
    assert!(!excluded.is_empty(), "no URL with {part:?} is among the excluded");
    excluded.retain(|_, exclusion| !reasons.contains(&exclusion.reason.as_str()));
    assert!(excluded.is_empty(), "left out for other reasons than {reasons:?}: {excluded:#?}");
}
