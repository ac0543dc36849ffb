//! Decides which known URLs are listed in the sitemap, and gives each excluded URL one reason with its evidence.
//!
//! Pure: a function of the finished graph. Every known URL gets exactly one [`Verdict`].

mod canonical;
pub mod content;
mod duplicates;
mod graph;
mod judge;
mod named_error_pages;
mod reason;
mod soft_404;

pub use graph::{FetchStatus, NodeIndex, Pointer, UrlNode};
pub use judge::{Judgements, Verdict, Verdicts, is_listable, judge};
pub use reason::Reason;
pub use soft_404::{ResponseFeatures, Similarity, Soft404Candidates};
