//! `sitemap list`: prints every URL of a document and of the parts of an index. It is lenient: faults are reported on
//! standard error.

use super::document::{Completeness, Document, named};
use super::part::{Part, Parts};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load;
use crate::output::Output;
use crate::stderr::print_stderr;
use clap::ArgMatches;
use mapwright_settings::{ReportFormat, Settings};
use mapwright_sitemap::{DocumentContext, Fault, Item, PageEntry, ReadLimits, Reader};
use mapwright_text::counted;
use serde::Serialize;
use std::collections::VecDeque;

/// Maximum size of a document after decompression, in bytes: five times the protocol's limit.
const MAX_BYTES: u64 = 5 * mapwright_sitemap::MAX_BYTES;
/// Maximum number of entries of a document: two hundred times the protocol's limit.
const MAX_ENTRIES: u64 = 10_000_000;

/// Prints the URLs of the named document: 0 if its bytes could be read, 2 otherwise, whatever they contain.
pub(super) fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let settings = load::settings(matches)?.settings;
    let mut parts = Parts::new(&settings, named(matches))?;
    let first = parts.first()?;
    let exit = if matches!(first.had, Completeness::Broken(_)) { Exit::Usage } else { Exit::Done };
    let mut listing = Listing { settings: &settings, output: Output::new(), printed: 0 };
    listing.begin()?;
    let named = listing.document(&first)?;
    let mut queue: Vec<(Document, VecDeque<String>)> = vec![(first, named)];
    // Depth first and in order: the top of the stack is the current index.
    while let Some((index, locs)) = queue.last_mut() {
        let Some(loc) = locs.pop_front().filter(|_| !listing.output.is_closed()) else {
            queue.pop();
            continue;
        };
        match parts.part(index, &loc) {
            Part::Document(document) => {
                let named = listing.document(&document)?;
                queue.push((*document, named));
            }
            Part::Missing(why) => listing.report(&format!("{loc}: is not available: {why}")),
            Part::Skipped | Part::Itself => {}
        }
    }
    listing.end(parts.beyond)?;
    Ok(exit)
}

/// A URL that is listed, as JSON.
#[derive(Serialize)]
struct ListedJson<'p> {
    loc: &'p str,
    /// The date as it is written.
    lastmod: Option<&'p str>,
    /// The document that lists it.
    sitemap: &'p str,
}

struct Listing<'s> {
    settings: &'s Settings,
    output: Output,
    printed: u64,
}

impl Listing<'_> {
    /// Prints the pages of one document, reports its faults, and returns the sitemaps that it lists.
    fn document(&mut self, document: &Document) -> Result<VecDeque<String>, Failure> {
        let input = match document.open() {
            Ok(input) => input,
            Err(error) => {
                self.report(&format!("{}: {error}", document.shown));
                return Ok(VecDeque::new());
            }
        };
        if let Some(output) = document.had.output() {
            self.report(&format!("{}: {output}", document.shown));
        }
        let limits = ReadLimits { bytes: MAX_BYTES, entries: MAX_ENTRIES, ..ReadLimits::default() };
        let base = document.retrieved.as_ref().or(document.url.as_ref()).map(|url| url.as_url().clone());
        let about = DocumentContext { url: base, charset: document.charset.clone(), ..DocumentContext::default() };
        let mut reader = Reader::of(input, &limits, &about);
        let mut sitemaps = VecDeque::new();
        for item in reader.by_ref() {
            match item {
                Item::Page(page) => self.page(document, &page)?,
                Item::Sitemap { loc, .. } => sitemaps.push_back(loc),
            }
            if self.output.is_closed() {
                break;
            }
        }
        for fault in reader.faults() {
            self.report(&described(&document.shown, fault));
        }
        Ok(sitemaps)
    }

    fn begin(&mut self) -> Result<(), Failure> {
        match self.settings.output.format {
            ReportFormat::Text | ReportFormat::Github => Ok(()),
            ReportFormat::Json => self.output.raw(b"["),
        }
    }

    fn page(&mut self, document: &Document, page: &PageEntry) -> Result<(), Failure> {
        let separator = if self.printed == 0 { "" } else { "," };
        self.printed += 1;
        match self.settings.output.format {
            ReportFormat::Text | ReportFormat::Github => self.output.line(&page.loc),
            ReportFormat::Json => {
                let row =
                    ListedJson { loc: &page.loc, lastmod: page.lastmod_text.as_deref(), sitemap: &document.shown };
                self.output.json_after(&format!("{separator}\n"), &row)
            }
        }
    }

    fn end(&mut self, beyond: u64) -> Result<(), Failure> {
        if self.settings.output.format == ReportFormat::Json {
            self.output.raw(b"\n]\n")?;
        }
        self.output.finish()?;
        if beyond > 0 {
            self.report(&format!(
                "{} not read: raise --max-sitemap-files or --max-sitemap-depth",
                counted(beyond, "part")
            ));
        }
        Ok(())
    }

    fn report(&self, line: &str) {
        if !self.settings.output.quiet {
            print_stderr(line);
        }
    }
}

/// Formats a fault as one line: place, rule, fault, fix.
fn described(shown: &str, fault: &Fault) -> String {
    format!("{shown}:{}: {}: {} — {}", fault.line, fault.rule, fault.what, fault.fix)
}
