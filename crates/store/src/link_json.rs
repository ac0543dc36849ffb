//! A link as a set holds it: JSON, so that views can read it.

use crate::names::{KINDS, REGIONS, kind_code};
use crate::targets::Targets;
use mapwright_engine::LinkRef;
use mapwright_web::page::facts::{LinkKind, Region, Rel};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::fmt::{self, Write as _};

/// A link read back.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoredLink {
    pub(crate) target: u32,
    pub(crate) kind: LinkKind,
    pub(crate) rel: Rel,
    pub(crate) region: Region,
    /// Its text; none where it is the usual one of the target.
    pub(crate) anchor: Option<String>,
    pub(crate) fragment: Option<String>,
}

/// Adds a link to the text of a set. `usual`: its text is the usual one of the target.
pub(crate) fn push(json: &mut String, target: u32, link: &LinkRef, usual: bool) {
    let rel = u8::from(link.rel.nofollow) | u8::from(link.rel.ugc) << 1 | u8::from(link.rel.sponsored) << 2;
    // Writing to a String cannot fail.
    if usual && rel == 0 && link.kind == LinkKind::Anchor && link.fragment.is_none() {
        let _ = write!(json, "{target}");
        return;
    }
    let _ = write!(json, "[{target},{},{rel},", kind_code(link.kind));
    push_text(json, Some(&link.anchor).filter(|_| !usual));
    if link.fragment.is_some() {
        json.push(',');
        push_text(json, link.fragment.as_ref());
    }
    json.push(']');
}

fn push_text(json: &mut String, text: Option<&String>) {
    // A text has no form that JSON could not hold.
    json.push_str(&serde_json::to_string(&text).unwrap_or_else(|_| "null".to_owned()));
}

/// The links of a set's text.
pub(crate) fn read(region: usize, json: &str) -> Vec<StoredLink> {
    let region = REGIONS.get(region).map_or(Region::Body, |(region, _)| *region);
    let links = match plain_targets(json) {
        Some(targets) => targets.into_iter().map(|target| Item::new(target, 0, 0, None, None)).collect(),
        None => serde_json::from_str(json).unwrap_or_else(|_| Vec::new()),
    };
    links.into_iter().map(|Item(link)| StoredLink { region, ..link }).collect()
}

/// Where the links of a set's text lead that are followed.
pub(crate) fn targets(json: &str) -> Targets {
    if let Some(targets) = plain_targets(json) {
        return Targets { open: targets.into(), nofollow: Box::default() };
    }
    let links: Vec<Item> = serde_json::from_str(json).unwrap_or_default();
    let (nofollow, open): (Vec<Item>, Vec<Item>) =
        links.into_iter().filter(|Item(link)| link.kind.followed()).partition(|Item(link)| link.rel.nofollow);
    let numbers = |items: Vec<Item>| items.iter().map(|Item(link)| link.target).collect();
    Targets { open: numbers(open), nofollow: numbers(nofollow) }
}

/// The targets of a set of nothing but numbers, as most are: judging reads every one of them.
fn plain_targets(json: &str) -> Option<Vec<u32>> {
    let numbers = json.strip_prefix('[')?.strip_suffix(']')?;
    let mut targets = Vec::with_capacity(numbers.len() / 4 + 1);
    let mut number: Option<u32> = None;
    for byte in numbers.bytes() {
        match byte {
            b'0'..=b'9' => number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(u32::from(byte - b'0'))?),
            b',' => targets.push(number.take()?),
            _ => return None,
        }
    }
    targets.push(number?);
    Some(targets)
}

/// One element of a set's array.
struct Item(StoredLink);

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
    use mapwright_frontier::{Target, UrlId};

    fn link(kind: LinkKind, anchor: &str, fragment: Option<&str>) -> LinkRef {
        LinkRef {
            target: Target::Known(UrlId(7)),
            kind,
            rel: Rel { nofollow: kind == LinkKind::Area, ..Rel::default() },
            region: Region::Main,
            anchor: anchor.to_owned(),
            fragment: fragment.map(str::to_owned),
        }
    }

    #[test]
    fn a_set_of_numbers_alone_and_one_of_nothing_are_read() {
        let targets = |json| read(1, json).iter().map(|link| link.target).collect::<Vec<_>>();
        assert_eq!(targets("[3,1,4294967295]"), [3, 1, u32::MAX]);
        assert_eq!(targets("[]"), [0_u32; 0]);
        assert_eq!(targets("[3,[1,0,0,\"text\"]]"), [3, 1]);
        assert_eq!(targets("no set at all"), [0_u32; 0]);
        assert_eq!(targets("[3,,1]"), [0_u32; 0]);
        assert_eq!(targets("[4294967296]"), [0_u32; 0]);
    }

    #[test]
    fn targets_are_those_of_followed_links_and_nofollow_stands_apart() {
        let both = targets(r#"[3,[4,0,1,"sold"],[5,8,0,""],[6,0,0,"own"]]"#);
        assert_eq!((&*both.open, &*both.nofollow), (&[3, 6][..], &[4][..]));
        assert_eq!(&*targets("[3,1]").open, [3, 1]);
    }

    #[test]
    fn what_is_usual_is_a_number_and_all_else_comes_back_as_it_was() {
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
        let read = read(3, &json);
        assert_eq!(read.len(), links.len());
        for (read, (link, usual, _)) in read.iter().zip(&links) {
            let anchor = Some(link.anchor.clone()).filter(|_| !usual);
            let (kind, rel, region, fragment) = (link.kind, link.rel, link.region, link.fragment.clone());
            let expected = StoredLink { target: 7, kind, rel, region, anchor, fragment };
            assert_eq!(*read, expected);
        }
    }
}
