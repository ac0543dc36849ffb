//! Duplicate pages.

use super::page::{Page, key};
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;
use crate::living::{Dice, prose};

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![exact(), near(), titles(), forms()]
}

impl SiteBuilder {
    /// Serves the same page at each of these paths.
    fn same(&mut self, paths: &[&str]) -> &mut SiteBuilder {
        let base = self.url("");
        let body = Page::at(paths.first().copied().unwrap_or_default()).without_canonical().response(&base, "/");
        for path in paths {
            self.answer(path, body.clone()).list(path);
        }
        self
    }

    /// Serves different pages, which name no canonical either.
    fn different(&mut self, paths: &[&str]) -> &mut SiteBuilder {
        for path in paths {
            self.put(Page::at(path).without_canonical());
        }
        self
    }
}

fn exact() -> LabelledSite {
    let mut site = SiteBuilder::new("same-bytes", &["dup-exact"]);
    let page = |text: &str| Page::at("/nearly").title("Nearly").without_canonical().body(text);
    let base = site.url("");
    site.plain(5)
        .same(&["/one", "/two", "/three"])
        .same(&["/left", "/right"])
        .answer("/nearly", page("<p>Nearly.</p>").response(&base, "/"))
        .answer("/nearly-too", page("<p>Nearly!</p>").response(&base, "/"))
        .has_group("dup-exact", &["/one", "/two", "/three"])
        .has_group("dup-exact", &["/left", "/right"])
        .unlike_group("dup-exact", &["/nearly", "/nearly-too"], "one byte differs");
    site.open()
}

/// Many paragraphs, so that a share of the paragraphs is close to that share of the words: one word in one paragraph of
/// a hundred and fifty.
fn near() -> LabelledSite {
    const PARAGRAPHS: usize = 150;
    let text = |seed: &str, count: usize| -> Vec<String> {
        let mut dice = Dice::of(&[key(seed)]);
        (0..count).map(|_| prose::paragraph(&mut dice)).collect()
    };
    let mut site = SiteBuilder::new("near-text", &["dup-near"]);
    let base = text("near", PARAGRAPHS);
    let mut altered = base.clone();
    if let Some(paragraph) = altered.get_mut(PARAGRAPHS / 2) {
        paragraph.push_str(" Otherwise.");
    }
    site.plain(5)
        .put(Page::at("/near").paragraphs(base))
        .put(Page::at("/near-too").paragraphs(altered))
        .has_group("dup-near", &["/near", "/near-too"]);
    for path in ["/half", "/half-too"] {
        let common = text("common", PARAGRAPHS / 2);
        site.put(Page::at(path).paragraphs([common, text(path, PARAGRAPHS / 2)].concat()));
    }
    site.unlike_group("dup-near", &["/half", "/half-too"], "half of the text is each page's own").unlike_group(
        "dup-near",
        &["/plain/1", "/plain/2"],
        "only the frame is the same",
    );
    site.open()
}

fn titles() -> LabelledSite {
    let mut site = SiteBuilder::new("titles", &["dup-title"]);
    for path in ["/a", "/b", "/c"] {
        site.put(Page::at(path).title("Garden chairs"));
    }
    site.plain(5)
        .put(Page::at("/summer").title("Garden tables: summer"))
        .put(Page::at("/winter").title("Garden tables: winter"))
        .put(Page::at("/quoted").body("<h2>Garden chairs</h2>"))
        .has_group("dup-title", &["/a", "/b", "/c"])
        .unlike_group("dup-title", &["/summer", "/winter"], "the last word differs")
        .unlike_group("dup-title", &["/a", "/quoted"], "a heading of the same words, under a title of its own");
    site.open()
}

/// One page at two spellings of its URL, and two pages at spellings that differ as little.
fn forms() -> LabelledSite {
    let about = ["dup-slash", "dup-index", "dup-case", "dup-param-order", "dup-session"];
    let mut site = SiteBuilder::new("spellings", &about);
    let session = |letter: &str| format!("/item?PHPSESSID={}", letter.repeat(32));
    let (first, second) = (session("a"), session("b"));
    let why = "each is a page of its own";
    for (code, same, different) in [
        ("dup-slash", ["/twin", "/twin/"], ["/pair", "/pair/"]),
        ("dup-index", ["/index-twin/", "/index-twin/index.html"], ["/index-pair/", "/index-pair/index.html"]),
        ("dup-case", ["/Case", "/case"], ["/Form", "/form"]),
        ("dup-param-order", ["/list?a=1&b=2", "/list?b=2&a=1"], ["/lisp?a=1&b=2", "/lisp?b=2&a=1"]),
    ] {
        site.same(&same).different(&different).has_group(code, &same).unlike_group(code, &different, why);
    }
    site.plain(5)
        .same(&[&first, &second])
        .same(&["/goods?id=11", "/goods?id=12"])
        .same(&["/fruit", "/fruits"])
        .has_group("dup-session", &[&first, &second])
        .unlike_group("dup-session", &["/goods?id=11", "/goods?id=12"], "equal pages, but an id is no session")
        .unlike_group("dup-slash", &["/fruit", "/fruits"], "equal pages, and it is no slash that is too much")
        .unlike_group("dup-param-order", &["/goods?id=11", "/goods?id=12"], "the value differs, not the order");
    site.open()
}
