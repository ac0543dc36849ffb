//! Migrates a record of an older format: for each format, a step leads to the next.

use rusqlite::{Connection, Transaction};

/// The migration steps from each format to the next, from the first format on. An incompatible change of `schema.sql`
/// adds a step here.
pub(crate) const STEPS: &[&str] = &[];
/// The oldest format that a record may have.
pub(crate) const OLDEST: i64 = 1;

/// Returns the format to which these steps lead.
pub(crate) fn newest(steps: &[&str]) -> i64 {
    OLDEST.saturating_add_unsigned(steps.len() as u64)
}

/// Migrates a record of format `found` to the newest format. A crash before the commit leaves it unchanged.
pub(crate) fn run(transaction: &Transaction<'_>, found: i64, steps: &[&str]) -> rusqlite::Result<()> {
    drop_views(transaction)?;
    for (_, step) in (OLDEST..).zip(steps).filter(|(from, _)| *from >= found) {
        transaction.execute_batch(step)?;
    }
    transaction.execute_batch(include_str!("../../sql/views.sql"))?;
    transaction.pragma_update(None, "user_version", newest(steps))
}

/// Drops the views of the old format. They hold no data, and are created again in their present form.
fn drop_views(connection: &Connection) -> rusqlite::Result<()> {
    let mut select =
        connection.prepare("SELECT name FROM sqlite_master WHERE type = 'view' AND substr(name, 1, 2) = 'v_'")?;
    let names: Vec<String> = select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    names.iter().try_for_each(|name| connection.execute_batch(&format!("DROP VIEW \"{name}\"")))
}

#[cfg(test)]
#[path = "migrate_tests.rs"]
mod tests;
