//! Whether settings make sense, before anything is asked for.

use super::plan::{ReadInput, check_of_jobs};
use crate::audit::AuditPlan;
use crate::error::JobError;
use crate::job::Job;
use crate::wire;
use mapwright_settings::{Input, Loaded, Out, Recorded, ScopeKind, Settings};

/// Stands for start URLs, which settings do not hold.
const SOMEWHERE: &str = "http://localhost/";

/// Checks what crawls and audits would make of settings; and what jobs would, where they have no tables of their own
/// (`alone`). Standard input is left alone. What jobs share need not be whole, and each value makes sense all the same.
///
/// # Errors
/// The first setting that makes no sense, or that names a file which cannot be read.
pub fn check(loaded: &Loaded, alone: bool, read: ReadInput) -> Result<(), JobError> {
    let of_crawl = check_of_crawls(&if alone { loaded.settings.clone() } else { shared(&loaded.settings) }, read);
    let all = of_crawl.and_then(|()| if alone { check_of_jobs(&loaded.settings) } else { Ok(()) });
    all.map_err(|error| error.located(&loaded.origins))
}

fn check_of_crawls(settings: &Settings, read: ReadInput) -> Result<(), JobError> {
    let list = |input: &Input, limit| match input {
        Input::Stdin => Ok(SOMEWHERE.to_owned()),
        Input::File(_) => read(input, limit, "crawl.url-list"),
    };
    let job = Job::new(settings.clone(), Recorded::default(), &[SOMEWHERE.to_owned()], list)?;
    wire::fetcher(&job)?;
    wire::publish_plan(settings, &job.scope)?;
    AuditPlan::new(&with_files(settings), read).map(drop)
}

/// Shared settings without what each job may complete: the list that the scope is.
fn shared(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    if settings.crawl.url_list.is_none() {
        settings.crawl.scope = ScopeKind::Path;
    }
    settings
}

/// The settings of an audit that reads and writes files alone.
fn with_files(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    settings.output.out = Out::Directory(".".into());
    for input in [&mut settings.audit.baseline, &mut settings.audit.robots_file] {
        input.take_if(|input| *input == Input::Stdin);
    }
    settings
}
