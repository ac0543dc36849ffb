//! The pages of a run as scripts made them.

use super::UrlNo;
use mapwright_model::{FailedReason, Rendering};
use mapwright_web::page::facts::BeforeScripts;

/// A page before and after its scripts ran.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageRendering {
    /// The facts of the document before its scripts ran.
    pub before: Option<Box<BeforeScripts>>,
    /// Its first heading of the first level after they ran.
    pub heading: Option<Box<str>>,
    /// The course of the rendering; `None` where the page was not rendered in this run.
    pub rendering: Option<Box<Rendering>>,
    /// The first URLs that only links made by scripts lead to.
    pub links: Box<[UrlNo]>,
}

impl PageRendering {
    /// Returns the URLs that robots.txt kept from the page.
    pub fn disallowed(&self) -> impl Iterator<Item = &str> {
        let failed = self.rendering.iter().flat_map(|rendering| &rendering.failed);
        failed.filter(|request| request.reason == FailedReason::Robots).map(|request| request.url.as_str())
    }
}
