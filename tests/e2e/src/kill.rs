//! Cutting a crawl at chosen instants, going on with it, and what must be the same in the end.
//!
//! A [`Ground`] is a site that has everything a crawl may meet and writes down who asked for what; a [`Reference`] is
//! an uninterrupted crawl of it; a [`CutCrawl`] is another, whose processes are cut at [`Moment`]s by [`Blow`]s and
//! resumed.

mod blow;
mod cut_crawl;
mod ground;
mod histogram;
mod ledger;
mod lot;
mod map;
mod moment;
mod published;
mod reference;

pub use blow::Blow;
pub use cut_crawl::CutCrawl;
pub use ground::Ground;
pub use histogram::{Histogram, Stage};
pub use ledger::{Ledger, Repeats};
pub use lot::Lot;
pub use moment::Moment;
pub use published::Published;
pub use reference::Reference;
