//! Reads the graph of a run from the record, in the form that verdicts are computed from.

use crate::error::StoreError;
use crate::judge::clicks::{self, ClickPlace};
use crate::judge::options::JudgeOptions;
use crate::judge::page_states::ListingState;
use crate::judge::recommended;
use crate::judge::republish;
use crate::judge::targets::SetTargets;
use crate::judge::transient_failures::TransientFailures;
use crate::schema::json::Json;
use mapwright_model::{Outcome, Unfetched};
use mapwright_verdict::{FetchStatus, Judgements, Reason, UrlNode};
use mapwright_web::KeyMaker;
use rusqlite::{Connection, OptionalExtension, Row};
use std::collections::HashSet;

/// The length in characters from which on a URL is too long for a sitemap (sitemaps.org: less than 2,048).
const TOO_LONG: usize = 2_048;

/// The properties of every URL, by its number.
pub(crate) struct Graph {
    pub(crate) known: Vec<UrlNode>,
    /// The place of each URL on its shortest click path.
    pub(crate) places: Vec<ClickPlace>,
    /// The URLs that mapwright's own judgement leaves out.
    pub(crate) judgements: Judgements,
}

/// Reads the graph of `run`.
pub(crate) fn load(
    connection: &Connection,
    run: i64,
    options: &JudgeOptions<'_>,
    keys: &KeyMaker,
) -> Result<Graph, StoreError> {
    let last: usize = connection.query_row("SELECT coalesce(max(id), 0) FROM url", [], |row| row.get(0))?;
    let mut known = vec![UrlNode::default(); last + 1];
    load_found(connection, run, options, &mut known)?;
    load_visits(connection, run, options, &mut known)?;
    load_texts(connection, options, keys, &mut known)?;
    load_kept(connection, run, options, &mut known)?;
    if let Some(published) = options.published {
        republish::canonicals(connection, published, keys, &mut known)?;
    }
    let sets = SetTargets::new(connection);
    count_inlinks(connection, run, &mut known, &sets)?;
    known.iter_mut().for_each(linked_by_nofollow);
    let mut judgements = match options.recommended {
        true => recommended::judge((connection, &sets), run, &known, keys, options.remembers)?,
        false => Judgements::new(),
    };
    let places = clicks::places(connection, run, (&known, &judgements), &sets, options.follows_nofollow)?;
    if options.recommended {
        let test_only =
            recommended::test_only((connection, &sets), run, (&known, &judgements), &places, options.follows_nofollow)?;
        judgements.extend(test_only.into_iter().map(|node| (node, (Reason::ParameterVariant, None))));
    }
    Ok(Graph { known, places, judgements })
}

/// Loads the known URLs as not fetched, each with its reason; visits replace this.
fn load_found(
    connection: &Connection,
    run: i64,
    options: &JudgeOptions<'_>,
    known: &mut [UrlNode],
) -> Result<(), StoreError> {
    let mut select = connection.prepare("SELECT url, refused FROM found WHERE run = ?")?;
    let mut rows = select.query([run])?;
    while let Some(row) = rows.next()? {
        let (url, refused): (usize, Option<u8>) = (row.get(0)?, row.get(1)?);
        let reason = match refused.and_then(Unfetched::from_code) {
            None => options.unreached,
            Some(Unfetched::OutOfScope) => Reason::OutOfScope,
            Some(Unfetched::Excluded) => Reason::Excluded,
            Some(Unfetched::Nofollow) => Reason::Nofollow,
            Some(Unfetched::Resource) => Reason::Resource,
            Some(Unfetched::Depth) => Reason::Depth,
            Some(Unfetched::Redirects) => Reason::Redirects,
            Some(Unfetched::Endless | Unfetched::Sampled | Unfetched::Beyond) => Reason::Endless,
            Some(Unfetched::SitemapLimit) => Reason::Budget,
            Some(Unfetched::ParameterVariant) => Reason::ParameterVariant,
        };
        if let Some(known) = known.get_mut(url) {
            known.fetch_status = FetchStatus::NotFetched(reason);
        }
    }
    Ok(())
}

