//! Reads only the targets of the clickable links of a set. Judging reads every set once, so this must be fast.

use crate::schema::names::KINDS;
use memchr::memchr2;

/// The targets of the clickable links in the JSON of a set; none if it is malformed.
pub(crate) fn targets(json: &str) -> Targets {
    Walk { rest: json.as_bytes() }.targets().unwrap_or_default()
}

/// A parser of the JSON of a set as [`crate::write::link_json::push`] writes it.
struct Walk<'t> {
    rest: &'t [u8],
}

/// One link: its target, the code of its kind, the bits of its `rel`.
type Item = (u32, u32, u32);

impl Walk<'_> {
    fn targets(mut self) -> Option<Targets> {
        // A link takes at least four bytes, unless the site is very small.
        let mut open = Vec::with_capacity(self.rest.len() / 8 + 1);
        let mut nofollow = Vec::new();
        self.take(b'[')?;
        if self.take(b']').is_none() {
            loop {
                let (target, kind, rel) = self.item()?;
                let clicked = KINDS.get(kind as usize).is_none_or(|(kind, _)| kind.clicked());
                match rel & 1 {
                    _ if !clicked => {}
                    0 => open.push(target),
                    _ => nofollow.push(target),
                }
                if self.take(b',').is_none() {
                    break;
                }
            }
            self.take(b']')?;
        }
        self.rest.is_empty().then(|| Targets { open: open.into(), nofollow: nofollow.into() })
    }

    /// Parses a link: the number of its target alone, or an array that begins with target, kind and `rel`.
    fn item(&mut self) -> Option<Item> {
        if self.take(b'[').is_none() {
            return Some((self.number()?, 0, 0));
        }
        let target = self.number()?;
        self.take(b',')?;
        let kind = self.number()?;
        self.take(b',')?;
        let rel = self.number()?;
        while self.take(b',').is_some() {
            self.skip_text()?;
        }
        self.take(b']')?;
        Some((target, kind, rel))
    }

    fn number(&mut self) -> Option<u32> {
        let mut number: Option<u32> = None;
        while let Some((digit @ b'0'..=b'9', rest)) = self.rest.split_first() {
            number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(u32::from(digit - b'0'))?);
            self.rest = rest;
        }
        number
    }

    /// Skips a string or `null`.
    fn skip_text(&mut self) -> Option<()> {
        if let Some(rest) = self.rest.strip_prefix(b"null") {
            self.rest = rest;
            return Some(());
        }
        self.take(b'"')?;
        loop {
            let mark = memchr2(b'"', b'\\', self.rest)?;
            let (mark, rest) = self.rest.get(mark..)?.split_first()?;
            self.rest = rest;
            match mark {
                b'"' => return Some(()),
                _ => self.rest = self.rest.get(1..)?,
            }
        }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        let (first, rest) = self.rest.split_first()?;
        (*first == byte).then(|| self.rest = rest)
    }
}

/// The numbers of the URLs that a set's clickable links point to, in the order of the page.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    /// The targets of links without `nofollow`.
    pub(crate) open: Box<[u32]>,
    /// The targets of links with `nofollow`.
    pub(crate) nofollow: Box<[u32]>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::link_json;
    use mapwright_model::LinkRef;
    use mapwright_web::page::facts::{LinkKind, Region, Rel};
    use proptest::prelude::*;

    fn both(json: &str) -> (Vec<u32>, Vec<u32>) {
        let targets = targets(json);
        (targets.open.into(), targets.nofollow.into())
    }

    #[test]
    fn targets_are_those_of_clickable_links_with_nofollow_apart() {
        assert_eq!(both(r#"[3,[4,0,1,"sold"],[5,8,0,""],[6,0,0,"own"],[7,4,0,""],[8,5,0,""]]"#), (vec![3, 6], vec![4]));
        assert_eq!(both("[3,1,4294967295]"), (vec![3, 1, u32::MAX], vec![]));
        assert_eq!(both(r#"[[7,0,0,"a \"b\" \\","],[8,"],9]"#), (vec![7, 9], vec![]));
        assert_eq!(both("[]"), (vec![], vec![]));
    }

    #[test]
    fn a_malformed_set_has_no_targets() {
        let broken =
            ["", "[", "[3", "[3,", "[3,]", "[,3]", "3", "[4294967296]", "[[3]]", r#"[[3,0,0,"a]"#, "[3]]", "no set"];
        for json in broken {
            assert_eq!(both(json), (vec![], vec![]), "{json}");
        }
    }

    /// Kind, rel, text and fragment.
    type Shape = (LinkKind, Rel, String, Option<String>);

    /// A link by the number of its target, and whether its text is the usual one.
    fn link() -> impl Strategy<Value = (u32, Shape, bool)> {
        let (texts, fragments) = ("[a\"\\\\\\[\\],\n1é]{0,9}", proptest::option::of("[a\"\\\\,]{1,5}"));
        (0_u32..2_000, 0..KINDS.len(), any::<bool>(), texts, fragments, any::<bool>()).prop_map(
            |(number, kind, nofollow, anchor, fragment, usual)| {
                let rel = Rel { nofollow, ..Rel::default() };
                (number, (KINDS[kind].0, rel, anchor, fragment), usual)
            },
        )
    }

    proptest! {
        #[test]
        fn whatever_is_written_leads_where_its_links_lead(links in proptest::collection::vec(link(), 0..8)) {
            let mut json = String::from("[");
            for (at, (target, (kind, rel, anchor, fragment), usual)) in links.iter().enumerate() {
                let fragment = fragment.as_deref();
                let link = LinkRef { kind: *kind, rel: *rel, region: Region::Body, anchor, fragment };
                json.push_str(if at > 0 { "," } else { "" });
                link_json::push(&mut json, *target, &link, *usual);
            }
            json.push(']');
            let read = link_json::of_items(0, serde_json::from_str(&json).unwrap());
            let of = |nofollow: bool| -> Vec<u32> {
                let links = read.iter().filter(|link| link.kind.clicked() && link.rel.nofollow == nofollow);
                links.map(|link| link.target).collect()
            };
            prop_assert_eq!(read.len(), links.len());
            prop_assert_eq!(both(&json), (of(false), of(true)));
        }
    }
}
