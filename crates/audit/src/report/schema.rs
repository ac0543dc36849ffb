//! `report.schema.json`: the JSON Schema of `report.json`.

use std::io::{self, Write};

/// The name of its file, which the report gives as its `$schema`.
pub const FILE: &str = "report.schema.json";

/// JSON Schema 2020-12 of version 1 of `report.json`.
pub const SCHEMA: &str = include_str!("report.schema.json");

/// Writes the schema.
///
/// # Errors
/// Errors of the writer.
pub fn write(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(SCHEMA.as_bytes())
}

#[cfg(test)]
mod tests;
