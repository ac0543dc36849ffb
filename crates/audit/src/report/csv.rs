//! `issues.csv`: one row a finding, for spreadsheets.

use super::Report;
use crate::rendered_finding::RenderedFinding;
use mapwright_text::visible;
use std::borrow::Cow;
use std::io::{self, Write};

const COLUMNS: [&str; 14] = [
    "severity",
    "code",
    "state",
    "accepted",
    "url",
    "message",
    "linked_from_count",
    "linked_from",
    "anchor",
    "final",
    "sitemaps",
    "reason",
    "fix",
    "others",
];

/// Writes the findings by RFC 4180, with a header; `linked_from` and `anchor` are those of the first referrer, `others`
/// the further URLs of a finding about several.
///
/// # Errors
/// Errors of the writer, and of reading the findings.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    row(out, &COLUMNS)?;
    report.items.each(&mut |item| finding(out, item))
}

fn finding(out: &mut dyn Write, item: &RenderedFinding) -> io::Result<()> {
    let referrer = item.linked_from.first();
    row(
        out,
        &[
            item.severity.as_str(),
            item.check.code,
            item.state.as_str(),
            if item.accepted { "yes" } else { "no" },
            item.subject.name(),
            &item.message,
            &item.linked_from_count.map_or(String::new(), |count| count.to_string()),
            referrer.map_or("", |referrer| &referrer.url),
            referrer.map_or("", |referrer| &referrer.anchor),
            item.target.as_deref().unwrap_or(""),
            &item.sitemaps.join(" "),
            item.check.reason,
            item.check.fix,
            &item.subject.others().join(" "),
        ],
    )
}

fn row(out: &mut dyn Write, cells: &[&str]) -> io::Result<()> {
    for (number, cell) in cells.iter().enumerate() {
        out.write_all(if number == 0 { b"" } else { b"," })?;
        out.write_all(field(cell).as_bytes())?;
    }
    out.write_all(b"\r\n")
}

/// Returns a cell on one line, quoted where necessary.
fn field(text: &str) -> Cow<'_, str> {
    cell(visible(text))
}

/// Returns a cell by RFC 4180, quoted where necessary, that no spreadsheet takes for a formula.
#[must_use]
pub fn cell(text: Cow<'_, str>) -> Cow<'_, str> {
    let cell = defused(text);
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")).into() } else { cell }
}

/// Makes text of a formula by an apostrophe. Spreadsheets skip blanks before the sign, and some accept the full-width
/// forms of East Asian scripts as signs.
fn defused(text: Cow<'_, str>) -> Cow<'_, str> {
    let signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
    let starts = text.starts_with(['\t', '\r']) || text.trim_start().starts_with(signs);
    if starts { format!("'{text}").into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, field, write};
    use crate::report::sample::Sample;

    fn text(sample: &Sample) -> String {
        let mut out = Vec::new();
        write(&sample.report(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// The cells of each row, by the grammar of RFC 4180.
    fn parsed(text: &str) -> Vec<Vec<String>> {
        let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
        let (mut quoted, mut chars) = (false, text.chars().peekable());
        while let Some(c) = chars.next() {
            match c {
                '"' if quoted && chars.peek() == Some(&'"') => cell.extend(chars.next()),
                '"' => quoted = !quoted,
                ',' if !quoted => row.push(std::mem::take(&mut cell)),
                '\r' if !quoted => {
                    assert_eq!(chars.next(), Some('\n'));
                    row.push(std::mem::take(&mut cell));
                    rows.push(std::mem::take(&mut row));
                }
                _ => cell.push(c),
            }
        }
        rows
    }

    #[test]
    fn the_rows_in_full() {
        insta::assert_snapshot!(text(&Sample::plain()).replace("\r\n", "\n"));
    }

    #[test]
    fn fields_are_quoted_where_necessary_and_formulas_defused() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(field("a\nb"), "a\\nb");
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\u{a0}=1", "＝1"] {
            assert!(field(formula).starts_with('\''), "{formula}");
        }
    }

    #[test]
    fn hostile_texts_stay_in_their_cells_and_are_no_formulas() {
        let rows = parsed(&text(&Sample::hostile()));
        assert_eq!(rows.len(), Sample::hostile().items.len() + 1);
        for cell in rows.iter().inspect(|row| assert_eq!(row.len(), COLUMNS.len())).flatten() {
            assert!(!cell.trim_start().starts_with(['=', '+', '-', '@']), "{cell}");
            assert!(!cell.contains(mapwright_text::is_unsafe), "{cell:?}");
        }
    }
}
