//! `report.html`: one file for people, without external resources.

mod common;
mod data;
mod first;
mod kinds;
mod link;
mod parameters;
mod policy;
mod summary;
mod template;
mod urls;

use super::samples::Samples;
use super::{Report, charts, priorities};
use mapwright_text::{escaped, shortened};
use std::io::{self, Write};

const PAGE: &str = include_str!("html/page.html");

const STYLE: &str = concat!(
    include_str!("html/style/page.css"),
    include_str!("html/style/pictures.css"),
    include_str!("html/style/grid.css"),
    include_str!("html/style/print.css"),
);

const SCRIPT: &str = concat!(
    include_str!("html/script/dom.js"),
    include_str!("html/script/grid.js"),
    include_str!("html/script/findings.js"),
    include_str!("html/script/detail.js"),
    include_str!("html/script/urls.js"),
    include_str!("html/script/main.js"),
);

/// The most characters of a URL in a heading.
const MAX_HEADING: usize = 200;

/// Writes the page: summary, charts and kinds come first, so that they are visible while the findings still load.
///
/// # Errors
/// Errors of the writer, and of reading the findings.
pub(crate) fn write(report: &Report<'_>, samples: &Samples, out: &mut dyn Write) -> io::Result<()> {
    template::fill(PAGE, out, &mut |name, out| match name {
        "data" => data::write(report, out),
        "url-data" => urls::write(report.urls, out),
        _ => out.write_all(part(name, report, samples).as_bytes()),
    })
}

fn part(name: &str, report: &Report<'_>, samples: &Samples) -> String {
    match name {
        "policy" => policy::policy(SCRIPT, STYLE),
        "version" => env!("CARGO_PKG_VERSION").to_owned(),
        "style" => STYLE.to_owned(),
        "script" => SCRIPT.to_owned(),
        "site" => escaped(&shortened(report.run.starts.first().map_or("", String::as_str), MAX_HEADING)),
        "run" => summary::run(report.run),
        "notes" => summary::notes(report),
        "opening" => escaped(&priorities::opening(report, samples, &|url| shortened(url, MAX_HEADING).into_owned())),
        "totals" => summary::totals(report.tallies),
        "todo" => summary::todo(report, samples),
        "common" => common::section(&report.figures.common),
        "pictures" => charts::all(report.figures),
        "kinds" => kinds::table(report.tallies),
        "reasons" => urls::reasons(report.urls),
        "parameters" => parameters::section(report.parameters),
        "first" => first::sections(report.tallies, samples),
        "fixed" => first::fixed(report.fixed),
        // A test checks that the page names no others.
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
