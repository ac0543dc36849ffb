//! From the facts of all pages: listed, or excluded for which one reason, on what evidence.
//!
//! Pure: a function of the finished graph. Every known URL gets exactly one [`Verdict`].

mod canonical;
pub mod content;
mod graph;
mod judge;
mod reason;
mod twins;

pub use graph::{Fate, Known, Node, Pointer};
pub use judge::{Verdict, Verdicts, judge};
pub use reason::Reason;
