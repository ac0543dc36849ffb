//! `--content-selector`: the parts of a page whose text is its content.

use super::error::SelectError;
use super::selectors::{Selectors, Unmatched};
use super::tree::Tree;
use crate::page::content::block::Block;
use std::sync::Arc;
use std::time::Duration;

/// Selectors of the parts whose text is a page's content.
#[derive(Debug, Clone)]
pub struct ContentSelector {
    selectors: Arc<Selectors>,
}

impl ContentSelector {
    /// Parses the selectors; `None` if there are none.
    ///
    /// # Errors
    /// Names the first invalid selector.
    pub fn parse(selectors: &[String]) -> Result<Option<Self>, SelectError> {
        if selectors.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self { selectors: Arc::new(Selectors::parse(selectors)?) }))
    }

    /// The selectors that have matched on no page so far.
    #[must_use]
    pub fn unmatched(&self) -> Unmatched {
        self.selectors.unmatched()
    }

    /// The text blocks inside the parts, at most the first number of `limits`, and the text that is kept of them, at most
    /// the second, within `time` by `clock`: half of it for building the tree, the rest for matching. `None` without a
    /// match: the entire page is its content then.
    pub(crate) fn blocks(
        &self,
        text: &str,
        limits: [usize; 2],
        time: Duration,
        clock: fn() -> Duration,
    ) -> Option<(Vec<Block>, Vec<u8>)> {
        let began = clock();
        let within = |time: Duration| move || clock().saturating_sub(began) < time;
        let (tree, cut) = Tree::build(text, within(time / 2));
        let blocks = tree.blocks(&self.selectors, limits, within(time));
        if !cut && within(time)() {
            self.selectors.end_document();
        }
        blocks
    }
}
