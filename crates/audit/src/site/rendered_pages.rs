//! The pages whose scripts ran, and those that are nothing without them.

use super::{PageContent, PageRendering, Site, UrlNo};
use mapwright_store::RenderingRow;
use mapwright_web::PageFacts;
use mapwright_web::page::facts::BeforeScripts;

/// A page with scripts and less visible text than this is a shell, in bytes.
const SHELL_TEXT: u32 = 200;

impl Site {
    /// Reports whether a page shows next to nothing and leads nowhere, after its scripts ran if they did.
    #[must_use]
    pub fn is_shell(&self, content: &PageContent) -> bool {
        let leads_on =
            || self.links.of(content).any(|link| !link.is_reference() && self.node(link.target()).in_scope());
        content.scripts > 0 && content.text_bytes < SHELL_TEXT && !leads_on()
    }

    /// Reports whether a page shows next to nothing and leads nowhere before its scripts run.
    #[must_use]
    pub fn is_shell_before_scripts(&self, url: UrlNo, content: &PageContent) -> bool {
        self.before_scripts(url).map_or_else(
            || self.is_shell(content),
            |before| content.scripts > 0 && before.text_bytes < SHELL_TEXT && before.links == 0,
        )
    }

    /// Returns the pages that were rendered and answered 200, with what scripts made of them.
    pub fn rendered_pages(&self) -> impl Iterator<Item = (UrlNo, &PageRendering)> {
        let rendered = self.renderings.iter().map(|(url, rendering)| (*url, rendering));
        rendered.filter(|(url, _)| self.node(*url).is_page())
    }

    /// Returns the facts of a page before its scripts ran, if they ran.
    #[must_use]
    pub fn before_scripts(&self, url: UrlNo) -> Option<&BeforeScripts> {
        self.renderings.get(&url)?.before.as_deref()
    }

    /// Adds what happened while the scripts of a page ran in this run.
    pub(super) fn note_rendering(&mut self, row: RenderingRow) {
        let rendering = self.renderings.entry(row.url).or_default();
        (rendering.rendering, rendering.links) = (Some(Box::new(row.rendering)), row.links.into());
    }

    /// Adds what a page said before its scripts ran.
    pub(super) fn note_before_scripts(&mut self, url: UrlNo, facts: &PageFacts) {
        if let Some(before) = &facts.before_scripts {
            let rendering = self.renderings.entry(url).or_default();
            rendering.before = Some(before.clone());
            rendering.heading = facts.first_heading().map(Into::into);
        }
    }
}
