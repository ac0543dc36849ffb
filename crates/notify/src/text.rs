//! The text of a message, for e-mail and Slack.

use crate::event::{EventKind, FindingLine, MAX_EXAMPLES, PageSample, RunEvent, total};

/// Lines of findings in each group, at most.
const MAX_LINES: usize = 20;
/// Examples of each line of findings, at most.
const MAX_OF_FINDING: usize = 3;
/// Characters of one line of external text, at most.
const MAX_LINE: usize = 500;

/// Renders the complete text, each line ended by a newline.
pub(crate) fn write(event: &RunEvent) -> String {
    let mut lines = Lines::default();
    lines.say(&headline(event));
    lines.say(&format!("Site: {}", mapwright_text::line(&event.site, MAX_LINE)));
    lines.say(&format!("Due: {}", event.scheduled_for.strftime("%Y-%m-%d %H:%M UTC")));
    if let Some(listed) = listed(event) {
        let which = match event.kind {
            EventKind::Refused { .. } => "In the sitemap that was held back",
            _ => "In the sitemap",
        };
        lines.say(&format!("{which}: {listed}"));
    }
    for (name, listing) in [("added", &event.added), ("removed", &event.removed)] {
        pages(&mut lines, name, listing);
    }
    let findings = &event.findings;
    for (name, group) in [("New", &findings.new), ("Regressed", &findings.regressed), ("Fixed", &findings.fixed)] {
        group_of_findings(&mut lines, name, group);
    }
    if !event.hints.is_empty() {
        lines.gap();
        lines.say("To do at the site:");
        lines.examples("  ", &event.hints, MAX_LINES, event.hints.len() as u64);
    }
    if let Some(link) = event.safe_link() {
        lines.gap();
        lines.say(&format!("Dashboard: {link}"));
    }
    lines.gap();
    lines.say(reason(&event.kind));
    lines.0
}

/// Renders a count: "1 page", "2 pages".
pub(crate) fn count(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Renders the number of pages that the sitemap lists, and listed before.
pub(crate) fn listed(event: &RunEvent) -> Option<String> {
    let now = count(event.listed?, "page");
    Some(event.listed_before.map_or(now.clone(), |before| format!("{now} ({before} before)")))
}

fn headline(event: &RunEvent) -> String {
    let job = mapwright_text::line(&event.job, MAX_LINE);
    let reason = mapwright_text::line(event.kind.reason().unwrap_or_default(), MAX_LINE);
    match event.kind {
        EventKind::Done => format!("The job {job} found changes."),
        EventKind::Failed { .. } => format!("The job {job} failed: {reason}"),
        EventKind::Refused { .. } => format!("The job {job} held back its sitemap: {reason}"),
        EventKind::Missed { .. } => format!("The job {job} did not run: {reason}"),
        EventKind::Recovered => format!("The job {job} has recovered."),
        EventKind::Test => format!("This is a test notification of the job {job}: nothing has happened."),
    }
}

/// Returns the reason of the message, and the condition under which no further one is sent.
fn reason(outcome: &EventKind) -> &'static str {
    match outcome {
        EventKind::Done => "You get this notification because something changed; a run without changes sends none.",
        EventKind::Failed { .. } => "You get this notification because the job failed, so that you can see to it.",
        EventKind::Refused { .. } => {
            "You get this notification because the new sitemap looked wrong and was held back, for you to decide."
        }
        EventKind::Missed { .. } => "You get this notification because a scheduled run was skipped or missed.",
        EventKind::Recovered => "You get this notification because the incident is resolved.",
        EventKind::Test => "You get this notification because a test of this job's receivers was requested.",
    }
}

fn pages(lines: &mut Lines, name: &str, listing: &PageSample) {
    if listing.count == 0 {
        return;
    }
    lines.gap();
    lines.say(&format!("{} {name}:", count(listing.count, "page")));
    lines.examples("  ", &listing.examples, MAX_EXAMPLES, listing.count);
}

fn group_of_findings(lines: &mut Lines, name: &str, group: &[FindingLine]) {
    if total(group) == 0 {
        return;
    }
    lines.gap();
    lines.say(&format!("{name}: {}", count(total(group), "finding")));
    for line in group.iter().take(MAX_LINES) {
        let said = format!("{}: {} [{}, {}]", line.severity, line.title, line.code, line.count);
        lines.say(&format!("  {}", mapwright_text::line(&said, MAX_LINE)));
        lines.examples("    ", &line.examples, MAX_OF_FINDING, line.count);
    }
    let rest = total(group.get(MAX_LINES..).unwrap_or_default());
    if rest > 0 {
        lines.say(&format!("  and {rest} more"));
    }
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    fn say(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    fn gap(&mut self) {
        self.0.push('\n');
    }

    fn examples(&mut self, margin: &str, examples: &[String], most: usize, count: u64) {
        let shown = examples.len().min(most);
        for example in examples.iter().take(shown) {
            self.say(&format!("{margin}{}", mapwright_text::line(example, MAX_LINE)));
        }
        let rest = count.saturating_sub(shown as u64);
        if shown > 0 && rest > 0 {
            self.say(&format!("{margin}and {rest} more"));
        }
    }
}
