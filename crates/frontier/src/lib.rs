//! Decide which URL is fetched next, and remember which URLs are known.
//!
//! The decisions are single-threaded and pure: [`Scheduler`] takes the time as an argument and does no I/O. [`Seen`] is
//! the one concurrent structure of the crawl. [`Frontier`] is the contract between the engine and the queue's backend:
//! the database of one machine, or a store that several machines share.

mod allowance;
mod barren;
mod calendar;
mod content;
mod contract;
mod dated;
mod discovery;
mod facets;
mod family_yield;
mod fresh;
mod further;
mod identifier;
mod lanes;
mod last_tries;
mod limit;
mod losses;
mod origin_queue;
mod outage;
mod pace;
mod pattern;
mod proof;
mod random_value;
mod robots_gate;
mod rules;
mod scheduler;
mod seen;
mod shape;
mod silence;
mod slowing;
mod task;
mod trap;
mod turns;

pub use barren::LastRunState;
pub use content::DistinctContent;
pub use contract::{
    Finished, Frontier, Lease, Listing, Order, QueueState, Refusal, ResponseSignal, RetryCost, RobotsAnswer, Settlement,
};
pub use discovery::{Discovery, LISTED_DEPTH, Target, Unfetched, Via};
pub use further::names_pages;
pub use identifier::PatternFamily;
pub use pace::PaceRules;
pub use pattern::{TrapDetector, pattern, wide_pattern};
pub use robots_gate::MAX_ROBOTS_HOPS;
pub use rules::{Backlog, Refill, Rules};
pub use scheduler::Scheduler;
pub use seen::{DiscoveryState, Known, Seen};
pub use shape::shape;
pub use task::{FetchMode, Lane, Purpose, Task, UrlId, Validators};
pub use trap::{Trap, trap};
