//! The section of all URLs: the reasons for which they are left out, and the data of the table.

use crate::report::url_table::UrlTable;
use mapwright_store::UrlRow;
use mapwright_text::json::write_in_page;
use mapwright_text::{escaped, grouped, shortened};
use mapwright_verdict::Reason;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The number of URLs in a part of the data.
const PART: usize = 2_000;
/// The most characters of a title.
const MAX_TITLE: usize = 200;

/// Returns the table of the reasons, the most frequent first; empty if no URL is left out.
pub(super) fn reasons(urls: &UrlTable) -> String {
    let row = |(reason, count): (Reason, u64)| {
        let (word, meaning, count) = (reason.as_str(), escaped(reason.meaning()), grouped(count));
        format!(
            "<tr><th scope=\"row\"><a href=\"#urls\" data-reason=\"{word}\">{word}</a></th>\
             <td class=\"what\">A URL that {meaning}</td><td class=\"number\" data-label=\"URLs\">{count}</td></tr>\n"
        )
    };
    let rows: String = urls.left_out().into_iter().map(row).collect();
    if rows.is_empty() {
        return rows;
    }
    format!(
        "<table class=\"kinds reasons\">\n<thead><tr><th scope=\"col\">Left out as</th><th scope=\"col\">Meaning</th>\
         <th scope=\"col\" class=\"number\">URLs</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>"
    )
}

/// Writes the meanings of the reasons and the URLs as data that no browser runs.
pub(super) fn write(urls: &UrlTable, out: &mut dyn Write) -> io::Result<()> {
    let meanings: BTreeMap<&str, &str> =
        urls.by_reason.iter().filter_map(|(reason, _)| reason.map(|one| (one.as_str(), one.meaning()))).collect();
    write!(out, "<script type=\"application/json\" id=\"reasons\" data-total=\"{}\">", urls.total())?;
    write_in_page(out, &meanings)?;
    out.write_all(b"</script>\n")?;
    for part in urls.rows.chunks(PART) {
        out.write_all(b"<script type=\"application/json\" class=\"urls\">[")?;
        for (place, row) in part.iter().enumerate() {
            out.write_all(if place > 0 { b",\n" } else { b"" })?;
            write_row(row, out)?;
        }
        out.write_all(b"]</script>\n")?;
    }
    write_scripts(urls, out)
}

/// Writes the facts of pages without their scripts and with them: the place of the URL, and a row for each fact.
fn write_scripts(urls: &UrlTable, out: &mut dyn Write) -> io::Result<()> {
    for part in urls.scripts.chunks(PART) {
        out.write_all(b"<script type=\"application/json\" class=\"scripts\">[")?;
        for (number, (place, facts)) in part.iter().enumerate() {
            out.write_all(if number > 0 { b",\n" } else { b"" })?;
            let rows = facts.each_ref().map(|fact| {
                let shown = |text: &str| shortened(text, MAX_TITLE).into_owned();
                (fact.name, shown(&fact.without), shown(&fact.with))
            });
            write_in_page(out, &(place, rows))?;
        }
        out.write_all(b"]</script>\n")?;
    }
    Ok(())
}

/// Writes a URL as an array, in the order that `urls.js` reads.
fn write_row(row: &UrlRow, out: &mut dyn Write) -> io::Result<()> {
    let title = row.title.as_deref().map(|title| shortened(title, MAX_TITLE));
    let reason = row.reason.map(Reason::as_str);
    let UrlRow { url, status, depth, inlinks, total_ms, lastmod, evidence, .. } = row;
    write_in_page(out, &(url, status, reason, title, depth, inlinks, total_ms, lastmod, evidence))
}
