//! `/jobs/NAME/findings`: the findings of the newest audit or of an earlier one, with filters and evidence.

use super::frame::JobPage;
use super::{Frame, render, views};
use crate::app_state::Shared;
use crate::findings::{self, FindingFilter, Found, JobReports, PAGE, SEVERITIES, STATES};
use crate::guard::visitor::Visitor;
use crate::problem::Problem;
use crate::text::{Link, in_query, shown};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use mapwright_audit::rendered_finding::{Referrer, RenderedFinding, Subject};
use mapwright_audit::report::json::Rule;
use mapwright_text::{counted_in_groups, grouped};
use std::cmp::Ordering;

/// Maximum number of evidence URLs of one sort that are shown of a finding.
const MAX_LINKS: usize = 20;

#[derive(Template)]
#[template(path = "findings.html")]
struct Page {
    frame: Frame,
    path: String,
    run: i64,
    /// The crawls whose audits are kept.
    runs: Vec<Choice>,
    /// No later audit is kept.
    is_newest: bool,
    complete: bool,
    codes: Vec<Choice>,
    severities: Vec<Choice>,
    states: Vec<Choice>,
    q: String,
    counted: String,
    /// The findings by kind, where no filter is set.
    kinds: Vec<Kind>,
    rows: Vec<Row>,
    previous: Option<String>,
    next: Option<String>,
}

/// An option of a filter.
struct Choice {
    value: String,
    label: String,
    chosen: bool,
}

/// A row of the table of kinds.
struct Kind {
    severity: &'static str,
    title: &'static str,
    code: &'static str,
    /// The path of the findings of this kind.
    path: Option<String>,
    count: String,
    new: String,
    fixed: String,
    accepted: String,
    /// The number of findings against the audit before, with its sign.
    change: String,
}

/// A row of the page: one finding.
struct Row {
    severity: &'static str,
    code: &'static str,
    title: &'static str,
    /// The section of the documentation.
    help: String,
    state: &'static str,
    accepted: bool,
    subject: Link,
    /// The path of the explanation of the finding's URL.
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
    State(state): State<Shared>,
    Path(name): Path<String>,
    Query(mut filter): Query<FindingFilter>,
    visitor: Visitor,
) -> Result<Response, Problem> {
    let job = state.job(&name).await?;
    let title = format!("Findings of {}", shown(&name));
    let frame = Frame::of_job(&state, &visitor, &job, Some(JobPage::Findings), title).await?;
    let reports = JobReports::of(&job)?;
    filter.page = filter.page.max(1);
    let query = filter.clone();
    let reading = move |deadline| Ok((reports.runs(), findings::read(&reports, &query, deadline)?));
    let (runs, found) = state.read(reading).await?;
    let path = views::path(&name);
    Ok(render(&view(frame, path, &filter, &runs, &found)))
}

fn view(frame: Frame, path: String, filter: &FindingFilter, runs: &[i64], found: &Found) -> Page {
    let choice =
        |value: &str, label: String, chosen: &str| Choice { value: value.to_owned(), label, chosen: chosen == value };
    let kind = |rule: &Rule| {
        let code = rule.check.code;
        choice(code, format!("{} ({})", rule.check.title, grouped(rule.count)), &filter.code)
    };
    let link = |page: u64| {
        let FindingFilter { code, severity, state, q, run, .. } = filter;
        let fields = [("code", code), ("severity", severity), ("state", state), ("q", q), ("run", run)];
        let set = fields.iter().filter(|(_, value)| !value.is_empty());
        let query: String = set.map(|(name, value)| format!("{name}={}&", in_query(value))).collect();
        format!("{path}/findings?{query}page={page}")
    };
    Page {
        run: found.run.number,
        complete: found.run.complete,
        codes: found.rules.iter().filter(|rule| rule.count > 0).map(kind).collect(),
        severities: SEVERITIES.iter().map(|word| choice(word, (*word).to_owned(), &filter.severity)).collect(),
        states: STATES.iter().map(|(value, label)| choice(value, (*label).to_owned(), &filter.state)).collect(),
        q: shown(&filter.q),
        counted: counted(filter, found),
        kinds: if filter.is_empty() { kinds(&found.rules, &path, &filter.run) } else { Vec::new() },
        runs: runs.iter().map(|run| choice(&run.to_string(), format!("crawl {run}"), filter.run.trim())).collect(),
        is_newest: runs.first().is_none_or(|newest| *newest <= found.run.number),
        rows: found.findings.iter().map(|finding| row(finding, found, &path)).collect(),
        previous: (filter.page > 1).then(|| link(filter.page - 1)),
        next: (found.matching > filter.page.saturating_mul(PAGE)).then(|| link(filter.page + 1)),
        frame,
        path,
    }
}

