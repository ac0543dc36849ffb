//! The nodes of a JSON-LD script, with their owners and dates.
//!
//! A script is read as a stream, and only the relevant fields are kept: a tree would take a hundred times the size of a
//! page of small objects.

use crate::date::WebDate;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Types of schema.org whose nodes are pages or the page's main content, besides the `…Page`s and `…Article`s.
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

/// A node whose type is a page, or the main content of one.
#[derive(Debug, Default)]
pub(super) struct Node {
    url: Option<String>,
    main_entity_of: Option<String>,
    id: Option<String>,
    /// `dateModified`.
    pub(super) modified: Option<WebDate>,
    /// `datePublished`.
    pub(super) published: Option<WebDate>,
}

impl Node {
    /// The URL of the page that it names.
    pub(super) fn names(&self) -> Option<&str> {
        [&self.url, &self.main_entity_of, &self.id].into_iter().find_map(Option::as_deref)
    }
}

/// The top-level nodes of a script, those in its `@graph`, and their main entities; `most` at most. `None` if the script
/// is not JSON.
pub(super) fn read(script: &str, most: usize) -> Option<Vec<Node>> {
    let mut nodes = Vec::new();
    let mut json = serde_json::Deserializer::from_str(script);
    let parsed = Of(Members { nodes: &mut nodes, most }).deserialize(&mut json).and_then(|()| json.end());
    parsed.is_ok().then_some(nodes)
}

/// Reads a value; by default nothing is kept of it.
trait Take<'de>: Sized {
    fn text(self, _text: &str) {}

    fn list<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn object<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

/// A visitor for a value of any kind.
struct Of<T>(T);

impl<'de, T: Take<'de>> DeserializeSeed<'de> for Of<T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de, T: Take<'de>> Visitor<'de> for Of<T> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.0.text(text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        self.0.list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<(), A::Error> {
        self.0.object(object)
    }
}

/// One node, or a list of them.
struct Members<'n> {
    nodes: &'n mut Vec<Node>,
    most: usize,
}

impl<'de> Take<'de> for Members<'_> {
    fn list<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Of(Member { nodes: self.nodes, most: self.most }))?.is_some() {}
        Ok(())
    }

    fn object<A: MapAccess<'de>>(self, object: A) -> Result<(), A::Error> {
        Member { nodes: self.nodes, most: self.most }.object(object)
    }
}

struct Member<'n> {
    nodes: &'n mut Vec<Node>,
    most: usize,
}

/// The relevant keys of a node.
#[derive(Debug, Deserialize)]
#[serde(field_identifier)]
enum Key {
    #[serde(rename = "@type")]
    Type,
    #[serde(rename = "@graph")]
    Graph,
    #[serde(rename = "mainEntity")]
    MainEntity,
    #[serde(rename = "url")]
    Url,
    #[serde(rename = "mainEntityOfPage")]
    MainEntityOfPage,
    #[serde(rename = "@id")]
    Id,
    #[serde(rename = "dateModified")]
    Modified,
    #[serde(rename = "datePublished")]
    Published,
    #[serde(other)]
    Other,
}

impl<'de> Take<'de> for Member<'_> {
    fn object<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let most = self.most.saturating_sub(self.nodes.len());
        let (mut node, mut is_content) = (Node::default(), false);
        // Nested nodes come after their parent, wherever its type is in the object.
        let mut inner = Vec::new();
        while let Some(key) = object.next_key()? {
            match key {
                Key::Type => object.next_value_seed(Of(Types(&mut is_content)))?,
                Key::Graph | Key::MainEntity => object.next_value_seed(Of(Members { nodes: &mut inner, most }))?,
                Key::Url => object.next_value_seed(Of(Named(&mut node.url)))?,
                Key::MainEntityOfPage => object.next_value_seed(Of(Named(&mut node.main_entity_of)))?,
                Key::Id => object.next_value_seed(Of(Named(&mut node.id)))?,
                Key::Modified => object.next_value_seed(Of(Date(&mut node.modified)))?,
                Key::Published => object.next_value_seed(Of(Date(&mut node.published)))?,
                Key::Other => drop(object.next_value::<IgnoredAny>()?),
            }
        }
        self.nodes.extend(is_content.then_some(node).into_iter().chain(inner).take(most));
        Ok(())
    }
}

/// Sets the flag if one of the types is that of a page.
struct Types<'n>(&'n mut bool);

impl<'de> Take<'de> for Types<'_> {
    fn text(self, name: &str) {
        let name = name.rsplit(['/', ':', '#']).next().unwrap_or_default();
        *self.0 |= name.ends_with("Page") || name.ends_with("Article") || TYPES.contains(&name);
    }

    fn list<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Of(Types(self.0)))?.is_some() {}
        Ok(())
    }
}

/// A URL, or the `@id` of an object.
struct Named<'n>(&'n mut Option<String>);

impl<'de> Take<'de> for Named<'_> {
    fn text(self, url: &str) {
        *self.0 = Some(url.to_owned());
    }

    fn object<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(key) = object.next_key()? {
            match key {
                Key::Id => object.next_value_seed(Of(Id(self.0)))?,
                _ => drop(object.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

struct Id<'n>(&'n mut Option<String>);

impl Take<'_> for Id<'_> {
    fn text(self, url: &str) {
        *self.0 = Some(url.to_owned());
    }
}

struct Date<'n>(&'n mut Option<WebDate>);

impl Take<'_> for Date<'_> {
    fn text(self, text: &str) {
        *self.0 = WebDate::parse_loose(text);
    }
}
