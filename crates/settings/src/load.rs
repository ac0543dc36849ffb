//! Defaults, file, environment and flags laid over each other.

use crate::ambient::Ambient;
use crate::arguments::{self, CONFIG_FLAG, CONFIG_VARIABLE};
use crate::chosen::{Chosen, Layer, Origin};
use crate::error::{Place, SettingsError};
use crate::recorded::Recorded;
use crate::sections::{AuditSection, CrawlSection, FetchSection, OutputSection, RecordSection, SitemapSection};
use crate::settings::Settings;
use crate::values::ScopeKind;
use crate::{environment, file};
use clap::ArgMatches;
use std::collections::HashMap;

/// Settings, and how they came about.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The settings.
    pub settings: Settings,
    /// Where each value came from, in the order of the documents. Secrets are hidden.
    pub origins: Vec<Origin>,
    /// What a record keeps of the choice, for a run that may have to go on.
    pub recorded: Recorded,
    /// What deserves a word on standard error, one line each.
    pub warnings: Vec<String>,
}

impl Settings {
    /// Reads the settings: defaults, below `file` (name and text), below the environment, below what a run that goes on
    /// was begun with, below the flags of `args`.
    ///
    /// # Errors
    /// The first value that cannot be used, an unknown key of the file, or values that contradict each other.
    pub fn load(
        args: &ArgMatches,
        env: impl Iterator<Item = (String, String)>,
        file: Option<(&str, &str)>,
        recorded: Option<&Recorded>,
    ) -> Result<Loaded, SettingsError> {
        let environment: HashMap<String, String> = env.collect();
        let from_file = file.map_or(Ok(Layer::new()), |(name, text)| file::layer(name, text))?;
        let (from_environment, warnings) = environment::layer(&environment);
        let from_record = recorded.map(Recorded::layer).unwrap_or_default();
        let chosen = Chosen::new(vec![from_file, from_environment, from_record, arguments::layer(args)]);
        let settings = Settings {
            output: OutputSection::read(&chosen)?,
            crawl: CrawlSection::read(&chosen)?,
            fetch: FetchSection::read(&chosen)?,
            sitemap: SitemapSection::read(&chosen)?,
            record: RecordSection::read(&chosen)?,
            audit: AuditSection::read(&chosen)?,
            ambient: Ambient::read(&environment),
        };
        check(&settings, &chosen)?;
        Ok(Loaded { settings, origins: chosen.origins(), recorded: chosen.recorded(), warnings })
    }

    /// The file that the flags, or else the environment, tell to read, and where they tell it. No file is read unless
    /// one of them names it.
    pub fn config_file(args: &ArgMatches, env: impl Iterator<Item = (String, String)>) -> Option<(String, Place)> {
        let flag = args.try_get_one::<String>(CONFIG_FLAG).ok().flatten();
        if let Some(name) = flag {
            return Some((name.clone(), Place::Flag(CONFIG_FLAG.to_owned())));
        }
        let variable = env.into_iter().find(|(name, value)| name == CONFIG_VARIABLE && !value.is_empty());
        variable.map(|(_, value)| (value, Place::Variable(CONFIG_VARIABLE.to_owned())))
    }
}

/// What no value shows by itself.
fn check(settings: &Settings, chosen: &Chosen) -> Result<(), SettingsError> {
    let conflict = |field: &str, what: &str, remedy: &str| {
        Err(SettingsError { what: what.to_owned(), place: chosen.place(field), remedy: remedy.to_owned() })
    };
    if settings.crawl.scope == ScopeKind::List && settings.crawl.url_list.is_none() {
        return conflict("scope", "the scope is `list`, but there is no list", "name one with --url-list FILE");
    }
    if settings.fetch.bytes_in_flight < settings.fetch.max_body {
        let at = if chosen.place("bytes_in_flight") == Place::Default { "max_body" } else { "bytes_in_flight" };
        let what = "a body may be larger than all bytes in flight together";
        return conflict(at, what, "lower --max-body or raise --bytes-in-flight");
    }
    if settings.robots_token().is_empty() {
        let what = "the user agent begins with no name that robots.txt could address";
        return conflict("user_agent", what, "begin it with a letter, or name one with --robots-agent");
    }
    if settings.sitemap.list_types.is_empty() {
        return conflict("list_types", "no kind of document is listed", "name at least one, such as html");
    }
    Ok(())
}