/// Loads the last visit of each URL, without the checks of the audit. For a URL fetched both as a page and as a
/// prerequisite, the visit as a page counts.
fn load_visits(
    connection: &Connection,
    run: i64,
    options: &JudgeOptions<'_>,
    known: &mut [UrlNode],
) -> Result<(), StoreError> {
    for as_page in [false, true] {
        each_visit(connection, (run, true, as_page), |url, row| match known.get_mut(url) {
            Some(known) => note_visit(known, row, as_page, options),
            None => Ok(()),
        })?;
    }
    // A URL whose retry was still queued was requested, so its earlier visit counts.
    let waits = |known: &UrlNode| known.fetch_status == FetchStatus::NotFetched(options.unreached);
    let waiting: HashSet<usize> = (0..).zip(&*known).filter(|(_, known)| waits(known)).map(|(url, _)| url).collect();
    if waiting.is_empty() {
        return Ok(());
    }
    each_visit(connection, (run, false, true), |url, row| match known.get_mut(url).filter(|_| waiting.contains(&url)) {
        Some(known) => note_visit(known, row, true, options),
        None => Ok(()),
    })
}

/// Passes the visits of a run to `take`, in their order: those that were the last of their URLs or the earlier ones
/// (`last`), as a page or as a prerequisite (`as_page`).
fn each_visit(
    connection: &Connection,
    (run, last, as_page): (i64, bool, bool),
    mut take: impl FnMut(usize, &Row<'_>) -> rusqlite::Result<()>,
) -> Result<(), StoreError> {
    let mut select = connection.prepare(
        "SELECT v.url, v.outcome, v.status, v.robots_status, v.media_kind, v.target, v.canonical, v.noindex,
                coalesce(x.hash, 0), v.reused < 2
         FROM visit v LEFT JOIN version x ON x.id = v.version
         WHERE v.run = ? AND v.last = ? AND v.purpose < 4 AND (v.purpose = 0) = ? ORDER BY v.seq",
    )?;
    let mut rows = select.query((run, last, as_page))?;
    while let Some(row) = rows.next()? {
        take(row.get(0)?, row)?;
    }
    Ok(())
}

/// Gives nofollow precedence as the reason of a URL known from both an image and a nofollow link, in whatever order
/// they were found.
fn linked_by_nofollow(known: &mut UrlNode) {
    if known.fetch_status == FetchStatus::NotFetched(Reason::Resource) && known.inlinks > 0 {
        known.fetch_status = FetchStatus::NotFetched(Reason::Nofollow);
    }
}

fn note_visit(known: &mut UrlNode, row: &Row<'_>, as_page: bool, options: &JudgeOptions<'_>) -> rusqlite::Result<()> {
    let outcome = Outcome::ALL.get(row.get::<_, usize>(1)?).copied().unwrap_or(Outcome::Failed);
    let kind = row.get_ref(4)?.as_str_or_null().unwrap_or_default();
    let listed = as_page && kind.is_some_and(|kind| (options.lists)(kind));
    known.fetch_status = fetch_status(outcome, row.get(3)?, listed);
    let status: Option<u16> = row.get(2)?;
    known.transient_failure = match outcome {
        Outcome::NoAnswer | Outcome::Broken | Outcome::Throttled => true,
        Outcome::Status => status.is_some_and(|status| status >= 500),
        _ => false,
    };
    known.checked = as_page && matches!(outcome, Outcome::Page | Outcome::File) && row.get(9)?;
    known.redirect = row.get::<_, Option<u32>>(5)?.into();
    known.canonical = row.get::<_, Option<u32>>(6)?.into();
    known.noindex = row.get(7)?;
    // The hash of the bytes alone; `load_texts` combines it with the text of the URL.
    known.duplicate_key = row.get::<_, i64>(8)?.cast_unsigned();
    Ok(())
}

fn fetch_status(outcome: Outcome, robots_status: Option<u16>, listed: bool) -> FetchStatus {
    match outcome {
        Outcome::Page | Outcome::File if listed => FetchStatus::Page,
        Outcome::Page | Outcome::File => FetchStatus::File,
        Outcome::Redirect => FetchStatus::Redirect,
        Outcome::Status => FetchStatus::Failed(Reason::HttpError),
        Outcome::NoAnswer => FetchStatus::Failed(Reason::NoAnswer),
        Outcome::Broken => FetchStatus::Failed(Reason::Broken),
        Outcome::Throttled => FetchStatus::Failed(Reason::Throttled),
        Outcome::Failed => FetchStatus::Failed(Reason::Failed),
        Outcome::Guarded => FetchStatus::NotFetched(Reason::Address),
        Outcome::Refused if robots_status.is_some() => FetchStatus::NotFetched(Reason::RobotsUnavailable),
        Outcome::Refused => FetchStatus::NotFetched(Reason::Robots),
    }
}

/// Marks the failing pages that stay listed: see `transient_failures.rs`.
fn load_kept(
    connection: &Connection,
    run: i64,
    options: &JudgeOptions<'_>,
    known: &mut [UrlNode],
) -> Result<(), StoreError> {
    if !options.remembers {
        return Ok(());
    }
    let transient_failures = TransientFailures { run, runs: options.keep_failing };
    let mut select = connection.prepare("SELECT listed, failing, failed FROM memory WHERE url = ?")?;
    for (url, known) in known.iter_mut().enumerate().filter(|(_, known)| known.transient_failure && !known.no_list) {
        let listing_state = |row: &Row<'_>| {
            let (listed, failing, failed) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(ListingState { listed, failing, failed, published_date: None })
        };
        let listing_state = select.query_row([url], listing_state).optional()?;
        known.kept = listing_state.is_some_and(|listing_state| transient_failures.keeps(&listing_state));
    }
    Ok(())
}

