//! Going on with a run that was cut: at any instruction, by anything.

use crate::error::StoreError;
use crate::recall::read_url;
use crate::record::Record;
use mapwright_engine::Resumed;
use mapwright_frontier::{Backlog, Known, Lane, Seen, Standing, Unfetched, UrlId};
use mapwright_web::{PageUrl, UrlKey};
use rusqlite::{Connection, Rows};
use std::collections::{HashMap, HashSet};

/// How a run that was cut goes on.
#[derive(Debug)]
pub enum Resumption {
    /// From where it was.
    GoesOn(Resumed),
    /// From its beginning: it was cut before its start URLs had answered.
    Begins,
}

/// What the scheduler is to know of a run that goes on.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    pub(crate) pages: u64,
    pub(crate) backlog: Vec<Backlog>,
    pub(crate) depths: Vec<(u32, u64)>,
}

impl Record {
    /// Goes on with the newest run. What was in flight when it was cut is queued still.
    ///
    /// # Errors
    /// When the record cannot be read or written.
    pub fn resume(&mut self) -> Result<Resumption, StoreError> {
        let run = self.run;
        let roots: Option<String> =
            self.connection.query_row("SELECT roots FROM run WHERE id = ?", [run], |row| row.get(0))?;
        let transaction = self.connection.transaction()?;
        transaction.execute_batch(include_str!("../sql/no_indexes.sql"))?;
        transaction.execute("UPDATE run SET state = 'running', ended = NULL WHERE id = ?", [run])?;
        let Some(roots) = roots else {
            for table in ["found", "queue", "visit", "entry", "verdict"] {
                transaction.execute(&format!("DELETE FROM {table} WHERE run = ?"), [run])?;
            }
            transaction.commit()?;
            return Ok(Resumption::Begins);
        };
        // A URL that was brought forward stood in two lanes, of which one may be left.
        transaction.execute(
            "DELETE FROM queue WHERE run = ?1 AND purpose = 0 AND lane = ?2
             AND url IN (SELECT url FROM visit WHERE run = ?1 AND last = 1 AND purpose = 0)",
            (run, Lane::Listed.code()),
        )?;
        transaction.commit()?;
        self.goes_on = true;
        Ok(Resumption::GoesOn(self.resumed(&roots)?))
    }

    /// Notes the roots of the scope, which is settled.
    pub(crate) fn note_roots(&self, roots: &[PageUrl]) -> Result<(), StoreError> {
        let texts: Vec<&str> = roots.iter().map(PageUrl::as_str).collect();
        let json = serde_json::json!(texts).to_string();
        self.connection.execute("UPDATE run SET roots = ? WHERE id = ?", (json, self.run))?;
        Ok(())
    }

