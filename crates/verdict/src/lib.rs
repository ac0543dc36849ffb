//! From the facts of all pages: listed, or excluded for which one reason, on what evidence.
//!
//! Pure: a function of the finished graph. Every known URL gets exactly one [`Verdict`].

mod canonical;
pub mod content;
mod echo;
mod graph;
mod judge;
mod reason;
mod soft_404;
mod twins;

pub use graph::{Fate, Known, Node, Pointer};
pub use judge::{Judgements, Verdict, Verdicts, is_listable, judge};
pub use reason::Reason;
pub use soft_404::{Answer, Like, Likes};
