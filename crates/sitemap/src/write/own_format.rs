//! Recognizes files written by this crate.

use std::io::{BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use super::format::Format;
use super::markup::{head, index_head, index_tail, tail};
use crate::MAX_BYTES;
use crate::limits::after_web_scheme;

/// The maximum number of bytes of a line: an entry with each of its characters escaped.
const MAX_LINE: u64 = 64 * 1024;

const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Returns true if a document has, line by line, the form that [`Series`](crate::Series) and
/// [`write_indexes`](crate::write_indexes) write: the head, one entry per line and the closing tag; or absolute URLs
/// only, one per line. It may be compressed. Another writer of the same form is not distinguished; a document that is
/// unreadable or longer than [`MAX_BYTES`] is rejected.
#[must_use]
pub fn is_mapwright_format(mut document: impl BufRead) -> bool {
    let is_packed = document.fill_buf().is_ok_and(|bytes| bytes.starts_with(&GZIP));
    if is_packed { is_form(BufReader::new(MultiGzDecoder::new(document))) } else { is_form(document) }
}

fn is_form(document: impl BufRead) -> bool {
    let mut lines = Lines { rest: document.take(MAX_BYTES), line: Vec::new() };
    let Some(first) = lines.next().map(str::to_owned) else { return false };
    if after_web_scheme(&first).is_some() {
        return lines.are(|line| after_web_scheme(line).is_some(), tail(Format::Text));
    }
    let Some(second) = lines.next() else { return false };
    let (entry, end, tail) = match first + second {
        frame if frame == head(Format::Xml) => ("<url><loc>", "</url>\n", tail(Format::Xml)),
        frame if frame == index_head() => ("<sitemap><loc>", "</sitemap>\n", index_tail()),
        _ => return false,
    };
    lines.are(|line| line.starts_with(entry) && line.ends_with(end), tail)
}

/// The lines of a document, each with its line feed.
struct Lines<R> {
    rest: R,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// The next line; none at the end, and none if it is too long, has no end, or is not UTF-8.
    fn next(&mut self) -> Option<&str> {
        self.line.clear();
        self.rest.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.line).ok()?;
        std::str::from_utf8(&self.line).ok().filter(|line| line.ends_with('\n'))
    }

    /// Returns true if the remaining lines are entries followed by `tail`, which may be empty.
    fn are(&mut self, is_entry: impl Fn(&str) -> bool, tail: &str) -> bool {
        while let Some(line) = self.next() {
            if line == tail {
                return self.next().is_none() && self.line.is_empty();
            }
            if !is_entry(line) {
                return false;
            }
        }
        self.line.is_empty() && tail.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::{Entry, Gzip, IndexEntry, MemoryDestination, Series, SeriesOptions, write_indexes};

    fn written(format: Format, gzip: Gzip) -> MemoryDestination {
        let base = Url::parse("https://a.example/").unwrap();
        let mut files = MemoryDestination::default();
        let options = SeriesOptions { format, gzip, ..SeriesOptions::new(base.clone()) };
        let mut series = Series::new(options, &mut files).unwrap();
        for path in ["", "a?b&c", "\u{fc}"] {
            series.push(&Entry::new(format!("https://a.example/{path}"))).unwrap();
        }
        drop(series.finish().unwrap());
        let part = IndexEntry { name: "sitemap-1.xml".to_owned(), lastmod: "2026-05-06".parse().ok() };
        write_indexes(&mut files, &base, &SeriesOptions::new(base.clone()).limits, [part]).unwrap();
        files
    }

    #[test]
    fn what_is_written_here_is_known_again() {
        for format in [Format::Xml, Format::Text] {
            for gzip in [Gzip::Never, Gzip::Always] {
                for (name, bytes) in written(format, gzip).files {
                    assert!(is_mapwright_format(bytes.as_slice()), "{name}");
                }
            }
        }
    }

    #[test]
    fn what_is_written_otherwise_is_another_s() {
        let files = written(Format::Xml, Gzip::Never);
        for (name, bytes) in &files.files {
            let text = String::from_utf8_lossy(bytes);
            for other in [
                text.trim_end().to_owned(),
                text.replace("\n<", "\r\n<"),
                text.replace("sitemap/0.9\">", "sitemap/0.9\" xmlns:x=\"urn:x\">"),
                text.replace("<loc>", "\n  <loc>"),
                format!("{text}<!-- made by another -->\n"),
                text.replace("</urlset>\n", "").replace("</sitemapindex>\n", ""),
            ] {
                assert!(!is_mapwright_format(other.as_bytes()), "{name}: {other}");
            }
        }
        for other in ["", "mine", "mine\n", "https://a.example/", "https://a.example/\nmine\n", "\u{1f}\u{8b}"] {
            assert!(!is_mapwright_format(other.as_bytes()), "{other:?}");
        }
    }
}
