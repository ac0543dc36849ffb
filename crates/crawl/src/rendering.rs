//! The browser of a crawl, as the settings describe it.

use crate::crawl_spec::CrawlSpec;
use crate::error::CrawlError;
use mapwright_engine::{Engine, RenderRules};
use mapwright_fetch::HttpFetch;
use mapwright_settings::{RenderMode, RenderSection};
use mapwright_store::LocalFrontier;

/// The engine of a crawl.
type CrawlEngine = Engine<LocalFrontier, HttpFetch>;

/// The rendering of a crawl: what is rendered, and by which browser.
#[cfg(feature = "browser")]
#[derive(Debug, Clone)]
pub(crate) struct Rendering {
    rules: RenderRules,
    options: mapwright_browser::RenderOptions,
}

#[cfg(feature = "browser")]
impl Rendering {
    /// Returns the rendering that the settings ask for; `None` where no page is rendered.
    pub(crate) fn of(spec: &CrawlSpec) -> Result<Option<Self>, CrawlError> {
        let Some(rules) = rules(spec) else { return Ok(None) };
        let settings = &spec.settings.render;
        let processors = || std::thread::available_parallelism().map_or(1, usize::from).min(MAX_TABS);
        let options = mapwright_browser::RenderOptions {
            program: program(settings)?,
            sandbox: sandbox(settings),
            tabs: settings.render_tabs.map_or_else(processors, |tabs| tabs as usize),
            timeout: settings.render_timeout,
            user_agent: spec.settings.fetch.user_agent.clone(),
        };
        Ok(Some(Self { rules, options }))
    }

    /// Gives the engine its browser.
    pub(crate) fn add_to(self, engine: CrawlEngine) -> CrawlEngine {
        let Self { rules, options } = self;
        engine
            .with_rendering(rules, |requests| std::sync::Arc::new(mapwright_browser::Renderer::new(requests, options)))
    }
}

/// Most pages that are rendered at once where the settings say nothing: more than two for each processor gain little.
#[cfg(feature = "browser")]
const MAX_TABS: usize = 4;

#[cfg(feature = "browser")]
fn program(settings: &RenderSection) -> Result<mapwright_browser::Program, CrawlError> {
    use mapwright_browser::Program;
    if let Some(path) = &settings.browser {
        return Program::at(path).ok_or_else(|| {
            let what = format!("there is no program `{}`", path.display());
            CrawlError::setting(RenderSection::browser, what, "name the file of Chromium or Chrome")
        });
    }
    let folders: Vec<_> = std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect();
    Program::find(&folders).ok_or_else(|| {
        let hint = "install `chromium-headless-shell` (a package of Debian), Chromium or Chrome, or name one with \
                    --browser";
        CrawlError::setting(RenderSection::render, "no browser is installed", hint)
    })
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

/// Returns the rules of rendering; `None` where no page is rendered.
fn rules(spec: &CrawlSpec) -> Option<RenderRules> {
    let settings = &spec.settings.render;
    let mode = match settings.render {
        RenderMode::Never => return None,
        RenderMode::Always => mapwright_engine::RenderMode::Always,
    };
    Some(RenderRules { mode, max_renders: settings.max_renders, noindex: spec.audit.is_some() })
}

/// The rendering of a program that was built without a browser: none.
#[cfg(not(feature = "browser"))]
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rendering {}

#[cfg(not(feature = "browser"))]
impl Rendering {
    /// Returns `None`, or an error where the settings ask for rendering.
    pub(crate) fn of(spec: &CrawlSpec) -> Result<Option<Self>, CrawlError> {
        match rules(spec) {
            Some(_) => {
                let what = "this mapwright was built without a browser";
                Err(CrawlError::setting(RenderSection::render, what, "build it with the feature `browser`"))
            }
            None => Ok(None),
        }
    }

    /// Returns the engine as it is.
    pub(crate) fn add_to(self, _engine: CrawlEngine) -> CrawlEngine {
        match self {}
    }
}
