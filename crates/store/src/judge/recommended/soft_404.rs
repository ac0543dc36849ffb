//! Soft 404s: pages that equal the page that the site shows for names that cannot exist.

use super::pages::{Page, Pages};
use crate::error::StoreError;
use crate::write::passages;
use mapwright_model::Purpose;
use mapwright_verdict::{NodeIndex, Reason, ResponseFeatures, Soft404Candidates};
use mapwright_web::origin_of;
use mapwright_web::page::facts::Sketch;
use rusqlite::Row;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The response to a URL.
struct Answered {
    node: NodeIndex,
    url: String,
    hash: u64,
    title: Option<String>,
    text_bytes: u32,
    short_text: Option<u64>,
    sketch: Option<Sketch>,
    status: u16,
}

impl Answered {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let (url, status): (String, Option<u16>) = (row.get(6)?, row.get(7)?);
        let ResponseFeatures { hash, title, text_bytes, short_text, sketch, .. } = features(row, &url)?;
        let (title, status) = (title.map(str::to_owned), status.unwrap_or_default());
        Ok(Self { node: row.get(0)?, hash, title, text_bytes, short_text, sketch, status, url })
    }

    fn answer(&self) -> ResponseFeatures<'_> {
        let Self { url, hash, title, text_bytes, short_text, sketch, .. } = self;
        let (hash, text_bytes, short_text, sketch) = (*hash, *text_bytes, *short_text, *sketch);
        ResponseFeatures { url, hash, title: title.as_deref(), text_bytes, short_text, sketch }
    }
}

/// The response in a row, borrowed, since every page of the site is compared.
fn features<'r>(row: &'r Row<'_>, url: &'r str) -> rusqlite::Result<ResponseFeatures<'r>> {
    let sketch = row.get_ref(4)?.as_blob_or_null().ok().flatten().and_then(|bytes| bytes.try_into().ok());
    Ok(ResponseFeatures {
        url,
        hash: row.get::<_, i64>(1)?.cast_unsigned(),
        title: row.get_ref(2)?.as_str_or_null()?,
        text_bytes: row.get(3)?,
        short_text: row.get_ref(5)?.as_blob_or_null()?.and_then(hash_of_text),
        sketch: sketch.map(Sketch),
    })
}

/// Returns a hash of the blocks of a version; `None` without any.
fn hash_of_text(blocks: &[u8]) -> Option<u64> {
    let texts = passages::texts(blocks);
    let mut hasher = DefaultHasher::new();
    texts.hash(&mut hasher);
    (!texts.is_empty()).then(|| hasher.finish())
}

/// Leaves out the pages whose responses are like that to a name that cannot exist, except for home pages.
pub(super) fn judge(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    let probes = probes(pages)?;
    if probes.is_empty() {
        return Ok(());
    }
    let home: HashSet<NodeIndex> = pages.all.iter().filter(|page| page.is_home).map(|page| page.node).collect();
    let mut open: Vec<Option<&Page>> = vec![None; pages.known.len()];
    for page in pages.open() {
        open.get_mut(page.node as usize).into_iter().for_each(|slot| *slot = Some(page));
    }
    let titles = home_titles(pages, &home)?;
    let titles: HashSet<&str> = titles.iter().map(String::as_str).collect();
    let mut likes: HashMap<&str, Soft404Candidates<NodeIndex>> =
        probes.keys().map(|origin| (origin.as_str(), Soft404Candidates::default())).collect();
    let mut select = pages.connection.prepare(
        "SELECT v.url, x.hash, x.title, x.text_bytes, x.sketch, CASE WHEN x.sketch IS NULL THEN x.blocks END
         FROM visit v JOIN version x ON x.id = v.version
         WHERE v.run = ? AND v.last = 1 AND v.purpose = ?",
    )?;
    let mut rows = select.query((pages.run, Purpose::Page.code()))?;
    while let Some(row) = rows.next()? {
        let node: NodeIndex = row.get(0)?;
        let Some(page) = open.get(node as usize).copied().flatten() else { continue };
        let origin = origin_of(page.url.as_str());
        let Some(probe) = probes.get(origin) else { continue };
        let page = features(row, page.url.as_str())?;
        let is_like = page.is_like(&probe.answer(), &titles);
        if let Some(likes) = likes.get_mut(origin) {
            likes.add(node, page.hash, is_like, home.contains(&node));
        }
    }
    for (origin, likes) in likes {
        let Some(probe) = probes.get(origin).filter(|probe| !likes.is_app_shell(probe.status)) else { continue };
        likes.alike.into_iter().for_each(|node| pages.leave_out(node, Reason::Soft404, Some(probe.node)));
    }
    Ok(())
}

/// By origin, the response to a name that cannot exist.
fn probes(pages: &Pages<'_>) -> Result<HashMap<String, Answered>, StoreError> {
    let mut select = pages.connection.prepare(
        "SELECT v.url, x.hash, x.title, x.text_bytes, x.sketch, CASE WHEN x.sketch IS NULL THEN x.blocks END, u.text,
                v.status
         FROM visit v JOIN version x ON x.id = v.version JOIN url u ON u.id = v.url
         WHERE v.run = ? AND v.last = 1 AND v.purpose = ?",
    )?;
    let mut rows = select.query((pages.run, Purpose::Probe.code()))?;
    let mut probes = HashMap::new();
    while let Some(row) = rows.next()? {
        let probe = Answered::read(row)?;
        probes.insert(origin_of(&probe.url).to_owned(), probe);
    }
    Ok(probes)
}

/// The titles of the home pages.
fn home_titles(pages: &Pages<'_>, home: &HashSet<NodeIndex>) -> Result<Vec<String>, StoreError> {
    let mut select = pages.connection.prepare_cached(
        "SELECT x.title FROM visit v JOIN version x ON x.id = v.version
         WHERE v.run = ? AND v.url = ? AND v.last = 1 AND v.purpose = 0 AND x.title IS NOT NULL",
    )?;
    let mut titles = Vec::new();
    for node in home {
        titles.extend(select.query_map((pages.run, node), |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?);
    }
    Ok(titles)
}
