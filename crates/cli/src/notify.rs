//! `mapwright notify test [JOB]`: sends test notifications, and reports whether they are delivered.

use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::{crawl, load};
use clap::{Arg, ArgMatches, Command};
use mapwright_service::{Job, ServiceConfig, Tested, state_root, test_messages};
use mapwright_settings::{CommandKind, ReportFormat, arguments};
use serde::Serialize;
use std::sync::Arc;

pub(crate) const ENTRY: Entry = Entry::new(command, run);

fn command() -> Command {
    let job = Arg::new("job").value_name("JOB").help("The job whose receivers are meant; those of all jobs without it");
    Command::new("notify")
        .about("See whether notifications of jobs arrive")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            Command::new("test")
                .about("Send a test notification to every receiver of a job, and show how each answered")
                .arg(job)
                .args(arguments(CommandKind::Jobs))
                .args_override_self(true),
        )
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    match matches.subcommand() {
        Some(("test", matches)) => test(matches),
        _ => Ok(Exit::Usage),
    }
}

fn test(matches: &ArgMatches) -> Result<Exit, Failure> {
    let layers = load::layers(matches)?;
    mapwright_service::check_jobs(&layers)?;
    let settings = layers.load(None, None)?.settings;
    let orders = ServiceConfig::read(&layers, &state_root(&settings)?, crawl::read)?;
    let jobs: Vec<Arc<Job>> = orders.jobs.into_iter().map(Arc::new).collect();
    let jobs = chosen(&jobs, matches.get_one::<String>("job").map(String::as_str))?;
    let (runtime, link) = (crawl::runtime()?, orders.link.as_ref());
    let mut output = Output::new();
    let mut all_arrived = true;
    for job in jobs {
        let tested = runtime.block_on(test_messages(Arc::clone(job), link));
        all_arrived &= tested.iter().all(|tested| tested.fault.is_none());
        report(&mut output, settings.output.format, &job.name, &tested)?;
    }
    output.finish()?;
    Ok(if all_arrived { Exit::Done } else { Exit::OutputFailed })
}

/// Returns the selected jobs that have receivers.
fn chosen<'p>(jobs: &'p [Arc<Job>], name: Option<&str>) -> Result<Vec<&'p Arc<Job>>, Failure> {
    let meant: Vec<&Arc<Job>> = jobs.iter().filter(|job| name.is_none_or(|name| job.name == name)).collect();
    if let (Some(name), []) = (name, meant.as_slice()) {
        let known: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
        let hint = format!("the jobs are {}", known.join(", "));
        return Err(Failure::usage("there is no such job", format!("job {name}"), hint));
    }
    let reporting: Vec<&Arc<Job>> = meant.into_iter().filter(|job| job.notifies()).collect();
    if reporting.is_empty() {
        let place = name.map_or("the jobs".to_owned(), |name| format!("job {name}"));
        return Err(Failure::usage("no receiver is configured", place, "name receivers: `to` in [notify]"));
    }
    Ok(reporting)
}

/// A receiver of a job that a test message was sent to.
#[derive(Serialize)]
struct TestedJson<'t> {
    job: &'t str,
    #[serde(flatten)]
    tested: &'t Tested,
}

fn report(output: &mut Output, format: ReportFormat, job: &str, tested: &[Tested]) -> Result<(), Failure> {
    for tested in tested {
        let receiver = &tested.receiver;
        match (format, &tested.fault) {
            (ReportFormat::Json, _) => output.json(&TestedJson { job, tested })?,
            (_, None) => output.line(&format!("{job}: {receiver}: delivered"))?,
            (_, Some(fault)) => output.line(&format!("{job}: {receiver}: not delivered: {fault}"))?,
        }
    }
    Ok(())
}
