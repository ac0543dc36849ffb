//! Pages of a built site whose scripts ran.

use super::SiteBuilder;
use mapwright_model::Rendering;
use mapwright_web::page::facts::BeforeScripts;

impl SiteBuilder {
    /// A page with a title and a line of its own, which said this before its scripts ran.
    pub(crate) fn rendered(self, path: &str, before: BeforeScripts) -> Self {
        self.links(path, &[]).before_scripts(path, before)
    }

    /// A page with a title and a line of its own, with what happened while its scripts ran.
    pub(crate) fn rendered_as(self, path: &str, rendering: Rendering) -> Self {
        self.links(path, &[]).with_rendering(path, rendering)
    }

    /// Sets what a page said before its scripts ran: its HTML is what they made.
    pub(crate) fn before_scripts(self, path: &str, before: BeforeScripts) -> Self {
        self.change(path, |answer| answer.before_scripts = Some(Box::new(before)))
    }

    /// Sets what happened while the scripts of a page ran.
    pub(crate) fn with_rendering(self, path: &str, rendering: Rendering) -> Self {
        self.change(path, |answer| answer.rendering = Some(rendering))
    }
}
