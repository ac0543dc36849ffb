//! Counts of the content that the pages of one pattern family have.

/// Pages of a family that must be read before its share of barren pages counts.
const MANY_READ: u64 = 30;
/// Barren pages in a row from which on a family is barren: at least 20, and two for each of its earlier pages with
/// content.
pub(crate) const ENOUGH_READ: u64 = 20;
const FOR_EACH: u64 = 2;
/// Pages of other families, reached from its barren pages, that must be read (or half of them) before it is known what
/// they lead to.
const ENOUGH_TRIED: u64 = 10;

/// Counts of the pages of one family.
#[derive(Debug, Default)]
pub(crate) struct Yield {
    pub(crate) read: u64,
    pub(crate) barren: u64,
    /// The latest barren pages in a row.
    pub(crate) streak: u64,
    /// Data files.
    pub(crate) data: u64,
    /// Barren pages that led to further URLs of the family.
    pub(crate) fruitful: u64,
    /// Key of the last of those.
    pub(crate) last: u64,
    /// URLs that barren pages led to, admitted since the family is known to be barren.
    pub(crate) spent: u64,
    /// URLs of other families that its barren pages led to, and those of them that were read.
    pub(crate) led_to: u64,
    pub(crate) tried: u64,
    /// Pages with content that its barren pages led to.
    pub(crate) worthy: u64,
}

impl Yield {
    /// Reports whether most pages have content of their own, once enough were read.
    pub(crate) fn has_content(&self) -> bool {
        self.read >= MANY_READ && self.barren * 2 < self.read
    }

    /// Reports whether nearly all pages are barren, and lead to further ones.
    pub(crate) fn is_barren(&self) -> bool {
        self.read >= MANY_READ && self.barren * 20 >= self.read * 19 && self.fruitful * 2 >= self.read
    }

    /// Reports whether enough pages were read, and all are data files.
    pub(crate) fn is_data(&self) -> bool {
        self.read >= ENOUGH_READ && self.data == self.read
    }

    /// Reports whether the latest pages were all barren, enough of them.
    pub(crate) fn is_barren_now(&self) -> bool {
        let is_tried = self.tried >= ENOUGH_TRIED || self.tried * 2 >= self.led_to;
        is_tried && self.streak >= ENOUGH_READ.max((self.read - self.barren).saturating_mul(FOR_EACH))
    }
}
