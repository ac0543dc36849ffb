//! What was learnt of URL parameters, as the record keeps it.

use crate::error::StoreError;
use crate::record::Record;
use mapwright_traps::{Evidence, Parameter};

/// One parameter of the URLs of one pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterRow {
    /// The pattern of the paths.
    pub pattern: String,
    /// The parameter: its name, with `;` before it where it stands in the path.
    pub parameter: String,
    /// Its role, once it is certain.
    pub role: Option<String>,
    /// The comparisons that were made.
    pub evidence: Evidence,
    /// URLs with it that were requested.
    pub urls: u64,
    /// One of them.
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
                Evidence { equal: row.get(3)?, sorted: row.get(4)?, subset: row.get(5)?, differs: row.get(6)? };
            let (parameter, role): (String, Option<String>) = (row.get(1)?, row.get(2)?);
            // What one path proves is proven of that path alone, and learnt anew by the next run.
            let proven = || evidence.role(&Parameter::from_label(&parameter).name).map(|role| role.as_str().to_owned());
            Ok(ParameterRow {
                pattern: row.get(0)?,
                role: role.or_else(proven),
                parameter,
                evidence,
                urls: row.get(7)?,
                example: row.get(8)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
