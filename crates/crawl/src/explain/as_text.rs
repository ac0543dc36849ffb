//! Renders an explanation as text.

use super::scripts;
use crate::time;
use mapwright_model::Via;
use mapwright_store::{Explained, History, ResponseRow, RunState, StoredVerdict};
use mapwright_text::counted;
use mapwright_verdict::Reason;
use mapwright_web::PageUrl;
use mapwright_web::page::facts::{FactLocation, PlacedDirectives};

/// Returns the lines of the explanation.
#[must_use]
pub fn render(url: &PageUrl, explained: &Explained) -> Vec<String> {
    let mut lines = vec![url.to_string()];
    lines.extend(verdict(explained));
    lines.extend(ways(explained));
    lines.extend(robots(explained));
    lines.extend(answers(explained));
    lines.extend(says(explained));
    lines.extend(explained.scripts.as_ref().map(scripts::lines).unwrap_or_default());
    lines.extend(content(explained));
    lines
}

fn verdict(explained: &Explained) -> Vec<String> {
    let run = explained.run;
    match (&explained.verdict, &explained.last_found) {
        (Some(judged), _) => {
            let published = explained.published == Some(true);
            let mut lines = judgement(judged, published, status(explained));
            if !published {
                let sitemap_in_place = match explained.sitemap_in_place {
                    true => "the previous sitemap stays in place",
                    false => "this record has published no sitemap",
                };
                let state = &explained.run_state;
                lines.insert(0, format!("  by crawl {run} ({state}), which published nothing ({sitemap_in_place}):"));
            }
            lines
        }
        (None, Some((last, judged))) => {
            let mut lines = vec![match explained.run_state {
                RunState::Complete => {
                    format!("  in the sitemap: no: crawl {run} did not find it: no page that was read links to it")
                }
                state => format!("  in the sitemap: unknown: crawl {run} ({state}) did not reach it"),
            }];
            if let Some(page) = &explained.seems_moved_to {
                lines.push(format!("  a page that was found since has its title and nearly its text: {page}"));
            }
            lines.push(format!("  last found in crawl {last}, with this result:"));
            lines.extend(
                judgement(judged, explained.last_published, status(explained))
                    .into_iter()
                    .map(|line| format!("  {line}")),
            );
            lines
        }
        (None, None) => vec![format!("  in the sitemap: not judged yet: crawl {run} is {}", explained.run_state)],
    }
}

/// Returns the status of the latest response.
fn status(explained: &Explained) -> Option<u16> {
    explained.answers.first()?.status
}

/// Renders a verdict. For a run that published nothing, it shows what the sitemap would have listed. `status` is that
/// of the latest response.
fn judgement(judged: &StoredVerdict, published: bool, status: Option<u16>) -> Vec<String> {
    let question = if published { "in the sitemap" } else { "would be listed" };
    let Some(reason) = judged.reason else {
        let date = match &judged.lastmod {
            Some((date, from)) => format!(", lastmod {date} (from {from})"),
            None => ", without a lastmod: none is known".to_owned(),
        };
        let mut lines = vec![format!("  {question}: yes{date}")];
        if judged.kept > 0 {
            lines.push(format!(
                "  it fails for now ({} in a row), and stays listed for a while (--keep-failing): fix it",
                counted(u64::from(judged.kept), "run")
            ));
        }
        return lines;
    };
    let evidence = judged.evidence.as_ref().map(|url| format!(": {url}")).unwrap_or_default();
    vec![
        format!("  {question}: no: {}{evidence}", reason.as_str()),
        format!("  it {}", reason.meaning()),
        format!("  hint: {}", hint_after(reason, status)),
    ]
}

/// Returns what to do about a URL that is not in the sitemap and answered this status.
fn hint_after(reason: Reason, status: Option<u16>) -> &'static str {
    match (reason, status) {
        (Reason::HttpError, Some(500..=599)) => "see the server's log: the server failed",
        (Reason::HttpError, Some(401 | 403)) => {
            "let visitors and this crawler in, or link to it only where they may go"
        }
        _ => hint(reason),
    }
}

