//! The summary at the end of a crawl.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::stderr::print_stderr;
use crate::summary_json::SummaryJson;
use mapwright_audit::Severity;
use mapwright_audit::figures::Tally;
use mapwright_crawl::{Audited, NotPublished, Publication, RobotsLine, RunReport, excluded_meaning, shortened};
use mapwright_engine::{Completeness, Cut};
use mapwright_publish::{PublishedSet, ShrinkRefusal};
use mapwright_settings::{Out, ReportFormat, Settings};
use mapwright_text::{counted, json, size};
use std::io::{IsTerminal, Write};
use std::path::Path;

/// A line of the summary.
#[derive(Debug)]
pub(crate) struct Line {
    style: LineStyle,
    text: String,
}

/// The colour of a line, and whether `--quiet` leaves it out though something went wrong (advice).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineStyle {
    /// An observation.
    Plain,
    /// A failure.
    Fault,
    /// The place of the sitemap.
    Good,
    /// Advice or a note.
    Advice,
}

impl LineStyle {
    fn says(self, text: impl Into<String>) -> Line {
        Line { style: self, text: text.into() }
    }

    /// The colour as an SGR number (ECMA-48, section 8.3.117).
    fn color(self) -> Option<&'static str> {
        match self {
            LineStyle::Plain => None,
            LineStyle::Fault => Some("31"),
            LineStyle::Good => Some("32"),
            LineStyle::Advice => Some("33"),
        }
    }
}

/// Prints the summary: on standard output, or on standard error where standard output carries the sitemap.
pub(crate) fn print(report: &RunReport, settings: &Settings, exit: Exit) -> Result<(), Failure> {
    if exit == Exit::NothingCrawled && settings.output.format != ReportFormat::Json {
        unanswered(report, settings);
        return Ok(());
    }
    let mut lines = match settings.output.format {
        ReportFormat::Json => vec![LineStyle::Plain.says(json_line(report, exit)?)],
        ReportFormat::Text | ReportFormat::Github => text(report, exit),
    };
    apply_quiet(&mut lines, settings, exit);
    write(&lines, settings)
}

fn json_line(report: &RunReport, exit: Exit) -> Result<String, Failure> {
    json::line(&SummaryJson::of(report, exit))
        .map_err(|error| Failure::new(Exit::Failed, error.to_string(), "the summary", "choose --format text"))
}

/// Applies `--quiet`: removes everything from a successful run unless the format is JSON, and the advice from a failed
/// one, because cron mails whatever is printed.
pub(crate) fn apply_quiet(lines: &mut Vec<Line>, settings: &Settings, exit: Exit) {
    if settings.output.quiet && settings.output.format != ReportFormat::Json {
        let is_kept = |line: &Line| exit != Exit::Done && line.style != LineStyle::Advice;
        lines.retain(is_kept);
    }
}

/// Writes lines to standard output, or to standard error where standard output carries something else.
pub(crate) fn write(lines: &[Line], settings: &Settings) -> Result<(), Failure> {
    if settings.output.out == Out::Stdout || settings.output.format == ReportFormat::Github {
        let colored = settings.colored(std::io::stderr().is_terminal());
        let mut err = std::io::stderr().lock();
        for line in lines {
            // A closed standard error is ignored.
            let _ = err.write_all(styled(line, colored).as_bytes());
        }
        return Ok(());
    }
    let colored = settings.colored(std::io::stdout().is_terminal());
    let mut output = Output::new();
    for line in lines {
        output.raw(styled(line, colored).as_bytes())?;
    }
    output.finish()
}

/// Prints one line for each start URL in place of the summary where nothing could be crawled: what, where, and a hint.
fn unanswered(report: &RunReport, settings: &Settings) {
    // Assumptions are printed before their consequences.
    if !settings.output.quiet {
        report.notes.iter().for_each(|note| print_stderr(&format!("note: {note}")));
    }
    for start in &report.unanswered {
        let (url, what, hint) = (shortened(&start.url), shortened(&start.what), start.hint);
        print_stderr(&format!(
            "nothing could be crawled: {url}: {what}: {hint}; nothing was written, an existing sitemap is unchanged"
        ));
    }
}

