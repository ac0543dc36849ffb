//! The scripts of a page as JSON.

use mapwright_store::ExplainedScripts;
use mapwright_web::PageFacts;
use mapwright_web::page::facts::BeforeScripts;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Scripts)]
pub(super) struct ScriptsJson<'e> {
    ran: bool,
    /// The reason for which they ran, or did not.
    because: &'static str,
    /// The difference that scripts of its template made.
    #[schema(required)]
    template: Option<&'e str>,
    /// The rendering; null if they did not run.
    #[schema(required)]
    rendering: Option<RenderingJson<'e>>,
    /// The page before they ran.
    #[schema(required)]
    without: Option<SideJson<'e>>,
    /// The page after they ran.
    #[schema(required)]
    with: Option<SideJson<'e>>,
    /// The first URLs that only links made by scripts lead to.
    links_by_script: &'e [String],
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Rendering)]
struct RenderingJson<'e> {
    /// The reason why it failed.
    #[schema(required)]
    failure: Option<&'e str>,
    /// The page was read before it came to rest.
    cut: bool,
    /// The time that it took, in milliseconds.
    ms: u64,
    /// The requests of the page, without that of its document.
    requests: u32,
    /// Their bytes as received.
    bytes: u64,
    /// The first URLs that got no good answer.
    failed: Vec<&'e str>,
    /// The first errors of scripts.
    errors: &'e [String],
    /// The page to which a script wanted to go.
    #[schema(required)]
    navigation: Option<&'e str>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PageSide)]
struct SideJson<'e> {
    #[schema(required)]
    title: Option<&'e str>,
    #[schema(required)]
    description: Option<&'e str>,
    /// The first heading of the first level.
    #[schema(required)]
    heading: Option<&'e str>,
    #[schema(required)]
    canonical: Option<&'e str>,
    noindex: bool,
    nofollow: bool,
    /// It names alternates in other languages.
    alternates: bool,
    text_bytes: u32,
    /// Links to pages.
    links: u32,
}

impl<'e> From<&'e ExplainedScripts> for ScriptsJson<'e> {
    fn from(scripts: &'e ExplainedScripts) -> Self {
        let sides = scripts.sides.as_deref();
        let rendering = scripts.rendering.as_ref().map(|rendering| RenderingJson {
            failure: rendering.failure.as_deref(),
            cut: rendering.cut,
            ms: u64::try_from(rendering.took.as_millis()).unwrap_or(u64::MAX),
            requests: rendering.requests,
            bytes: rendering.bytes,
            failed: rendering.failed.iter().map(|request| request.url.as_str()).collect(),
            errors: &rendering.errors,
            navigation: rendering.navigation.as_ref().map(|navigation| navigation.url.as_str()),
        });
        Self {
            ran: scripts.reason.renders(),
            because: scripts.reason.as_str(),
            template: scripts.evidence.as_deref(),
            rendering,
            without: sides.map(|(before, _)| without(before)),
            with: sides.map(|(before, after)| with(before, after)),
            links_by_script: &scripts.links,
        }
    }
}

fn without(before: &BeforeScripts) -> SideJson<'_> {
    SideJson {
        title: before.title.as_deref(),
        description: before.description.as_deref(),
        heading: before.heading.as_deref(),
        canonical: before.canonical.as_deref(),
        noindex: before.noindex,
        nofollow: before.nofollow,
        alternates: before.hreflang,
        text_bytes: before.text_bytes,
        links: before.links,
    }
}

fn with<'e>(before: &'e BeforeScripts, after: &'e PageFacts) -> SideJson<'e> {
    SideJson {
        title: after.title.as_deref(),
        description: after.description.as_deref(),
        heading: after.first_heading(),
        canonical: before.canonical_after.as_deref(),
        noindex: before.noindex_after,
        nofollow: before.nofollow_after,
        alternates: after.names_alternates(),
        text_bytes: after.text_bytes,
        links: before.links_after(),
    }
}