/// Returns what to do about a URL that is not in the sitemap.
#[must_use]
pub fn hint(reason: Reason) -> &'static str {
    match reason {
        Reason::OutOfScope => "nothing, or widen --scope, or start another crawl there",
        Reason::Excluded | Reason::NoList => "nothing, or change the expression",
        Reason::Nofollow => "link to it without nofollow, if it is to be found",
        Reason::Resource => "nothing: it is no page",
        Reason::Robots => "change that line of robots.txt, if the page is to be found",
        Reason::RobotsUnavailable => "fix robots.txt: while it answers with an error, search engines stay away too",
        Reason::Address => "--allow-address, if it is yours",
        Reason::Depth | Reason::Budget | Reason::Redirects | Reason::Endless => "raise the limit, if it is wanted",
        Reason::ParameterVariant | Reason::Soft404 | Reason::CrawlTrap | Reason::FormPage | Reason::Pagination => {
            "nothing, if that is right; else --list indexable"
        }
        Reason::NotReached => "let the crawl come to its end: `mapwright resume`",
        Reason::NoAnswer | Reason::Broken | Reason::Throttled => "see the server, and crawl again",
        Reason::HttpError => "fix the page, or the links that lead to it",
        Reason::Redirect => "link to the target itself; fix the redirect where it leads nowhere",
        Reason::MediaType => "nothing, or --list-types",
        Reason::Noindex => "take the noindex away, if the page is to be found",
        Reason::Canonical | Reason::Duplicate => "nothing, if the other URL is the one that is meant",
        Reason::TooLong => "shorten it",
        Reason::Failed => "report it, with this URL",
    }
}

/// Returns all ways in which the URL was found.
fn ways(explained: &Explained) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some((via, parent)) = &explained.found {
        let from = parent.as_ref().map(|parent| format!(" on {parent}")).unwrap_or_default();
        lines.push(format!("  found first: by {}{from}", way(*via)));
    }
    if explained.path.len() > 1 {
        lines.push("  shortest click path:".to_owned());
        for step in &explained.path {
            let anchor = step.anchor.as_ref().map(|text| format!("  by the link \"{text}\"")).unwrap_or_default();
            lines.push(format!("    {}{anchor}", step.url));
        }
    } else if explained.path.is_empty() && explained.last_found.is_some() {
        lines.push("  not reachable by links from the start URLs".to_owned());
    }
    if let Some((_, judged)) = &explained.last_found {
        lines.push(format!("  pages that link there: {}", judged.inlinks));
    }
    for (file, lastmod) in &explained.listed_in {
        let date = lastmod.as_ref().map(|date| format!(" (lastmod {date})")).unwrap_or_default();
        lines.push(format!("  listed by the site in {file}{date}"));
    }
    lines.extend(explained.redirects_here.iter().map(|url| format!("  redirected to by {url}")));
    lines.extend(explained.canonical_of.iter().map(|url| format!("  canonical of {url}")));
    lines
}

/// Returns the way in which a URL was found, to follow "found by".
#[must_use]
pub fn way(via: Via) -> &'static str {
    match via {
        Via::Start => "being a start URL",
        Via::UrlList => "--url-list",
        Via::Link => "a link",
        Via::Redirect => "a redirect",
        Via::Refresh => "a refresh",
        Via::Canonical => "a canonical",
        Via::Resource => "being an image or the like",
        Via::Nofollow => "a nofollow link",
        Via::RobotsTxt => "robots.txt",
        Via::Sitemap => "a sitemap",
        Via::Feed => "a feed",
        Via::FeedLink => "being a feed that a page names",
        Via::ParameterTest => "a test of what a URL parameter does",
    }
}

