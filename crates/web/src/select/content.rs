//! `--content-selector`: the parts of a page whose text is its content.

use super::tree::Tree;
use super::{SelectError, parse_all};
use crate::page::Limits;
use crate::page::block::Block;
use scraper::Selector;
use std::sync::Arc;
use std::time::Duration;

/// Selectors of the parts whose text is a page's content.
#[derive(Debug, Clone)]
pub struct Content {
    selectors: Arc<Vec<Selector>>,
}

impl Content {
    /// Parses the selectors; `None` when there are none.
    ///
    /// # Errors
    /// Names the first selector that is no CSS.
    pub fn parse(selectors: &[String]) -> Result<Option<Self>, SelectError> {
        if selectors.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self { selectors: Arc::new(parse_all(selectors)?) }))
    }

    /// The text blocks inside the parts, within the time that the limits give: half of it for the tree,
    /// the rest for asking it. `None` where nothing matches: then all of the page is its content.
    pub(crate) fn blocks(&self, text: &str, limits: &Limits) -> Option<Vec<Block>> {
        let began = (limits.clock)();
        let within = |time: Duration| move || (limits.clock)().saturating_sub(began) < time;
        let (tree, _) = Tree::build(text, within(limits.selection_time / 2));
        tree.blocks(&self.selectors, limits.blocks, within(limits.selection_time))
    }
}