/// Makes a line safe, and colours it if requested.
fn styled(line: &Line, colored: bool) -> String {
    let safe = mapwright_text::visible(&line.text);
    match line.style.color().filter(|_| colored) {
        Some(color) => format!("\x1b[{color}m{safe}\x1b[0m\n"),
        None => format!("{safe}\n"),
    }
}

fn text(report: &RunReport, exit: Exit) -> Vec<Line> {
    let mut lines = excluded_starts(&report.starts_excluded);
    lines.extend(pages(report));
    let unanswered = report.unanswered.iter();
    lines.extend(unanswered.map(|start| {
        let (url, what) = (shortened(&start.url), shortened(&start.what));
        LineStyle::Fault.says(format!("nothing could be crawled: {url}: {what}"))
    }));
    lines.extend(ending(report));
    lines.extend(not_listed(report));
    lines.extend(limits(report));
    lines.extend(publication(report));
    lines.extend(report.audited.iter().flat_map(audited));
    lines.extend(report.notes.iter().map(|note| LineStyle::Advice.says(format!("note: {note}"))));
    if exit != Exit::Done {
        lines.push(LineStyle::Fault.says(format!("exit {}: {}", exit.code(), exit.meaning())));
    }
    lines
}

/// The lines about what keeps search engines from start pages, which come first because they explain the rest.
pub(crate) fn excluded_starts(starts: &[String]) -> Vec<Line> {
    starts.iter().map(|start| LineStyle::Fault.says(start.clone())).collect()
}

/// The lines about the number of pages.
fn pages(report: &RunReport) -> Vec<Line> {
    let counts = &report.counts;
    let mut lines = vec![format!(
        "{} fetched in {:.1} s ({}), {}{} listed",
        counted(counts.fetched, "page"),
        report.took.as_secs_f64(),
        size(counts.wire_bytes),
        counts.listed,
        // A sitemap that is held back is not published.
        if matches!(report.publication, Publication::NotPublished(_)) { " could be" } else { "" },
    )];
    if counts.revalidated + counts.not_requested > 0 {
        lines.push(format!(
            "  of the pages, {} had not changed (304), and {} were not due to be requested",
            counts.revalidated, counts.not_requested
        ));
    }
    if counts.refused > 0 {
        let refused = counted(counts.refused, "page");
        lines.push(format!("  of these, {refused} got a server error (5xx) or a rate limit (429)"));
    }
    if counts.kept > 0 {
        let kept = counted(counts.kept, "listed page");
        lines.push(format!("  {kept} failing for now, which stay listed (--keep-failing)"));
    }
    lines.extend(rendered(report));
    lines.into_iter().map(|line| LineStyle::Plain.says(line)).collect()
}

/// The line about the pages whose scripts ran.
fn rendered(report: &RunReport) -> Option<String> {
    let rendering = &report.counts.rendering;
    let browser = report.browser.as_deref().unwrap_or("a browser");
    let cut = match rendering.cut {
        0 => String::new(),
        cut => format!("; {cut} could not be rendered to the end"),
    };
    let (pages, requests) = (counted(rendering.pages, "page"), counted(rendering.requests, "request"));
    let (bytes, seconds) = (size(rendering.bytes), rendering.millis as f64 / 1000.0);
    (rendering.pages > 0)
        .then(|| format!("  scripts of {pages} ran in {browser}: {requests} ({bytes}), {seconds:.1} s{cut}"))
}

/// The lines about URLs that are not listed, and about the slowest pages.
fn not_listed(report: &RunReport) -> Vec<Line> {
    let counts = &report.counts;
    let mut lines = Vec::new();
    lines.extend(counts.excluded_rows().map(|row| {
        // A missing robots.txt or sitemap is not a fault.
        let files = match row.files {
            0 => String::new(),
            files => format!("; of these {files} robots.txt, sitemaps or feeds"),
        };
        format!("  {:>8}  {:<19} {}{files}", row.urls, row.reason.as_str(), excluded_meaning(&row))
    }));
    if !lines.is_empty() {
        lines.insert(0, "not listed:".to_owned());
    }
    let judged = counts.judged();
    if judged > 0 {
        let pages = counted(judged, "URL");
        lines.push(format!(
            "of these, {pages} left out by judgement; --list indexable lists {}",
            if judged == 1 { "it" } else { "them" }
        ));
    }
    if let Some(slow) = counts.slowest.first().filter(|slow| slow.millis >= 1000) {
        lines.push(format!("slowest: {:.1} s {}", slow.millis as f64 / 1000.0, shortened(&slow.url)));
    }
    lines.into_iter().map(|line| LineStyle::Plain.says(line)).collect()
}

