//! Carrying a set to a store, in the order that its readers rely on.

use super::storage;
use crate::mirror::Mirrored;
use crate::mirror::content::{Content, media_type};
use crate::mirror::error::MirrorError;
use crate::mirror::files::Files;
use crate::mirror::ledger::{Due, Ledger, MAX_LEDGER};
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use object_store::path::Path;
use object_store::{
    Attribute, Attributes, Error, GetOptions, GetResult, ObjectStore, ObjectStoreExt, PutOptions, PutPayload,
};
use std::time::Duration;

/// The ledger's name beside the files.
pub(super) const LEDGER: &str = ".mapwright.json";
/// Files that are carried at once. Each is in memory meanwhile.
const AT_ONCE: usize = 4;
/// How long a cache may hold an index. Some services let caches hold what says nothing for an hour.
const INDEX_MAX_AGE: Duration = Duration::from_secs(300);
/// The metadata that holds the hash of an object's bytes.
const HASH: Attribute = Attribute::Metadata(std::borrow::Cow::Borrowed("sha256"));

/// One set on its way.
pub(super) struct Carrier<'c> {
    pub(super) store: &'c dyn ObjectStore,
    pub(super) prefix: &'c Path,
    pub(super) files: &'c Files,
    pub(super) grace: Duration,
    pub(super) now: Timestamp,
}

impl Carrier<'_> {
    /// Parts, further indexes, entry point; then what is due goes. Cut anywhere, the indexes that are there list nothing
    /// that is not.
    pub(super) async fn carry(&self) -> Result<Mirrored, MirrorError> {
        let before = self.ledger().await?;
        let announced = before.announce(self.files);
        self.keep(&before, &announced).await?;
        let mut done = Mirrored::default();
        // Gathered first: a stream that makes its futures as it goes cannot be sent between threads (its closure is
        // general over lifetimes).
        let parts: Vec<_> = self.files.parts.iter().map(|name| self.send(name, None)).collect();
        let mut parts = stream::iter(parts).buffer_unordered(AT_ONCE);
        while let Some(sent) = parts.try_next().await? {
            done.count(sent);
        }
        for name in self.files.indexes() {
            done.count(self.send(name, Some(INDEX_MAX_AGE.min(self.grace))).await?);
        }
        let settled = announced.settle(self.files, self.now, self.grace);
        done.removed = self.remove(&settled.due).await?;
        self.keep(&announced, &settled.ledger).await?;
        Ok(done)
    }

    fn at(&self, name: &str) -> Path {
        self.prefix.clone().join(name)
    }

    async fn ledger(&self) -> Result<Ledger, MirrorError> {
        let damaged = |why| MirrorError::Ledger { place: String::new(), name: LEDGER.to_owned(), why };
        let found = match self.store.get(&self.at(LEDGER)).await {
            Err(Error::NotFound { .. }) => return Ok(Ledger::default()),
            found => found.map_err(storage)?,
        };
        if found.meta.size > MAX_LEDGER {
            return Err(damaged(format!("it has {} bytes, and may have {MAX_LEDGER}", found.meta.size)));
        }
        Ledger::parse(&found.bytes().await.map_err(storage)?).map_err(damaged)
    }

    async fn keep(&self, before: &Ledger, after: &Ledger) -> Result<(), MirrorError> {
        if before == after {
            return Ok(());
        }
        let attributes = Attributes::from_iter([(Attribute::ContentType, media_type(LEDGER))]);
        self.put(LEDGER, after.to_bytes(), attributes).await
    }

    /// Sends a file, if it is not there already. Tells how many bytes were sent.
    async fn send(&self, name: &str, max_age: Option<Duration>) -> Result<Option<u64>, MirrorError> {
        let content = Content::read(self.files.path(name)).await?;
        let length = content.bytes.len() as u64;
        if self.is_there(name, &content).await? {
            return Ok(None);
        }
        let mut attributes = Attributes::from_iter([(Attribute::ContentType, media_type(name))]);
        attributes.insert(HASH, content.sha256.into());
        if let Some(age) = max_age {
            attributes.insert(Attribute::CacheControl, format!("max-age={}", age.as_secs()).into());
        }
        self.put(name, content.bytes, attributes).await?;
        Ok(Some(length))
    }

    async fn is_there(&self, name: &str, content: &Content) -> Result<bool, MirrorError> {
        let head = GetOptions::new().with_head(true);
        match self.store.get_opts(&self.at(name), head).await {
            Err(Error::NotFound { .. }) => Ok(false),
            found => Ok(is_same(&found.map_err(storage)?, name, content)),
        }
    }

    async fn put(&self, name: &str, bytes: Vec<u8>, attributes: Attributes) -> Result<(), MirrorError> {
        let options = PutOptions { attributes, ..PutOptions::default() };
        self.store.put_opts(&self.at(name), PutPayload::from(bytes), options).await.map_err(storage)?;
        Ok(())
    }

    /// Indexes go before what they list.
    async fn remove(&self, due: &Due) -> Result<u64, MirrorError> {
        for name in &due.indexes {
            self.remove_one(name).await?;
        }
        let parts: Vec<_> = due.parts.iter().map(|name| self.remove_one(name)).collect();
        stream::iter(parts).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
        Ok((due.indexes.len() + due.parts.len()) as u64)
    }

    /// Removes an object; one that is gone already is no error.
    async fn remove_one(&self, name: &str) -> Result<(), MirrorError> {
        match self.store.delete(&self.at(name)).await {
            Err(Error::NotFound { .. }) | Ok(()) => Ok(()),
            Err(error) => Err(storage(error)),
        }
    }
}

/// Whether an object is what would be sent.
fn is_same(found: &GetResult, name: &str, content: &Content) -> bool {
    let says =
        |attribute: &Attribute, value: &str| found.attributes.get(attribute).is_some_and(|said| &**said == value);
    found.meta.size == content.bytes.len() as u64
        && says(&HASH, &content.sha256)
        && says(&Attribute::ContentType, media_type(name))
}

impl Mirrored {
    /// Counts a file: the bytes that were sent, or none where it was there.
    fn count(&mut self, sent: Option<u64>) {
        match sent {
            Some(bytes) => {
                self.uploaded += 1;
                self.bytes += bytes;
            }
            None => self.kept += 1,
        }
    }
}