/// Sets the properties that depend on the text of a URL, for pages that may be listed or stay listed.
fn load_texts(
    connection: &Connection,
    options: &JudgeOptions<'_>,
    keys: &KeyMaker,
    known: &mut [UrlNode],
) -> Result<(), StoreError> {
    let shared = shared_bytes(known);
    let mut select = connection.prepare("SELECT id, text FROM url")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let is_looked_at = |known: &&mut UrlNode| known.fetch_status == FetchStatus::Page || known.transient_failure;
        let Some(known) = known.get_mut(row.get::<_, usize>(0)?).filter(is_looked_at) else { continue };
        let text = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
        known.no_list = (options.no_list)(text);
        if known.fetch_status != FetchStatus::Page {
            continue;
        }
        let length = text.chars().count();
        known.length = u16::try_from(length).unwrap_or(u16::MAX);
        known.too_long = length >= TOO_LONG;
        known.duplicate_key = match shared.binary_search(&known.duplicate_key) {
            Ok(_) => {
                keys.hash(&[(options.duplicate_key)(text).as_bytes(), &known.duplicate_key.to_le_bytes()].concat())
            }
            // No other page has the same bytes, so the page has no exact duplicate.
            Err(_) => 0,
        };
    }
    Ok(())
}

/// The hashes of bodies that several listable pages have in common, sorted.
fn shared_bytes(known: &[UrlNode]) -> Vec<u64> {
    let pages = known.iter().filter(|known| known.fetch_status == FetchStatus::Page && known.duplicate_key != 0);
    let mut hashes: Vec<u64> = pages.map(|known| known.duplicate_key).collect();
    hashes.sort_unstable();
    let again = |pair: &[u64]| if let [one, other] = pair { (one == other).then_some(*one) } else { None };
    let mut shared: Vec<u64> = hashes.windows(2).filter_map(again).collect();
    shared.dedup();
    shared
}

/// Counts the pages that link to each URL. A page counts once however many links it has, and not for itself.
fn count_inlinks(
    connection: &Connection,
    run: i64,
    known: &mut [UrlNode],
    sets: &SetTargets<'_>,
) -> Result<(), StoreError> {
    let mut counted_for = vec![u32::MAX; known.len()];
    let mut select = connection.prepare(
        "SELECT v.url, x.sets FROM visit v JOIN version x ON x.id = v.version
         WHERE v.run = ? AND v.last = 1 AND v.purpose = 0",
    )?;
    let mut rows = select.query([run])?;
    while let Some(row) = rows.next()? {
        let page: u32 = row.get(0)?;
        let Json(own): Json<Vec<u32>> = row.get(1)?;
        for set in own {
            let targets = sets.targets(set)?;
            for target in targets.open.iter().chain(&targets.nofollow) {
                let (Some(url), Some(last)) = (known.get_mut(*target as usize), counted_for.get_mut(*target as usize))
                else {
                    continue;
                };
                if *last != page && *target != page {
                    *last = page;
                    url.inlinks = url.inlinks.saturating_add(1);
                }
            }
        }
    }
    Ok(())
}
