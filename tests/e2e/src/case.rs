//! One small case of a site, and its expected result.

use mapwright_testkit::{Response, ServerAction};

/// One case: an entry page in a folder of its own, further pages below it, and the exact URLs that belong in the
/// sitemap. Names of pages are relative to the folder, absolute from the site's root, or absolute URLs, in the
/// percent-encoded form of the wire.
#[derive(Debug)]
pub struct Case {
    pub(crate) name: String,
    base: String,
    pub(crate) folder: String,
    pub(crate) linked: bool,
    head: String,
    body: String,
    headers: Vec<(String, Vec<u8>)>,
    answers: Vec<(String, ServerAction)>,
    pub(crate) listed: Vec<String>,
    pub(crate) excluded: Vec<(String, String)>,
    pub(crate) unknown: Vec<String>,
    pub(crate) not_requested: Vec<String>,
}

impl Case {
    pub(crate) fn new(name: &str, base: String, folder: String) -> Case {
        Case {
            name: name.to_owned(),
            base,
            folder,
            linked: true,
            head: String::new(),
            body: String::new(),
            headers: Vec::new(),
            answers: Vec::new(),
            listed: Vec::new(),
            excluded: Vec::new(),
            unknown: Vec::new(),
            not_requested: Vec::new(),
        }
    }

    /// The URL of a page of this case; of the entry page for an empty name.
    pub fn url(&self, name: &str) -> String {
        if name.contains("://") { name.to_owned() } else { format!("{}{}", self.base, self.path(name)) }
    }

    /// The path of a page of this case, as the site matches it.
    pub fn path(&self, name: &str) -> String {
        if name.starts_with('/') { name.to_owned() } else { format!("{}{name}", self.folder) }
    }

    /// Sets the body of the entry page.
    pub fn body(&mut self, html: impl Into<String>) -> &mut Case {
        self.body = html.into();
        self
    }

    /// Sets the content of the entry page's head, after the title.
    pub fn head(&mut self, html: impl Into<String>) -> &mut Case {
        self.head = html.into();
        self
    }

    /// Adds a header field to the entry page.
    pub fn header(&mut self, name: &str, value: impl AsRef<[u8]>) -> &mut Case {
        self.headers.push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    /// Sets the answer of a page (of the entry page for an empty name).
    pub fn answer(&mut self, name: &str, answer: impl Into<ServerAction>) -> &mut Case {
        self.answers.push((self.path(name), answer.into()));
        self
    }

    /// Sets a page with this body, as UTF-8.
    pub fn page(&mut self, name: &str, body: &str) -> &mut Case {
        self.page_with_head(name, "", body)
    }

    /// Sets a page with this in its head and this in its body, as UTF-8.
    pub fn page_with_head(&mut self, name: &str, head: &str, body: &str) -> &mut Case {
        let html = document(&self.path(name), head, body);
        self.answer(name, Response::html(html))
    }

    /// Sets a redirect; the location is sent verbatim.
    pub fn redirect(&mut self, name: &str, to: &str, status: u16) -> &mut Case {
        self.answer(name, Response::redirect(status, to))
    }

    /// Expects these pages in the sitemap. Pages without an answer so far become plain pages.
    pub fn lists(&mut self, names: &[&str]) -> &mut Case {
        self.leaves(names);
        self.listed.extend(names.iter().map(|name| (*name).to_owned()));
        self
    }

    /// Expects this page (the entry page for an empty name) to be excluded for this reason.
    pub fn excludes(&mut self, name: &str, reason: &str) -> &mut Case {
        self.leaves(&[name]);
        self.excluded.push((name.to_owned(), reason.to_owned()));
        self
    }

    /// Serves these pages without a link to them and expects that they are neither requested nor in the record.
    pub fn unknown(&mut self, names: &[&str]) -> &mut Case {
        self.leaves(names);
        self.unknown.extend(names.iter().map(|name| (*name).to_owned()));
        self
    }

    /// Expects that these pages are not requested; their status does not matter.
    pub fn not_requested(&mut self, names: &[&str]) -> &mut Case {
        self.leaves(names);
        self.not_requested.extend(names.iter().map(|name| (*name).to_owned()));
        self
    }

    /// Removes the entry page and the home page's link to it.
    pub fn unlinked(&mut self) -> &mut Case {
        self.linked = false;
        self
    }

    /// Returns true if the entry page belongs in the sitemap: it is linked, and not expected to be excluded.
    pub(crate) fn lists_entry(&self) -> bool {
        self.linked && !self.excluded.iter().any(|(name, _)| name.is_empty())
    }

    /// The answers of the site for this case: the entry page, then those that were set, in that order.
    pub(crate) fn answers(&self) -> Vec<(String, ServerAction)> {
        let mut answers = Vec::new();
        if self.linked {
            let html = document(&self.folder, &self.head, &self.body);
            let entry = self.headers.iter().fold(Response::html(html), |page, (name, value)| page.header(name, value));
            answers.push((self.folder.clone(), entry.into()));
        }
        answers.extend(self.answers.iter().cloned());
        answers
    }

    fn leaves(&mut self, names: &[&str]) {
        for name in names {
            let path = self.path(name);
            let here = !name.is_empty() && !name.contains("://");
            if here && !self.answers.iter().any(|(known, _)| *known == path) {
                // Inserted first, so that an answer that is set later takes precedence.
                let leaf = Response::html(document(&path, "", "<p>A leaf.</p>"));
                self.answers.insert(0, (path, leaf.into()));
            }
        }
    }
}

/// An HTML document with a text of its own, derived from its path, and with this head and body.
pub fn document(path: &str, head: &str, body: &str) -> String {
    let name = path.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<!doctype html>\n<html lang=en><head><title>Page {name}</title>{head}</head>\n\
         <body><h1>The page at {name}</h1>\n{body}\n</body></html>\n"
    )
}

/// An `a` element for each of these references, which are written verbatim.
pub fn links(references: &[&str]) -> String {
    references.iter().map(|reference| format!("<a href=\"{reference}\">a link</a>\n")).collect()
}
