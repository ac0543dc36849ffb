//! Finds the page that seems to replace a page that runs no longer find.

use crate::error::StoreError;
use crate::record::Record;
use mapwright_web::page::facts::Sketch;
use rusqlite::{OptionalExtension, Row};

/// The percentage of common text from which on a page of the same title counts as the same page.
const ALIKE: u32 = 80;

/// The properties by which pages are compared.
struct Likeness {
    title: Option<String>,
    blocks: Vec<u8>,
    sketch: Option<Sketch>,
}

impl Record {
    /// The page of the newest run that has the title of `id` and nearly its text, and was found first after `met`, the
    /// last run that found `id`. If no page links `id` any more, it is not requested, so a redirect to the new URL is
    /// not seen.
    pub(crate) fn seems_moved_to(&self, id: u32, met: i64) -> Result<Option<String>, StoreError> {
        let select =
            "SELECT x.title, x.blocks, x.sketch FROM memory m JOIN version x ON x.id = m.version WHERE m.url = ?";
        let gone = self.connection.query_row(select, [id], |row| likeness(row, 0)).optional()?;
        let Some(gone) = gone.filter(|gone| gone.title.is_some()) else { return Ok(None) };
        let select = "SELECT known FROM run WHERE id > ? ORDER BY id LIMIT 1";
        let known: Option<u32> = self.connection.query_row(select, [met], |row| row.get(0)).optional()?;
        let mut pages = self.connection.prepare(
            "SELECT u.text, x.title, x.blocks, x.sketch
             FROM visit v JOIN version x ON x.id = v.version JOIN url u ON u.id = v.url
             WHERE v.run = ?1 AND v.last = 1 AND v.purpose = 0 AND v.outcome = 0 AND v.url > ?2 AND x.title = ?3",
        )?;
        let mut pages = pages.query((self.run, known.unwrap_or(u32::MAX), &gone.title))?;
        let mut best: Option<(u32, String)> = None;
        while let Some(row) = pages.next()? {
            let alike = gone.alike(&likeness(row, 1)?);
            if alike >= ALIKE && best.as_ref().is_none_or(|(before, _)| alike > *before) {
                best = Some((alike, row.get(0)?));
            }
        }
        Ok(best.map(|(_, url)| url))
    }
}

impl Likeness {
    /// The similarity of two pages in percent.
    fn alike(&self, other: &Self) -> u32 {
        let same = !self.blocks.is_empty() && self.blocks == other.blocks;
        let estimated = || self.sketch.zip(other.sketch).map_or(0, |(one, other)| one.likeness(&other));
        if same { 100 } else { estimated() }
    }
}

fn likeness(row: &Row<'_>, at: usize) -> rusqlite::Result<Likeness> {
    let sketch: Option<Vec<u8>> = row.get(at + 2)?;
    let sketch = sketch.and_then(|bytes| bytes.try_into().ok()).map(Sketch);
    Ok(Likeness { title: row.get(at)?, blocks: row.get(at + 1)?, sketch })
}
