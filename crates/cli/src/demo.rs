//! `mapwright demo`: crawls a small site of its own, without the internet.

mod serve;
mod site;

use crate::crawl::{self, CrawlRequest};
use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load;
use crate::output::Output;
use clap::{ArgMatches, Command};
use mapwright_settings::{
    CommandKind, Loaded, Out, OutputSection, RecordedSettings, ReportFormat, Settings, arguments,
};
use mapwright_store::Record;
use site::Site;
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;
use tokio::net::TcpListener;

pub(crate) const ENTRY: Entry = Entry::new(command, run);

/// The directory of the sitemap, below the working directory.
const OUT: &str = "mapwright-demo";
/// The directory of the record, apart from those of the user's own crawls.
const STATE: &str = "mapwright-demo-record";

fn command() -> Command {
    Command::new("demo")
        .about("Crawl a small built-in site, without the internet, into ./mapwright-demo/")
        .args(arguments(CommandKind::Demo))
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let loaded = loaded(matches)?;
    let guided = loaded.settings.output.format == ReportFormat::Text && !loaded.settings.output.quiet;
    let runtime = crawl::runtime()?;
    let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)));
    let (listener, base) = listener.and_then(named).map_err(|error| {
        let what = format!("the built-in site cannot be served ({error})");
        Failure::new(Exit::Failed, what, "127.0.0.1", "allow this program to listen there")
    })?;
    forget_the_last();
    runtime.spawn(serve::serve(listener, Arc::new(Site::at(&base))));
    let exit =
        crawl::crawl_on(&runtime, CrawlRequest { loaded, urls: vec![format!("{base}/")], list: None, audit: None });
    runtime.shutdown_background();
    let exit = exit?;
    if guided && exit == Exit::Done {
        guide()?;
    }
    Ok(exit)
}

/// The defaults of every option, whatever variables and files say for the user's own crawls; only the output options
/// follow the user.
fn loaded(matches: &ArgMatches) -> Result<Loaded, Failure> {
    let given = load::settings(matches)?.settings;
    let loaded = Settings::load(matches, std::iter::empty(), None, None)?;
    let mut settings = loaded.settings;
    let (out, state) = (Out::Directory(OUT.into()), Some(STATE.into()));
    settings.output = OutputSection { out, state, replace: true, ..given.output };
    settings.ambient.no_color = given.ambient.no_color;
    Ok(Loaded { settings, recorded: RecordedSettings::default(), ..loaded })
}

/// Removes the record of the previous demo: its site had another port, so it was another site.
fn forget_the_last() {
    let file = Record::file_in(Path::new(STATE));
    if !Record::is_being_written(Path::new(STATE)) {
        for name in [file.with_extension("sqlite-wal"), file.with_extension("sqlite-shm"), file] {
            // The crawl reports a file that cannot be removed.
            drop(std::fs::remove_file(name));
        }
    }
}

/// Returns a listener and its URL, without a trailing slash.
fn named(listener: TcpListener) -> std::io::Result<(TcpListener, String)> {
    let address = listener.local_addr()?;
    Ok((listener, format!("http://{address}")))
}

/// Prints what to look at, and what to try next.
fn guide() -> Result<(), Failure> {
    let program = program();
    let mut output = Output::new();
    for line in [
        String::new(),
        "That was a site of about 30 pages inside this program. Look at".to_owned(),
        format!("  {OUT}/sitemap.xml"),
        "      the pages that belong in a sitemap. /history/flood and /news/volunteers are linked nowhere: the site's \
         own sitemap and feed name them"
            .to_owned(),
        format!("  {program} export excluded --state {STATE} --format csv"),
        "      every other URL that was discovered, each with the one reason for which it is left out".to_owned(),
        format!("  sqlite3 {STATE}/record.sqlite 'SELECT source, anchor, url, status FROM v_broken'"),
        "      the broken links, with the pages they stand on: the record is a database (docs/database.md)".to_owned(),
        "Then try your own site:".to_owned(),
        format!("  {program} crawl https://example.com/ --out sitemaps"),
    ] {
        output.line(&line)?;
    }
    output.finish()
}

/// The name that this program was called by, so that the printed commands can be pasted into a shell.
fn program() -> String {
    let called = std::env::args_os().next().unwrap_or_default().to_string_lossy().into_owned();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    match called.as_str() {
        "" => "mapwright".to_owned(),
        text if text.chars().all(plain) => called,
        text => format!("'{}'", text.replace('\'', r"'\''")),
    }
}
