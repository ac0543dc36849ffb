//! Merges what a page says without scripts and with them, as search engines do.

use super::ResponseReader;
use crate::discover::LinkCollector;
use mapwright_browser::Rendered;
use mapwright_fetch::Fetch;
use mapwright_model::{CanonicalGiven, LinkRef, Navigation, PageContent, Rendering, Target, Via};
use mapwright_web::directives::{self, Binding};
use mapwright_web::page::Outlinks;
use mapwright_web::page::facts::{BeforeScripts, Canonical, FactLocation, LinkKind, Region, Rel};
use mapwright_web::{PageFacts, PageUrl};

/// Most links by scripts that are noted of a page.
const MAX_NOTED: usize = 20;

/// A page once its scripts ran.
pub(super) struct AfterScripts<'t> {
    pub(super) facts: PageFacts,
    pub(super) links: Outlinks<'t>,
    pub(super) rendering: &'t Rendering,
}

/// A page, without scripts and with them.
pub(super) struct Merged<'t> {
    /// The facts of both.
    pub(super) facts: PageFacts,
    pub(super) canonical: CanonicalGiven,
    /// The links that scripts made or left.
    pub(super) links: Outlinks<'t>,
    pub(super) rendering: &'t Rendering,
}

impl<C: Fetch> ResponseReader<'_, C> {
    /// Returns the base of the rendered document's links: its URL at the end, which scripts may have changed within the
    /// origin.
    pub(super) fn base_of(&self, rendered: &Rendered) -> PageUrl {
        let url = PageUrl::parse(&rendered.url, &self.context.reading.identity).ok();
        url.filter(|url| url.origin() == self.task.url.origin()).unwrap_or_else(|| self.task.url.clone())
    }

    /// Returns the directives that apply.
    pub(super) fn binding_of(&self, facts: &PageFacts) -> Binding {
        let agents: Vec<&str> = self.context.reading.agents.iter().map(String::as_str).collect();
        directives::binding(&facts.directives, &agents, self.at)
    }

    /// Merges the facts of a page without scripts and with them.
    ///
    /// Directives bind from either side: what a script removes still binds (Google Search Central, "JavaScript SEO
    /// basics"). Two canonicals that differ are a conflict. Title, text, alternates and dates are those that visitors
    /// see, unless the rendering was cut.
    pub(super) fn merge<'t>(
        &self,
        mut plain: PageFacts,
        after: AfterScripts<'t>,
        collector: &mut LinkCollector<'_>,
    ) -> Merged<'t> {
        let AfterScripts { mut facts, links, rendering } = after;
        facts.dates.retain(|date| !self.is_time_of_answer(&date.date));
        let mut before = before_scripts(&plain, self.binding_of(&plain));
        let binding = self.binding_of(&facts);
        (before.noindex_after, before.nofollow_after) = (binding.noindex || binding.expired, binding.nofollow);
        before.canonical_after = honoured(&facts.canonicals).map(|canonical| canonical.raw.clone());
        before.hash_routes = hash_routes(&links);
        let canonicals = (collector.canonical(&plain), collector.canonical(&facts));
        let are_given = !matches!(canonicals, (CanonicalGiven::None, _) | (_, CanonicalGiven::None));
        before.canonical_differs = are_given && canonicals.0 != canonicals.1;
        let canonical = either(canonicals.0, canonicals.1);
        if rendering.cut {
            std::mem::swap(&mut plain, &mut facts);
        }
        complete(&mut facts, plain);
        facts.before_scripts = Some(Box::new(before));
        Merged { facts, canonical, links, rendering }
    }

    /// Adds the links that scripts made to those of the plain document, and returns the target of a redirect by a
    /// script.
    pub(super) fn merge_links(
        &self,
        content: &mut PageContent,
        links: Outlinks<'_>,
        rendering: &Rendering,
        collector: &mut LinkCollector<'_>,
    ) -> Option<Target> {
        let count = |links: usize| u32::try_from(links).unwrap_or(u32::MAX);
        let plain = std::mem::take(&mut content.links);
        let pages = plain.iter().filter(|(_, link)| link.kind.followed()).count();
        let left_out;
        (content.links, left_out) = collector.links(links, content.binding.nofollow);
        content.facts.leave_links_out(left_out);
        let mut added = plain.clone().add_missing(&content.links);
        // A link to another part of the page leads nowhere else.
        added.retain(|target| self.task.url_id.is_none_or(|own| *target != Target::Known(own)));
        let removed = content.links.add_missing(&plain);
        if let Some(before) = &mut content.facts.before_scripts {
            (before.links, before.links_added, before.links_removed) =
                (count(pages), count(added.len()), count(removed.len()));
        }
        added.truncate(MAX_NOTED);
        content.links_by_script = added;
        self.navigation(rendering.navigation.as_ref()?, content, collector)
    }

    /// Takes the page to which scripts sent the visitor: at once, it is a redirect; later, a link. A click that a
    /// script makes is none: a link that is clicked is found as such.
    fn navigation(
        &self,
        navigation: &Navigation,
        content: &mut PageContent,
        collector: &mut LinkCollector<'_>,
    ) -> Option<Target> {
        let url = PageUrl::parse(&navigation.url, &self.context.reading.identity).ok()?;
        if url == self.task.url || !navigation.is_unprompted() {
            return None;
        }
        if navigation.at_once {
            return Some(collector.find(&url, Via::Refresh));
        }
        let (kind, rel, region) = (LinkKind::Refresh, Rel::default(), Region::Body);
        let target = collector.find(&url, collector.via(kind, rel, region, content.binding.nofollow));
        content.links.push(target, LinkRef { kind, rel, region, anchor: "", fragment: None });
        None
    }
}

