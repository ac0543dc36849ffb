//! `mapwright robots check`: shows the verdict of a robots.txt on URLs.

use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::{input, load};
use clap::{Arg, ArgMatches, Command};
use mapwright_settings::{CommandKind, arguments};
use mapwright_web::page_url::split_userinfo;
use mapwright_web::{PageUrl, Robots, Ruling, UrlIdentity};

pub(crate) const ENTRY: Entry = Entry::new(command, run);

/// Maximum number of bytes that are read of a robots.txt; the parser takes as many of these as RFC 9309, section 2.5,
/// requires.
const MAX_ROBOTS_BYTES: u64 = 1 << 20;

fn command() -> Command {
    let agent =
        Arg::new("agent").long("agent").value_name("A").required(true).help("The robot's name, or its user agent");
    let robots = Arg::new("robots")
        .long("robots")
        .value_name("FILE")
        .required(true)
        .help("The robots.txt; `-` reads standard input");
    let urls = Arg::new("url").value_name("URL").num_args(1..).required(true).help("The URLs to judge");
    let check = Command::new("check")
        .about("Print one line a URL: allow or disallow, and the line that decided")
        .args([agent, robots, urls])
        .args(arguments(CommandKind::Robots))
        .args_override_self(true);
    Command::new("robots")
        .about("Judge URLs by a robots.txt")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(check)
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    match matches.subcommand() {
        Some(("check", matches)) => check(matches),
        _ => Ok(Exit::Usage),
    }
}

fn check(matches: &ArgMatches) -> Result<Exit, Failure> {
    load::settings(matches)?;
    if matches.get_one::<String>("agent").is_none_or(|agent| agent.trim().is_empty()) {
        return Err(Failure::usage("the robot has no name", "flag --agent", "give its name, such as Googlebot"));
    }
    let text = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
    let urls: Vec<(String, PageUrl)> =
        matches.get_many::<String>("url").unwrap_or_default().map(|url| parse(url)).collect::<Result<_, _>>()?;
    let robots = Robots::compile(&input::read(text("robots"), MAX_ROBOTS_BYTES, "flag --robots")?);
    let mut output = Output::new();
    for (written, url) in urls {
        let (verdict, reason) = words(&robots.rule_for(text("agent"), &url));
        output.columns(&[&format!("{verdict} {written}"), &reason])?;
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// Parses a URL; returns it as written, without user and password, and in canonical form with all its parameters,
/// because robots rules may name any of them.
fn parse(written: &str) -> Result<(String, PageUrl), Failure> {
    let (written, _) = split_userinfo(written);
    let parsed = PageUrl::parse(&written, &UrlIdentity::keep_all());
    let url = parsed.map_err(|error| {
        Failure::usage(
            format!("`{written}` cannot be judged ({error})"),
            "command line",
            "write an absolute http(s) URL",
        )
    })?;
    Ok((written, url))
}

fn words(ruling: &Ruling) -> (&'static str, String) {
    let verdict = if ruling.allowed { "allow" } else { "disallow" };
    let reason = match &ruling.line {
        Some(line) => format!("line {}: {}", line.number, line.text),
        None => "no rule".to_owned(),
    };
    (verdict, reason)
}
