//! The JSON form of a link in a set of links, which SQL views can read.

use crate::schema::json::Json;
use crate::schema::names::{KINDS, REGIONS, kind_code};
use mapwright_model::LinkRef;
use mapwright_web::page::facts::{LinkKind, Region, Rel};
use rusqlite::Row;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::fmt;

/// A link read from the record.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoredLink {
    pub(crate) target: u32,
    pub(crate) kind: LinkKind,
    pub(crate) rel: Rel,
    pub(crate) region: Region,
    /// Its text; `None` where it is the usual one of the target.
    pub(crate) anchor: Option<String>,
    pub(crate) fragment: Option<String>,
}

/// The bits of the `rel` tokens.
pub(crate) fn rel_code(rel: Rel) -> u8 {
    u8::from(rel.nofollow) | u8::from(rel.ugc) << 1 | u8::from(rel.sponsored) << 2
}

/// Appends a link to the JSON of a set. `usual`: its text is the usual one of the target.
pub(crate) fn push(json: &mut String, target: u32, link: &LinkRef<'_>, usual: bool) {
    let rel = rel_code(link.rel);
    let mut digits = itoa::Buffer::new();
    if usual && rel == 0 && link.kind == LinkKind::Anchor && link.fragment.is_none() {
        json.push_str(digits.format(target));
        return;
    }
    json.push('[');
    json.push_str(digits.format(target));
    json.push(',');
    json.push_str(digits.format(kind_code(link.kind)));
    json.push(',');
    json.push_str(digits.format(rel));
    json.push(',');
    push_text(json, Some(link.anchor).filter(|_| !usual));
    if link.fragment.is_some() {
        json.push(',');
        push_text(json, link.fragment);
    }
    json.push(']');
}

fn push_text(json: &mut String, text: Option<&str>) {
    let Some(text) = text else { return json.push_str("null") };
    // Most texts need no escaping in JSON.
    let odd = |byte: u8| byte < b' ' || matches!(byte, b'"' | b'\\');
    if text.bytes().fold(false, |any, byte| any | odd(byte)) {
        // Serialising a string cannot fail.
        json.push_str(&serde_json::to_string(text).unwrap_or_else(|_| "null".to_owned()));
    } else {
        json.push('"');
        json.push_str(text);
        json.push('"');
    }
}

/// Reads the links of a set: its region is in the column `at`, its links are in the next one.
pub(crate) fn read(row: &Row<'_>, at: usize) -> rusqlite::Result<Vec<StoredLink>> {
    let Json(links) = row.get(at + 1)?;
    Ok(of_items(row.get(at)?, links))
}

/// The links of one region from their stored form.
pub(crate) fn of_items(region: usize, links: Vec<Item>) -> Vec<StoredLink> {
    let region = REGIONS.get(region).map_or(Region::Body, |(region, _)| *region);
    links.into_iter().map(|Item(link)| StoredLink { region, ..link }).collect()
}

/// One element of a set's array.
pub(crate) struct Item(StoredLink);

impl Item {
    fn new(target: u32, kind: usize, rel: u8, anchor: Option<String>, fragment: Option<String>) -> Self {
        let kind = KINDS.get(kind).map_or(LinkKind::Anchor, |(kind, _)| *kind);
        let rel = Rel { nofollow: rel & 1 != 0, ugc: rel & 2 != 0, sponsored: rel & 4 != 0 };
        Self(StoredLink { target, kind, rel, region: Region::Body, anchor, fragment })
    }
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ItemVisitor)
    }
}

struct ItemVisitor;

impl<'de> Visitor<'de> for ItemVisitor {
    type Value = Item;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or an array")
    }

    fn visit_u64<E: Error>(self, target: u64) -> Result<Item, E> {
        u32::try_from(target).map(|target| Item::new(target, 0, 0, None, None)).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Item, A::Error> {
        let missing = |name| move || A::Error::missing_field(name);
        let target = seq.next_element()?.ok_or_else(missing("target"))?;
        let kind = seq.next_element()?.ok_or_else(missing("kind"))?;
        let rel = seq.next_element()?.ok_or_else(missing("rel"))?;
        let anchor = seq.next_element()?.unwrap_or_default();
        let fragment = seq.next_element()?.unwrap_or_default();
        while seq.next_element::<serde::de::IgnoredAny>()?.is_some() {}
        Ok(Item::new(target, kind, rel, anchor, fragment))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link<'t>(kind: LinkKind, anchor: &'t str, fragment: Option<&'t str>) -> LinkRef<'t> {
        LinkRef {
            kind,
            rel: Rel { nofollow: kind == LinkKind::Area, ..Rel::default() },
            region: Region::Main,
            anchor,
            fragment,
        }
    }

    #[test]
    fn sets_of_numbers_alone_and_empty_sets_are_read() {
        let targets = |json| {
            let links = of_items(1, serde_json::from_str(json).ok()?);
            Some(links.iter().map(|link| link.target).collect::<Vec<_>>())
        };
        assert_eq!(targets("[3,1,4294967295]"), Some(vec![3, 1, u32::MAX]));
        assert_eq!(targets("[]"), Some(Vec::new()));
        assert_eq!(targets("[3,[1,0,0,\"text\"]]"), Some(vec![3, 1]));
        for odd in ["no set at all", "[3,,1]", "[4294967296]"] {
            assert_eq!(targets(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_link_with_the_usual_text_is_a_number_and_other_links_come_back_unchanged() {
        let links = [
            (link(LinkKind::Anchor, "Home", None), true, "7"),
            (link(LinkKind::Anchor, "", None), false, r#"[7,0,0,""]"#),
            (link(LinkKind::Anchor, "Home", Some("top")), true, r#"[7,0,0,null,"top"]"#),
            (link(LinkKind::Area, "a \"b\"\n", None), false, r#"[7,1,1,"a \"b\"\n"]"#),
            (link(LinkKind::Image, "", None), false, r#"[7,8,0,""]"#),
        ];
        let mut json = String::from("[");
        for (at, (link, usual, expected)) in links.iter().enumerate() {
            let before = json.len() + usize::from(at > 0);
            json.push_str(if at > 0 { "," } else { "" });
            push(&mut json, 7, link, *usual);
            assert_eq!(json.get(before..), Some(*expected));
        }
        json.push(']');
        let read = of_items(3, serde_json::from_str(&json).unwrap());
        assert_eq!(read.len(), links.len());
        for (read, (link, usual, _)) in read.iter().zip(&links) {
            let anchor = Some(link.anchor.to_owned()).filter(|_| !usual);
            let (kind, rel, region, fragment) = (link.kind, link.rel, link.region, link.fragment.map(str::to_owned));
            let expected = StoredLink { target: 7, kind, rel, region, anchor, fragment };
            assert_eq!(*read, expected);
        }
    }
}
