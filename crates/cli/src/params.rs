//! `mapwright params`: the parameters of a site's URLs, their roles, and what would end the waste.

use crate::commands::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::{site, terminal};
use clap::{ArgMatches, Command};
use mapwright_jobs::JobError;
use mapwright_settings::{CommandKind, ReportFormat, arguments};
use mapwright_store::ParameterRow;
use mapwright_web::origin_of;
use serde_json::{Value, json};

pub(crate) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    Command::new("params")
        .about("List URL parameters with their roles, the evidence, and the lines that end the waste")
        .arg(site::argument("The start URLs of the crawl, unless --state is given or there is one record alone"))
        .arg(site::job_argument())
        .args(arguments(CommandKind::Runs))
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let settings = site::settings(matches)?;
    let (record, folder) = site::record(matches, &settings)?;
    let rows = record.parameters().map_err(|error| JobError::from(error).in_record(&folder))?;
    let mut output = Output::new();
    match settings.output.format {
        ReportFormat::Json => {
            let rows: Vec<Value> = rows.iter().map(json_row).collect();
            output.raw(format!("{}\n", terminal::json(&Value::from(rows).to_string())).as_bytes())?;
        }
        ReportFormat::Text | ReportFormat::Github if rows.is_empty() => {
            output.line("no URL of the last crawl has a parameter")?;
        }
        ReportFormat::Text | ReportFormat::Github => {
            for line in rows.iter().flat_map(text_rows) {
                output.line(&line)?;
            }
        }
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// A parameter, its evidence, and what to do about it.
fn text_rows(row: &ParameterRow) -> Vec<String> {
    let evidence = &row.evidence;
    let mut lines = vec![
        format!("{}  {}  ({} URLs)", row.parameter, role(row), row.urls),
        format!("    pattern   {}", row.pattern),
        format!(
            "    evidence  {} equal, {} in another order, {} a part, {} different",
            evidence.equal, evidence.sorted, evidence.subset, evidence.differs
        ),
        format!("    example   {}", row.example),
    ];
    lines.extend(advice(row).into_iter().map(|line| format!("    to do     {line}")));
    lines
}

fn role(row: &ParameterRow) -> &str {
    row.role.as_deref().unwrap_or("not certain")
}

/// The lines that keep crawlers from the variants; none where the parameter decides what the page is.
fn advice(row: &ParameterRow) -> Vec<String> {
    if !matches!(row.role.as_deref(), Some("no-effect" | "sorts")) {
        return Vec::new();
    }
    let path = row.pattern.strip_prefix(origin_of(&row.pattern)).unwrap_or_default();
    let name = row.parameter.trim_start_matches(';');
    match row.parameter.as_str() {
        "(segment)" => vec!["link pages without the session in their path".to_owned()],
        parameter if parameter.starts_with(';') => {
            vec![format!("robots.txt: Disallow: /*;{name}="), "link pages without it".to_owned()]
        }
        _ => vec![
            format!("robots.txt: Disallow: {path}?*{name}="),
            "or give these pages a canonical without it".to_owned(),
            format!("or crawl with --drop-param {name}"),
        ],
    }
}

fn json_row(row: &ParameterRow) -> Value {
    let evidence = &row.evidence;
    json!({
        "parameter": row.parameter,
        "pattern": row.pattern,
        "role": row.role,
        "urls": row.urls,
        "evidence": {
            "equal": evidence.equal,
            "sorted": evidence.sorted,
            "subset": evidence.subset,
            "differs": evidence.differs,
        },
        "example": row.example,
        "advice": advice(row),
    })
}
