//! What is told at the end of a crawl.

use crate::exit::Exit;
use crate::failure::{Failure, say};
use crate::output::Output;
use crate::summary_json;
use mapwright_engine::{Cut, How};
use mapwright_jobs::{Held, Publication, Report};
use mapwright_publish::Refusal;
use mapwright_settings::{Out, ReportFormat, Settings};
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Prints the summary: on standard output, or on standard error where standard output carries the sitemap.
pub(crate) fn print(report: &Report, settings: &Settings, exit: Exit) -> Result<(), Failure> {
    if exit == Exit::NothingCrawled && settings.output.format == ReportFormat::Text {
        unanswered(report, settings);
        return Ok(());
    }
    let lines = match settings.output.format {
        ReportFormat::Json => vec![summary_json::render(report, exit)],
        ReportFormat::Text => {
            let mut lines = text(report, exit);
            if settings.output.quiet {
                lines.retain(|line| !is_advice(line));
            }
            lines
        }
    };
    if settings.output.out == Out::Stdout {
        let colored = settings.colored(std::io::stderr().is_terminal());
        let mut err = std::io::stderr().lock();
        for line in lines {
            // Where standard error is gone there is nobody to tell.
            let _ = err.write_all(painted(&line, colored).as_bytes());
        }
        return Ok(());
    }
    let colored = settings.colored(std::io::stdout().is_terminal());
    let mut output = Output::new();
    for line in &lines {
        output.raw(painted(line, colored).as_bytes())?;
    }
    output.finish()
}

/// Where nothing could be crawled there is no summary: one line for each start URL says what, where, what to do.
fn unanswered(report: &Report, settings: &Settings) {
    for start in &report.unanswered {
        let (url, what, remedy) = (&start.url, &start.what, start.remedy);
        say(&format!("nothing could be crawled: {url}: {what}: {remedy}; no sitemap was published, the old one stays"));
    }
    if !settings.output.quiet {
        report.notes.iter().for_each(|note| say(&format!("note: {note}")));
    }
}

/// A line made safe and, if asked for, coloured by what it begins with: what went wrong is red, what is to be done or
/// noted yellow, where the sitemap is green.
fn painted(line: &str, colored: bool) -> String {
    const COLORS: [(&str, &str); 6] = [
        ("no sitemap was published", "31"),
        ("the crawl was", "31"),
        ("exit ", "31"),
        ("sitemap:", "32"),
        ("to do:", "33"),
        ("note:", "33"),
    ];
    let safe = crate::terminal::line(line);
    match COLORS.iter().find(|(start, _)| colored && line.starts_with(start)) {
        Some((_, color)) => format!("\x1b[{color}m{safe}\x1b[0m\n"),
        None => format!("{safe}\n"),
    }
}

fn text(report: &Report, exit: Exit) -> Vec<String> {
    let counts = &report.counts;
    let mut lines = Vec::new();
    lines.push(format!(
        "{} pages fetched in {:.1} s ({}), {} listed",
        counts.fetched,
        report.took.as_secs_f64(),
        bytes(counts.wire_bytes),
        counts.listed
    ));
    if counts.vouched + counts.unasked > 0 {
        lines.push(format!(
            "  of the pages, {} had not changed (304), and {} were not due to be asked for",
            counts.vouched, counts.unasked
        ));
    }
    if counts.kept > 0 {
        lines.push(format!("  {} listed pages fail for now, and stay listed (--keep-failing)", counts.kept));
    }
    lines.extend(
        report.unanswered.iter().map(|start| format!("nothing could be crawled: {}: {}", start.url, start.what)),
    );
    lines.extend(ending(report));
    if !counts.excluded.is_empty() {
        lines.push("not listed:".to_owned());
        lines.extend(
            counts
                .excluded
                .iter()
                .map(|(reason, count)| format!("  {count:>8}  {:<19} {}", reason.as_str(), reason.meaning())),
        );
    }
    if let Some(slow) = counts.slowest.first().filter(|slow| slow.millis >= 1000) {
        lines.push(format!("slowest: {:.1} s {}", slow.millis as f64 / 1000.0, slow.url));
    }
    lines.extend(limits(report));
    lines.extend(publication(report));
    lines.extend(report.notes.iter().map(|note| format!("note: {note}")));
    if exit != Exit::Done {
        lines.push(format!("exit {}: {}", exit.code(), exit.meaning()));
    }
    lines
}

