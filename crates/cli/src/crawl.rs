//! `mapwright crawl URL…`: crawls a site and writes its sitemaps.

use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::signals;
use crate::{input, load, open_files, summary};
use clap::{Arg, ArgMatches, Command};
use mapwright_crawl::{AuditPlan, CrawlError, CrawlSpec};
use mapwright_engine::Observer;
use mapwright_settings::{CommandKind, CrawlSection, Input, Loaded, arguments};
use std::sync::Arc;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

pub(crate) const ENTRY: Entry = Entry::new(command, run);

fn command() -> Command {
    Command::new("crawl")
        .about("Crawl a site and write its sitemaps")
        .before_help(
            "Examples:\n  \
             mapwright crawl https://example.com/ --out sitemaps\n  \
             mapwright crawl https://example.com/ --max-urls 200        a first look at a large site\n  \
             mapwright crawl https://example.com/shop/ --scope path     one directory of a site",
        )
        .after_help("-h shows the options that are used most, --help all of them.")
        .after_long_help("")
        .arg(Arg::new("url").value_name("URL").num_args(0..).help("Where to start; without a scheme, https is tried"))
        .args(arguments(CommandKind::Crawl))
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let loaded = load::settings(matches)?;
    let urls = matches.get_many::<String>("url").unwrap_or_default().cloned().collect();
    crawl(CrawlRequest { loaded, urls, list: None, audit: None })
}

/// A requested crawl.
pub(crate) struct CrawlRequest {
    /// The settings, and where they come from.
    pub(crate) loaded: Loaded,
    /// The start URLs, as they were written.
    pub(crate) urls: Vec<String>,
    /// The text of the URL list if a resumed run has it in its record: the list is not read again.
    pub(crate) list: Option<String>,
    /// The audit to run after the crawl, if any.
    pub(crate) audit: Option<AuditPlan>,
}

/// Crawls, and prints the result.
pub(crate) fn crawl(requested: CrawlRequest) -> Result<Exit, Failure> {
    let runtime = runtime()?;
    let exit = crawl_on(&runtime, requested);
    // Name lookups that never end would delay the end of the process.
    runtime.shutdown_background();
    exit
}

/// Number of tasks between two polls for network events. Most tasks read a page, which takes long, and each unread
/// response holds a place in flight, so responses must not wait for the runtime's default of some sixty tasks.
const ANSWERS_NOTICED: u32 = 4;

/// Builds the runtime of a crawl.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    open_files::check()?;
    tokio::runtime::Builder::new_multi_thread()
        .event_interval(ANSWERS_NOTICED)
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Failed, error.to_string(), "starting", "free some memory or processes"))
}

/// Crawls on `runtime`, beside its other tasks.
pub(crate) fn crawl_on(runtime: &Runtime, requested: CrawlRequest) -> Result<Exit, Failure> {
    let CrawlRequest { loaded: Loaded { settings, origins, recorded, .. }, urls, list, audit } = requested;
    let listed = |input: &Input, limit| list.clone().map_or_else(|| read(input, limit, CrawlSection::url_list), Ok);
    let job = CrawlSpec::new(settings, recorded, &urls, listed).map_err(|error| error.located(&origins))?;
    let job = if let Some(plan) = audit { job.auditing(plan) } else { job };
    let settings = job.settings().clone();
    let progress = Arc::new(Progress::start(&settings));
    let observer: Arc<dyn Observer> = Arc::clone(&progress) as Arc<dyn Observer>;
    let stop = CancellationToken::new();
    let (result, signal) = runtime.block_on(async {
        let signal = signals::watch(stop.clone());
        (mapwright_crawl::run(job, observer, stop).await, signal.received())
    });
    progress.end();
    let report = result.map_err(|error| error.located(&origins))?;
    let exit = Exit::of_crawl(&report, signal);
    summary::print(&report, &settings, exit)?;
    Ok(exit)
}

/// Reads the text of the input that the setting `key` names.
pub(crate) fn read(source: &Input, limit: u64, key: &str) -> Result<String, CrawlError> {
    let name = match source {
        Input::File(path) => path.display().to_string(),
        Input::Stdin => "-".to_owned(),
    };
    let unusable = |what: String| CrawlError::setting(key, what, "name a text file");
    let bytes = input::read(&name, limit, key).map_err(|failure| unusable(failure.what().to_owned()))?;
    String::from_utf8(bytes).map_err(|_| unusable(format!("`{name}` is not UTF-8")))
}
