//! The layering of defaults, file, environment and flags.

use crate::arguments::{self, CONFIG_FLAG, CONFIG_VARIABLE};
use crate::definition::Definition;
use crate::definitions::definitions;
use crate::error::{SettingSource, SettingsError};
use crate::file::JobTable;
use crate::recorded::RecordedSettings;
use crate::resolved_settings::{Layer, ResolvedSettings, SettingOrigin};
use crate::sections::{
    AuditSection, CrawlSection, FetchSection, JobSection, NotifySection, OutputSection, PublishSection, RecordSection,
    RenderSection, ServeSection, SitemapSection,
};
use crate::settings::Settings;
use crate::shared_environment::SharedEnvironment;
use crate::{environment, file};
use clap::ArgMatches;
use mapwright_web::ScopeKind;
use std::collections::{BTreeMap, HashMap};

/// Settings, and the origins of their values.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The settings.
    pub settings: Settings,
    /// The origin of each value, in the order of the documents. Secrets are hidden.
    pub origins: Vec<SettingOrigin>,
    /// The place where the table of the job begins, if these are the settings of a job.
    pub table: Option<SettingSource>,
    /// The values to store in the record, so that the run can be resumed.
    pub recorded: RecordedSettings,
    /// Warnings for standard error, one line each.
    pub warnings: Vec<String>,
}

/// The layers of settings, before they are laid over each other.
#[derive(Clone, Debug)]
pub struct Layers {
    /// The name of the file.
    name: Option<String>,
    file: Layer,
    /// The table of each job.
    jobs: BTreeMap<String, JobTable>,
    environment: Layer,
    flags: Layer,
    ambient: SharedEnvironment,
    warnings: Vec<String>,
}

impl Layers {
    /// Reads `file` (name and text), the environment and the flags of `args`.
    ///
    /// # Errors
    /// Text that is not TOML, an unknown section or key, an invalid name of a job.
    pub fn read(
        args: &ArgMatches,
        env: impl Iterator<Item = (String, String)>,
        file: Option<(&str, &str)>,
    ) -> Result<Layers, SettingsError> {
        let variables: HashMap<String, String> = env.collect();
        let name = file.map(|(name, _)| name.to_owned());
        let (file, jobs) = file.map_or(Ok(Default::default()), |(name, text)| file::layers(name, text))?;
        let (environment, warnings) = environment::layer(&variables);
        let ambient = SharedEnvironment::read(&variables);
        Ok(Layers { name, file, jobs, environment, flags: arguments::layer(args), ambient, warnings })
    }

    /// The name of the file that was read.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the keys of the secrets that the file itself holds, in order.
    #[must_use]
    pub fn secrets(&self) -> Vec<String> {
        let layers = || self.jobs.values().map(|table| &table.layer).chain([&self.file]);
        let stands = |field: &str| layers().any(|layer| layer.contains_key(field));
        definitions().filter(|definition| definition.secret && stands(definition.field)).map(Definition::key).collect()
    }

    /// The names of the file's jobs.
    pub fn jobs(&self) -> impl Iterator<Item = &str> {
        self.jobs.keys().map(String::as_str)
    }

    /// Returns the settings. From lowest to highest, the layers are: defaults, file, the file's table of `job`,
    /// environment, the recorded settings of a run that is resumed, flags. A job that is not in the file has no table.
    /// If the file has jobs and `job` is none, the scope `list` needs no list, because each job may name its own.
    ///
    /// # Errors
    /// The first value that cannot be used, or values that contradict each other.
    pub fn load(&self, job: Option<&str>, recorded: Option<&RecordedSettings>) -> Result<Loaded, SettingsError> {
        let table = job.and_then(|name| self.jobs.get(name));
        let of_job = table.map(|table| table.layer.clone()).unwrap_or_default();
        let table = table.map(|table| table.set_at.clone());
        let from_record = recorded.map(RecordedSettings::layer).unwrap_or_default();
        let layers = vec![self.file.clone(), of_job, self.environment.clone(), from_record, self.flags.clone()];
        let resolved = ResolvedSettings::new(definitions(), layers);
        let settings = Settings {
            output: OutputSection::read(&resolved)?,
            crawl: CrawlSection::read(&resolved)?,
            fetch: FetchSection::read(&resolved)?,
            sitemap: SitemapSection::read(&resolved)?,
            render: RenderSection::read(&resolved)?,
            record: RecordSection::read(&resolved)?,
            audit: AuditSection::read(&resolved)?,
            publish: PublishSection::read(&resolved)?,
            notify: NotifySection::read(&resolved)?,
            job: JobSection::read(&resolved)?,
            serve: ServeSection::read(&resolved)?,
            ambient: self.ambient.clone(),
        };
        if job.is_some() || self.jobs.is_empty() {
            check_scope(&settings, &resolved)?;
        }
        check(&settings, &resolved)?;
        let warnings = self.warnings.clone();
        Ok(Loaded {
            settings,
            origins: resolved.origins(),
            table,
            recorded: RecordedSettings::of(resolved.values()),
            warnings,
        })
    }
}

impl Settings {
    /// Reads the settings of a command without a job; see [`Layers::load`].
    ///
    /// # Errors
    /// The first value that cannot be used, an unknown key of the file, or values that contradict each other.
    pub fn load(
        args: &ArgMatches,
        env: impl Iterator<Item = (String, String)>,
        file: Option<(&str, &str)>,
        recorded: Option<&RecordedSettings>,
    ) -> Result<Loaded, SettingsError> {
        Layers::read(args, env, file)?.load(None, recorded)
    }

    /// Returns the configuration file that the flags, or else the environment, name, and the place where it is named.
    /// No file is read unless one of them names it.
    pub fn config_file(
        args: &ArgMatches,
        env: impl Iterator<Item = (String, String)>,
    ) -> Option<(String, SettingSource)> {
        let flag = args.try_get_one::<String>(CONFIG_FLAG).ok().flatten();
        if let Some(name) = flag {
            return Some((name.clone(), SettingSource::Flag(CONFIG_FLAG.to_owned())));
        }
        let variable = env.into_iter().find(|(name, value)| name == CONFIG_VARIABLE && !value.is_empty());
        variable.map(|(_, value)| (value, SettingSource::Variable(CONFIG_VARIABLE.to_owned())))
    }
}

/// Checks that the scope `list` comes with a list. The settings that jobs share may be incomplete, so they are not
/// checked here.
fn check_scope(settings: &Settings, resolved: &ResolvedSettings) -> Result<(), SettingsError> {
    if settings.crawl.scope != ScopeKind::List || settings.crawl.url_list.is_some() {
        return Ok(());
    }
    let what = "the scope is `list`, but there is no list".to_owned();
    Err(SettingsError { what, set_at: resolved.set_at("scope"), hint: "name one with --url-list FILE".to_owned() })
}

/// Checks values against each other.
fn check(settings: &Settings, resolved: &ResolvedSettings) -> Result<(), SettingsError> {
    let conflict = |field: &str, what: &str, hint: &str| {
        Err(SettingsError { what: what.to_owned(), set_at: resolved.set_at(field), hint: hint.to_owned() })
    };
    if settings.fetch.bytes_in_flight < settings.fetch.max_body {
        let at =
            if resolved.set_at("bytes_in_flight") == SettingSource::Default { "max_body" } else { "bytes_in_flight" };
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
