//! Everything that the record knows about one URL.

use crate::error::StoreError;
use crate::read::explained::{Explained, History, ResponseRow, RobotsRuling, Step, StoredVerdict};
use crate::record::Record;
use crate::run_state::RunState;
use crate::schema::json::{self, Json};
use crate::write::links;
use crate::write::recall::read_url;
use mapwright_model::{Outcome, Via};
use mapwright_verdict::Reason;
use mapwright_web::page::facts::PlacedDirectives;
use mapwright_web::{PageUrl, Robots};
use rusqlite::{OptionalExtension, Row};

/// The most rows of each kind that are reported.
const MAX_ROWS: u32 = 20;
/// The most redirects of a robots.txt file that are followed.
const MAX_HOPS: usize = 6;

impl Record {
    /// Returns everything known about `url`; `None` where it was never found. `agent` is the product token that
    /// robots.txt rules are matched against.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn explain(&self, url: &PageUrl, agent: &str) -> Result<Option<Explained>, StoreError> {
        let Some(id) = self.id_of(url)? else { return Ok(None) };
        let last_found = self.judged(id)?;
        let met = last_found.as_ref().map_or(self.run, |(run, _)| *run);
        let seems_moved_to = if met < self.run { self.seems_moved_to(id, met)? } else { None };
        Ok(Some(Explained {
            run: self.run,
            run_state: self.state()?,
            published: self.has_published(self.run)?,
            sitemap_in_place: !(self.entry_points()?.is_empty() && self.parts()?.is_empty()),
            verdict: last_found.as_ref().filter(|(run, _)| *run == self.run).map(|(_, judged)| judged.clone()),
            found: self.found(id, met)?,
            path: self.path(id, met)?,
            listed_in: self.listed_in(id, met)?,
            redirects_here: self.pointing("target", id, met)?,
            canonical_of: self.pointing("canonical", id, met)?,
            answers: self.answers(id)?,
            robots: self.robots_says(url, agent)?,
            directives: self.directives(id, met)?,
            canonicals: self.canonicals(id, met)?,
            duplicates: self.duplicates(id, met)?,
            scripts: self.scripts(id, url, met)?,
            history: self.history(id)?,
            last_published: self.has_published(met)? == Some(true),
            seems_moved_to,
            last_found,
        }))
    }

    fn state(&self) -> Result<RunState, StoreError> {
        let select = "SELECT state FROM run WHERE id = ?";
        let state: RunState = self.connection.query_row(select, [self.run], |row| row.get(0))?;
        Ok(state.seen(self.is_in_use()))
    }

    /// Reports whether any run requested this URL as a page.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn knows(&self, url: &PageUrl) -> Result<bool, StoreError> {
        Ok(match self.id_of(url)? {
            Some(id) => self.connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM visit WHERE url = ? AND purpose = 0)",
                [id],
                |row| row.get(0),
            )?,
            None => false,
        })
    }

    /// The number of a URL.
    pub(crate) fn id_of(&self, url: &PageUrl) -> Result<Option<u32>, StoreError> {
        let key = self.keys().key(url).0.cast_signed();
        let mut select = self.connection.prepare("SELECT id FROM url WHERE key = ? AND text = ?")?;
        Ok(select.query_row((key, url.as_str()), |row| row.get(0)).optional()?)
    }

    /// Reports whether a run published its sitemap; `None` where it has not ended.
    fn has_published(&self, run: i64) -> Result<Option<bool>, StoreError> {
        let mut select = self
            .connection
            .prepare("SELECT published FROM run WHERE id = ? AND summary IS NOT NULL AND state <> 'running'")?;
        Ok(select.query_row([run], |row| row.get(0)).optional()?)
    }

    fn judged(&self, id: u32) -> Result<Option<(i64, StoredVerdict)>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT d.run, d.reason, e.text, d.inlinks, d.depth, d.lastmod, d.lastmod_from, d.kept
             FROM run r JOIN verdict d ON d.run = r.id AND d.url = ?1 LEFT JOIN url e ON e.id = d.evidence
             ORDER BY r.id DESC LIMIT 1",
        )?;
        let row = select.query_row([id], |row| {
            let judged = StoredVerdict {
                reason: row.get::<_, Option<u8>>(1)?.map(|code| Reason::from_code(code).unwrap_or(Reason::Failed)),
                evidence: row.get(2)?,
                inlinks: row.get(3)?,
                depth: row.get(4)?,
                lastmod: row.get::<_, Option<String>>(5)?.zip(row.get(6)?),
                kept: row.get(7)?,
            };
            Ok((row.get(0)?, judged))
        });
        Ok(row.optional()?)
    }

    fn found(&self, id: u32, run: i64) -> Result<Option<(Via, Option<String>)>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT f.via, p.text FROM found f LEFT JOIN url p ON p.id = f.parent WHERE f.run = ? AND f.url = ?",
        )?;
        let row = select.query_row((run, id), |row| Ok((row.get::<_, usize>(0)?, row.get(1)?))).optional()?;
        Ok(row.and_then(|(via, parent)| Some((Via::ALL.get(via).copied()?, parent))))
    }

    /// The click path from a start URL, read from the URL backwards and then reversed.
    fn path(&self, id: u32, run: i64) -> Result<Vec<Step>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT u.text, d.parent, d.depth FROM verdict d JOIN url u ON u.id = d.url WHERE d.run = ? AND d.url = ?",
        )?;
        let mut steps = Vec::new();
        let mut at = Some(id);
        while let Some(url) = at.take() {
            let row = select.query_row((run, url), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
            let Some((text, parent, depth)): Option<(String, Option<u32>, Option<u32>)> = row else { break };
            if depth.is_none() {
                return Ok(Vec::new());
            }
            let anchor = parent.map(|parent| self.anchor(run, parent, url)).transpose()?.flatten();
            steps.push(Step { url: text, anchor });
            at = parent.filter(|_| steps.len() < 10_000);
        }
        steps.reverse();
        Ok(steps)
    }

    /// The text of the best link from one page to another: a clickable link, preferably without nofollow, then with a
    /// text.
    fn anchor(&self, run: i64, from: u32, to: u32) -> Result<Option<String>, StoreError> {
        let mut select = self.connection.prepare_cached(
            "SELECT s.value FROM visit v JOIN version x ON x.id = v.version JOIN json_each(x.sets) s
             WHERE +v.run = ? AND v.url = ? AND v.last = 1 AND v.purpose = 0",
        )?;
        let sets: Vec<u32> = select.query_map((run, from), |row| row.get(0))?.collect::<Result<_, _>>()?;
        let mut best = None;
        for set in sets {
            for link in links::read(&self.connection, set)?.into_iter().filter(|link| link.target == to) {
                let text = match link.anchor {
                    Some(text) => text,
                    None => links::usual_text(&self.connection, to)?,
                };
                let rank = (link.rel.nofollow, text.is_empty());
                if link.kind.clicked() && best.as_ref().is_none_or(|(before, _)| rank < *before) {
                    best = Some((rank, text));
                }
            }
        }
        Ok(best.map(|(_, text)| text))
    }

    fn listed_in(&self, id: u32, run: i64) -> Result<Vec<(String, Option<String>)>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT f.text, e.lastmod FROM entry e JOIN url f ON f.id = e.file
             WHERE +e.run = ? AND e.url = ? ORDER BY f.text LIMIT ?",
        )?;
        let rows = select.query_map((run, id, MAX_ROWS), |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Pages whose redirect or canonical (the column) is this URL.
    fn pointing(&self, column: &str, id: u32, run: i64) -> Result<Vec<String>, StoreError> {
        let mut select = self.connection.prepare(&format!(
            "SELECT u.text FROM visit v JOIN url u ON u.id = v.url
             WHERE v.run = ?1 AND v.{column} = ?2 AND v.url <> ?2 AND v.last = 1 AND v.purpose = 0
             ORDER BY u.text LIMIT ?3"
        ))?;
        let rows = select.query_map((run, id, MAX_ROWS), |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Its responses for any purpose, including as a robots.txt file, a sitemap or another site's URL.
    fn answers(&self, id: u32) -> Result<Vec<ResponseRow>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT v.run, v.at, v.outcome, v.status, v.failure, v.detail, v.total_ms, v.reused, t.text, v.last
             FROM visit v LEFT JOIN url t ON t.id = v.target
             WHERE v.url = ? ORDER BY v.run DESC, v.seq DESC LIMIT ?",
        )?;
        let rows = select.query_map((id, MAX_ROWS), answered)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The robots.txt file of the URL's origin as it was last read, redirects followed, and its rule for the URL.
    fn robots_says(&self, url: &PageUrl, agent: &str) -> Result<Option<RobotsRuling>, StoreError> {
        let mut file = url.with_path("/robots.txt");
        for _ in 0..MAX_HOPS {
            let Some((status, text, target)) = self.robots_answer(&file)? else { return Ok(None) };
            if let Some(next) = target.and_then(|text| read_url(&text)) {
                file = next;
                continue;
            }
            let ruling = text.map(|text| Robots::compile(text.as_bytes()).rule_for(agent, url));
            let ruling = ruling.map(|ruling| (ruling.allowed, ruling.line));
            return Ok(Some(RobotsRuling { file: file.to_string(), status, ruling }));
        }
        Ok(None)
    }

    #[expect(clippy::type_complexity, reason = "three columns of one row")]
    fn robots_answer(
        &self,
        file: &PageUrl,
    ) -> Result<Option<(Option<u16>, Option<String>, Option<String>)>, StoreError> {
        let Some(id) = self.id_of(file)? else { return Ok(None) };
        let mut select = self.connection.prepare(
            "SELECT v.status, x.robots, t.text
             FROM visit v LEFT JOIN version x ON x.id = v.version LEFT JOIN url t ON t.id = v.target
             WHERE v.url = ? AND v.purpose = 1 ORDER BY v.run DESC, v.seq DESC LIMIT 1",
        )?;
        Ok(select.query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?)
    }

    fn directives(&self, id: u32, run: i64) -> Result<Vec<PlacedDirectives>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT x.directives FROM visit v JOIN version x ON x.id = v.version
             WHERE +v.run = ? AND v.url = ? AND v.last = 1 AND v.purpose = 0",
        )?;
        let json: Option<Option<Json<_>>> = select.query_row((run, id), |row| row.get(0)).optional()?;
        Ok(json::or_default(json.flatten()))
    }

    fn canonicals(&self, id: u32, run: i64) -> Result<Vec<String>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT c.id, c.text FROM visit v JOIN url c ON c.id = v.canonical
             WHERE +v.run = ? AND v.url = ? AND v.last = 1 AND v.purpose = 0",
        )?;
        let (mut chain, mut met, mut at) = (Vec::new(), vec![id], id);
        while let Some((next, text)) = select.query_row((run, at), |row| Ok((row.get(0)?, row.get(1)?))).optional()? {
            chain.push(text);
            if met.contains(&next) || met.len() >= MAX_ROWS as usize {
                break;
            }
            met.push(next);
            at = next;
        }
        Ok(chain)
    }

    fn duplicates(&self, id: u32, run: i64) -> Result<Vec<String>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT x.hash FROM visit v JOIN version x ON x.id = v.version
             WHERE +v.run = ? AND v.url = ? AND v.last = 1 AND v.purpose = 0 AND v.status IN (200, 203)",
        )?;
        let Some(hash): Option<i64> = select.query_row((run, id), |row| row.get(0)).optional()? else {
            return Ok(Vec::new());
        };
        let mut select = self.connection.prepare(
            "SELECT u.text FROM version x JOIN visit v ON v.version = x.id AND v.url = x.url JOIN url u ON u.id = x.url
             WHERE x.hash = ?1 AND x.url <> ?2 AND +v.run = ?3 AND v.last = 1 AND v.purpose = 0
             ORDER BY u.text LIMIT ?4",
        )?;
        let rows = select.query_map((hash, id, run, MAX_ROWS), |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn history(&self, id: u32) -> Result<Option<History>, StoreError> {
        let mut select = self.connection.prepare("SELECT first, changed, changes FROM memory WHERE url = ?")?;
        let row = select
            .query_row([id], |row| Ok(History { first: row.get(0)?, changed: row.get(1)?, changes: row.get(2)? }));
        Ok(row.optional()?)
    }
}

fn answered(row: &Row<'_>) -> rusqlite::Result<ResponseRow> {
    Ok(ResponseRow {
        run: row.get(0)?,
        at: row.get(1)?,
        outcome: Outcome::ALL.get(row.get::<_, usize>(2)?).copied().unwrap_or(Outcome::Failed),
        status: row.get(3)?,
        failure: row.get(4)?,
        detail: row.get(5)?,
        total_ms: row.get(6)?,
        reused: row.get(7)?,
        target: row.get(8)?,
        again: !row.get::<_, bool>(9)?,
    })
}
