//! Writes many entries into as few files as the limits allow.

use std::mem;

use super::destination::Destination;
use super::error::{EntryError, SeriesError};
use super::index::{IndexEntry, write_indexes};
use super::manifest::{Manifest, Part};
use super::markup;
use super::options::SeriesOptions;
use super::part::{PartCounts, Sink};
use crate::{Entry, Lastmod};

type SeriesResult<T, D> = Result<T, SeriesError<<D as Destination>::Error>>;

/// Writes entries, in the order given, into sitemaps within the limits.
///
/// Files are streamed into the destination. Only the first sitemap is held in memory until it is known if it is the
/// only one, because its name and compression depend on that; it is at most
/// [`SeriesLimits::bytes`](crate::SeriesLimits::bytes) long.
pub struct Series<D: Destination> {
    options: SeriesOptions,
    destination: D,
    current: Current<D::File>,
    /// The next entry begins a new part although it would fit.
    cut: bool,
    parts: Vec<Part>,
    next_serial: u64,
    line: Vec<u8>,
    stopped: bool,
}

/// The sitemap that receives the next entry.
enum Current<F: std::io::Write> {
    None,
    /// The first one, in memory as long as it may be the only one.
    Held {
        serial: u64,
        text: Vec<u8>,
        counts: PartCounts,
    },
    Open {
        serial: u64,
        name: String,
        sink: Sink<F>,
        counts: PartCounts,
    },
}

/// The position of an entry in the series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pushed {
    /// The index of its part in this series, from 0.
    pub part: usize,
    /// True for the first entry of the part.
    pub opened: bool,
}

impl<D: Destination> Series<D> {
    /// Creates a series without entries. No file is created yet.
    ///
    /// # Errors
    /// [`SeriesError::Options`] if the options are outside the protocol's limits or cannot name files.
    pub fn new(options: SeriesOptions, destination: D) -> SeriesResult<Self, D> {
        let options = options.checked()?;
        let next_serial = options.first_serial;
        Ok(Self {
            options,
            destination,
            current: Current::None,
            cut: false,
            parts: Vec::new(),
            next_serial,
            line: Vec::new(),
            stopped: false,
        })
    }

    /// Adds an entry, and opens the next part if the current one is full.
    ///
    /// # Errors
    /// [`SeriesError::Entry`] if no sitemap can hold the entry: nothing was written and the series continues. Any other
    /// error ends the series.
    pub fn push(&mut self, entry: &Entry) -> SeriesResult<Pushed, D> {
        if self.stopped {
            return Err(SeriesError::Stopped);
        }
        let mut line = mem::take(&mut self.line);
        let pushed = self.push_line(entry, &mut line);
        self.line = line;
        self.stopped = pushed.as_ref().is_err_and(|error| !error.is_entry());
        pushed
    }

    /// Ends the current part: the next entry begins a new one. It has no effect before the first entry, or without an
    /// entry since the last cut.
    ///
    /// Parts get stable boundaries in this way: a caller that stores them cuts there again.
    pub fn cut(&mut self) {
        self.cut = !matches!(self.current, Current::None);
    }

    /// Ends the series, writes the index if one is needed, and publishes.
    ///
    /// # Errors
    /// [`SeriesError::Empty`] if there was no entry, otherwise the error of the destination.
    pub fn finish(mut self) -> SeriesResult<Manifest, D> {
        self.end()?;
        let urls = self.parts.iter().map(|part| part.urls).sum();
        let lone = self.options.single_name();
        let (entry_point, indexes) = match (self.parts.as_slice(), lone) {
            ([], _) => return Err(SeriesError::Empty),
            ([only], Some(name)) if only.name == name => (only.name.clone(), Vec::new()),
            _ => {
                let listed = self.parts.iter().map(IndexEntry::from);
                let indexes = write_indexes(&mut self.destination, &self.options.base, &self.options.limits, listed)?;
                (indexes.first().cloned().unwrap_or_default(), indexes)
            }
        };
        let manifest = Manifest { entry_point, parts: self.parts, indexes, urls };
        self.destination
            .publish(&manifest)
            .map_err(|source| SeriesError::destination("cannot publish the sitemaps", source))?;
        Ok(manifest)
    }

    /// Ends the series without an index and without publishing: for callers that decide names and dates of the parts,
    /// or list several series in one index ([`write_indexes`]). Empty if there was no entry.
    ///
    /// # Errors
    /// The error of the destination.
    pub fn finish_parts(mut self) -> SeriesResult<Vec<Part>, D> {
        self.end()?;
        Ok(self.parts)
    }

