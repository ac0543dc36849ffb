//! Bringing a record of an older format up to date.

use crate::open::FORMAT;
use rusqlite::{Connection, Transaction};

/// The oldest format that a record may have.
pub(crate) const OLDEST: i64 = 1;

/// What makes a record of one format one of the next, from the oldest on.
const STEPS: [&str; (FORMAT - OLDEST) as usize] = [
    include_str!("../sql/migrations/1-to-2.sql"),
    include_str!("../sql/migrations/2-to-3.sql"),
    include_str!("../sql/migrations/3-to-4.sql"),
    include_str!("../sql/migrations/4-to-5.sql"),
    include_str!("../sql/migrations/5-to-6.sql"),
    include_str!("../sql/migrations/6-to-7.sql"),
];

/// Makes a record of format `found` one of the present format. A crash before the commit leaves it as it was.
pub(crate) fn run(transaction: &Transaction<'_>, found: i64) -> rusqlite::Result<()> {
    drop_views(transaction)?;
    for (_, step) in (OLDEST..).zip(STEPS).filter(|(from, _)| *from >= found) {
        transaction.execute_batch(step)?;
    }
    transaction.execute_batch(include_str!("../sql/views.sql"))?;
    transaction.pragma_update(None, "user_version", FORMAT)
}

/// Views hold nothing: those of the old format go, and come anew in their present form.
fn drop_views(connection: &Connection) -> rusqlite::Result<()> {
    let mut select =
        connection.prepare("SELECT name FROM sqlite_master WHERE type = 'view' AND substr(name, 1, 2) = 'v_'")?;
    let names: Vec<String> = select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    names.iter().try_for_each(|name| connection.execute_batch(&format!("DROP VIEW \"{name}\"")))
}
