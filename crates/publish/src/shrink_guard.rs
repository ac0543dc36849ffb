//! The guard against publishing a sitemap that is probably wrong.

use crate::directory::Directory;
use crate::existing_set;
use mapwright_store::{Record, StoreError};

/// The shrink guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShrinkGuard {
    /// The percentage of URLs that a new sitemap may lose against the existing one; 0 disables the check.
    pub percent: u8,
}

/// The reason why the old sitemap was left in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShrinkRefusal {
    /// No URL is listed: the protocol has no empty sitemap.
    Empty,
    /// The new sitemap lists so many fewer URLs that something may be wrong.
    Shrunk {
        /// URLs in the existing sitemap.
        before: u64,
        /// URLs that would be listed now.
        now: u64,
    },
}

impl ShrinkGuard {
    /// Checks that a sitemap of `now` URLs may replace the one in `directory`, which another record may have written.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn judge(self, record: &Record, directory: &Directory, now: u64) -> Result<Option<ShrinkRefusal>, StoreError> {
        if now == 0 {
            return Ok(Some(ShrinkRefusal::Empty));
        }
        if self.percent == 0 {
            return Ok(None);
        }
        let before = existing_set::read(directory, &existing_set::entry_points(record, directory)?).urls;
        let least = u128::from(before) * u128::from(100 - self.percent.min(100));
        Ok((u128::from(now) * 100 < least).then_some(ShrinkRefusal::Shrunk { before, now }))
    }
}
