//! Judgement (`--list recommended`): leaves out indexable pages that do not belong in a sitemap.
//!
//! Many applications declare nothing. Then mapwright decides, by evidence from this site alone. It leaves out variants
//! of a page by parameters without effect, soft 404s, views and repeats of one content, crawl traps, forms, and further
//! pages of lists. Each step sees only the pages that the steps before it kept.

mod attached_pages;
mod comparison;
mod duplicated_text;
mod form_names;
mod forms;
mod groups;
mod kept_judgements;
mod last_copy;
mod links;
mod pages;
mod pagination;
mod parts;
mod refused_urls;
mod repeats;
mod revisions;
mod roles;
mod soft_404;
mod test_only;
mod text;
mod trapped;
mod variants;
mod view_words;
mod views;

use crate::error::StoreError;
use crate::judge::targets::SetTargets;
use mapwright_verdict::{Judgements, UrlNode};
use mapwright_web::KeyMaker;
use pages::Pages;
use rusqlite::Connection;

pub(crate) use test_only::test_only;

/// Judges the pages of `run`. Stores the learned roles of URL parameters if later runs build on this one (`remembers`).
pub(crate) fn judge(
    (connection, sets): (&Connection, &SetTargets<'_>),
    run: i64,
    known: &[UrlNode],
    keys: &KeyMaker,
    remembers: bool,
) -> Result<Judgements, StoreError> {
    let mut pages = Pages::load((connection, sets), run, known, *keys)?;
    soft_404::judge(&mut pages)?;
    let roles = roles::learn(&pages)?;
    variants::judge(&mut pages, &roles)?;
    views::judge(&mut pages)?;
    let has_revisions = revisions::judge(&mut pages)?;
    attached_pages::judge(&mut pages)?;
    repeats::judge(&mut pages);
    trapped::judge(&mut pages)?;
    if has_revisions {
        revisions::judge_last(&mut pages)?;
    }
    parts::judge(&mut pages)?;
    forms::judge(&mut pages)?;
    pagination::judge(&mut pages)?;
    last_copy::judge(&mut pages)?;
    kept_judgements::judge(&mut pages)?;
    if remembers {
        roles.keep(connection)?;
        kept_judgements::note_version(connection)?;
    }
    Ok(pages.into_judgements())
}
