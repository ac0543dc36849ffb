//! Tables of names, so that SQL views show words instead of codes.

use mapwright_model::{Outcome, Via};
use mapwright_verdict::Reason;
use mapwright_web::page::facts::{LinkKind, Region};
use rusqlite::Connection;

/// Kinds of links, in the order of their codes in the record.
pub(crate) const KINDS: [(LinkKind, &str); 16] = [
    (LinkKind::Anchor, "anchor"),
    (LinkKind::Area, "area"),
    (LinkKind::Frame, "frame"),
    (LinkKind::Sequence, "sequence"),
    (LinkKind::Alternate, "alternate"),
    (LinkKind::Canonical, "canonical"),
    (LinkKind::Feed, "feed"),
    (LinkKind::Refresh, "refresh"),
    (LinkKind::Image, "image"),
    (LinkKind::Media, "media"),
    (LinkKind::Stylesheet, "stylesheet"),
    (LinkKind::Script, "script"),
    (LinkKind::Icon, "icon"),
    (LinkKind::Manifest, "manifest"),
    (LinkKind::Preload, "preload"),
    (LinkKind::Amp, "amp"),
];

/// Regions of a page, in the order of their codes in the record.
pub(crate) const REGIONS: [(Region, &str); 7] = [
    (Region::Head, "head"),
    (Region::Nav, "nav"),
    (Region::Header, "header"),
    (Region::Main, "main"),
    (Region::Aside, "aside"),
    (Region::Footer, "footer"),
    (Region::Body, "body"),
];

/// The code of a kind of link.
pub(crate) fn kind_code(kind: LinkKind) -> usize {
    KINDS.iter().position(|(known, _)| *known == kind).unwrap_or_default()
}

/// The code of a region.
pub(crate) fn region_code(region: Region) -> usize {
    REGIONS.iter().position(|(known, _)| *known == region).unwrap_or_default()
}

/// Rewrites the tables of names, which depend on the version of the program.
pub(crate) fn write(connection: &Connection) -> rusqlite::Result<()> {
    let outcomes: Vec<_> = Outcome::ALL.iter().map(|o| (o.as_str(), None)).collect();
    let ways: Vec<_> = Via::ALL.iter().map(|v| (v.as_str(), None)).collect();
    let reasons: Vec<_> = Reason::ALL.iter().map(|r| (r.as_str(), Some(r.meaning()))).collect();
    let kinds: Vec<_> = KINDS.iter().map(|(_, name)| (*name, None)).collect();
    let regions: Vec<_> = REGIONS.iter().map(|(_, name)| (*name, None)).collect();
    table(connection, "outcome_name", &outcomes)?;
    table(connection, "via_name", &ways)?;
    table(connection, "reason_name", &reasons)?;
    table(connection, "kind_name", &kinds)?;
    table(connection, "region_name", &regions)
}

fn table(connection: &Connection, name: &str, rows: &[(&str, Option<&str>)]) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "CREATE TABLE IF NOT EXISTS {name} (code INTEGER PRIMARY KEY, name TEXT NOT NULL, meaning TEXT) STRICT;
         DELETE FROM {name};"
    ))?;
    let mut insert = connection.prepare(&format!("INSERT INTO {name} (code, name, meaning) VALUES (?, ?, ?)"))?;
    for (code, (word, meaning)) in rows.iter().enumerate() {
        insert.execute((code, word, meaning))?;
    }
    Ok(())
}
