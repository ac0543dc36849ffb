//! Access to the parts of the named document's index, within limits.

use super::document::{Document, Name, parse_url};
use super::web::Web;
use crate::failure::Failure;
use crate::input::unreadable;
use mapwright_publish::robots_names;
use mapwright_settings::Settings;
use mapwright_sitemap::{CrossSubmit, Item, ReadLimits, Reader};
use mapwright_web::PageUrl;
use std::collections::HashSet;

/// Reads documents, each once, up to a number of files and a depth.
pub(super) struct Parts<'s> {
    settings: &'s Settings,
    home: Name,
    web: Option<Web>,
    seen: HashSet<String>,
    /// The robots.txt that was requested last, and its bytes: parts that list one host are usually adjacent.
    robots: Option<(PageUrl, Vec<u8>)>,
    /// The number of parts that were not read because of a limit.
    pub(super) beyond: u64,
}

/// The result of reading a part that an index lists.
pub(super) enum Part {
    /// The document.
    Document(Box<Document>),
    /// Read before, or beyond a limit.
    Skipped,
    /// The index lists itself.
    Itself,
    /// It could not be read, for this reason.
    Missing(String),
}

impl<'s> Parts<'s> {
    /// Starts with the document that the user named.
    ///
    /// # Errors
    /// The name is a URL that cannot be fetched.
    pub(super) fn new(settings: &'s Settings, named: &str) -> Result<Parts<'s>, Failure> {
        Ok(Parts { settings, home: Name::parse(named)?, web: None, seen: HashSet::new(), robots: None, beyond: 0 })
    }

    /// Reads the document that the user named.
    ///
    /// # Errors
    /// Its bytes cannot be read.
    pub(super) fn first(&mut self) -> Result<Document, Failure> {
        let document = match &self.home {
            Name::Stdin => Document::stdin()?,
            Name::File(path) => {
                let name = path.display().to_string();
                Document::file(path).map_err(|error| unreadable(&name, &error, "command line"))?
            }
            Name::Url(url, _) => {
                let url = url.clone();
                let got = self.web()?.get(&url);
                got.map_err(|why| Failure::usage(why, url.as_str(), "see that the URL can be reached"))?
            }
        };
        self.seen.insert(document.shown.clone());
        Ok(document)
    }

    /// Reads the part that `index` lists as `loc`.
    pub(super) fn part(&mut self, index: &Document, loc: &str) -> Part {
        let bounds = &self.settings.crawl;
        if index.depth + 1 >= bounds.max_sitemap_depth || self.seen.len() >= bounds.max_sitemap_files as usize {
            self.beyond += 1;
            return Part::Skipped;
        }
        let url = match parse_url(loc) {
            Ok(url) => url,
            Err(error) => return Part::Missing(error.to_string()),
        };
        let name = url.path().rsplit('/').next().unwrap_or_default().to_owned();
        let file = index.beside(&name);
        let key = file.as_ref().map_or_else(|| url.as_str().to_owned(), |path| path.display().to_string());
        if key == index.shown {
            return Part::Itself;
        }
        if !self.seen.insert(key) {
            return Part::Skipped;
        }
        let got = match file {
            Some(path) => Document::file(&path).map_err(|error| error.to_string()),
            None => self.web().map_err(|failure| failure.to_string()).and_then(|web| web.get(&url)),
        };
        match got {
            Ok(mut document) => {
                document.depth = index.depth + 1;
                document.indexes = index.indexes.iter().chain(&index.url).cloned().collect();
                document.url = Some(url);
                Part::Document(Box::new(document))
            }
            Err(why) => Part::Missing(why),
        }
    }

    /// Returns whether `document` may list another host: that host's robots.txt names the document, or an index that
    /// leads to it (sitemaps.org, "Sitemaps & Cross Submits"). For local files the host's robots.txt is not requested,
    /// because the line may be added when they are served.
    pub(super) fn cross_submit(&mut self, document: &Document) -> CrossSubmit {
        let Some(own) = document.url.as_ref() else { return CrossSubmit::Unproven };
        if !document.is_served() {
            return CrossSubmit::NotRequested;
        }
        let Some(listed) = first_page(document).filter(|url| url.origin() != own.origin()) else {
            return CrossSubmit::Unproven;
        };
        let at = listed.with_path("/robots.txt");
        let robots = match self.robots.take() {
            Some((last, robots)) if last == at => robots,
            _ => self.web().ok().and_then(|web| web.robots(&at)).unwrap_or_default(),
        };
        let is_named = document.indexes.iter().chain([own]).any(|url| robots_names(&robots, url.as_url()));
        self.robots = Some((at, robots));
        if is_named { CrossSubmit::Proven } else { CrossSubmit::Unproven }
    }

    /// Returns the client, which is created at the first call.
    fn web(&mut self) -> Result<&Web, Failure> {
        let web = match self.web.take() {
            Some(web) => web,
            None => match &self.home {
                Name::Url(url, userinfo) => Web::new(self.settings, Some((url, userinfo.clone())))?,
                _ => Web::new(self.settings, None)?,
            },
        };
        Ok(self.web.insert(web))
    }
}

/// Returns the first page that a document lists, which shows the host of its URLs.
fn first_page(document: &Document) -> Option<PageUrl> {
    Reader::new(document.open().ok()?, &ReadLimits::default()).find_map(|item| match item {
        Item::Page(page) => parse_url(&page.loc).ok(),
        Item::Sitemap { .. } => None,
    })
}
