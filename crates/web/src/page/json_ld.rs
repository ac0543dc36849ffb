//! Dates in JSON-LD: those of the node that is the page itself.

use super::facts::{Canonical, DateFrom, PageDate};
use super::limits::Limits;
use crate::date::WebDate;
use crate::page_url::PageUrl;
use serde_json::Value;

/// Types of schema.org whose nodes are pages or the page's main content, the `…Page`s and `…Article`s apart.
const TYPES: [&str; 20] = [
    "AnalysisNewsArticle",
    "APIReference",
    "BlogPosting",
    "Course",
    "CreativeWork",
    "Dataset",
    "DiscussionForumPosting",
    "Event",
    "HowTo",
    "JobPosting",
    "LiveBlogPosting",
    "Product",
    "RealEstateListing",
    "Recipe",
    "Report",
    "Review",
    "SocialMediaPosting",
    "SoftwareApplication",
    "TechArticle",
    "WebContent",
];

/// Nodes of one document that are looked at.
const NODES: usize = 1_000;

/// Whose a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The page's: it names the page's URL, or a canonical.
    Page,
    /// It names no URL.
    Nobody,
    /// Another page's.
    Other,
}

/// The page's modification date (`dateModified`) and publication date (`datePublished`), each from the page's own node
/// if there is one, else from the first node that names no other page. A script that is no JSON is passed over.
pub(crate) fn dates(scripts: &[&str], canonicals: &[Canonical], page: &PageUrl, limits: &Limits) -> Vec<PageDate> {
    let documents: Vec<Value> = scripts.iter().filter_map(|script| serde_json::from_str(script.trim()).ok()).collect();
    let mut nodes = Vec::new();
    for document in &documents {
        gather(document, &mut nodes);
    }
    let owned: Vec<(Owner, &Value)> =
        nodes.into_iter().map(|node| (owner(node, canonicals, page, limits), node)).collect();
    let wanted = [("dateModified", DateFrom::JsonLd), ("datePublished", DateFrom::Published)];
    wanted.iter().filter_map(|(key, from)| Some(PageDate { from: *from, date: date(&owned, key)? })).collect()
}

/// The nodes at the top of a document and in its `@graph`, and the main entities of those.
fn gather<'v>(value: &'v Value, nodes: &mut Vec<&'v Value>) {
    let members = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    for node in members.iter().filter(|node| node.is_object()) {
        if nodes.len() >= NODES {
            return;
        }
        if is_content(node) {
            nodes.push(node);
        }
        for key in ["@graph", "mainEntity"] {
            if let Some(inner) = node.get(key) {
                gather(inner, nodes);
            }
        }
    }
}

fn is_content(node: &Value) -> bool {
    let of = |name: &str| {
        let name = name.rsplit(['/', ':', '#']).next().unwrap_or_default();
        name.ends_with("Page") || name.ends_with("Article") || TYPES.contains(&name)
    };
    match node.get("@type") {
        Some(Value::String(name)) => of(name),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).any(of),
        _ => false,
    }
}

/// Whose node it is, by `url`, else the page that it is the main entity of, else `@id`.
fn owner(node: &Value, canonicals: &[Canonical], page: &PageUrl, limits: &Limits) -> Owner {
    let named = ["url", "mainEntityOfPage", "@id"].iter().find_map(|key| match node.get(*key)? {
        Value::String(url) => Some(url.as_str()),
        Value::Object(target) => target.get("@id")?.as_str(),
        _ => None,
    });
    let Some(named) = named else { return Owner::Nobody };
    let Ok(url) = PageUrl::join(page.as_url(), named, encoding_rs::UTF_8, &limits.identity) else {
        return Owner::Nobody;
    };
    let is_canonical = canonicals.iter().any(|canonical| canonical.url.as_ref() == Some(&url));
    if url == *page || is_canonical { Owner::Page } else { Owner::Other }
}

fn date(nodes: &[(Owner, &Value)], key: &str) -> Option<WebDate> {
    [Owner::Page, Owner::Nobody].iter().find_map(|wanted| {
        let own = nodes.iter().filter(|(owner, _)| owner == wanted);
        own.filter_map(|(_, node)| WebDate::parse_loose(node.get(key)?.as_str()?)).next()
    })
}
