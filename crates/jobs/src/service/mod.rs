//! The nightly service: jobs by the clock, what they publish, and whom they tell.

mod view;

pub use view::{Denied, Figures, JobStanding, JobView, Live, NightCounts, NightView, Service};
