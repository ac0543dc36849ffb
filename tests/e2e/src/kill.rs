//! Interrupts a crawl at chosen moments, resumes it, and compares the result with that of an uninterrupted crawl.
//!
//! A [`InterruptionSite`] is a site with every kind of response, which logs the requests of each process; a
//! [`Reference`] is an uninterrupted crawl of it; a [`CutCrawl`] is another crawl, whose processes are interrupted at
//! [`Moment`]s by [`Interruption`]s and resumed.

mod blow;
mod cut_crawl;
mod ground;
mod histogram;
mod lot;
mod map;
mod moment;
mod published;
mod reference;
mod request_log;

pub use blow::Interruption;
pub use cut_crawl::CutCrawl;
pub use ground::InterruptionSite;
pub use histogram::{Histogram, Stage};
pub use lot::SeededRng;
pub use moment::Moment;
pub use published::Published;
pub use reference::Reference;
pub use request_log::{Repeats, RequestLog};
