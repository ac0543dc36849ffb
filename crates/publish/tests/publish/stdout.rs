//! One sitemap to standard output.

use crate::fixture::{Fixture, urls};
use mapwright_publish::{PublishError, to_stdout};
use mapwright_sitemap::{Gzip, Item, ReadLimits, Reader};

#[test]
fn what_fits_one_file_is_written_as_plain_xml() {
    let mut fixture = Fixture::new();
    fixture.list(&urls(1..=3));
    let mut out = Vec::new();
    assert_eq!(to_stdout(&fixture.record, &fixture.plan, &mut out).unwrap().urls, 3);
    let locs: Vec<String> =
        Reader::new(out.as_slice(), &ReadLimits::default()).map(|item: Item| item.loc().to_owned()).collect();
    assert_eq!(locs, urls(1..=3));
    assert!(out.starts_with(b"<?xml"));
}

#[test]
fn what_does_not_is_refused_and_nothing_is_written() {
    let mut fixture = Fixture::new();
    fixture.list(&urls(1..=7));
    let mut out = Vec::new();
    let error = to_stdout(&fixture.record, &fixture.plan, &mut out).unwrap_err();
    assert!(matches!(error, PublishError::SeveralFiles), "{error}");
    assert!(error.to_string().contains("--out"), "{error}");
    assert!(out.is_empty());
}

#[test]
fn it_is_compressed_where_every_sitemap_is() {
    let mut fixture = Fixture::new();
    fixture.plan.series.gzip = Gzip::Always;
    fixture.list(&urls(1..=3));
    let mut out = Vec::new();
    drop(to_stdout(&fixture.record, &fixture.plan, &mut out).unwrap());
    assert!(out.starts_with(&[0x1F, 0x8B]));
    assert_eq!(Reader::new(out.as_slice(), &ReadLimits::default()).count(), 3);
}

#[test]
fn hosts_are_not_mixed_there_either() {
    let mut fixture = Fixture::new();
    fixture.list(&["https://a.example/".to_owned(), "https://b.example/".to_owned()]);
    let error = to_stdout(&fixture.record, &fixture.plan, &mut Vec::new()).unwrap_err();
    assert!(matches!(error, PublishError::SeveralHosts), "{error}");
}

#[test]
fn what_no_file_can_hold_is_named() {
    let mut fixture = Fixture::new();
    let long = format!("https://a.example/{}", "x".repeat(3000));
    fixture.list(&[urls(1..=2), vec![long.clone()]].concat());
    let published = to_stdout(&fixture.record, &fixture.plan, &mut Vec::new()).unwrap();
    assert_eq!((published.urls, published.refused), (2, vec![long]));
}

/// Closes like `head` after it has read its lines.
struct Closed;

impl std::io::Write for Closed {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_closes_early_is_no_error() {
    let mut fixture = Fixture::new();
    fixture.list(&urls(1..=1));
    assert!(to_stdout(&fixture.record, &fixture.plan, &mut Closed).is_ok());
}
