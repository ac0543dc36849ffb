//! When publishing is refused though it could be done.

use crate::directory::Directory;
use crate::live;
use mapwright_store::{Record, StoreError};

/// The shrink guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    /// Refuse a sitemap that loses more than this percentage of the URLs of the one there; 0 refuses none.
    pub percent: u8,
}

/// Why the old sitemap was left in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Nothing is to be listed: the protocol has no empty sitemap.
    Empty,
    /// The new one lists so many fewer that something may be wrong.
    Shrunk {
        /// URLs in the sitemap that is there.
        before: u64,
        /// URLs that would be listed now.
        now: u64,
    },
}

impl Guard {
    /// Whether a sitemap of `now` URLs may replace the one in `directory`, which may be another's than the record's.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn judge(self, record: &Record, directory: &Directory, now: u64) -> Result<Option<Refusal>, StoreError> {
        if now == 0 {
            return Ok(Some(Refusal::Empty));
        }
        if self.percent == 0 {
            return Ok(None);
        }
        let before = live::read(directory, &live::entrances(record, directory)?).urls;
        let least = u128::from(before) * u128::from(100 - self.percent.min(100));
        Ok((u128::from(now) * 100 < least).then_some(Refusal::Shrunk { before, now }))
    }
}
