//! The links of a page, as a visit stores them.

use crate::discovery::Target;
use mapwright_web::page::facts::{LinkKind, Region, Rel};
use std::collections::HashSet;

/// A reference from a page to a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkRef<'t> {
    /// The element that gave the link.
    pub kind: LinkKind,
    /// Its `rel`.
    pub rel: Rel,
    /// The region of the page with the link.
    pub region: Region,
    /// Its text.
    pub anchor: &'t str,
    /// Its fragment; an empty one is none.
    pub fragment: Option<&'t str>,
}

/// The links and resources of a page, in order. One string has the texts of all links, so that a page costs few
/// allocations and the record's thread reads contiguous memory.
#[derive(Debug, Clone, Default)]
pub struct Links {
    links: Vec<Kept>,
    /// The anchor and the fragment of each link, in turn.
    texts: String,
}

#[derive(Debug, Clone)]
struct Kept {
    /// The target, by ID or by key.
    target: Target,
    kind: LinkKind,
    rel: Rel,
    region: Region,
    anchor_bytes: usize,
    /// 0 without a fragment.
    fragment_bytes: usize,
}

impl Links {
    /// Returns an empty list with room for `links` links.
    #[must_use]
    pub fn with_capacity(links: usize) -> Self {
        Links { links: Vec::with_capacity(links), texts: String::new() }
    }

    /// Adds the next link.
    pub fn push(&mut self, target: Target, link: LinkRef<'_>) {
        let LinkRef { kind, rel, region, anchor, fragment } = link;
        let fragment = fragment.unwrap_or_default();
        self.texts.push_str(anchor);
        self.texts.push_str(fragment);
        let (anchor_bytes, fragment_bytes) = (anchor.len(), fragment.len());
        self.links.push(Kept { target, kind, rel, region, anchor_bytes, fragment_bytes });
    }

    /// Returns the links, each with its target.
    pub fn iter(&self) -> impl Iterator<Item = (&Target, LinkRef<'_>)> {
        let mut texts = self.texts.as_str();
        let mut take = move |bytes| {
            let text;
            (text, texts) = texts.split_at_checked(bytes).unwrap_or_default();
            text
        };
        self.links.iter().map(move |kept| {
            let Kept { target, kind, rel, region, anchor_bytes, fragment_bytes } = kept;
            let (anchor, fragment) = (take(*anchor_bytes), take(*fragment_bytes));
            let fragment = Some(fragment).filter(|fragment| !fragment.is_empty());
            (target, LinkRef { kind: *kind, rel: *rel, region: *region, anchor, fragment })
        })
    }

    /// Adds those of other links whose target and kind are not here yet. Returns the targets of the links to pages that
    /// were added.
    pub fn add_missing(&mut self, others: &Links) -> Vec<Target> {
        let mut known: HashSet<(LinkId, LinkKind)> =
            self.links.iter().map(|kept| (id(&kept.target), kept.kind)).collect();
        let mut added = Vec::new();
        for (target, link) in others.iter() {
            if known.insert((id(target), link.kind)) {
                if link.kind.followed() {
                    added.push(target.clone());
                }
                self.push(target.clone(), link);
            }
        }
        added
    }

    /// Returns the number of links.
    #[must_use]
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Reports whether there are no links.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Removes all links.
    pub fn clear(&mut self) {
        self.links.clear();
        self.texts.clear();
    }
}

/// The part that distinguishes one target from another: its ID, or the key of a new one.
type LinkId = (bool, u64);

fn id(target: &Target) -> LinkId {
    match target {
        Target::Known(id) => (true, u64::from(id.0)),
        Target::New(key, _) => (false, key.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::UrlId;

    #[test]
    fn missing_links_are_added_once() {
        let link = |kind| LinkRef { kind, rel: Rel::default(), region: Region::Body, anchor: "x", fragment: None };
        let list = |links: &[(u32, LinkKind)]| {
            let mut list = Links::default();
            links.iter().for_each(|(id, kind)| list.push(Target::Known(UrlId(*id)), link(*kind)));
            list
        };
        let mut links = list(&[(1, LinkKind::Anchor), (2, LinkKind::Image)]);
        let others = [(2, LinkKind::Anchor), (1, LinkKind::Anchor), (3, LinkKind::Image), (2, LinkKind::Anchor)];
        assert_eq!(links.add_missing(&list(&others)), [Target::Known(UrlId(2))]);
        assert_eq!(links.len(), 4);
    }

    #[test]
    fn each_link_comes_back_with_its_own_texts() {
        let texts = [("Home", None), ("", Some("top")), ("", None), ("née", Some("é")), ("last", Some("end"))];
        let link = |(anchor, fragment)| LinkRef {
            kind: LinkKind::Anchor,
            rel: Rel::default(),
            region: Region::Nav,
            anchor,
            fragment,
        };
        let mut links = Links::with_capacity(2);
        for (number, text) in texts.into_iter().enumerate() {
            links.push(Target::Known(UrlId(number as u32)), link(text));
        }
        let expected: Vec<_> = (0_u32..).map(|number| Target::Known(UrlId(number))).zip(texts.map(link)).collect();
        assert_eq!(links.iter().map(|(target, link)| (target.clone(), link)).collect::<Vec<_>>(), expected);
        assert_eq!(links.len(), 5);
        links.clear();
        assert!(links.is_empty() && links.iter().next().is_none());
    }
}
