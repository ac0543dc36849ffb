//! The specification of a crawl, checked before the first request.

use crate::audit::AuditPlan;
use crate::error::CrawlError;
use crate::fetcher::fetcher;
use crate::input_name::shown;
use crate::publish_plan::{publish_plan, rewrites};
use crate::record_folder::state_folder;
use crate::record_outside_output;
use crate::recorded_settings;
use crate::rendering::Rendering;
use crate::starts::{self, StartUrl};
use crate::url_list;
use mapwright_settings::{CrawlSection, Input, RecordSection, RecordedSettings, Settings};
use mapwright_store::{RunKind, Unfinished};
use mapwright_web::scope::ScopeError;
use mapwright_web::select::{ContentSelector, Selection};
use mapwright_web::{PageUrl, Scope, ScopeKind, ScopeVerdict, UrlIdentity};
use regex::RegexSet;
use std::path::PathBuf;
use url::Url;

/// A crawl whose settings are valid.
#[derive(Debug)]
pub struct CrawlSpec {
    pub(crate) settings: Settings,
    /// The settings that the record stores.
    pub(crate) recorded: RecordedSettings,
    pub(crate) identity: UrlIdentity,
    pub(crate) starts: Vec<StartUrl>,
    pub(crate) list: Vec<PageUrl>,
    pub(crate) scope: Scope,
    pub(crate) selection: Option<Selection>,
    pub(crate) content: Option<ContentSelector>,
    pub(crate) no_list: RegexSet,
    /// The audit to make, if reports are written.
    pub(crate) audit: Option<AuditPlan>,
    /// A sitemap is published.
    pub(crate) publishes: bool,
    /// Assumptions to report.
    pub(crate) notes: Vec<String>,
}

impl CrawlSpec {
    /// Builds a crawl from settings and start URLs as they were written. `read` returns the text of an input that the
    /// settings name.
    ///
    /// # Errors
    /// If a URL, an expression or a selector is invalid, or there is nothing to crawl.
    pub fn new(
        settings: Settings,
        mut recorded: RecordedSettings,
        urls: &[String],
        read: impl Fn(&Input, u64) -> Result<String, CrawlError>,
    ) -> Result<Self, CrawlError> {
        let identity = UrlIdentity::new(!settings.crawl.keep_tracking_params, &settings.crawl.drop_param);
        let starts: Vec<StartUrl> = urls.iter().map(|text| starts::read(text, &identity)).collect::<Result<_, _>>()?;
        let list = match &settings.crawl.url_list {
            Some(input) => url_list::read(&read(input, url_list::MAX_BYTES)?, &shown(input), &identity)?,
            None => Vec::new(),
        };
        check(&settings, &starts, &list)?;
        if let Ok(state) = state_folder(&settings, &urls_of(&starts), &list) {
            record_outside_output::check(&settings, &state)?;
        }
        rewrites(&settings)?;
        let scope = scope(&settings, &starts, &list)?;
        let selection = selection(&settings)?;
        let content = ContentSelector::parse(&settings.record.content_selector)
            .map_err(|error| CrawlError::setting(RecordSection::content_selector, error, "fix the selector"))?;
        let no_list = RegexSet::new(&settings.crawl.no_list)
            .map_err(|error| CrawlError::setting(CrawlSection::no_list, error, "fix the expression"))?;
        let notes = notes(&starts, &scope);
        recorded_settings::make_absolute(&settings, &mut recorded);
        recorded_settings::note_userinfo(&starts, &mut recorded);
        Ok(Self {
            settings,
            recorded,
            identity,
            starts,
            list,
            scope,
            selection,
            content,
            no_list,
            audit: None,
            publishes: true,
            notes,
        })
    }

    /// Turns the run into an audit, which publishes no sitemap.
    #[must_use]
    pub fn auditing(mut self, plan: AuditPlan) -> Self {
        self.publishes = false;
        self.audit = Some(plan);
        self
    }

    /// Adds an audit of the complete crawl to the publication of the sitemap.
    #[must_use]
    pub fn also_auditing(mut self, plan: AuditPlan) -> Self {
        self.audit = Some(plan);
        self
    }

    /// Checks what a run would be refused for after its record is open: the options of the fetcher and of the
    /// publication.
    ///
    /// # Errors
    /// If a setting is invalid, or names a file that cannot be read.
    pub fn check(&self) -> Result<(), CrawlError> {
        fetcher(&self.settings, &self.starts, &self.list)?;
        Rendering::of(&self.settings, self.audit.is_some())?;
        publish_plan(&self.settings, &self.scope).map(drop)
    }