    fn push_line(&mut self, entry: &Entry, line: &mut Vec<u8>) -> SeriesResult<Pushed, D> {
        markup::render(line, entry, self.options.format)?;
        let limits = self.options.limits;
        if line.len() as u64 > self.options.room() {
            return Err(EntryError::TooLarge { bytes: line.len() as u64 }.into());
        }
        let fits = self.current.counts().is_some_and(|counts| !self.cut && counts.takes(line.len(), &limits));
        if !fits {
            self.close_part()?;
            self.open_part()?;
            self.cut = false;
        }
        self.write_line(line, &entry.loc)?;
        Ok(Pushed { part: self.parts.len(), opened: !fits })
    }

    fn write_line(&mut self, line: &[u8], loc: &str) -> SeriesResult<(), D> {
        match &mut self.current {
            Current::None => return Err(SeriesError::Stopped),
            Current::Held { text, counts, .. } => {
                text.extend_from_slice(line);
                counts.count(line, loc);
            }
            Current::Open { name, sink, counts, .. } => {
                sink.write(line).map_err(|source| SeriesError::write(name, source))?;
                counts.count(line, loc);
            }
        }
        Ok(())
    }

    fn open_part(&mut self) -> SeriesResult<(), D> {
        let serial = self.next_serial;
        self.next_serial += 1;
        let format = self.options.format;
        let head = markup::head(format).as_bytes();
        let counts = PartCounts::new(format);
        self.current = if self.parts.is_empty() && self.options.single_name().is_some() {
            Current::Held { serial, text: head.to_vec(), counts }
        } else {
            let name = self.options.part_name(serial);
            let mut sink = self.create(&name, self.options.packs_parts())?;
            sink.write(head).map_err(|source| SeriesError::write(&name, source))?;
            Current::Open { serial, name, sink, counts }
        };
        Ok(())
    }

    /// Closes the current part before another one: a part held in memory is not the only one any more.
    fn close_part(&mut self) -> SeriesResult<(), D> {
        match mem::replace(&mut self.current, Current::None) {
            Current::None => Ok(()),
            Current::Held { serial, text, counts } => {
                let name = self.options.part_name(serial);
                let mut sink = self.create(&name, self.options.packs_parts())?;
                sink.write(&text).map_err(|source| SeriesError::write(&name, source))?;
                self.close_file(serial, name, sink, counts)
            }
            Current::Open { serial, name, sink, counts } => self.close_file(serial, name, sink, counts),
        }
    }

    /// Closes the last part: a part held in memory is the only one.
    fn end(&mut self) -> SeriesResult<(), D> {
        if self.stopped {
            return Err(SeriesError::Stopped);
        }
        match (mem::replace(&mut self.current, Current::None), self.options.single_name()) {
            (Current::Held { serial, text, counts }, Some(name)) => {
                let mut sink = self.create(name, false)?;
                sink.write(&text).map_err(|source| SeriesError::write(name, source))?;
                self.close_file(serial, name.to_owned(), sink, counts)
            }
            (current, _) => {
                self.current = current;
                self.close_part()
            }
        }
    }

    fn create(&mut self, name: &str, packed: bool) -> SeriesResult<Sink<D::File>, D> {
        let file = self
            .destination
            .create(name)
            .map_err(|source| SeriesError::destination(format!("cannot create {name}"), source))?;
        Ok(if packed { Sink::packed(file) } else { Sink::plain(file) })
    }

    fn close_file(
        &mut self,
        serial: u64,
        name: String,
        mut sink: Sink<D::File>,
        mut counts: PartCounts,
    ) -> SeriesResult<(), D> {
        let tail = markup::tail(self.options.format).as_bytes();
        let file = sink.write(tail).and_then(|()| sink.finish()).map_err(|source| SeriesError::write(&name, source))?;
        self.destination
            .close(&name, file)
            .map_err(|source| SeriesError::destination(format!("cannot close {name}"), source))?;
        let (bytes, hash) = counts.close();
        self.parts.push(Part {
            name,
            serial,
            urls: counts.urls,
            bytes,
            first_loc: counts.first_loc,
            last_loc: counts.last_loc,
            lastmod: self.options.published,
            hash,
        });
        Ok(())
    }
}

impl<F: std::io::Write> Current<F> {
    fn counts(&self) -> Option<&PartCounts> {
        match self {
            Self::None => None,
            Self::Held { counts, .. } | Self::Open { counts, .. } => Some(counts),
        }
    }
}

impl From<&Part> for IndexEntry {
    fn from(part: &Part) -> Self {
        Self { name: part.name.clone(), lastmod: part.lastmod.map(Lastmod::at) }
    }
}
