//! The kind of a run.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};

/// The purpose that a run began with, for which it is resumed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RunKind {
    /// It lists pages in a sitemap.
    #[default]
    Sitemap,
    /// It audits the site, and publishes nothing.
    Audit,
}

impl RunKind {
    const ALL: [Self; 2] = [Self::Sitemap, Self::Audit];

    fn as_str(self) -> &'static str {
        match self {
            Self::Sitemap => "sitemap",
            Self::Audit => "audit",
        }
    }
}

impl FromSql for RunKind {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = value.as_str()?;
        Self::ALL.into_iter().find(|kind| kind.as_str() == word).ok_or(FromSqlError::InvalidType)
    }
}

impl ToSql for RunKind {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(self.as_str()))
    }
}
