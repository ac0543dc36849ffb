//! What an expert would submit: pages that the site allows to be indexed and that belong in no sitemap all the same.
//!
//! Many applications declare nothing. Then judgement decides, on evidence from this site alone: variants of a page by
//! parameters without effect, soft 404s, views and repeats of one content, crawl traps, forms, and further pages of
//! lists. Each step sees what the steps before it left.

mod attached;
mod comparison;
mod form_names;
mod forms;
mod groups;
mod held;
mod last_copy;
mod links;
mod pages;
mod parts;
mod repeats;
mod revisions;
mod roles;
mod said_elsewhere;
mod series;
mod soft_404;
mod test_only;
mod text;
mod trapped;
mod variants;
mod views;

use crate::error::StoreError;
use crate::targets::SetTargets;
use mapwright_verdict::{Judgements, Known};
use mapwright_web::KeyMaker;
use pages::Pages;
use rusqlite::Connection;

pub(crate) use test_only::test_only;

/// The judgements on the pages of `run`, and what was learnt of URL parameters, which is kept in the record where the
/// run is one to build on (`remembers`).
pub(crate) fn judge(
    (connection, sets): (&Connection, &SetTargets<'_>),
    run: i64,
    known: &[Known],
    keys: &KeyMaker,
    remembers: bool,
) -> Result<Judgements, StoreError> {
    let mut pages = Pages::load((connection, sets), run, known, *keys)?;
    soft_404::judge(&mut pages)?;
    let roles = roles::learn(&pages)?;
    variants::judge(&mut pages, &roles)?;
    views::judge(&mut pages)?;
    revisions::judge(&mut pages)?;
    attached::judge(&mut pages)?;
    repeats::judge(&mut pages);
    trapped::judge(&mut pages)?;
    revisions::judge_last(&mut pages)?;
    parts::judge(&mut pages)?;
    forms::judge(&mut pages)?;
    series::judge(&mut pages)?;
    last_copy::judge(&mut pages)?;
    held::judge(&mut pages)?;
    if remembers {
        roles.keep(connection)?;
        held::note_version(connection)?;
    }
    Ok(pages.into_judgements())
}
