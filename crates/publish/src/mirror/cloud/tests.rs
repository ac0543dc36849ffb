//! Uploads to a store that fails at each of its operations.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::upload::{STATE_FILE, Uploader};
use super::*;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use jiff::Timestamp;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore, ObjectStoreExt,
    PutMultipartOptions, PutOptions, PutPayload, PutResult,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tempfile::TempDir;

const GRACE: Duration = Duration::from_secs(7200);

/// The way an operation fails.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Failing {
    /// The operation is not done.
    Before,
    /// The operation is done, and the response is lost.
    After,
}

/// A store in memory that fails after a number of operations.
#[derive(Debug, Clone)]
struct Failer {
    store: Arc<InMemory>,
    left: Arc<AtomicI64>,
    how: Failing,
}

impl Failer {
    fn fails(&self) -> bool {
        self.left.fetch_sub(1, Ordering::Relaxed) <= 0
    }

    fn before(&self) -> object_store::Result<bool> {
        match (self.fails(), self.how) {
            (true, Failing::Before) => Err(failed()),
            (fails, _) => Ok(fails),
        }
    }
}

fn failed() -> Error {
    Error::Generic { store: "failer", source: "it failed".into() }
}

fn after<T>(fails: bool, done: object_store::Result<T>) -> object_store::Result<T> {
    if fails { Err(failed()) } else { done }
}

impl fmt::Display for Failer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("failer")
    }
}

#[async_trait::async_trait]
impl ObjectStore for Failer {
    async fn put_opts(&self, at: &Path, bytes: PutPayload, options: PutOptions) -> object_store::Result<PutResult> {
        let fails = self.before()?;
        after(fails, self.store.put_opts(at, bytes, options).await)
    }

    async fn put_multipart_opts(
        &self,
        at: &Path,
        options: PutMultipartOptions,
    ) -> object_store::Result<Box<dyn MultipartUpload>> {
        self.store.put_multipart_opts(at, options).await
    }

    async fn get_opts(&self, at: &Path, options: GetOptions) -> object_store::Result<GetResult> {
        let fails = self.before()?;
        after(fails, self.store.get_opts(at, options).await)
    }

