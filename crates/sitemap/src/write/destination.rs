//! The destination of the files.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Write;

use super::manifest::Manifest;

/// Takes the files of a series and publishes them at once.
///
/// A file is created, written and closed before the next one is created. No file may become visible to readers before
/// [`publish`](Self::publish), and all files of the manifest should then: a directory would write under temporary names
/// and rename them, the entry point last.
///
/// Files are pushed rather than pulled when finished, so that parts of any size stream through.
pub trait Destination {
    /// An open file. It is closed by [`close`](Self::close), not by being dropped.
    type File: Write;
    /// The error of the destination.
    type Error: std::error::Error + 'static;

    /// Creates the file with this name: a plain file name, never a path, and never the same one twice in a series.
    ///
    /// # Errors
    /// When the file cannot be created. The series then stops and publishes nothing.
    fn create(&mut self, name: &str) -> Result<Self::File, Self::Error>;

    /// Flushes a complete file and makes it durable.
    ///
    /// # Errors
    /// When that fails. The series then stops and publishes nothing.
    fn close(&mut self, name: &str, file: Self::File) -> Result<(), Self::Error>;

    /// Makes the closed files of the manifest visible.
    ///
    /// # Errors
    /// When that fails; the destination documents what readers see then.
    fn publish(&mut self, manifest: &Manifest) -> Result<(), Self::Error>;
}

impl<D: Destination + ?Sized> Destination for &mut D {
    type File = D::File;
    type Error = D::Error;

    fn create(&mut self, name: &str) -> Result<Self::File, Self::Error> {
        (**self).create(name)
    }

    fn close(&mut self, name: &str, file: Self::File) -> Result<(), Self::Error> {
        (**self).close(name, file)
    }

    fn publish(&mut self, manifest: &Manifest) -> Result<(), Self::Error> {
        (**self).publish(manifest)
    }
}

/// Keeps the files in memory, by name: for tests, and for small sets that are passed on in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryDestination {
    /// The closed files.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The published manifests, in order.
    pub published: Vec<Manifest>,
}

impl MemoryDestination {
    /// The text of an uncompressed file, or `None` if there is no such file or it is not UTF-8.
    pub fn text(&self, name: &str) -> Option<&str> {
        std::str::from_utf8(self.files.get(name)?).ok()
    }
}

impl Destination for MemoryDestination {
    type File = Vec<u8>;
    type Error = Infallible;

    fn create(&mut self, _name: &str) -> Result<Self::File, Self::Error> {
        Ok(Vec::new())
    }

    fn close(&mut self, name: &str, file: Self::File) -> Result<(), Self::Error> {
        self.files.insert(name.to_owned(), file);
        Ok(())
    }

    fn publish(&mut self, manifest: &Manifest) -> Result<(), Self::Error> {
        self.published.push(manifest.clone());
        Ok(())
    }
}
