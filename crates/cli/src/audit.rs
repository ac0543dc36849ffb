//! `mapwright audit URL…`: crawls a site and reports its findings.

use crate::crawl::{self, CrawlRequest};
use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::summary_json::{AuditJson, AuditOfRecordJson};
use crate::{load, site, summary};
use clap::{Arg, ArgMatches, Command};
use mapwright_crawl::{AuditPlan, Audited, audit_record};
use mapwright_settings::{CommandKind, Loaded, ReportFormat, Settings, arguments};

pub(crate) const ENTRY: Entry = Entry::new(command, run);

fn command() -> Command {
    Command::new("audit")
        .about("Crawl a site and report what is unreachable, broken or contradictory")
        .before_help(
            "Examples:\n  \
             mapwright audit https://example.com/ --out report\n  \
             mapwright audit https://example.com/ --out report --fail-on error      for a pipeline\n  \
             mapwright audit --from-record https://example.com/ --out report        of the last crawl",
        )
        .after_help("-h shows the options that are used most, --help all of them.")
        .after_long_help("")
        .arg(Arg::new("url").value_name("URL").num_args(0..).help("Where to start; without a scheme, https is tried"))
        .args(arguments(CommandKind::Audit))
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let loaded = load::settings_over(matches, None)?;
    let urls: Vec<String> = matches.get_many::<String>("url").unwrap_or_default().cloned().collect();
    if loaded.settings.audit.from_record {
        let (record, folder) = site::record(matches, &loaded.settings)?;
        drop(record);
        let plan = plan(&loaded)?;
        let audited = audit_record(&folder, &plan)?;
        print(&audited, &loaded.settings)?;
        return Ok(Exit::of_audit(&audited));
    }
    audit(loaded, urls, None)
}

/// Crawls and audits.
pub(crate) fn audit(loaded: Loaded, urls: Vec<String>, list: Option<String>) -> Result<Exit, Failure> {
    let audit = Some(plan(&loaded)?);
    crawl::crawl(CrawlRequest { loaded, urls, list, audit })
}

fn plan(loaded: &Loaded) -> Result<AuditPlan, Failure> {
    Ok(AuditPlan::new(&loaded.settings, crawl::read).map_err(|error| error.located(&loaded.origins))?)
}

/// Prints the result of an audit of a record.
fn print(audited: &Audited, settings: &Settings) -> Result<(), Failure> {
    if settings.output.format == ReportFormat::Json {
        let mut output = Output::new();
        output.json(&AuditOfRecordJson { exit: Exit::of_audit(audited).code(), audit: AuditJson::of(audited) })?;
        return output.finish();
    }
    let mut lines = summary::excluded_starts(&audited.starts_excluded);
    lines.extend(summary::audited(audited));
    summary::apply_quiet(&mut lines, settings, Exit::of_audit(audited));
    summary::write(&lines, settings)
}
