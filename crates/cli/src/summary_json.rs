//! The summary as JSON.

use crate::exit::Exit;
use crate::terminal;
use mapwright_crawl::{Audited, NotPublished, Publication, RobotsLine, RunReport};
use mapwright_engine::{Completeness, Cut};
use mapwright_publish::ShrinkRefusal;
use serde_json::{Map, Value, json};

/// The summary as one line of JSON.
pub(crate) fn render(report: &RunReport, exit: Exit) -> String {
    let counts = &report.counts;
    let excluded: Map<String, Value> =
        counts.excluded.iter().map(|(reason, count)| (reason.as_str().to_owned(), json!(count))).collect();
    let summary = json!({
        "exit": exit.code(),
        "run": report.run,
        "state": report.state,
        "ended": ended(report.how),
        "seconds": report.took.as_secs_f64(),
        "fetched": counts.fetched,
        "not_modified": counts.revalidated,
        "not_requested": counts.not_requested,
        "listed": counts.listed,
        "refused": counts.refused,
        "kept_failing": counts.kept,
        "excluded": excluded,
        "other_sites": counts.other_sites,
        "queued": report.queued,
        "max_urls_reached": report.budget_spent,
        "wire_bytes": counts.wire_bytes,
        "slowest": counts.slowest.iter().map(|s| json!({ "url": s.url, "ms": s.millis })).collect::<Vec<_>>(),
        "starts_excluded": report.starts_excluded,
        "starts_unanswered":
            report.unanswered.iter().map(|s| json!({ "url": s.url, "what": s.what })).collect::<Vec<_>>(),
        "down": report.down,
        "crawl_traps":
            report.refused.endless.iter().map(|(p, n)| json!({ "pattern": p, "refused": n })).collect::<Vec<_>>(),
        "sitemap_files_not_read": report.refused.sitemap_files,
        "feeds_not_read": report.refused.feeds,
        "sitemap": publication(&report.publication),
        "audit": report.audited.as_ref().map_or(Value::Null, audit),
        "robots_lines":
            report.robots_lines.iter().map(robots_line).collect::<Vec<_>>(),
        "notes": report.notices.iter().chain(&report.notes).collect::<Vec<_>>(),
    });
    terminal::json(&summary.to_string())
}

/// The line for a robots.txt. `requested`: the host's robots.txt was requested and lacks the line; otherwise its
/// content is unknown.
fn robots_line(row: &RobotsLine) -> Value {
    json!({ "host": row.host, "line": row.line, "requested": row.requested })
}

fn ended(how: Completeness) -> &'static str {
    match how {
        Completeness::Complete => "complete",
        Completeness::Cut(Cut::Stopped) => "stopped",
        Completeness::Cut(Cut::Time) => "time",
        Completeness::Cut(Cut::SiteDown) => "site-down",
        Completeness::Cut(Cut::Disk) => "disk",
    }
}

fn publication(publication: &Publication) -> Value {
    match publication {
        Publication::Published(directory, published) => json!({
            "published": true,
            "directory": directory,
            "entry_point": published.entry_point,
            "further_indexes": published.further_indexes,
            "parts": published.parts,
            "urls": published.urls,
        }),
        Publication::Printed(published) => json!({ "published": true, "urls": published.urls }),
        Publication::NotPublished(held) => json!({ "published": false, "reason": why(*held) }),
        Publication::NotRequested => json!({ "published": false, "reason": "audit" }),
    }
}

fn why(held: NotPublished) -> &'static str {
    match held {
        NotPublished::NothingCrawled => "nothing-crawled",
        NotPublished::Cut => "cut",
        NotPublished::Refused(ShrinkRefusal::Empty) => "empty",
        NotPublished::Refused(ShrinkRefusal::Shrunk { .. }) => "shrunk",
    }
}

/// The result of an audit as JSON.
pub(crate) fn audit(audited: &Audited) -> Value {
    let checks: Map<String, Value> = audited
        .tallies
        .iter()
        .map(|tally| {
            let counts = json!({
                "severity": tally.severity,
                "count": tally.count,
                "accepted": tally.accepted,
                "new": tally.new_or_regressed,
                "fixed": tally.fixed,
            });
            (tally.check.code.to_owned(), counts)
        })
        .collect();
    let totals: Map<String, Value> =
        audited.counts.iter().map(|(severity, count)| (severity.as_str().to_owned(), json!(count))).collect();
    json!({
        "files": audited.files,
        "findings": totals,
        "checks": checks,
        "fixed": audited.fixed,
        "starts_excluded": audited.starts_excluded,
        "broken_rules": audited.broken_rules,
        "notes": audited.notes,
    })
}
