//! Texts of links that say nothing about their target.

use super::UrlNo;
use crate::vague_text::is_vague;
use mapwright_store::LinkRow;
use mapwright_web::page::facts::LinkKind;
use std::collections::HashSet;

/// The links of a page, or of one of its link sets, whose texts say nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LinkTexts {
    /// Links without a text, and without an image or label that names them.
    pub empty: u32,
    /// The target of one of these.
    pub empty_target: UrlNo,
    /// Links of a text that fits any target, such as "click here".
    pub vague: u32,
    /// The target of one of these.
    pub vague_target: UrlNo,
}

impl LinkTexts {
    /// Counts the links of a set; `has_vague_usual` says that the usual text of links to a URL is vague. A link beside
    /// another one to the same target, with a text that says what is there, is not counted: often it is an image.
    pub(super) fn of_set(rows: &[LinkRow], has_vague_usual: impl Fn(UrlNo) -> bool) -> Self {
        let links = || rows.iter().filter(|row| row.kind == LinkKind::Anchor);
        let text = |row: &LinkRow| match &row.anchor {
            Some(text) if text.is_empty() => Text::Empty,
            Some(text) if is_vague(text) => Text::Vague,
            None if has_vague_usual(row.target) => Text::Vague,
            _ => Text::Descriptive,
        };
        let mut texts = Self::default();
        let mut named: Option<HashSet<UrlNo>> = None;
        for row in links() {
            // An empty link to an element is often no link but the element itself.
            let (count, target) = match text(row) {
                Text::Empty if row.fragment.is_none() => (&mut texts.empty, &mut texts.empty_target),
                Text::Vague => (&mut texts.vague, &mut texts.vague_target),
                _ => continue,
            };
            let named = named.get_or_insert_with(|| {
                links().filter(|row| text(row) == Text::Descriptive).map(|row| row.target).collect()
            });
            if !named.contains(&row.target) {
                (*count, *target) = (count.saturating_add(1), row.target);
            }
        }
        texts
    }

    /// Reports whether every link has a text that says something.
    pub(super) fn are_descriptive(self) -> bool {
        self.empty == 0 && self.vague == 0
    }

    /// Returns both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let first = |count: u32, one: UrlNo, other: UrlNo| if count > 0 { one } else { other };
        Self {
            empty: self.empty.saturating_add(other.empty),
            empty_target: first(self.empty, self.empty_target, other.empty_target),
            vague: self.vague.saturating_add(other.vague),
            vague_target: first(self.vague, self.vague_target, other.vague_target),
        }
    }
}

/// The text of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Text {
    Empty,
    Vague,
    Descriptive,
}
