//! The scripts of a page, as text: why they ran or did not, and the page before and after.

use mapwright_audit::scripts_compared::{ComparedFact, compare};
use mapwright_model::Rendering;
use mapwright_store::ExplainedScripts;
use mapwright_text::{counted, size};
use mapwright_web::PageFacts;
use mapwright_web::page::facts::BeforeScripts;

/// Returns the lines about the scripts of a page.
pub(super) fn lines(scripts: &ExplainedScripts) -> Vec<String> {
    let ExplainedScripts { reason, evidence, rendering, sides, links } = scripts;
    let ran = if reason.renders() { "they ran" } else { "they did not run" };
    let evidence = evidence.as_ref().map(|evidence| format!(" ({evidence})")).unwrap_or_default();
    let mut lines = vec![format!("  scripts: {ran}, {}{evidence}", reason.describe())];
    lines.extend(rendering.iter().flat_map(course));
    if let Some(sides) = sides {
        lines.push("    without scripts -> with them:".to_owned());
        lines.extend(compared(&sides.0, &sides.1));
    }
    lines.extend(links.iter().map(|url| format!("    link that only scripts made: {url}")));
    lines
}

/// Returns the course of a rendering.
fn course(rendering: &Rendering) -> Vec<String> {
    let Rendering { failure, cut, took, requests, bytes, failed, errors, navigation, .. } = rendering;
    if let Some(failure) = failure {
        return vec![format!("    {failure}: only the document itself was read")];
    }
    let cut = if *cut { ", and was cut before the page came to rest" } else { "" };
    let requests = counted(u64::from(*requests), "request");
    let mut lines = vec![format!("    rendering took {} ms and {requests} ({}){cut}", took.as_millis(), size(*bytes))];
    if let Some(navigation) = navigation {
        let kind = if navigation.is_redirect() { "redirect" } else { "navigation" };
        lines.push(format!("    {kind} by a script: {}", navigation.url));
    }
    lines.extend(failed.iter().map(|request| format!("    request that failed: {request}")));
    lines.extend(errors.iter().map(|error| format!("    error: {}", error.lines().next().unwrap_or_default())));
    lines
}

/// Returns the facts of a page before and after its scripts ran, side by side.
fn compared(before: &BeforeScripts, after: &PageFacts) -> Vec<String> {
    let line = |ComparedFact { name, without, with }| match without == with {
        true => format!("      {name}: {without} (the same)"),
        false => format!("      {name}: {without} -> {with}"),
    };
    compare(before, after).into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_model::{FailedReason, FailedRequest, Navigation, RenderReason};
    use std::time::Duration;

    fn scripts(reason: RenderReason) -> ExplainedScripts {
        ExplainedScripts { reason, evidence: None, rendering: None, sides: None, links: Vec::new() }
    }

    #[test]
    fn scripts_that_did_not_run_have_a_reason() {
        let lines = lines(&scripts(RenderReason::Static));
        assert_eq!(lines, ["  scripts: they did not run, because those of its template make no difference"]);
    }

    #[test]
    fn a_rendered_page_is_shown_before_and_after() {
        let before = BeforeScripts {
            title: Some("App".to_owned()),
            noindex_after: true,
            links: 3,
            links_added: 2,
            links_removed: 1,
            ..BeforeScripts::default()
        };
        let after = PageFacts { title: Some("Lamps".to_owned()), text_bytes: 512, ..PageFacts::default() };
        let took = Duration::from_millis(120);
        let failed = vec![FailedRequest { url: "http://a.example/x.js".to_owned(), reason: FailedReason::Status(404) }];
        let rendering = Rendering { took, requests: 4, bytes: 2_048, failed, ..Rendering::default() };
        let shown = ExplainedScripts {
            evidence: Some("2 links".to_owned()),
            rendering: Some(rendering),
            sides: Some(Box::new((before, after))),
            links: vec!["http://a.example/new".to_owned()],
            ..scripts(RenderReason::Scripted)
        };
        let expected = [
            "  scripts: they ran, because those of its template add links or change what the page says (2 links)",
            "    rendering took 120 ms and 4 requests (2 KiB)",
            "    request that failed: http://a.example/x.js (404)",
            "    without scripts -> with them:",
            "      title: App -> Lamps",
            "      description: none (the same)",
            "      first heading: none (the same)",
            "      canonical: none (the same)",
            "      directives: none -> noindex",
            "      alternates: none (the same)",
            "      text: 0 B -> 512 B",
            "      links: 3 -> 4 (2 added, 1 removed)",
            "    link that only scripts made: http://a.example/new",
        ];
        assert_eq!(lines(&shown), expected);
    }

    #[test]
    fn links_that_stay_are_the_same() {
        let before = BeforeScripts { links: 55, ..BeforeScripts::default() };
        let shown = compared(&before, &PageFacts::default());
        assert_eq!(shown.last().map(String::as_str), Some("      links: 55 (the same)"));
    }

    #[test]
    fn a_failure_and_a_redirect_are_shown() {
        let failure = Rendering { failure: Some("the page crashed".to_owned()), ..Rendering::default() };
        assert_eq!(course(&failure), ["    the page crashed: only the document itself was read"]);
        let url = "http://a.example/b".to_owned();
        let navigation = Some(Navigation { url, reason: "scriptInitiated".to_owned(), at_once: true });
        let redirect = Rendering { navigation, cut: true, ..Rendering::default() };
        assert_eq!(course(&redirect)[1], "    redirect by a script: http://a.example/b");
        assert!(course(&redirect)[0].ends_with("cut before the page came to rest"));
    }
}
