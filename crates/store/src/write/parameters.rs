//! The URL parameters and their roles in the record.

use crate::error::StoreError;
use crate::record::Record;
use mapwright_traps::ComparisonCounts;
use serde::Serialize;

/// One parameter of the URLs of one pattern.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ParameterRow {
    /// The pattern of the paths.
    pub pattern: String,
    /// The name of the parameter, with `;` before it for a parameter in the path.
    pub parameter: String,
    /// Its role, once it is certain.
    pub role: Option<String>,
    /// The comparisons that were made.
    pub evidence: ComparisonCounts,
    /// The number of requested URLs with it.
    pub urls: u64,
    /// One of these URLs.
    pub example: String,
}

impl Record {
    /// The parameters of all URLs of the newest complete run, in the order of their patterns.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn parameters(&self) -> Result<Vec<ParameterRow>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT pattern, parameter, role, equal, sorted, subset, differs, urls, example FROM parameter
             ORDER BY pattern, parameter",
        )?;
        let rows = select.query_map([], |row| {
            let evidence =
                ComparisonCounts { equal: row.get(3)?, sorted: row.get(4)?, subset: row.get(5)?, differs: row.get(6)? };
            Ok(ParameterRow {
                pattern: row.get(0)?,
                parameter: row.get(1)?,
                role: row.get(2)?,
                evidence,
                urls: row.get(7)?,
                example: row.get(8)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
