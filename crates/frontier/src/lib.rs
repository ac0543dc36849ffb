//! Decide which URL is fetched next; remember which are known.
//!
//! The decisions are single-threaded and pure: [`Scheduler`] is handed the time and does nothing but decide.
//! [`Seen`] is the one concurrent structure of the crawl. [`Frontier`] is the contract between the engine and whatever
//! keeps the queue: one machine's database, or a store shared by several.

mod allowance;
mod barren;
mod calendar;
mod content;
mod contract;
mod dated;
mod discovery;
mod drawn;
mod facets;
mod family_yield;
mod fresh;
mod further;
mod identifier;
mod lanes;
mod last_tries;
mod limit;
mod losses;
mod outage;
mod pace;
mod pattern;
mod proof;
mod robots_gate;
mod rules;
mod scheduler;
mod seen;
mod shape;
mod silence;
mod slowing;
mod stand;
mod task;
mod trap;
mod turns;

pub use barren::Before;
pub use content::Content;
pub use contract::{
    Cost, Drain, Finished, Frontier, Lease, Listing, Order, Refusal, RobotsAnswer, Settlement, Weather,
};
pub use discovery::{Discovery, LISTED_DEPTH, Target, Unfetched, Via};
pub use further::names_pages;
pub use identifier::Kin;
pub use pace::PaceRules;
pub use pattern::{Patterns, pattern, wide_pattern};
pub use robots_gate::MAX_ROBOTS_HOPS;
pub use rules::{Backlog, Refill, Rules};
pub use scheduler::Scheduler;
pub use seen::{Known, Seen, Standing};
pub use shape::shape;
pub use task::{Lane, Mode, Purpose, Task, UrlId, Validators};
pub use trap::{Trap, trap};
