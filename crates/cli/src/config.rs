//! `mapwright config init|check|show`: creates and checks the configuration file, and shows the effective settings.

mod first_job;

use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::stderr::print_stderr;
use crate::{access, crawl, load};
use clap::{Arg, ArgAction, ArgMatches, Command};
use mapwright_service::{ServiceConfig, state_root};
use mapwright_settings::{CommandKind, Loaded, ReportFormat, SettingOrigin, arguments, example_file};
use serde::Serialize;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};

pub(crate) const ENTRY: Entry = Entry::new(command, run);

/// The default schedule of a job: daily at 02:15.
const DAILY: &str = "15 2 * * *";

fn command() -> Command {
    let file =
        Arg::new("file").value_name("FILE").default_value(load::JOBS_FILE).help("The file to make; `-` prints it");
    let job = Arg::new("job").long("job").num_args(2).value_names(["NAME", "URL"]);
    let cron = Arg::new("cron").long("cron").value_name("EXPRESSION").requires("job").default_value(DAILY);
    let all = Arg::new("all").long("all").action(ArgAction::SetTrue);
    let init =
        Command::new("init").about("Make a configuration file: of one job, or one that shows every option").args([
            file,
            job.help("Write the few lines that a job of this name needs, which starts at this URL"),
            cron.help("When the job is due: minute, hour, day of the month, month, day of the week"),
            all.help("Show every option as a comment below the job, as is done without --job"),
        ]);
    let check = Command::new("check").about("Check the configuration: file, environment and flags");
    let show = Command::new("show").about("Print the value of every option, and where it comes from");
    let with_options = |command: Command| command.args(arguments(CommandKind::Config)).args_override_self(true);
    Command::new("config")
        .about("Make, check or show the configuration")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([init, with_options(check), with_options(show)])
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    match matches.subcommand() {
        Some(("init", matches)) => init(matches),
        Some(("check", matches)) => check(matches),
        Some(("show", matches)) => show(matches),
        _ => Ok(Exit::Usage),
    }
}

fn init(matches: &ArgMatches) -> Result<Exit, Failure> {
    let name = matches.get_one::<String>("file").map_or(load::JOBS_FILE, String::as_str);
    let job: Vec<&String> = matches.get_many("job").unwrap_or_default().collect();
    let text = match (job.as_slice(), matches.get_one::<String>("cron")) {
        ([job, url], Some(cron)) => first_job::file_of(job, url, cron, matches.get_flag("all"))?,
        _ => example_file(),
    };
    if name == "-" {
        let mut output = Output::new();
        output.raw(text.as_bytes())?;
        output.finish()?;
        return Ok(Exit::Done);
    }
    let created = OpenOptions::new().write(true).create_new(true).open(name);
    match created.and_then(|mut file| file.write_all(text.as_bytes())) {
        Ok(()) => {
            let found = if name == load::JOBS_FILE {
                "serve, run and jobs read it in this directory; other commands "
            } else {
                ""
            };
            print_stderr(&format!("made {name}; {found}read it with --config {name}"));
            Ok(Exit::Done)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(Failure::usage("the file exists", format!("file {name}"), "name another file, or remove this one"))
        }
        Err(error) => {
            let what = format!("cannot write ({error})");
            Err(Failure::new(Exit::OutputFailed, what, format!("file {name}"), "name a file that can be written"))
        }
    }
}

fn check(matches: &ArgMatches) -> Result<Exit, Failure> {
    let layers = load::layers(matches)?;
    load::readable_secrets_warning(&layers).iter().for_each(|warning| print_stderr(&format!("warning: {warning}")));
    let loaded = layers.load(None, None)?;
    loaded.warnings.iter().for_each(|warning| print_stderr(&format!("warning: {warning}")));
    let settings = &loaded.settings;
    access::access(&loaded)?;
    mapwright_service::check(&loaded, layers.jobs().next().is_none(), crawl::read)?;
    // The place of the records does not matter here.
    let root = state_root(settings).unwrap_or_default();
    let jobs = ServiceConfig::read(&layers, &root, crawl::read)?.jobs.len();
    if !settings.output.quiet {
        let jobs = match jobs {
            0 => String::new(),
            1 => ", with one job".to_owned(),
            more => format!(", with {more} jobs"),
        };
        match layers.file() {
            Some(name) => print_stderr(&format!("{name} is fine{jobs}")),
            None => print_stderr("there is no configuration file (--config); flags and variables are fine"),
        }
    }
    Ok(Exit::Done)
}

fn show(matches: &ArgMatches) -> Result<Exit, Failure> {
    let Loaded { settings, origins, warnings, .. } = load::layers(matches)?.load(None, None)?;
    warnings.iter().for_each(|warning| print_stderr(&format!("warning: {warning}")));
    let mut output = Output::new();
    match settings.output.format {
        ReportFormat::Text | ReportFormat::Github => {
            for origin in &origins {
                output.line(&text_line(origin))?;
            }
        }
        ReportFormat::Json => json(&mut output, &origins)?,
    }
    output.finish()?;
    if load::is_unnamed(matches)? && !settings.output.quiet {
        print_stderr(&format!("{0} was read; crawl and audit read it only with --config {0}", load::JOBS_FILE));
    }
    Ok(Exit::Done)
}

/// `crawl.concurrency = 16  (default)`
fn text_line(origin: &SettingOrigin) -> String {
    let value = if origin.value.is_empty() { "(not set)" } else { &origin.value };
    format!("{} = {value}  ({})", origin.key, origin.set_at)
}

/// An option and its value, as JSON.
#[derive(Serialize)]
struct OptionJson<'o> {
    key: &'o str,
    value: Option<&'o str>,
    /// The layer that sets it.
    from: String,
}

/// Writes an array, with a row for each option.
fn json(output: &mut Output, origins: &[SettingOrigin]) -> Result<(), Failure> {
    for (number, origin) in origins.iter().enumerate() {
        let value = Some(origin.value.as_str()).filter(|value| !value.is_empty());
        let row = OptionJson { key: &origin.key, value, from: origin.set_at.to_string() };
        output.json_after(if number == 0 { "[\n" } else { ",\n" }, &row)?;
    }
    output.raw(b"\n]\n")
}
