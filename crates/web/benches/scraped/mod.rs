//! Reads the facts of a page in one walk from the tree that `scraper` builds: the cost if mapwright did not read pages
//! itself. Links are not resolved here.

use scraper::{ElementRef, Html, Node};
use std::hash::{DefaultHasher, Hasher};

/// The counted facts of a page.
#[derive(Debug, Default)]
pub(crate) struct Scraped {
    links: Vec<(String, String, String)>,
    title: Option<String>,
    named: Vec<(String, String)>,
    headings: Vec<(String, String)>,
    ids: Vec<String>,
    scripts: usize,
    text_bytes: usize,
    blocks: Vec<u64>,
}

/// The facts of a page.
pub(crate) fn facts(page: &str) -> Scraped {
    let tree = Html::parse_document(page);
    let mut facts = Scraped::default();
    for node in tree.tree.root().descendants() {
        match node.value() {
            Node::Element(_) => {
                if let Some(element) = ElementRef::wrap(node) {
                    facts.element(&element);
                }
            }
            Node::Text(text) => {
                let hidden = |name: &str| matches!(name, "script" | "style" | "noscript" | "template" | "title");
                let above = node.parent().and_then(ElementRef::wrap);
                if above.is_some_and(|above| !hidden(above.value().name())) {
                    facts.text(text);
                }
            }
            _ => {}
        }
    }
    facts
}

impl Scraped {
    fn element(&mut self, element: &ElementRef<'_>) {
        let given = |name: &str| element.attr(name).unwrap_or_default().to_owned();
        if let Some(id) = element.attr("id") {
            self.ids.push(id.to_owned());
        }
        match element.value().name() {
            "a" | "area" if element.attr("href").is_some() => {
                self.links.push((given("href"), given("rel"), text_of(element)));
            }
            "link" => self.links.push((given("href"), given("rel"), given("hreflang"))),
            "img" | "iframe" | "frame" => self.links.push((given("src"), String::new(), given("alt"))),
            "script" => self.scripts += 1,
            "title" if self.title.is_none() => self.title = Some(text_of(element)),
            "meta" => self.named.push((given("name") + &given("property") + &given("http-equiv"), given("content"))),
            "html" => self.named.push(("lang".to_owned(), given("lang"))),
            name @ ("h1" | "h2" | "h3" | "h4" | "h5" | "h6") => {
                self.headings.push((name.to_owned(), text_of(element)));
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        let mut hasher = DefaultHasher::new();
        let mut bytes = 0;
        for word in text.split_ascii_whitespace() {
            hasher.write(word.as_bytes());
            bytes += word.len();
        }
        if bytes > 0 {
            self.text_bytes += bytes;
            self.blocks.push(hasher.finish());
        }
    }
}

/// The text of an element with its white space collapsed.
fn text_of(element: &ElementRef<'_>) -> String {
    let mut text = String::new();
    for word in element.text().flat_map(str::split_ascii_whitespace) {
        text.push_str(if text.is_empty() { "" } else { " " });
        text.push_str(word);
    }
    text
}
