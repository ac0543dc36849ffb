//! The content that the pages of one pattern family have, counted.

/// Pages of a family that were read, from which on nearly all of them being barren says something of it.
const MANY_READ: u64 = 30;
/// Barren pages of a family in a row from which on it is barren, and so many for each page of it with content before.
pub(crate) const ENOUGH_READ: u64 = 20;
const FOR_EACH: u64 = 2;
/// Pages of other families that its pages led to, of which so many were read, or half, before it is known what they lead to.
const ENOUGH_TRIED: u64 = 10;

/// Counts of the pages of one family.
#[derive(Debug, Default)]
pub(crate) struct Yield {
    pub(crate) read: u64,
    pub(crate) barren: u64,
    /// Of those, the latest in a row.
    pub(crate) streak: u64,
    /// Files of data.
    pub(crate) data: u64,
    /// Barren pages that led to further URLs of the family.
    pub(crate) fruitful: u64,
    /// The last of those.
    pub(crate) last: u64,
    /// URLs admitted since it is known to be barren, that barren pages led to.
    pub(crate) spent: u64,
    /// What its barren pages led to of other families, and what of that was read.
    pub(crate) led_to: u64,
    pub(crate) tried: u64,
    /// Pages with content that its barren pages led to.
    pub(crate) worthy: u64,
}

impl Yield {
    /// Whether most pages have content of their own, of enough that were read.
    pub(crate) fn has_content(&self) -> bool {
        self.read >= MANY_READ && self.barren * 2 < self.read
    }

    /// Whether nearly all pages are barren, and lead on to further ones.
    pub(crate) fn is_barren(&self) -> bool {
        self.read >= MANY_READ && self.barren * 20 >= self.read * 19 && self.fruitful * 2 >= self.read
    }

    /// Whether enough pages were read, and all are files of data.
    pub(crate) fn is_data(&self) -> bool {
        self.read >= ENOUGH_READ && self.data == self.read
    }

    /// Whether the latest pages were all barren, enough of them.
    pub(crate) fn is_barren_now(&self) -> bool {
        let is_tried = self.tried >= ENOUGH_TRIED || self.tried * 2 >= self.led_to;
        is_tried && self.streak >= ENOUGH_READ.max((self.read - self.barren).saturating_mul(FOR_EACH))
    }
}