fn robots(explained: &Explained) -> Vec<String> {
    let Some(says) = &explained.robots else { return vec!["  robots.txt: not read".to_owned()] };
    let status = says.status.map_or("no answer".to_owned(), |status| status.to_string());
    vec![match &says.ruling {
        Some((allowed, line)) => {
            let word = if *allowed { "allows it" } else { "disallows it" };
            match line {
                Some(line) => format!("  {} {word}: line {}: {}", says.file, line.number, line.text),
                None => format!("  {} {word}: no rule matches", says.file),
            }
        }
        None if says.status.is_none_or(|status| matches!(status, 429 | 500..)) => {
            format!("  {} ({status}): unreachable, which disallows everything (RFC 9309, section 2.3.1.4)", says.file)
        }
        None => format!("  {} ({status}): no rules", says.file),
    }]
}

fn answers(explained: &Explained) -> Vec<String> {
    let mut lines = vec![format!("  responses ({} latest):", explained.answers.len())];
    lines.extend(explained.answers.iter().map(answer));
    if explained.answers.is_empty() {
        return vec!["  responses: never requested".to_owned()];
    }
    lines
}

fn answer(answer: &ResponseRow) -> String {
    let status = answer.status.map_or_else(
        || answer.failure.clone().unwrap_or_else(|| answer.outcome.as_str().to_owned()),
        |status| status.to_string(),
    );
    let how = match answer.reused {
        1 => " (304 Not Modified)",
        2 => " (not requested: not due)",
        _ => "",
    };
    let target = answer.target.as_ref().map(|url| format!(" -> {url}")).unwrap_or_default();
    let took = answer.total_ms.map(|millis| format!(", {millis} ms")).unwrap_or_default();
    let again = if answer.again { ", tried again" } else { "" };
    let detail = answer.detail.as_ref().map(|text| format!(", {text}")).unwrap_or_default();
    format!("    crawl {} {} UTC: {status}{how}{target}{took}{again}{detail}", answer.run, time::shown(answer.at))
}

/// Returns the indexing directives and canonicals of the page, and its exact duplicates.
fn says(explained: &Explained) -> Vec<String> {
    let mut lines: Vec<String> = explained.directives.iter().map(directive).collect();
    if !explained.canonicals.is_empty() {
        lines.push(format!("  canonical: {}", explained.canonicals.join(" -> ")));
    }
    lines.extend(explained.duplicates.iter().map(|url| format!("  exact duplicate of {url}")));
    lines
}

fn directive(given: &PlacedDirectives) -> String {
    let place = match given.place {
        FactLocation::Header => "in the X-Robots-Tag header",
        FactLocation::Head => "in a tag in head",
        FactLocation::Body => "in a tag in body",
    };
    let agent = given.agent.as_ref().map(|agent| format!(" for {agent}")).unwrap_or_default();
    format!("  directive {place}{agent}: {}", words(given).join(", "))
}

/// Returns the words of a robots directive.
#[must_use]
pub fn words(given: &PlacedDirectives) -> Vec<String> {
    let said = &given.directives;
    let plain =
        [(said.noindex, "noindex"), (said.nofollow, "nofollow"), (said.index, "index"), (said.follow, "follow")];
    let mut words: Vec<String> = plain.iter().filter(|(is, _)| *is).map(|(_, word)| (*word).to_owned()).collect();
    words.extend(said.unavailable_after.as_ref().map(|date| format!("unavailable_after: {date}")));
    words.extend(said.other.iter().cloned());
    words
}

fn content(explained: &Explained) -> Vec<String> {
    let Some(History { first, changed, changes }) = explained.history else { return Vec::new() };
    let mut lines = Vec::new();
    if let Some(first) = first {
        lines.push(format!("  content: first seen {} UTC", time::shown(first)));
    }
    if let Some(changed) = changed {
        lines.push(format!(
            "  content: seen to change {}, last {} UTC",
            counted(u64::from(changes), "time"),
            time::shown(changed)
        ));
    }
    lines
}
