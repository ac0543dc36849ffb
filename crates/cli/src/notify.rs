//! `mapwright notify test [JOB]`: whether messages of jobs arrive.

use crate::commands::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::{crawl, load};
use clap::{Arg, ArgMatches, Command};
use mapwright_jobs::service::{self, Orders, Plan, Tested, state_root, test_messages};
use mapwright_settings::{CommandKind, ReportFormat, arguments};
use serde_json::json;
use std::sync::Arc;

pub(crate) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    let job = Arg::new("job").value_name("JOB").help("The job whose receivers are meant; those of all jobs without it");
    Command::new("notify")
        .about("See whether messages of jobs arrive")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            Command::new("test")
                .about("Send a test message to every receiver of a job, and tell what each answered")
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
    service::check_jobs(&layers)?;
    let settings = layers.load(None, None)?.settings;
    let orders = Orders::read(&layers, &state_root(&settings)?, crawl::read)?;
    let plans: Vec<Arc<Plan>> = orders.plans.into_iter().map(Arc::new).collect();
    let plans = chosen(&plans, matches.get_one::<String>("job").map(String::as_str))?;
    let (runtime, link) = (crawl::runtime()?, orders.link.as_ref());
    let mut output = Output::new();
    let mut all_arrived = true;
    for plan in plans {
        let tested = runtime.block_on(test_messages(Arc::clone(plan), link));
        all_arrived &= tested.iter().all(|tested| tested.fault.is_none());
        tell(&mut output, settings.output.format, &plan.name, &tested)?;
    }
    output.finish()?;
    Ok(if all_arrived { Exit::Done } else { Exit::OutputFailed })
}

/// The jobs that are meant, of those that tell anybody.
fn chosen<'p>(plans: &'p [Arc<Plan>], name: Option<&str>) -> Result<Vec<&'p Arc<Plan>>, Failure> {
    let meant: Vec<&Arc<Plan>> = plans.iter().filter(|plan| name.is_none_or(|name| plan.name == name)).collect();
    if let (Some(name), []) = (name, meant.as_slice()) {
        let known: Vec<&str> = plans.iter().map(|plan| plan.name.as_str()).collect();
        let remedy = format!("the jobs are {}", known.join(", "));
        return Err(Failure::usage("there is no such job", format!("job {name}"), remedy));
    }
    let telling: Vec<&Arc<Plan>> = meant.into_iter().filter(|plan| plan.tells()).collect();
    if telling.is_empty() {
        let place = name.map_or("the jobs".to_owned(), |name| format!("job {name}"));
        return Err(Failure::usage("nobody is told of anything", place, "name receivers: `tell` in [notify]"));
    }
    Ok(telling)
}

fn tell(output: &mut Output, format: ReportFormat, job: &str, tested: &[Tested]) -> Result<(), Failure> {
    for Tested { receiver, fault } in tested {
        match (format, fault) {
            (ReportFormat::Json, fault) => {
                output.line(&json!({ "job": job, "receiver": receiver, "fault": fault }).to_string())?;
            }
            (_, None) => output.line(&format!("{job}: {receiver}: delivered"))?,
            (_, Some(fault)) => output.line(&format!("{job}: {receiver}: not delivered: {fault}"))?,
        }
    }
    Ok(())
}
