//! `/jobs/NAME/findings`: what the newest audit found, with filters and evidence.

use super::{Frame, render, views};
use crate::desk::Shared;
use crate::findings::{self, Finding, Found, PAGE, SEVERITIES, STATES, Wanted};
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::{Link, in_query, shown};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use mapwright_audit::report::grouped;

/// URLs of one sort that are shown of a finding.
const MOST: usize = 20;

#[derive(Template)]
#[template(path = "findings.html")]
struct Page {
    frame: Frame,
    name: String,
    path: String,
    run: i64,
    whole: bool,
    codes: Vec<Choice>,
    severities: Vec<Choice>,
    states: Vec<Choice>,
    q: String,
    counted: String,
    rows: Vec<Row>,
    previous: Option<String>,
    next: Option<String>,
}

/// A choice of a filter.
struct Choice {
    value: String,
    label: String,
    chosen: bool,
}

/// A finding as it is shown.
struct Row {
    severity: &'static str,
    code: String,
    state: String,
    accepted: bool,
    subject: Link,
    /// What is known of that page, on a page of its own.
    explain: Option<String>,
    message: String,
    reason: String,
    fix: String,
    target: Option<Link>,
    referrers: Vec<(Link, String)>,
    linked: String,
    evidence: Vec<(&'static str, Vec<Link>)>,
}

pub(crate) async fn page(
    State(desk): State<Shared>,
    Path(name): Path<String>,
    Query(mut wanted): Query<Wanted>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let job = desk.job(&name).await?;
    let none = || Problem::new(StatusCode::NOT_FOUND, "this job makes no audit, and has no findings");
    let reports = job.reports.ok_or_else(none)?;
    wanted.page = wanted.page.max(1);
    let asked = wanted.clone();
    let found = desk.read(move |deadline| findings::read(&reports, &asked, deadline)).await?;
    let path = views::path(&name);
    let frame = Frame::of(&visitor, format!("Findings of {}", shown(&name)));
    Ok(render(&view(frame, shown(&name), path, &wanted, &found)))
}

fn view(frame: Frame, name: String, path: String, wanted: &Wanted, found: &Found) -> Page {
    let choice =
        |value: &str, label: String, chosen: &str| Choice { value: value.to_owned(), label, chosen: chosen == value };
    let kind = |kind: &findings::Kind| {
        let label = format!("{} ({})", shown(&kind.code), grouped(kind.count));
        choice(&kind.code, label, &wanted.code)
    };
    let link = |page: u64| {
        let Wanted { code, severity, state, q, .. } = wanted;
        let fields = [("code", code), ("severity", severity), ("state", state), ("q", q)];
        let set = fields.iter().filter(|(_, value)| !value.is_empty());
        let query: String = set.map(|(name, value)| format!("{name}={}&", in_query(value))).collect();
        format!("{path}/findings?{query}page={page}")
    };
    Page {
        run: found.run.number,
        whole: found.run.whole,
        codes: found.kinds.iter().filter(|kind| kind.count > 0).map(kind).collect(),
        severities: SEVERITIES.iter().map(|word| choice(word, (*word).to_owned(), &wanted.severity)).collect(),
        states: STATES.iter().map(|(value, label)| choice(value, (*label).to_owned(), &wanted.state)).collect(),
        q: shown(&wanted.q),
        counted: counted(wanted, found),
        rows: found.findings.iter().map(|finding| row(finding, found, &path)).collect(),
        previous: (wanted.page > 1).then(|| link(wanted.page - 1)),
        next: (found.matching > wanted.page.saturating_mul(PAGE)).then(|| link(wanted.page + 1)),
        frame,
        name,
        path,
    }
}

fn counted(wanted: &Wanted, found: &Found) -> String {
    let first = (wanted.page - 1).saturating_mul(PAGE) + 1;
    let last = first.saturating_add(found.findings.len() as u64) - 1;
    match found.findings.len() {
        0 => format!("0 of {} findings", grouped(found.all)),
        _ => format!(
            "{} to {} of {} findings, {} in all",
            grouped(first),
            grouped(last),
            grouped(found.matching),
            grouped(found.all)
        ),
    }
}

fn row(finding: &Finding, found: &Found, path: &str) -> Row {
    let kind = found.kinds.iter().find(|kind| kind.code == finding.code);
    let some = |urls: &[String]| Link::all(urls.get(..MOST).unwrap_or(urls));
    let evidence = [
        ("URLs", if finding.urls.len() > 1 { some(&finding.urls) } else { Vec::new() }),
        ("On the way", some(&finding.chain)),
        ("Listed in", some(&finding.sitemaps)),
        ("Reached through", some(&finding.entrances)),
        ("Examples", some(&finding.examples)),
    ];
    let name = finding.name();
    let is_url = finding.pattern.is_none() && name.starts_with("http");
    Row {
        severity: SEVERITIES.into_iter().find(|word| *word == finding.severity).unwrap_or("notice"),
        code: shown(&finding.code),
        state: shown(&finding.state),
        accepted: finding.accepted,
        subject: Link::to(name),
        explain: is_url.then(|| format!("{path}/explain?url={}", in_query(name))),
        message: shown(&finding.message),
        reason: kind.map(|kind| kind.reason.clone()).filter(|reason| *reason != finding.message).unwrap_or_default(),
        fix: kind.map(|kind| kind.fix.clone()).unwrap_or_default(),
        target: finding.target.as_deref().map(Link::to),
        referrers: finding
            .linked_from
            .iter()
            .take(MOST)
            .map(|from| (Link::to(&from.url), format!("“{}” in {}", shown(&from.anchor), shown(&from.region))))
            .collect(),
        linked: finding.linked_from_count.map(grouped).unwrap_or_default(),
        evidence: evidence.into_iter().filter(|(_, links)| !links.is_empty()).collect(),
    }
}