/// The kinds, the gravest and most frequent first.
fn kinds(rules: &[Rule], path: &str, run: &str) -> Vec<Kind> {
    let mut rules: Vec<&Rule> = rules.iter().collect();
    rules.sort_by(|one, other| (one.severity, other.count).cmp(&(other.severity, one.count)));
    rules.into_iter().map(|rule| kind(rule, path, run)).collect()
}

fn kind(rule: &Rule, path: &str, run: &str) -> Kind {
    let change = match rule.fresh.cmp(&rule.fixed) {
        Ordering::Greater => format!("+{}", grouped(rule.fresh - rule.fixed)),
        Ordering::Less => format!("−{}", grouped(rule.fixed - rule.fresh)),
        Ordering::Equal => "0".to_owned(),
    };
    let code = rule.check.code;
    Kind {
        severity: rule.severity.as_str(),
        title: rule.check.title,
        code,
        path: (rule.count > 0).then(|| {
            let run = if run.is_empty() { String::new() } else { format!("&run={}", in_query(run)) };
            format!("{path}/findings?code={}{run}", in_query(code))
        }),
        count: grouped(rule.count),
        new: grouped(rule.fresh),
        fixed: grouped(rule.fixed),
        accepted: grouped(rule.accepted),
        change,
    }
}

fn counted(filter: &FindingFilter, found: &Found) -> String {
    let first = (filter.page - 1).saturating_mul(PAGE) + 1;
    let last = first.saturating_add(found.findings.len() as u64) - 1;
    match found.findings.len() {
        0 => format!("0 of {}", counted_in_groups(found.all, "finding")),
        _ => format!(
            "{} to {} of {}, {} in all",
            grouped(first),
            grouped(last),
            counted_in_groups(found.matching, "finding"),
            grouped(found.all)
        ),
    }
}

fn row(finding: &RenderedFinding, found: &Found, path: &str) -> Row {
    let rule = found.rules.iter().find(|rule| rule.check == finding.check);
    let some = |urls: &[String]| Link::all(urls.get(..MAX_LINKS).unwrap_or(urls));
    let evidence = [
        ("URLs", if let Subject::Urls(urls) = &finding.subject { some(urls) } else { Vec::new() }),
        ("On the way", some(&finding.chain)),
        ("Listed in", some(&finding.sitemaps)),
        ("Reached through", some(&finding.entrances)),
        ("Examples", some(&finding.examples)),
    ];
    let name = finding.subject.name();
    let is_url = !matches!(finding.subject, Subject::Pattern(_)) && name.starts_with("http");
    let referrer =
        |from: &Referrer| (Link::to(&from.url), format!("“{}” in {}", shown(&from.anchor), from.region_name()));
    Row {
        severity: finding.severity.as_str(),
        code: finding.check.code,
        title: finding.check.title,
        help: finding.check.help_url(),
        state: finding.state.as_str(),
        accepted: finding.accepted,
        subject: Link::to(name),
        explain: is_url.then(|| format!("{path}/explain?url={}", in_query(name))),
        message: shown(&finding.message),
        reason: rule
            .filter(|rule| rule.reason != finding.message)
            .map(|rule| rule.reason.to_string())
            .unwrap_or_default(),
        fix: rule.map(|rule| rule.fix.to_string()).unwrap_or_default(),
        target: finding.target.as_deref().map(Link::to),
        referrers: finding.linked_from.iter().take(MAX_LINKS).map(referrer).collect(),
        linked: finding.linked_from_count.map(grouped).unwrap_or_default(),
        evidence: evidence.into_iter().filter(|(_, links)| !links.is_empty()).collect(),
    }
}
