//! The scripts of one page: why they ran or did not, and what they made of it.

use crate::error::StoreError;
use crate::record::Record;
use crate::schema::json::Json;
use mapwright_model::{RenderReason, Rendering};
use mapwright_web::page::facts::BeforeScripts;
use mapwright_web::{PageFacts, PageUrl};
use rusqlite::OptionalExtension;

/// The scripts of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainedScripts {
    /// The reason for which they ran, or did not.
    pub reason: RenderReason,
    /// The difference that scripts of its template made, in words.
    pub evidence: Option<String>,
    /// The course of the rendering; `None` where they did not run.
    pub rendering: Option<Rendering>,
    /// The page before and after they ran; `None` where they did not run.
    pub sides: Option<Box<(BeforeScripts, PageFacts)>>,
    /// The first URLs that only links made by them lead to.
    pub links: Vec<String>,
}

impl Record {
    /// Returns the scripts of the page with number `id` in a run; `None` where they were no question.
    pub(super) fn scripts(&self, id: u32, url: &PageUrl, run: i64) -> Result<Option<ExplainedScripts>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT v.scripts, t.evidence FROM visit v LEFT JOIN template t ON t.id = v.template
             WHERE +v.run = ? AND v.url = ? AND v.last = 1 AND v.purpose = 0 AND v.scripts IS NOT NULL",
        )?;
        let row = select.query_row((run, id), |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let Some((code, evidence)) = row else { return Ok(None) };
        let Some(reason) = RenderReason::from_code(code) else { return Ok(None) };
        let mut select = self.connection.prepare("SELECT details, links FROM rendering WHERE run = ? AND url = ?")?;
        let row = select.query_row((run, id), |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let (rendering, links) = match row {
            Some((Json(rendering), Json(links))) => (Some(rendering), self.texts(links)?),
            None => (None, Vec::new()),
        };
        let facts = if rendering.is_some() { self.facts(url)? } else { None };
        let sides = facts.and_then(|mut facts| Some(Box::new((*facts.before_scripts.take()?, facts))));
        Ok(Some(ExplainedScripts { reason, evidence, rendering, sides, links }))
    }

    /// Returns the texts of URLs.
    fn texts(&self, urls: Vec<u32>) -> Result<Vec<String>, StoreError> {
        let mut select = self.connection.prepare("SELECT text FROM url WHERE id = ?")?;
        let texts = urls.into_iter().map(|url| select.query_row([url], |row| row.get(0)));
        Ok(texts.collect::<Result<_, _>>()?)
    }
}
