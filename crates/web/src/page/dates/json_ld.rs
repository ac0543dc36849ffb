//! Dates in JSON-LD: those of the node that describes the page itself.

mod node;

use crate::date::WebDate;
use crate::page::facts::{Canonical, DateFrom, PageDate};
use crate::page::limits::Limits;
use crate::page_url::PageUrl;
use node::Node;

/// The maximum number of nodes read of one document.
const NODES: usize = 1_000;

/// The owner of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The page: the node names the page's URL, or a canonical.
    Page,
    /// The node names no URL.
    Nobody,
    /// Another page.
    Other,
}

/// The scripts of JSON-LD of a page.
pub(crate) struct JsonLd {
    /// The page's modification date (`dateModified`) and publication date (`datePublished`).
    pub(crate) dates: Vec<PageDate>,
    /// The number of scripts that are not JSON.
    pub(crate) malformed: u8,
}

/// Reads the scripts: each date from the page's own node if there is one, else from the first node that names no other
/// page. A script that is not JSON is skipped.
pub(crate) fn read(scripts: &[&str], canonicals: &[Canonical], page: &PageUrl, limits: &Limits) -> JsonLd {
    let (mut nodes, mut malformed) = (Vec::new(), 0_u8);
    for script in scripts.iter().map(|script| script.trim()).filter(|script| !script.is_empty()) {
        match node::read(script, NODES - nodes.len()) {
            Some(read) => nodes.extend(read),
            None => malformed = malformed.saturating_add(1),
        }
    }
    JsonLd { dates: dates(nodes, canonicals, page, limits), malformed }
}

fn dates(nodes: Vec<Node>, canonicals: &[Canonical], page: &PageUrl, limits: &Limits) -> Vec<PageDate> {
    let owned: Vec<(Owner, Node)> =
        nodes.into_iter().map(|node| (owner(&node, canonicals, page, limits), node)).collect();
    let modified = date(&owned, |node| node.modified.as_ref()).map(|date| PageDate { from: DateFrom::JsonLd, date });
    let published =
        date(&owned, |node| node.published.as_ref()).map(|date| PageDate { from: DateFrom::Published, date });
    modified.into_iter().chain(published).collect()
}

/// The owner of a node, by `url`, else by the page that it is the main entity of, else by `@id`.
fn owner(node: &Node, canonicals: &[Canonical], page: &PageUrl, limits: &Limits) -> Owner {
    let Some(named) = node.names() else { return Owner::Nobody };
    let Ok(url) = PageUrl::join(page.as_url(), named, encoding_rs::UTF_8, &limits.identity) else {
        return Owner::Nobody;
    };
    let is_canonical = canonicals.iter().any(|canonical| canonical.url.as_ref() == Some(&url));
    if url == *page || is_canonical { Owner::Page } else { Owner::Other }
}

fn date(nodes: &[(Owner, Node)], of: impl Fn(&Node) -> Option<&WebDate>) -> Option<WebDate> {
    let first = |wanted: Owner| nodes.iter().filter(|(owner, _)| *owner == wanted).find_map(|(_, node)| of(node));
    first(Owner::Page).or_else(|| first(Owner::Nobody)).cloned()
}
