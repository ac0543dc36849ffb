//! The tokenizer's states (HTML 13.2.5), one small document each, with its links and title written by hand from the
//! standard. The reader must agree, and so must a browser's tree, which checks the expectations.

#[path = "../oracle/mod.rs"]
mod oracle;

mod attributes;
mod comments;
mod declarations;
mod foreign;
mod raw_text;
mod references;
mod scripts;
mod tags;

use std::collections::BTreeSet;

/// One document, and the expected facts.
pub(crate) struct Case {
    what: &'static str,
    html: &'static str,
    links: &'static [&'static str],
    title: Option<&'static str>,
    /// The reason for a deliberate difference from the tree.
    unlike_the_tree: Option<&'static str>,
}

/// A document with these links, relative to its folder, in this order; `html` has no title unless one is given.
pub(crate) const fn case(what: &'static str, html: &'static str, links: &'static [&'static str]) -> Case {
    Case { what, html, links, title: None, unlike_the_tree: None }
}

impl Case {
    pub(crate) const fn titled(self, title: &'static str) -> Self {
        Case { title: Some(title), ..self }
    }

    pub(crate) const fn unlike_the_tree(self, why: &'static str) -> Self {
        Case { unlike_the_tree: Some(why), ..self }
    }

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut fault = |who: &str, found: String, expected: String| {
            faults.push(format!("{}: {:?}\n  {who}: {found}, expected: {expected}", self.what, self.html));
        };
        let facts = oracle::facts(self.html);
        let followed = facts.links.iter().filter(|link| link.kind.followed());
        let urls: Vec<&str> =
            followed.map(|link| link.url.as_ref().map_or("broken", |url| short(url.as_str()))).collect();
        if urls != self.links {
            fault("links read", format!("{urls:?}"), format!("{:?}", self.links));
        }
        if facts.title.as_deref() != self.title {
            fault("title read", format!("{:?}", facts.title), format!("{:?}", self.title));
        }
        let tree = oracle::theirs(self.html);
        let in_tree: BTreeSet<&str> = tree.links.iter().map(|(_, url)| short(url)).collect();
        let expected: BTreeSet<&str> = self.links.iter().copied().collect();
        let title = tree.titles.first().map(String::as_str);
        let alike = in_tree == expected && title == self.title;
        if alike == self.unlike_the_tree.is_some() {
            let expected = match self.unlike_the_tree {
                Some(why) => format!("something else, since {why}"),
                None => format!("{expected:?} {:?}", self.title),
            };
            fault("in the tree", format!("{in_tree:?} {title:?}"), expected);
        }
        faults
    }
}

/// A URL without the folder of the page.
fn short(url: &str) -> &str {
    url.strip_prefix("http://example.test/dir/").unwrap_or(url)
}

#[track_caller]
pub(crate) fn check(cases: &[Case]) {
    let faults: Vec<String> = cases.iter().flat_map(Case::faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