/// The lines about a crawl that was cut.
fn ending(report: &RunReport) -> Vec<Line> {
    let mut lines: Vec<Line> = match report.how {
        Completeness::Complete => Vec::new(),
        Completeness::Cut(Cut::Stopped) => vec![LineStyle::Fault.says("the crawl was stopped")],
        Completeness::Cut(Cut::Disk) => {
            vec![LineStyle::Fault.says("the crawl was cut: the disk of the record ran low (--min-free-disk)")]
        }
        Completeness::Cut(Cut::Browser) => vec![LineStyle::Fault.says("the crawl was cut: the browser does not work")],
        Completeness::Cut(Cut::Time) => vec![LineStyle::Fault.says("the crawl was cut: --max-time passed")],
        Completeness::Cut(Cut::SiteDown) => {
            let cut = |origin| {
                format!("the crawl was cut: {origin} went down: it gives no answers, or nothing but errors (429, 5xx)")
            };
            report.down.iter().map(|origin| LineStyle::Fault.says(cut(origin))).collect()
        }
    };
    let queued = report.queued;
    if report.how == Completeness::Complete {
        if report.budget_spent {
            lines.push(
                LineStyle::Plain
                    .says(format!("--max-urls was reached: {} not requested", counted(queued, "known URL"))),
            );
        }
        return lines;
    }
    if queued > 0 {
        lines.push(LineStyle::Plain.says(format!("{} not requested", counted(queued, "known URL"))));
    }
    let record = report.state.display();
    lines.push(LineStyle::Advice.says(format!("to do: resume it by `mapwright resume --state {record}`")));
    lines
}

fn limits(report: &RunReport) -> Vec<Line> {
    let endless = report.refused.endless.iter();
    let mut lines: Vec<Line> = endless
        .map(|(pattern, count)| format!("crawl trap: {pattern} ({} beyond --pattern-budget)", counted(*count, "URL")))
        .map(|line| LineStyle::Plain.says(line))
        .collect();
    if report.refused.sitemap_files > 0 {
        let files = counted(report.refused.sitemap_files, "sitemap file");
        lines.push(LineStyle::Plain.says(format!("{files} beyond the limits not read")));
    }
    if report.refused.feeds {
        lines.push(LineStyle::Plain.says("feeds beyond --max-sitemap-files not read".to_owned()));
    }
    lines
}

fn publication(report: &RunReport) -> Vec<Line> {
    match &report.publication {
        Publication::Published(directory, published) => {
            let entry_point = directory.join(&published.entry_point);
            let mut lines = vec![LineStyle::Good.says(format!("sitemap: {}", entry_point.display()))];
            lines.extend(files(published).into_iter().map(|line| LineStyle::Plain.says(line)));
            lines.extend(upload(directory, report).into_iter().map(|line| LineStyle::Advice.says(line)));
            lines
        }
        Publication::Printed(published) => {
            let mut lines =
                vec![LineStyle::Plain.says(format!("{} written to standard output", counted(published.urls, "URL")))];
            lines.extend(files(published).into_iter().map(|line| LineStyle::Plain.says(line)));
            lines
        }
        Publication::NotRequested => Vec::new(),
        Publication::NotPublished(held) => {
            let why = why(*held);
            vec![LineStyle::Fault.says(format!("no sitemap was published: {why}; an existing sitemap is unchanged"))]
        }
    }
}

