//! Decide which URL is fetched next, and remember which URLs are known.
//!
//! The decisions are single-threaded and pure: [`Scheduler`] takes the time as an argument and does no I/O. [`Seen`] is
//! the one concurrent structure of the crawl. [`Frontier`] is the contract between the engine and the queue's backend:
//! the database of one machine, or a store that several machines share.

mod concurrency_limit;
mod contract;
mod lanes;
mod last_tries;
mod losses;
mod origin_queue;
mod outage;
mod pace;
mod rate_limit;
mod robots_gate;
mod rules;
mod scheduler;
mod seen;
mod silence;
mod turns;
mod vain_slowdown;

pub use contract::{Finished, Frontier, Lease, Order, QueueState, ResponseSignal, RetryCost, RobotsAnswer, Settlement};
pub use pace::PaceRules;
pub use robots_gate::MAX_ROBOTS_HOPS;
pub use rules::{Backlog, Refill, Rules};
pub use scheduler::Scheduler;
pub use seen::{DiscoveryState, Known, Seen};
