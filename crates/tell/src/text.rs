//! The text of an e-mail.

use crate::night::{FindingLine, Listing, MOST_EXAMPLES, Night, NightOutcome, total};
use crate::visible;

/// Lines of findings in each group, at most.
const MOST_LINES: usize = 20;
/// Examples of each line of findings, at most.
const MOST_OF_FINDING: usize = 3;
/// Characters of one line of what comes from outside, at most.
const MOST_LINE: usize = 500;

/// The whole text, each line ended by a newline.
pub(crate) fn write(night: &Night) -> String {
    let mut lines = Lines::default();
    lines.say(&headline(night));
    lines.say(&format!("Site: {}", visible::line(&night.site, MOST_LINE)));
    lines.say(&format!("Due: {}", night.due.strftime("%Y-%m-%d %H:%M UTC")));
    if let Some(listed) = listed(night) {
        let which = match night.outcome {
            NightOutcome::Refused { .. } => "In the sitemap that was held back",
            _ => "In the sitemap",
        };
        lines.say(&format!("{which}: {listed}"));
    }
    for (name, listing) in [("gained", &night.gained), ("lost", &night.lost)] {
        pages(&mut lines, name, listing);
    }
    let findings = &night.findings;
    for (name, group) in [("New", &findings.new), ("Come back", &findings.regressed), ("Fixed", &findings.fixed)] {
        group_of_findings(&mut lines, name, group);
    }
    if !night.advice.is_empty() {
        lines.gap();
        lines.say("To do at the site:");
        lines.examples("  ", &night.advice, MOST_LINES, night.advice.len() as u64);
    }
    if let Some(link) = night.safe_link() {
        lines.gap();
        lines.say(&format!("Dashboard: {link}"));
    }
    lines.gap();
    lines.say(reason(&night.outcome));
    lines.0
}

/// "1 page", "2 pages".
pub(crate) fn count(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// How many pages the sitemap lists, and listed before.
pub(crate) fn listed(night: &Night) -> Option<String> {
    let now = count(night.listed?, "page");
    Some(night.listed_before.map_or(now.clone(), |before| format!("{now} ({before} before)")))
}

fn headline(night: &Night) -> String {
    let job = visible::line(&night.job, MOST_LINE);
    let why = visible::line(night.outcome.why().unwrap_or_default(), MOST_LINE);
    match night.outcome {
        NightOutcome::Done => format!("The job {job} found changes."),
        NightOutcome::Failed { .. } => format!("The job {job} failed: {why}"),
        NightOutcome::Refused { .. } => format!("The job {job} kept the sitemap that was there: {why}"),
        NightOutcome::Missed { .. } => format!("The job {job} did not run: {why}"),
        NightOutcome::Recovered => format!("The job {job} is well again."),
        NightOutcome::Test => format!("This is a test message of the job {job}: nothing has happened."),
    }
}

/// Why this message came, and when no more will.
fn reason(outcome: &NightOutcome) -> &'static str {
    match outcome {
        NightOutcome::Done => "You get this message because something changed; a night without changes sends none.",
        NightOutcome::Failed { .. } => "You get this message because the job failed, so that you can see to it.",
        NightOutcome::Refused { .. } => {
            "You get this message because the new sitemap looked wrong and was held back, for you to decide."
        }
        NightOutcome::Missed { .. } => "You get this message because the job was due and nothing was heard of it.",
        NightOutcome::Recovered => "You get this message because the night before went wrong and this one did not.",
        NightOutcome::Test => "You get this message because somebody asked whether messages of this job arrive.",
    }
}

fn pages(lines: &mut Lines, name: &str, listing: &Listing) {
    if listing.count == 0 {
        return;
    }
    lines.gap();
    lines.say(&format!("{} {name}:", count(listing.count, "page")));
    lines.examples("  ", &listing.examples, MOST_EXAMPLES, listing.count);
}

fn group_of_findings(lines: &mut Lines, name: &str, group: &[FindingLine]) {
    if total(group) == 0 {
        return;
    }
    lines.gap();
    lines.say(&format!("{name}: {}", count(total(group), "finding")));
    for line in group.iter().take(MOST_LINES) {
        let said = format!("{}: {} [{}, {}]", line.severity, line.title, line.code, line.count);
        lines.say(&format!("  {}", visible::line(&said, MOST_LINE)));
        lines.examples("    ", &line.examples, MOST_OF_FINDING, line.count);
    }
    let rest = total(group.get(MOST_LINES..).unwrap_or_default());
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
            self.say(&format!("{margin}{}", visible::line(example, MOST_LINE)));
        }
        let rest = count.saturating_sub(shown as u64);
        if shown > 0 && rest > 0 {
            self.say(&format!("{margin}and {rest} more"));
        }
    }
}
