//! An explanation as JSON: `mapwright explain --format json` and the API serialize it.

mod parts;
mod scripts;

use crate::time;
use mapwright_store::{Explained, RunState};
use mapwright_web::PageUrl;
use parts::{
    DirectivesJson, DiscoveryJson, HistoryJson, LastFoundJson, ListingJson, ResponseJson, RobotsJson, StepJson,
    VerdictJson,
};
use scripts::ScriptsJson;
use serde::Serialize;
use std::borrow::Cow;
use utoipa::openapi::schema::AnyOfBuilder;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The explanation of a URL, or the answer for one that no run found.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum ExplanationJson<'e> {
    /// A run found it.
    Found(Box<ExplainedJson<'e>>),
    /// No run found it.
    Unknown(UnknownJson<'e>),
}

impl PartialSchema for ExplanationJson<'_> {
    fn schema() -> RefOr<Schema> {
        let of = |name: Cow<'_, str>| Ref::from_schema_name(name);
        AnyOfBuilder::new().item(of(ExplainedJson::name())).item(of(UnknownJson::name())).into()
    }
}

impl ToSchema for ExplanationJson<'_> {
    fn name() -> Cow<'static, str> {
        "Explanation".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((ExplainedJson::name().into_owned(), ExplainedJson::schema()));
        schemas.push((UnknownJson::name().into_owned(), UnknownJson::schema()));
        ExplainedJson::schemas(schemas);
    }
}

impl<'e> ExplanationJson<'e> {
    /// The explanation of a URL that a run found.
    #[must_use]
    pub fn found(url: &'e PageUrl, explained: &'e Explained) -> Self {
        Self::Found(Box::new(ExplainedJson::of(url, explained)))
    }

    /// The answer for a URL that no run found.
    #[must_use]
    pub fn unknown(url: &'e str) -> Self {
        Self::Unknown(UnknownJson { url, found: false })
    }
}

/// The answer for a URL that no run found.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UnknownUrl)]
pub struct UnknownJson<'e> {
    url: &'e str,
    found: bool,
}

/// The explanation of a URL that a run found.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Explained)]
pub struct ExplainedJson<'e> {
    url: &'e str,
    found: bool,
    /// The newest run.
    run: i64,
    /// `running`, `complete`, `cut`, `failed` or `dropped`.
    #[schema(value_type = String)]
    run_state: RunState,
    /// That run published its sitemap; null if it has not ended.
    #[schema(required)]
    published: Option<bool>,
    /// The verdict of that run; null if it did not find the URL.
    #[schema(required)]
    verdict: Option<VerdictJson<'e>>,
    /// The last run that found the URL, and its verdict.
    #[schema(required)]
    last_found: Option<LastFoundJson<'e>>,
    /// The page that seems to replace it, by title and text.
    #[schema(required)]
    seems_moved_to: Option<&'e str>,
    /// Its first discovery.
    #[schema(required)]
    found_first: Option<DiscoveryJson<'e>>,
    /// The shortest click path from a start URL.
    click_path: Vec<StepJson<'e>>,
    /// Sitemaps and feeds of the site that list it.
    listed_in: Vec<ListingJson<'e>>,
    redirected_to_by: &'e [String],
    canonical_of: &'e [String],
    #[schema(required)]
    robots: Option<RobotsJson<'e>>,
    /// The latest requests for it, newest first.
    responses: Vec<ResponseJson<'e>>,
    /// Its robots directives.
    directives: Vec<DirectivesJson<'e>>,
    /// Its canonical, the canonical of that, and so on.
    canonicals: &'e [String],
    /// Other pages with the same bytes.
    duplicates: &'e [String],
    /// Its scripts; null where they were no question.
    #[schema(required)]
    scripts: Option<ScriptsJson<'e>>,
    #[schema(required)]
    history: Option<HistoryJson>,
}

impl<'e> ExplainedJson<'e> {
    fn of(url: &'e PageUrl, explained: &'e Explained) -> Self {
        Self {
            url: url.as_str(),
            found: true,
            run: explained.run,
            run_state: explained.run_state,
            published: explained.published,
            verdict: explained.verdict.as_ref().map(VerdictJson::from),
            last_found: explained
                .last_found
                .as_ref()
                .map(|(run, verdict)| LastFoundJson { run: *run, verdict: verdict.into() }),
            seems_moved_to: explained.seems_moved_to.as_deref(),
            found_first: explained
                .found
                .as_ref()
                .map(|(via, on)| DiscoveryJson { via: via.as_str(), on: on.as_deref() }),
            click_path: explained.path.iter().map(StepJson::from).collect(),
            listed_in: explained
                .listed_in
                .iter()
                .map(|(file, lastmod)| ListingJson { file, lastmod: lastmod.as_deref() })
                .collect(),
            redirected_to_by: &explained.redirects_here,
            canonical_of: &explained.canonical_of,
            robots: explained.robots.as_ref().map(RobotsJson::from),
            responses: explained.answers.iter().map(ResponseJson::from).collect(),
            directives: explained.directives.iter().map(DirectivesJson::from).collect(),
            canonicals: &explained.canonicals,
            duplicates: &explained.duplicates,
            scripts: explained.scripts.as_ref().map(ScriptsJson::from),
            history: explained.history.map(|history| HistoryJson {
                first_seen: history.first.and_then(time::rfc3339),
                changed: history.changed.and_then(time::rfc3339),
                changes: history.changes,
            }),
        }
    }
}
