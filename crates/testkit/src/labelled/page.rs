//! One page of a labelled site.

use crate::living::{Dice, prose};
use crate::response::Response;

/// Number of paragraphs of a page, unless it is given a text.
const PARAGRAPHS: usize = 3;
/// The header fields that protect the visitors of a site over http.
const PROTECTION: [(&str, &str); 3] = [
    ("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
];

/// A page without a fault: its text and title are its own, its canonical names itself, it links back to the site, the
/// home page and the hub link to it, and the sitemap lists it. A test then removes one property, because a page with
/// two faults would be found under a code that it was not made for.
#[derive(Debug, Clone)]
pub(super) struct Page {
    pub(super) path: String,
    title: String,
    /// The headings of the first level; the title, unless the page is given others.
    headings: Option<Vec<String>>,
    description: Option<String>,
    viewport: bool,
    /// The attributes of the `html` element.
    language: String,
    paragraphs: Vec<String>,
    canonical: Option<String>,
    head: String,
    body: String,
    headers: Vec<(String, String)>,
    media_type: Option<String>,
    /// The header fields that protect visitors are sent.
    protected: bool,
    navigation: bool,
    pub(super) linked: bool,
    pub(super) listed: bool,
}

impl Page {
    pub(super) fn at(path: &str) -> Page {
        let mut dice = Dice::of(&[key(path)]);
        Page {
            path: path.to_owned(),
            title: format!("{} ({path})", prose::phrase(&mut dice, 3)),
            headings: None,
            description: Some(format!("{} at {path}.", prose::phrase(&mut Dice::of(&[key(path), 1]), 6))),
            viewport: true,
            language: "lang=\"en\"".to_owned(),
            paragraphs: (0..PARAGRAPHS).map(|_| prose::paragraph(&mut dice)).collect(),
            canonical: Some(path.to_owned()),
            head: String::new(),
            body: String::new(),
            headers: Vec::new(),
            media_type: Some("text/html; charset=utf-8".to_owned()),
            protected: true,
            navigation: true,
            linked: true,
            listed: true,
        }
    }

    pub(super) fn title(mut self, title: &str) -> Page {
        title.clone_into(&mut self.title);
        self
    }

    /// Gives the page these headings of the first level.
    pub(super) fn headings(mut self, headings: &[&str]) -> Page {
        self.headings = Some(headings.iter().map(ToString::to_string).collect());
        self
    }

    pub(super) fn description(mut self, description: Option<&str>) -> Page {
        self.description = description.map(str::to_owned);
        self
    }

    pub(super) fn without_viewport(mut self) -> Page {
        self.viewport = false;
        self
    }

    /// Sets the attributes of the `html` element.
    pub(super) fn language(mut self, attributes: &str) -> Page {
        attributes.clone_into(&mut self.language);
        self
    }

    pub(super) fn paragraphs(mut self, paragraphs: Vec<String>) -> Page {
        self.paragraphs = paragraphs;
        self
    }

    /// Names this path of the site, or URL, as canonical.
    pub(super) fn canonical(mut self, to: &str) -> Page {
        self.canonical = Some(to.to_owned());
        self
    }

    pub(super) fn without_canonical(mut self) -> Page {
        self.canonical = None;
        self
    }

    /// Adds to the head.
    pub(super) fn head(mut self, html: &str) -> Page {
        self.head.push_str(html);
        self
    }

    /// Adds to the body.
    pub(super) fn body(mut self, html: &str) -> Page {
        self.body.push_str(html);
        self
    }

    /// Adds links to the body.
    pub(super) fn links(self, references: &[&str]) -> Page {
        let html: String = references.iter().map(|reference| link(reference, "", "On to")).collect();
        self.body(&html)
    }

    pub(super) fn header(mut self, name: &str, value: &str) -> Page {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn media_type(mut self, media_type: Option<&str>) -> Page {
        self.media_type = media_type.map(str::to_owned);
        self
    }

    /// Leaves out the header fields that protect visitors.
    pub(super) fn unprotected(mut self) -> Page {
        self.protected = false;
        self
    }

    /// Leaves out the links back to the site that every other page has.
    pub(super) fn without_navigation(mut self) -> Page {
        self.navigation = false;
        self
    }

    /// Neither the home page nor the hub links to it.
    pub(super) fn unlinked(mut self) -> Page {
        self.linked = false;
        self
    }

    /// The sitemap does not list it.
    pub(super) fn unlisted(mut self) -> Page {
        self.listed = false;
        self
    }

    /// Adds a robots tag with this content. Because that may exclude the page from the index, the sitemap does not list
    /// it.
    pub(super) fn robots(self, content: &str) -> Page {
        self.head(&format!("<meta name=\"robots\" content=\"{content}\">")).unlisted()
    }

    pub(super) fn html(&self, base: &str, root: &str) -> String {
        let canonical = self.canonical.as_ref().map_or_else(String::new, |to| {
            let to = if to.starts_with('/') { format!("{base}{to}") } else { to.clone() };
            format!("<link rel=\"canonical\" href=\"{}\">", escape(&to))
        });
        let title = escape(&self.title);
        let headings = self.headings.clone().unwrap_or_else(|| vec![title.clone()]);
        let headings: String = headings.iter().map(|heading| format!("<h1>{heading}</h1>\n")).collect();
        let title = if title.is_empty() { title } else { format!("<title>{title}</title>") };
        let description = self.description.as_ref().map_or_else(String::new, |description| {
            format!("<meta name=\"description\" content=\"{}\">", escape(description))
        });
        let viewport =
            if self.viewport { "<meta name=\"viewport\" content=\"width=device-width\">" } else { Default::default() };
        let language = &self.language;
        let text: String = self.paragraphs.iter().map(|paragraph| format!("<p>{paragraph}</p>\n")).collect();
        let back = if self.navigation {
            format!("<nav><a href=\"{root}\">Home</a> <a href=\"{root}hub\">All pages</a></nav>\n")
        } else {
            String::new()
        };
        format!(
            "<!doctype html>\n<html {language}><head><meta charset=\"utf-8\">{viewport}{title}{description}{canonical}{}</head>\n\
             <body>{headings}{text}{}{back}</body></html>\n",
            self.head, self.body
        )
    }

    pub(super) fn response(&self, base: &str, root: &str) -> Response {
        let mut response = Response::new(200).body(self.html(base, root));
        if let Some(media_type) = &self.media_type {
            response = response.content_type(media_type);
        }
        for (name, value) in PROTECTION.iter().filter(|_| self.protected) {
            response = response.header(name, value);
        }
        self.headers.iter().fold(response, |response, (name, value)| response.header(name, value))
    }
}

/// A link in a paragraph of its own.
pub(super) fn link(reference: &str, attributes: &str, words: &str) -> String {
    let reference = escape(reference);
    format!("<p><a href=\"{reference}\"{attributes}>{words} {reference}</a></p>\n")
}

/// Escapes a text for an attribute or for text content.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A hash of a text, so that the generated content is always the same (FNV-1a).
pub(super) fn key(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