/// The lines of an audit: totals, kinds, files, rules.
pub(crate) fn audited(audited: &Audited) -> Vec<Line> {
    let totals: Vec<String> =
        audited.counts.iter().map(|(severity, count)| counted(*count, severity.as_str())).collect();
    let fixed =
        if audited.fixed > 0 { format!("; {} fixed since the audit before", audited.fixed) } else { String::new() };
    let accepted: u64 = audited.tallies.iter().map(|tally| tally.accepted).sum();
    let accepted = if accepted > 0 { format!("; {accepted} accepted by the baseline") } else { String::new() };
    let mut lines = vec![LineStyle::Plain.says(format!("findings: {}{accepted}{fixed}", totals.join(", ")))];
    let mut tallies: Vec<_> = audited.tallies.iter().filter(|tally| tally.count > 0).collect();
    tallies.sort_by_key(|tally| tally.severity);
    lines.extend(tallies.into_iter().map(of_kind));
    if let Some(report) = audited.files.iter().find(|file| file.ends_with("report.html")).or(audited.files.first()) {
        lines.push(LineStyle::Good.says(format!("report: {}", report.display())));
    }
    lines.extend(audited.notes.iter().map(|note| LineStyle::Advice.says(format!("note: {note}"))));
    lines.extend(audited.broken_rules.iter().map(|rule| LineStyle::Fault.says(format!("failed: {rule}"))));
    lines
}

/// The line of one kind of finding: its count, and how many of them the baseline accepts.
fn of_kind(tally: &Tally) -> Line {
    let (severity, check, open) = (tally.severity.as_str(), tally.check, tally.count - tally.accepted);
    let accepted = if tally.accepted > 0 { format!(" ({} accepted)", tally.accepted) } else { String::new() };
    let line = format!("  {severity:<8} {open:>8}  {:<22} {}{accepted}", check.code, check.reason);
    if tally.severity == Severity::Error && open > 0 { LineStyle::Fault } else { LineStyle::Plain }.says(line)
}

/// The lines about the files beside the entry point, and about what none of them can contain.
fn files(published: &PublishedSet) -> Vec<String> {
    let mut lines = Vec::new();
    if !published.parts.is_empty() {
        let (parts, written) = (published.parts.len(), published.changed);
        let unchanged = parts - written;
        lines.push(format!("  {} ({written} written, {unchanged} unchanged)", counted(parts as u64, "part")));
    }
    lines.extend(published.further_indexes.iter().map(|name| format!("  further index: {name}")));
    lines.extend(published.refused.iter().map(|url| format!("  no file can hold: {url}")));
    lines
}

/// The lines about what to do with the files.
fn upload(directory: &Path, report: &RunReport) -> Vec<String> {
    let mut lines = Vec::new();
    if !report.robots_lines.is_empty() {
        let directory = directory.display();
        lines.push(format!("to do: serve the files of {directory} at the place that this line names, and put it"));
    }
    let line = |RobotsLine { host, line, requested }: &RobotsLine| match requested {
        true => format!("  into {host}/robots.txt:  {line}"),
        false => format!("  into {host}/robots.txt, which was not requested, unless it has it:  {line}"),
    };
    lines.extend(report.robots_lines.iter().map(line));
    lines
}

fn why(held: NotPublished) -> String {
    match held {
        NotPublished::NothingCrawled => "no start URL answered 200".to_owned(),
        NotPublished::Cut => "the crawl was cut (--allow-partial publishes all the same)".to_owned(),
        NotPublished::Refused(ShrinkRefusal::Empty) => "no URL is to be listed".to_owned(),
        NotPublished::Refused(ShrinkRefusal::Shrunk { before, now }) => {
            format!(
                "the shrink guard refused: it would list {}, and the old one lists {before} (--shrink-guard)",
                counted(now, "URL")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LineStyle, styled};

    #[test]
    fn colours_are_only_ours_and_only_where_requested() {
        assert_eq!(styled(&LineStyle::Good.says("sitemap: x"), false), "sitemap: x\n");
        assert_eq!(styled(&LineStyle::Good.says("sitemap: x"), true), "\u{1b}[32msitemap: x\u{1b}[0m\n");
        assert!(!styled(&LineStyle::Advice.says("note: \u{1b}[31mred"), false).contains('\u{1b}'));
    }
}