    fn delete_stream(
        &self,
        paths: BoxStream<'static, object_store::Result<Path>>,
    ) -> BoxStream<'static, object_store::Result<Path>> {
        let this = self.clone();
        let delete = move |path: object_store::Result<Path>| {
            let this = this.clone();
            async move {
                let (path, fails) = (path?, this.before()?);
                after(fails, this.store.delete(&path).await.map(|()| path))
            }
        };
        paths.then(delete).boxed()
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, object_store::Result<ObjectMeta>> {
        self.store.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> object_store::Result<ListResult> {
        self.store.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> object_store::Result<()> {
        self.store.copy_opts(from, to, options).await
    }
}

/// A folder with a set of these parts and two indexes over them.
struct Set {
    folder: TempDir,
    files: Files,
}

impl Set {
    fn of(numbers: std::ops::Range<u32>) -> Self {
        let folder = TempDir::new().unwrap();
        let parts: Vec<String> = numbers.map(|n| format!("sitemap-{n}.xml.gz")).collect();
        for part in &parts {
            std::fs::write(folder.path().join(part), format!("the bytes of {part}")).unwrap();
        }
        let (first, second) = parts.split_at(parts.len() / 2);
        std::fs::write(folder.path().join("sitemap.xml"), first.join("\n")).unwrap();
        std::fs::write(folder.path().join("sitemap-index-2.xml"), second.join("\n")).unwrap();
        let files = Files {
            directory: folder.path().to_owned(),
            entry_point: "sitemap.xml".to_owned(),
            further_indexes: vec!["sitemap-index-2.xml".to_owned()],
            parts,
        };
        Self { folder, files }
    }

    fn names(&self) -> BTreeSet<String> {
        self.files.parts.iter().chain(self.files.indexes()).cloned().collect()
    }

    async fn upload(&self, store: &dyn ObjectStore, hour: i64) -> Result<Mirrored, MirrorError> {
        let now = Timestamp::from_second(1_700_000_000 + 3600 * hour).unwrap();
        Uploader { store, prefix: &Path::from("maps"), files: &self.files, grace: GRACE, now }.upload().await
    }
}

/// The content of the store, by name.
async fn held(store: &InMemory) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut listed = store.list(None);
    while let Some(object) = listed.next().await {
        let path = object.unwrap().location;
        let bytes = store.get(&path).await.unwrap().bytes().await.unwrap();
        let name = path.as_ref().strip_prefix("maps/").unwrap_or(path.as_ref()).to_owned();
        all.insert(name, String::from_utf8(bytes.to_vec()).unwrap());
    }
    all
}

/// Checks that every index lists parts that exist and are complete.
fn assert_complete(held: &BTreeMap<String, String>, when: &str) {
    for index in ["sitemap.xml", "sitemap-index-2.xml"] {
        for part in held[index].lines() {
            assert_eq!(held.get(part), Some(&format!("the bytes of {part}")), "{index} lists {part}, {when}");
        }
    }
}

fn failer(store: &Arc<InMemory>, operations: i64, how: Failing) -> Failer {
    Failer { store: store.clone(), left: Arc::new(AtomicI64::new(operations)), how }
}

#[tokio::test]
async fn whichever_operation_fails_the_indexes_resolve_and_the_next_time_makes_up_for_it() {
    let (old, new) = (Set::of(0..6), Set::of(3..10));
    for how in [Failing::Before, Failing::After] {
        let mut operations = 0;
        loop {
            let when = format!("failing {how:?} operation {operations}");
            let store = Arc::new(InMemory::new());
            store.put(&Path::from("maps/theirs.xml"), "theirs".into()).await.unwrap();
            old.upload(&*store, 0).await.unwrap();
            // Files are due at this time, so that removals fail too.
            Set::of(1..6).upload(&*store, 0).await.unwrap();
            let carried = new.upload(&failer(&store, operations, how), 2).await;
            assert_complete(&held(&store).await, &when);
            let done = carried.is_ok();
            if let Err(error) = carried {
                assert!(error.to_string().contains("it failed"), "{error}");
            }
            new.upload(&*store, 2).await.unwrap();
            let fixed = held(&store).await;
            assert_complete(&fixed, &when);
            assert!(!fixed.contains_key("sitemap-0.xml.gz"), "{when}: it was due");
            new.upload(&*store, 4).await.unwrap();
            let mut expected = new.names();
            expected.extend([STATE_FILE.to_owned(), "theirs.xml".to_owned()]);
            assert_eq!(held(&store).await.into_keys().collect::<BTreeSet<_>>(), expected, "{when}");
            if done {
                break;
            }
            operations += 1;
        }
        assert!(operations >= 19, "only {operations} operations were tried");
    }
}

#[tokio::test]
async fn what_left_the_set_while_carrying_failed_is_removed_all_the_same() {
    let store = Arc::new(InMemory::new());
    Set::of(0..2).upload(&*store, 0).await.unwrap();
    // Two uploads that are interrupted.
    Set::of(10..14).upload(&failer(&store, 7, Failing::Before), 1).await.unwrap_err();
    Set::of(20..24).upload(&failer(&store, 7, Failing::Before), 2).await.unwrap_err();
    let last = Set::of(30..34);
    last.upload(&*store, 3).await.unwrap();
    last.upload(&*store, 5).await.unwrap();
    let mut expected = last.names();
    expected.insert(STATE_FILE.to_owned());
    assert_eq!(held(&store).await.into_keys().collect::<BTreeSet<_>>(), expected);
}

#[tokio::test]
async fn parts_stay_for_the_grace_period_and_go_after_it() {
    let store = Arc::new(InMemory::new());
    Set::of(0..4).upload(&*store, 0).await.unwrap();
    let next = Set::of(2..6);
    next.upload(&*store, 1).await.unwrap();
    assert_eq!(next.upload(&*store, 2).await.unwrap().removed, 0);
    assert!(held(&store).await.contains_key("sitemap-0.xml.gz"));
    assert_eq!(next.upload(&*store, 3).await.unwrap().removed, 2);
    assert!(!held(&store).await.contains_key("sitemap-0.xml.gz"));
}

#[tokio::test]
async fn what_is_there_is_not_sent_again_and_what_was_changed_there_is() {
    let store = Arc::new(InMemory::new());
    let set = Set::of(0..4);
    let first = set.upload(&*store, 0).await.unwrap();
    assert_eq!((first.uploaded, first.kept), (6, 0));
    let again = set.upload(&failer(&store, 1000, Failing::Before), 0).await.unwrap();
    assert_eq!((again.uploaded, again.kept, again.bytes), (0, 6, 0));
    let same_length = "THE BYTES OF SITEMAP-1.XML.GZ";
    store.put(&Path::from("maps/sitemap-1.xml.gz"), same_length.into()).await.unwrap();
    store.delete(&Path::from("maps/sitemap-2.xml.gz")).await.unwrap();
    let fixed = set.upload(&*store, 0).await.unwrap();
    assert_eq!((fixed.uploaded, fixed.kept), (2, 4));
    assert_complete(&held(&store).await, "after others changed it");
}

#[tokio::test]
async fn a_part_that_cannot_be_read_leaves_the_set_before() {
    let store = Arc::new(InMemory::new());
    Set::of(0..4).upload(&*store, 0).await.unwrap();
    let before = held(&store).await;
    let broken = Set::of(2..6);
    std::fs::remove_file(broken.folder.path().join("sitemap-5.xml.gz")).unwrap();
    let error = broken.upload(&*store, 1).await.unwrap_err();
    assert!(error.to_string().contains("sitemap-5.xml.gz"), "{error}");
    let after = held(&store).await;
    assert_eq!(after["sitemap.xml"], before["sitemap.xml"]);
    assert_complete(&after, "after a failure");
}

#[tokio::test]
async fn an_unreadable_state_is_reported_and_not_changed() {
    let store = Arc::new(InMemory::new());
    store.put(&Path::from(format!("maps/{STATE_FILE}")), "not ours".into()).await.unwrap();
    let error = Set::of(0..4).upload(&*store, 0).await.unwrap_err();
    assert!(error.to_string().contains(STATE_FILE), "{error}");
    assert_eq!(held(&store).await.into_keys().collect::<Vec<_>>(), [STATE_FILE]);
}

#[tokio::test]
async fn every_index_that_a_reader_holds_resolves_through_fifty_publications() {
    let store = Arc::new(InMemory::new());
    Set::of(0..100).upload(&*store, 0).await.unwrap();
    let reader = tokio::spawn({
        let store = store.clone();
        async move {
            let mut rounds = 0_u32;
            loop {
                let index = store.get(&Path::from("maps/sitemap.xml")).await.unwrap().bytes().await.unwrap();
                for part in String::from_utf8(index.to_vec()).unwrap().lines() {
                    let bytes = store.get(&Path::from(format!("maps/{part}"))).await.unwrap().bytes().await.unwrap();
                    assert_eq!(bytes, format!("the bytes of {part}").as_bytes());
                    tokio::task::yield_now().await;
                }
                rounds += 1;
                if index.starts_with(b"sitemap-50.") {
                    return rounds;
                }
            }
        }
    });
    // Every second publication: readers are slower than that.
    for step in 1..=50 {
        Set::of(step..100 + step).upload(&*store, i64::from(step) / 10).await.unwrap();
    }
    assert!(reader.await.unwrap() > 1);
    assert!(held(&store).await.len() < 150, "what left the set is removed");
}
