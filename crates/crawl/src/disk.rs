//! Watches the disk of the record, so that a crawl stops gracefully before the disk is full.

use crate::error::{CrawlError, CrawlFault};
use mapwright_text::size;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The time between two checks.
const EVERY: Duration = Duration::from_millis(500);

/// The watch of one disk.
#[derive(Debug, Clone)]
pub(crate) struct Disk {
    folder: PathBuf,
    floor: u64,
    low: Arc<AtomicBool>,
}

impl Disk {
    /// Builds a watch of the disk of `folder`. `floor` is the free space to keep, in bytes; 0 disables the watch.
    ///
    /// # Errors
    /// If less is free already.
    pub(crate) fn check(folder: &Path, floor: u64) -> Result<Self, CrawlError> {
        let disk = Self { folder: folder.to_owned(), floor, low: Arc::default() };
        if disk.is_low() {
            return Err(CrawlError {
                fault: CrawlFault::Record,
                what: format!("less than {} is free on its disk", size(floor)),
                place: format!("the record in {} (--state)", folder.display()),
                hint: "free some space, or lower --min-free-disk".to_owned(),
                key: None,
            });
        }
        Ok(disk)
    }

    /// Cancels `stop` once the disk is low. Ends when the crawl ends.
    pub(crate) async fn watch(self, stop: CancellationToken) {
        while self.floor > 0 && !stop.is_cancelled() {
            if self.is_low() {
                self.low.store(true, Ordering::SeqCst);
                stop.cancel();
            }
            tokio::select! {
                () = tokio::time::sleep(EVERY) => {}
                () = stop.cancelled() => {}
            }
        }
    }

    /// Returns whether this watch stopped the crawl.
    pub(crate) fn was_low(&self) -> bool {
        self.low.load(Ordering::SeqCst)
    }

    /// If the free space cannot be read, the disk is assumed to have room: a write reports the error.
    fn is_low(&self) -> bool {
        self.floor > 0 && fs4::available_space(&self.folder).is_ok_and(|free| free < self.floor)
    }
}