/// Adds to the facts of one document those of the other that count from either.
fn complete(facts: &mut PageFacts, other: PageFacts) {
    for directives in other.directives {
        if !facts.directives.contains(&directives) {
            facts.directives.push(directives);
        }
    }
    if facts.canonicals.is_empty() {
        facts.canonicals = other.canonicals;
    }
    facts.refresh = facts.refresh.take().or(other.refresh);
    facts.encoding_from = other.encoding_from;
    facts.scripts = facts.scripts.max(other.scripts);
    facts.cut |= other.cut;
    facts.links_cut |= other.links_cut;
}

/// Returns the canonical of both documents.
fn either(before: CanonicalGiven, after: CanonicalGiven) -> CanonicalGiven {
    match (before, after) {
        (CanonicalGiven::None, given) | (given, CanonicalGiven::None) => given,
        (before, after) if before == after => before,
        _ => CanonicalGiven::Conflict,
    }
}

fn honoured(canonicals: &[Canonical]) -> Option<&Canonical> {
    canonicals.iter().find(|canonical| canonical.place != FactLocation::Body)
}

fn before_scripts(facts: &PageFacts, binding: Binding) -> BeforeScripts {
    BeforeScripts {
        title: facts.title.clone(),
        description: facts.description.clone(),
        heading: facts.first_heading().map(str::to_owned),
        canonical: honoured(&facts.canonicals).map(|canonical| canonical.raw.clone()),
        text_bytes: facts.text_bytes,
        hreflang: facts.names_alternates(),
        noindex: binding.noindex || binding.expired,
        nofollow: binding.nofollow,
        ..BeforeScripts::default()
    }
}

/// Returns the number of links whose fragments are paths of an application: `#/about`, `#!/about`.
fn hash_routes(links: &Outlinks<'_>) -> u32 {
    let is_route = |fragment: &str| fragment.starts_with('/') || fragment.starts_with("!/");
    let routes = links.written.iter().filter_map(|link| link.fragment()).filter(|fragment| is_route(fragment));
    u32::try_from(routes.count()).unwrap_or(u32::MAX)
}
