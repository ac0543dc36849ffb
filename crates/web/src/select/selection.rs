//! Selectors of the parts of a page that links are taken from.

use super::error::SelectError;
use super::selectors::{Selectors, Unmatched};
use std::sync::Arc;

/// Selectors of the parts that links are taken from. A link counts if it matches or is inside a matching element.
#[derive(Debug, Clone)]
pub struct Selection {
    pub(super) parts: Arc<Parts>,
}

#[derive(Debug)]
pub(super) struct Parts {
    pub(super) links_in: Selectors,
    pub(super) no_links_in: Selectors,
}

impl Selection {
    /// Parses the selectors of `--links-in` and `--no-links-in`; `None` if there are none. A link inside of both is
    /// left out. `head` is in no part: its links are taken unless a selector of `--no-links-in` matches.
    ///
    /// # Errors
    /// Names the first invalid selector.
    pub fn parse(links_in: &[String], no_links_in: &[String]) -> Result<Option<Selection>, SelectError> {
        if links_in.is_empty() && no_links_in.is_empty() {
            return Ok(None);
        }
        let parts = Parts { links_in: Selectors::parse(links_in)?, no_links_in: Selectors::parse(no_links_in)? };
        Ok(Some(Selection { parts: Arc::new(parts) }))
    }

    /// The selectors of `--links-in`, then those of `--no-links-in`, that have matched on no page so far.
    #[must_use]
    pub fn unmatched(&self) -> [Unmatched; 2] {
        [self.parts.links_in.unmatched(), self.parts.no_links_in.unmatched()]
    }
}
