//! Where the files go.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Write;

use super::manifest::Manifest;

/// Takes the files of a series and makes them visible at once.
///
/// A file is created, written and closed before the next one is created. Nothing may become visible to
/// readers before [`publish`](Self::publish), and all of the manifest's files should then: a directory would
/// write under temporary names and rename them, the entry point last.
///
/// A pull of finished files was considered instead; pushing lets parts of any size stream through.
pub trait Destination {
    /// An open file. It is closed by [`close`](Self::close), not by being dropped.
    type File: Write;
    /// What can go wrong.
    type Error: std::error::Error + 'static;

    /// Begins the file with this name: a plain file name, never a path, and never the same one twice in a series.
    ///
    /// # Errors
    /// Where the file cannot be created. The series then stops and publishes nothing.
    fn create(&mut self, name: &str) -> Result<Self::File, Self::Error>;

    /// The file is whole: flush it, make it durable.
    ///
    /// # Errors
    /// Where that fails. The series then stops and publishes nothing.
    fn close(&mut self, name: &str, file: Self::File) -> Result<(), Self::Error>;

    /// Every file of the manifest is closed: make them visible.
    ///
    /// # Errors
    /// Where that fails; what readers see then is for the destination to say.
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

/// Keeps the files in memory, by name: for tests, and for sets small enough to be handed on whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryDestination {
    /// The closed files.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What was published, in order.
    pub published: Vec<Manifest>,
}

impl MemoryDestination {
    /// The text of a file that is not compressed, or `None` where there is no such file or it is no UTF-8.
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
