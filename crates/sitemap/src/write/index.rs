//! Sitemap indexes.

use url::Url;

use super::destination::Destination;
use super::error::{EntryError, SeriesError};
use super::markup;
use super::options::{ENTRY_POINT, SeriesLimits, check_base, location};
use super::part::Sink;
use crate::Lastmod;

/// One sitemap as an index lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexEntry {
    /// The file's name; its URL consists of the base and this name.
    pub name: String,
    /// The time when its bytes were published.
    pub lastmod: Option<Lastmod>,
}

/// Writes the indexes that list these sitemaps, in the order given, and returns their names: `sitemap.xml`,
/// then `sitemap-index-2.xml` and so on where one cannot hold them all. Nothing is published yet.
///
/// `base` is the directory that the sitemaps are served under.
///
/// # Errors
/// [`SeriesError::Empty`] without entries, [`SeriesError::Entry`] if a URL is too long or no index of the set size
/// can hold it, [`SeriesError::Options`] for limits or a base outside the protocol, and the errors of the
/// destination.
///
/// ```
/// use mapwright_sitemap::{IndexEntry, MemoryDestination, SeriesLimits, write_indexes};
///
/// let base = url::Url::parse("https://www.example.com/maps/")?;
/// let listed = [IndexEntry { name: "sitemap-7.xml.gz".into(), lastmod: "2026-05-06".parse().ok() }];
/// let mut files = MemoryDestination::default();
/// let names = write_indexes(&mut files, &base, &SeriesLimits::default(), listed)?;
/// assert_eq!(names, ["sitemap.xml"]);
/// assert!(files.text("sitemap.xml").unwrap_or_default().contains("<loc>https://www.example.com/maps/sitemap-7.xml.gz</loc>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_indexes<D: Destination>(
    destination: &mut D,
    base: &Url,
    limits: &SeriesLimits,
    listed: impl IntoIterator<Item = IndexEntry>,
) -> Result<Vec<String>, SeriesError<D::Error>> {
    limits.check()?;
    check_base(base)?;
    let mut indexes = Indexes { destination, limits: *limits, names: Vec::new(), open: None };
    let mut line = Vec::new();
    for entry in listed {
        let loc = location(base, &entry.name);
        markup::check_loc(&loc)?;
        markup::render_sitemap(&mut line, &loc, entry.lastmod.as_ref());
        indexes.push(&line)?;
    }
    indexes.close()?;
    if indexes.names.is_empty() { Err(SeriesError::Empty) } else { Ok(indexes.names) }
}

struct Indexes<'d, D: Destination> {
    destination: &'d mut D,
    limits: SeriesLimits,
    names: Vec<String>,
    open: Option<Open<D::File>>,
}

/// The index that receives the next line.
struct Open<F: std::io::Write> {
    name: String,
    sink: Sink<F>,
    entries: usize,
    /// The size including the head, the lines so far and the closing tag.
    bytes: u64,
}

impl<D: Destination> Indexes<'_, D> {
    fn push(&mut self, line: &[u8]) -> Result<(), SeriesError<D::Error>> {
        let length = line.len() as u64;
        if markup::index_frame_bytes() + length > self.limits.bytes {
            return Err(EntryError::TooLarge { bytes: length }.into());
        }
        let limits = self.limits;
        let fits = |open: &Open<D::File>| open.entries < limits.parts_per_index && open.bytes + length <= limits.bytes;
        if !self.open.as_ref().is_some_and(fits) {
            self.close()?;
        }
        let mut open = match self.open.take() {
            Some(open) => open,
            None => self.next()?,
        };
        open.sink.write(line).map_err(|source| SeriesError::write(&open.name, source))?;
        open.entries += 1;
        open.bytes += length;
        self.open = Some(open);
        Ok(())
    }

    fn next(&mut self) -> Result<Open<D::File>, SeriesError<D::Error>> {
        let name = match self.names.len() {
            0 => ENTRY_POINT.to_owned(),
            before => format!("sitemap-index-{}.xml", before + 1),
        };
        let file = self
            .destination
            .create(&name)
            .map_err(|source| SeriesError::destination(format!("cannot create {name}"), source))?;
        let mut sink = Sink::plain(file);
        sink.write(markup::index_head().as_bytes()).map_err(|source| SeriesError::write(&name, source))?;
        self.names.push(name.clone());
        Ok(Open { name, sink, entries: 0, bytes: markup::index_frame_bytes() })
    }

    fn close(&mut self) -> Result<(), SeriesError<D::Error>> {
        let Some(Open { name, mut sink, .. }) = self.open.take() else { return Ok(()) };
        let tail = markup::index_tail().as_bytes();
        let file = sink.write(tail).and_then(|()| sink.finish()).map_err(|source| SeriesError::write(&name, source))?;
        self.destination
            .close(&name, file)
            .map_err(|source| SeriesError::destination(format!("cannot close {name}"), source))
    }
}
