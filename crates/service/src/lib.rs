//! The service: runs jobs on schedule, publishes their results, and sends notifications.

mod announce;
mod announcing;
mod blocking;
mod changes;
mod check;
mod clock;
mod config;
mod conflicts;
mod daemon;
mod dispatcher;
mod distribute;
mod job;
mod job_control;
mod job_error;
mod job_run_state;
mod job_store;
mod live;
mod liveness;
mod newest;
mod notices;
mod notifications;
mod outage;
mod run_key;
mod run_keys;
mod run_lock;
mod runner;
mod sender;
mod service;
mod slots;
mod test_messages;
mod unsent;
mod view;

pub use check::check;
pub use clock::Clock;
pub use config::{ServiceConfigError, check_jobs, job, link, state_root};
pub use dispatcher::{JobFilter, deliver};
pub use job::{Job, ReadInput};
pub use job_run_state::JobRunState;
pub use job_store::JobStore;
pub use newest::Newest;
pub use run_key::RunKey;
pub use run_lock::lock_job;
pub use runner::{JobRunner, RunOutcome};
pub use service::{Service, ServiceConfig};
pub use test_messages::test_messages;
pub use view::{
    Denied, JobControl, JobRun, JobRunCounts, JobState, JobView, Live, Outage, Phase, ServiceFigures, Tested,
};