    fn resumed(&self, roots: &str) -> Result<Resumed, StoreError> {
        let texts: Vec<String> = serde_json::from_str(roots).unwrap_or_default();
        // Where a list alone was given, any page that answered will do.
        let answered = self.connection.query_row(
            "SELECT answered OR (starts = '[]' AND EXISTS (
                SELECT 1 FROM visit WHERE run = run.id AND purpose = 0 AND status IN (200, 203))) FROM run WHERE id = ?",
            [self.run],
            |row| row.get(0),
        )?;
        let mut origins = self.connection.prepare("SELECT text FROM origin WHERE run = ?")?;
        let origins: Vec<String> = origins.query_map([self.run], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(Resumed {
            roots: texts.iter().filter_map(|text| read_url(text)).collect(),
            start_answered: answered,
            files: self.files()?.into_values().collect(),
            origins: origins.iter().filter_map(|text| read_url(text)).map(|url| url.origin()).collect(),
            endless: self.refused_as_endless()?,
        })
    }

    /// Sitemaps and feeds of the run, by number.
    fn files(&self) -> Result<HashMap<u32, UrlKey>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT u.id, u.key FROM url u WHERE u.id IN (
                SELECT url FROM visit WHERE run = ?1 AND purpose IN (2, 3)
                UNION SELECT url FROM queue WHERE run = ?1 AND purpose IN (2, 3))",
        )?;
        let files = select
            .query_map([self.run], |row| Ok((row.get(0)?, UrlKey(row.get::<_, i64>(1)?.cast_unsigned()))))?
            .collect::<Result<_, _>>()?;
        Ok(files)
    }

    fn refused_as_endless(&self) -> Result<Vec<PageUrl>, StoreError> {
        let mut select = self
            .connection
            .prepare("SELECT u.text FROM found f JOIN url u ON u.id = f.url WHERE f.run = ? AND f.refused = ?")?;
        let texts: Vec<String> =
            select.query_map((self.run, Unfetched::Endless.code()), |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(texts.iter().filter_map(|text| read_url(text)).collect())
    }

    /// All URLs of the record; of a run that goes on, with what is decided on them.
    pub(crate) fn seen(&self, order_matters: bool) -> Result<Seen, StoreError> {
        let seen = Seen::new();
        let standings = if self.goes_on { Some(self.standings(order_matters)?) } else { None };
        let mut found = self.connection.prepare("SELECT url, refused FROM found WHERE run = ? ORDER BY url")?;
        let mut found = Ordered { rows: found.query([self.run])?, at: None };
        let mut select = self.connection.prepare("SELECT id, key FROM url ORDER BY id")?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            let (id, key): (u32, i64) = (row.get(0)?, row.get(1)?);
            let standing = match &standings {
                Some(standings) => standings.of(id, found.of(id)?),
                None => Standing::Heard,
            };
            seen.insert(UrlKey(key.cast_unsigned()), Known { id: UrlId(id), standing });
        }
        Ok(seen)
    }

    fn standings(&self, order_matters: bool) -> Result<Standings, StoreError> {
        let ids = |sql: &str| -> Result<HashSet<u32>, StoreError> {
            let mut select = self.connection.prepare(sql)?;
            Ok(select.query_map([self.run], |row| row.get(0))?.collect::<Result<_, _>>()?)
        };
        let files: HashSet<u32> = self.files()?.into_keys().collect();
        let mut pages = HashSet::new();
        if !files.is_empty() {
            pages = ids("SELECT url FROM visit WHERE run = ? AND purpose = 0")?;
            pages.extend(ids("SELECT url FROM queue WHERE run = ? AND purpose = 0")?);
            pages.retain(|id| files.contains(id));
        }
        let mut listed = HashSet::new();
        if order_matters {
            listed = ids("SELECT url FROM queue WHERE run = ? AND purpose = 0 AND lane = 3")?;
            for other in ids("SELECT url FROM queue WHERE run = ? AND purpose = 0 AND lane < 3")? {
                listed.remove(&other);
            }
        }
        Ok(Standings { files_only: files.difference(&pages).copied().collect(), listed })
    }

    /// What the scheduler is to know.
    pub(crate) fn progress(&self) -> Result<Progress, StoreError> {
        if !self.goes_on {
            return Ok(Progress::default());
        }
        let pages = self.connection.query_row(
            "SELECT count(DISTINCT url) FROM visit
             WHERE run = ? AND purpose = 0 AND attempt = 0 AND (total_ms IS NOT NULL OR carried > 0)",
            [self.run],
            |row| row.get(0),
        )?;
        Ok(Progress {
            pages,
            backlog: backlog(&self.connection, self.run)?,
            depths: depths(&self.connection, self.run)?,
        })
    }
}

/// What decides on URLs in a run that goes on.
struct Standings {
    /// Known as sitemaps or feeds alone, which decides nothing of them as pages.
    files_only: HashSet<u32>,
    listed: HashSet<u32>,
}

impl Standings {
    fn of(&self, id: u32, found: Option<Option<u8>>) -> Standing {
        match found {
            None => Standing::Heard,
            Some(Some(refused)) if Unfetched::from_code(refused).is_some_and(Unfetched::is_final) => Standing::Decided,
            Some(Some(_)) => Standing::Heard,
            Some(None) if self.files_only.contains(&id) => Standing::Heard,
            Some(None) if self.listed.contains(&id) => Standing::Listed,
            Some(None) => Standing::Decided,
        }
    }
}

/// Rows in the order of their numbers, asked in that order.
struct Ordered<'r> {
    rows: Rows<'r>,
    at: Option<(u32, Option<u8>)>,
}

impl Ordered<'_> {
    /// What `found` says of this number: nothing, or why it was refused.
    fn of(&mut self, id: u32) -> Result<Option<Option<u8>>, StoreError> {
        while self.at.is_none_or(|(at, _)| at < id) {
            match self.rows.next()? {
                Some(row) => self.at = Some((row.get(0)?, row.get(1)?)),
                None => return Ok(None),
            }
        }
        Ok(self.at.filter(|(at, _)| *at == id).map(|(_, refused)| refused))
    }
}

fn backlog(connection: &Connection, run: i64) -> Result<Vec<Backlog>, StoreError> {
    let mut select = connection.prepare(
        "SELECT o.text, q.lane, count(*), sum((q.flags & 2) / 2) FROM queue q JOIN origin o ON o.id = q.origin
         WHERE q.run = ? GROUP BY q.origin, q.lane",
    )?;
    let mut rows = select.query([run])?;
    let mut backlog = Vec::new();
    while let Some(row) = rows.next()? {
        let text: String = row.get(0)?;
        let (Some(url), Some(lane)) = (read_url(&text), Lane::from_code(row.get(1)?)) else { continue };
        backlog.push(Backlog { origin: url.origin(), lane, count: row.get(2)?, invited: row.get(3)? });
    }
    Ok(backlog)
}

/// Queued pages by depth, those that sitemaps alone list apart.
fn depths(connection: &Connection, run: i64) -> Result<Vec<(u32, u64)>, StoreError> {
    let mut select = connection.prepare(
        "SELECT depth, count(*) FROM queue WHERE run = ? AND purpose = 0 AND lane < 3 GROUP BY depth ORDER BY depth",
    )?;
    let depths = select.query_map([run], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    Ok(depths)
}
