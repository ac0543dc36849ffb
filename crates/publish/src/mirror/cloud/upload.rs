//! Uploads a set to a store in the order that its readers rely on.

use super::error::storage;
use crate::mirror::Mirrored;
use crate::mirror::content::{Content, media_type};
use crate::mirror::error::MirrorError;
use crate::mirror::files::Files;
use crate::mirror::mirror_state::{Due, MAX_STATE_BYTES, MirrorState};
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use object_store::path::Path;
use object_store::{
    Attribute, Attributes, Error, GetOptions, GetResult, ObjectStore, ObjectStoreExt, PutOptions, PutPayload,
};
use std::time::Duration;

/// The name of the mirror's state file, beside the uploaded files.
pub(super) const STATE_FILE: &str = ".mapwright.json";
/// The number of files uploaded at once. Each is in memory meanwhile.
const AT_ONCE: usize = 4;
/// The maximum age of an index in caches. Without it, some services let caches hold an object for an hour.
const INDEX_MAX_AGE: Duration = Duration::from_secs(300);
/// The metadata key for the hash of an object's bytes.
const HASH: Attribute = Attribute::Metadata(std::borrow::Cow::Borrowed("sha256"));

/// The upload of one set.
pub(super) struct Uploader<'c> {
    pub(super) store: &'c dyn ObjectStore,
    pub(super) prefix: &'c Path,
    pub(super) files: &'c Files,
    pub(super) grace: Duration,
    pub(super) now: Timestamp,
}

impl Uploader<'_> {
    /// Uploads parts, then further indexes, then the entry point, and then removes the files that are due. Interrupted
    /// anywhere, the indexes list only files that exist.
    pub(super) async fn upload(&self) -> Result<Mirrored, MirrorError> {
        let before = self.mirror_state().await?;
        let announced = before.announce(self.files);
        self.keep(&before, &announced).await?;
        let mut done = Mirrored::default();
        // The futures are collected first: a stream that creates them lazily is not `Send` (its closure is general over
        // lifetimes).
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
        self.keep(&announced, &settled.mirror_state).await?;
        Ok(done)
    }

    fn at(&self, name: &str) -> Path {
        self.prefix.clone().join(name)
    }

    async fn mirror_state(&self) -> Result<MirrorState, MirrorError> {
        let damaged = |why| MirrorError::MirrorState { target: String::new(), name: STATE_FILE.to_owned(), why };
        let found = match self.store.get(&self.at(STATE_FILE)).await {
            Err(Error::NotFound { .. }) => return Ok(MirrorState::default()),
            found => found.map_err(storage)?,
        };
        if found.meta.size > MAX_STATE_BYTES {
            return Err(damaged(format!("it has {} bytes, and may have {MAX_STATE_BYTES}", found.meta.size)));
        }
        MirrorState::parse(&found.bytes().await.map_err(storage)?).map_err(damaged)
    }

    async fn keep(&self, before: &MirrorState, after: &MirrorState) -> Result<(), MirrorError> {
        if before == after {
            return Ok(());
        }
        let attributes = Attributes::from_iter([(Attribute::ContentType, media_type(STATE_FILE))]);
        self.put(STATE_FILE, after.to_bytes(), attributes).await
    }

    /// Sends a file unless the store has it already. Returns the number of bytes sent.
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

    /// Removes indexes before the files that they list.
    async fn remove(&self, due: &Due) -> Result<u64, MirrorError> {
        for name in &due.indexes {
            self.remove_one(name).await?;
        }
        let parts: Vec<_> = due.parts.iter().map(|name| self.remove_one(name)).collect();
        stream::iter(parts).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
        Ok((due.indexes.len() + due.parts.len()) as u64)
    }

    /// Removes an object; a missing one is no error.
    async fn remove_one(&self, name: &str) -> Result<(), MirrorError> {
        match self.store.delete(&self.at(name)).await {
            Err(Error::NotFound { .. }) | Ok(()) => Ok(()),
            Err(error) => Err(storage(error)),
        }
    }
}

/// Returns true if an object is equal to what would be sent.
fn is_same(found: &GetResult, name: &str, content: &Content) -> bool {
    let says =
        |attribute: &Attribute, value: &str| found.attributes.get(attribute).is_some_and(|said| &**said == value);
    found.meta.size == content.bytes.len() as u64
        && says(&HASH, &content.sha256)
        && says(&Attribute::ContentType, media_type(name))
}

impl Mirrored {
    /// Counts a file: the bytes sent, or none if the store had it already.
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