    /// Returns the URL of the directory where the sitemap files are served.
    ///
    /// # Errors
    /// If a setting of the publication is invalid.
    pub fn sitemap_base(&self) -> Result<Url, CrawlError> {
        Ok(publish_plan(&self.settings, &self.scope)?.series.base)
    }

    /// Reports whether the unfinished run was begun by this crawl: with the same start URLs, and with no secret that is
    /// not given now.
    #[must_use]
    pub fn began(&self, unfinished: &Unfinished) -> bool {
        let (begun_at, begun) = recorded_settings::begun_with(unfinished);
        let starts: Vec<String> = self.start_urls().iter().map(ToString::to_string).collect();
        begun_at == starts && recorded_settings::missing_secrets(&begun, &self.recorded).is_empty()
    }

    /// The start URLs.
    #[must_use]
    pub fn start_urls(&self) -> Vec<PageUrl> {
        urls_of(&self.starts)
    }

    /// Returns the start URLs that are requested: none under the scope `list`, which requests the list alone.
    pub(crate) fn seeds(&self) -> Vec<PageUrl> {
        if self.scope.kind() == ScopeKind::List { Vec::new() } else { self.start_urls() }
    }

    /// Returns the folder of its record.
    pub(crate) fn record(&self) -> Result<PathBuf, CrawlError> {
        state_folder(&self.settings, &self.start_urls(), &self.list)
    }

    /// Returns the kind of its run.
    pub(crate) fn kind(&self) -> RunKind {
        if self.publishes { RunKind::Sitemap } else { RunKind::Audit }
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

fn urls_of(starts: &[StartUrl]) -> Vec<PageUrl> {
    starts.iter().map(|start| start.url.clone()).collect()
}

/// Returns notes on start URLs without a scheme, and on those that are not requested.
fn notes(starts: &[StartUrl], scope: &Scope) -> Vec<String> {
    let assumed = starts.iter().filter(|start| start.assumed_https);
    let assumed = assumed.map(|start| format!("no scheme was given: trying {}", start.url));
    let unlisted = starts.iter().filter(|start| scope.admits(&start.url) == ScopeVerdict::OutOfScope);
    let unlisted = unlisted.map(|start| format!("{} is not visited: --scope list is the list alone", start.url));
    assumed.chain(unlisted).collect()
}

fn check(settings: &Settings, starts: &[StartUrl], list: &[PageUrl]) -> Result<(), CrawlError> {
    let by_list = settings.crawl.scope == ScopeKind::List;
    if by_list && settings.crawl.url_list.is_none() {
        return Err(CrawlError::setting(CrawlSection::scope, "there is no list", "give one with --url-list FILE"));
    }
    if starts.is_empty() && !by_list {
        return Err(CrawlError::usage("start URL", "no URL was given", "say which URL to start from"));
    }
    if starts.is_empty() && list.is_empty() {
        return Err(CrawlError::setting(CrawlSection::url_list, "the list is empty", "put one URL on each line"));
    }
    Ok(())
}

fn scope(settings: &Settings, starts: &[StartUrl], list: &[PageUrl]) -> Result<Scope, CrawlError> {
    let kind = settings.crawl.scope;
    let roots = urls_of(starts);
    let list = if kind == ScopeKind::List { list.to_vec() } else { Vec::new() };
    Scope::new(kind, roots, list, &settings.crawl.include, &settings.crawl.exclude).map_err(|error| match &error {
        ScopeError::BadPattern { list, .. } => {
            CrawlError::setting(&format!("crawl.{list}"), &error, "fix the expression")
        }
        ScopeError::NoStart => CrawlError::usage("start URL", &error, "say which URL to start from"),
    })
}

/// The parts of pages that links are taken from.
fn selection(settings: &Settings) -> Result<Option<Selection>, CrawlError> {
    let (links_in, no_links_in) = (&settings.crawl.links_in, &settings.crawl.no_links_in);
    Selection::parse(links_in, no_links_in).map_err(|error| {
        let key = if links_in.contains(&error.selector) { CrawlSection::links_in } else { CrawlSection::no_links_in };
        CrawlError::setting(key, error, "fix the selector")
    })
}
