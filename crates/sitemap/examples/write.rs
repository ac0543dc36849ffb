//! Writes a numbered set of sitemaps into a new directory, and publishes it by renaming that directory.
//!
//! `cargo run --example write -- DIRECTORY [NUMBER OF URLS]`

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

use jiff::Timestamp;
use mapwright_sitemap::{Destination, Entry, Lastmod, Manifest, Series, SeriesOptions};
use url::Url;

/// Files are written into `DIRECTORY.new`, which takes the name `DIRECTORY` once it is complete.
struct NewDirectory {
    name: PathBuf,
    draft: PathBuf,
}

impl NewDirectory {
    fn create(name: PathBuf) -> io::Result<Self> {
        let draft = name.with_added_extension("new");
        fs::create_dir(&draft)?;
        Ok(Self { name, draft })
    }
}

impl Destination for NewDirectory {
    type File = File;
    type Error = io::Error;

    fn create(&mut self, name: &str) -> io::Result<File> {
        File::create_new(self.draft.join(name))
    }

    fn close(&mut self, _name: &str, file: File) -> io::Result<()> {
        file.sync_all()
    }

    fn publish(&mut self, _manifest: &Manifest) -> io::Result<()> {
        fs::rename(&self.draft, &self.name)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().ok_or("name a directory that does not exist yet")?;
    let urls: u64 = arguments.next().map_or(Ok(120_000), |number| number.parse())?;

    let mut options = SeriesOptions::new(Url::parse("https://www.example.com/")?);
    options.published = Some(Timestamp::now());
    let lastmod: Lastmod = "2026-05-06".parse()?;
    let mut series = Series::new(options, NewDirectory::create(directory.into())?)?;
    for number in 0..urls {
        series.push(&Entry::new(format!("https://www.example.com/page/{number}")).with_lastmod(lastmod))?;
    }
    let manifest = series.finish()?;
    println!("{} URLs; name {} in robots.txt", manifest.urls, manifest.entry_point);
    for part in &manifest.parts {
        println!("{}: {} URLs, {} bytes, content {}", part.name, part.urls, part.bytes, part.hash);
    }
    Ok(())
}
