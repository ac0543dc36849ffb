//! Columns that hold JSON. Only mapwright writes them, so JSON that cannot be read is reported as damage.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use serde::de::DeserializeOwned;

/// The value of a JSON column; `Option<Json<_>>` for a column that may be NULL.
#[derive(Debug)]
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_slice(value.as_bytes()?).map(Self).map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}

/// The value of a JSON column, or the default of its type where the column is NULL.
pub(crate) fn or_default<T: Default>(json: Option<Json<T>>) -> T {
    json.map(|Json(value)| value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StoreError;
    use rusqlite::Connection;

    fn read(select: &str) -> Result<Vec<u32>, StoreError> {
        let connection = Connection::open_in_memory()?;
        Ok(connection.query_row(select, [], |row| row.get(0).map(or_default))?)
    }

    #[test]
    fn lists_are_read_and_null_is_an_empty_one() {
        assert_eq!(read("SELECT '[3,1]'").ok(), Some(vec![3, 1]));
        assert_eq!(read("SELECT NULL").ok(), Some(Vec::new()));
    }

    #[test]
    fn json_that_mapwright_did_not_write_is_damage() {
        for odd in ["'[3,'", "'{}'", "''", "'[-1]'", "7"] {
            let result = read(&format!("SELECT {odd}"));
            assert!(matches!(result, Err(StoreError::Corrupt(_))), "{odd}: {result:?}");
        }
    }
}