/// What `--quiet` leaves out.
fn is_advice(line: &str) -> bool {
    ["to do:", "note:", "  into "].iter().any(|start| line.starts_with(start))
}

/// How the crawl ended, where it did not end by itself.
fn ending(report: &Report) -> Vec<String> {
    let mut lines: Vec<String> = match report.how {
        How::Whole => Vec::new(),
        How::Cut(Cut::Stopped) => vec!["the crawl was stopped".to_owned()],
        How::Cut(Cut::Disk) => vec!["the crawl was cut: the disk of the record ran low (--min-free-disk)".to_owned()],
        How::Cut(Cut::Time) => vec!["the crawl was cut: --max-time passed".to_owned()],
        How::Cut(Cut::SiteDown) => report
            .down
            .iter()
            .map(|origin| format!("the crawl was cut: {origin} went down and gives no answers"))
            .collect(),
    };
    if report.how != How::Whole && report.queued > 0 {
        lines.push(format!("{} known URLs were not fetched", report.queued));
    }
    if report.how != How::Whole {
        lines.push(format!("to do: go on with it by `mapwright resume --state {}`", report.state.display()));
    }
    if report.how == How::Whole && report.budget_spent {
        lines.push(format!("--max-urls was reached: {} known URLs were not fetched", report.queued));
    }
    lines
}

fn limits(report: &Report) -> Vec<String> {
    let endless = report.refused.endless.iter();
    let mut lines: Vec<String> = endless
        .map(|(pattern, count)| format!("endless pattern: {pattern} ({count} URLs beyond --pattern-budget)"))
        .collect();
    if report.refused.sitemap_files > 0 {
        lines.push(format!("{} sitemap files beyond the limits were not read", report.refused.sitemap_files));
    }
    lines
}

fn publication(report: &Report) -> Vec<String> {
    match &report.publication {
        Publication::Published(directory, published) => {
            let mut lines = vec![format!("sitemap: {}", directory.join(&published.entry_point).display())];
            if !published.parts.is_empty() {
                let kept = published.parts.len() - published.changed;
                lines.push(format!(
                    "  {} parts ({} written, {kept} unchanged)",
                    published.parts.len(),
                    published.changed
                ));
            }
            lines.extend(published.further_indexes.iter().map(|name| format!("  further index: {name}")));
            lines.extend(published.refused.iter().map(|url| format!("  no file can hold: {url}")));
            lines.extend(upload(directory, report));
            lines
        }
        Publication::Printed(urls) => vec![format!("{urls} URLs written to standard output")],
        Publication::Held(held) => {
            vec![format!("no sitemap was published: {}; what was there is left in place", why(*held))]
        }
    }
}

/// What to do with the files.
fn upload(directory: &Path, report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    if !report.robots_lines.is_empty() {
        lines.push(format!(
            "to do: serve the files of {} at the place that this line names, and put it",
            directory.display()
        ));
    }
    lines.extend(report.robots_lines.iter().map(|(host, line)| format!("  into {host}/robots.txt:  {line}")));
    lines
}

fn why(held: Held) -> String {
    match held {
        Held::NothingCrawled => "no start URL answered 200".to_owned(),
        Held::Cut => "the crawl was cut (--allow-partial publishes all the same)".to_owned(),
        Held::Refused(Refusal::Empty) => "no URL is to be listed".to_owned(),
        Held::Refused(Refusal::Shrunk { before, now }) => {
            format!(
                "the shrink guard refused: it would list {now} URLs, and the old one lists {before} (--shrink-guard)"
            )
        }
    }
}

fn bytes(count: u64) -> String {
    match count {
        0..1024 => format!("{count} B"),
        1024..1_048_576 => format!("{:.1} KiB", count as f64 / 1024.0),
        _ => format!("{:.1} MiB", count as f64 / 1_048_576.0),
    }
}

#[cfg(test)]
mod tests {
    use super::painted;

    #[test]
    fn colours_are_ours_alone_and_only_where_asked_for() {
        assert_eq!(painted("sitemap: x", false), "sitemap: x\n");
        assert_eq!(painted("sitemap: x", true), "\u{1b}[32msitemap: x\u{1b}[0m\n");
        assert!(!painted("note: \u{1b}[31mred", false).contains('\u{1b}'));
    }
}
