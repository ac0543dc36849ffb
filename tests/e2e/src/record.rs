//! The record, read directly, as the audit does.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use crate::Workspace;

/// The name of the record's file below the state directory.
const FILE: &str = "record.sqlite";

impl Workspace {
    /// Every URL of the record, of all runs.
    pub fn known(&self) -> BTreeSet<String> {
        self.query("SELECT text FROM url").into_iter().flatten().collect()
    }

    /// The rows of a query against the record, each cell as text (null is empty).
    pub fn query(&self, sql: &str) -> Vec<Vec<String>> {
        query(&self.state(), sql)
    }
}

/// The rows of a query, each cell as text; null is empty.
pub(crate) fn query(state: &Path, sql: &str) -> Vec<Vec<String>> {
    let file = state.join(FILE);
    let record = Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut statement = record.prepare(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let width = statement.column_count();
    let rows = statement.query_map([], |row| (0..width).map(|cell| row.get_ref(cell).map(text)).collect());
    rows.and_then(Iterator::collect).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

fn text(cell: ValueRef<'_>) -> String {
    match cell {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
    }
}
