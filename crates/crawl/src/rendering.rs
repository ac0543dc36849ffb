//! The browser of a crawl, as the settings describe it.

use crate::error::CrawlError;
use mapwright_engine::{Engine, RenderRules};
use mapwright_fetch::HttpFetch;
use mapwright_model::{RenderReason, Template};
use mapwright_settings::{RenderMode, RenderSection, Settings};
use mapwright_store::{LocalFrontier, Record, StoreError};
use mapwright_text::counted;

/// The engine of a crawl.
type CrawlEngine = Engine<LocalFrontier, HttpFetch>;

/// The package that has the browser, as a hint.
const INSTALL: &str = "install `chromium-headless-shell` (a package of Debian), Chromium or Chrome, or name one with \
                       --browser";

/// The rendering of a crawl: which pages are rendered, and by which browser.
#[derive(Debug, Clone)]
pub(crate) struct Rendering {
    rules: RenderRules,
    /// `None` where no browser is installed.
    #[cfg(feature = "browser")]
    options: Option<mapwright_browser::RenderOptions>,
}

/// The knowledge of earlier runs about the scripts of the site.
#[derive(Debug)]
pub(crate) struct KnownRendering {
    templates: Vec<Template>,
    /// Pages are what their scripts made.
    relied_upon: bool,
}

impl KnownRendering {
    /// Reads it from a record.
    pub(crate) fn of(record: &Record) -> Result<Self, StoreError> {
        Ok(Self { templates: record.templates()?, relied_upon: record.has_rendered_pages()? })
    }
}

impl Rendering {
    /// Returns the rendering that the settings describe; `None` where no page is rendered. `audits`: an audit follows.
    pub(crate) fn of(settings: &Settings, audits: bool) -> Result<Option<Self>, CrawlError> {
        let mode = match settings.render.render {
            RenderMode::Never => return Ok(None),
            RenderMode::Auto => mapwright_engine::RenderMode::Auto,
            RenderMode::Always => mapwright_engine::RenderMode::Always,
        };
        let rules = RenderRules { mode, max_renders: settings.render.max_renders, audits };
        Self::with_browser(rules, settings).map(Some)
    }
}

/// Returns what is to be said of pages that look empty without their scripts, after a run without a browser.
pub(crate) fn note(record: &Record) -> Result<Option<String>, StoreError> {
    let shells = record.pages_chosen(RenderReason::NoBrowser)?;
    Ok((shells > 0).then(|| {
        let (pages, look) = (counted(shells, "page"), if shells == 1 { "looks" } else { "look" });
        format!("{pages} {look} empty without scripts, and no browser ran them: {INSTALL}")
    }))
}

#[cfg(feature = "browser")]
impl Rendering {
    fn with_browser(rules: RenderRules, settings: &Settings) -> Result<Self, CrawlError> {
        Self::of_program(rules, program(&settings.render)?, settings)
    }

    fn of_program(
        rules: RenderRules,
        program: Option<mapwright_browser::Program>,
        settings: &Settings,
    ) -> Result<Self, CrawlError> {
        let render = &settings.render;
        let processors = || std::thread::available_parallelism().map_or(1, usize::from).min(MAX_TABS);
        let options = program.map(|program| mapwright_browser::RenderOptions {
            program,
            sandbox: sandbox(render),
            tabs: render.render_tabs.map_or_else(processors, |tabs| tabs as usize),
            timeout: render.render_timeout,
            user_agent: settings.fetch.user_agent.clone(),
        });
        if options.is_none() && rules.mode == mapwright_engine::RenderMode::Always {
            return Err(CrawlError::setting(RenderSection::render, "no browser is installed", INSTALL));
        }
        Ok(Self { rules, options })
    }

    /// Gives the engine its browser.
    pub(crate) fn add_to(self, engine: CrawlEngine, known: KnownRendering) -> CrawlEngine {
        let Self { rules, options } = self;
        engine.with_rendering(rules, known.templates, known.relied_upon, |requests| {
            let renderer = mapwright_browser::Renderer::new(requests, options?);
            Some(std::sync::Arc::new(renderer) as std::sync::Arc<dyn mapwright_browser::Render>)
        })
    }
}

/// Most pages that are rendered at once where the settings say nothing: more than two for each processor gain little.
#[cfg(feature = "browser")]
const MAX_TABS: usize = 4;

#[cfg(feature = "browser")]
fn program(settings: &RenderSection) -> Result<Option<mapwright_browser::Program>, CrawlError> {
    use mapwright_browser::Program;
    if let Some(path) = &settings.browser {
        return Program::at(path).map(Some).ok_or_else(|| {
            let what = format!("there is no program `{}`", path.display());
            CrawlError::setting(RenderSection::browser, what, "name the file of Chromium or Chrome")
        });
    }
    let folders: Vec<_> = std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect();
    Ok(Program::find(&folders))
}

#[cfg(feature = "browser")]
fn sandbox(settings: &RenderSection) -> mapwright_browser::Sandbox {
    use mapwright_browser::Sandbox;
    use mapwright_settings::RenderSandbox;
    match settings.render_sandbox {
        RenderSandbox::Auto => Sandbox::Auto,
        RenderSandbox::On => Sandbox::On,
        RenderSandbox::Off => Sandbox::Off,
    }
}

/// A program that was built without a browser.
#[cfg(not(feature = "browser"))]
impl Rendering {
    fn with_browser(rules: RenderRules, _settings: &Settings) -> Result<Self, CrawlError> {
        if rules.mode == mapwright_engine::RenderMode::Always {
            let what = "this mapwright was built without a browser";
            return Err(CrawlError::setting(RenderSection::render, what, "build it with the feature `browser`"));
        }
        Ok(Self { rules })
    }

    /// Has the engine count the pages that look empty.
    pub(crate) fn add_to(self, engine: CrawlEngine, known: KnownRendering) -> CrawlEngine {
        engine.with_rendering(self.rules, known.templates, known.relied_upon, |_| None)
    }
}

#[cfg(all(test, feature = "browser"))]
mod tests {
    use super::*;
    use mapwright_settings::{CommandKind, Layers, arguments};

    #[test]
    fn without_a_browser_always_names_the_package_and_auto_goes_on() {
        let command = clap::Command::new("mapwright").no_binary_name(true).args(arguments(CommandKind::Crawl));
        let matches = command.get_matches_from([""; 0]);
        let loaded = Layers::read(&matches, std::iter::empty(), None).unwrap().load(None, None).unwrap();
        let without_browser = |mode| {
            let rules = RenderRules { mode, max_renders: None, audits: false };
            Rendering::of_program(rules, None, &loaded.settings)
        };
        let refused = without_browser(mapwright_engine::RenderMode::Always).unwrap_err().to_string();
        assert!(
            refused.contains("no browser is installed") && refused.contains("chromium-headless-shell"),
            "{refused}"
        );
        let rendering = without_browser(mapwright_engine::RenderMode::Auto).unwrap();
        assert!(rendering.options.is_none());
    }
}
