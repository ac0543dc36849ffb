//! Annotations for GitHub's runners: commands on standard output.

use super::Report;
use super::samples::Samples;
use crate::rendered_finding::RenderedFinding;
use crate::severity::Severity;
use mapwright_text::{shortened, visible};
use std::io::{self, Write};

/// The most annotations of each severity that are printed; GitHub shows ten of them for a step, and all in its log.
pub const MAX_ANNOTATIONS: usize = 50;

/// The most characters in a part of an annotation.
const MAX_CHARS: usize = 1_000;

/// Prints the most severe findings outside the baseline as annotations, and a line that counts those left out.
///
/// # Errors
/// Errors of the writer, and of reading the findings.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let samples = Samples::of(report.items, MAX_ANNOTATIONS)?;
    Severity::ALL.into_iter().try_for_each(|severity| kind(report, &samples, severity, out))
}

fn kind(report: &Report<'_>, samples: &Samples, severity: Severity, out: &mut dyn Write) -> io::Result<()> {
    let tallies = report.tallies.iter().filter(|tally| tally.severity == severity);
    let items: Vec<&RenderedFinding> =
        tallies.clone().flat_map(|tally| samples.open(tally.check)).take(MAX_ANNOTATIONS).collect();
    for item in &items {
        writeln!(out, "{}", annotation(item))?;
    }
    let count: u64 = tallies.map(|tally| tally.count.saturating_sub(tally.accepted)).sum();
    let more = count.saturating_sub(u64::try_from(items.len()).unwrap_or(u64::MAX));
    if more > 0 {
        writeln!(out, "{more} more of severity {}: report.json has all", severity.as_str())?;
    }
    Ok(())
}

fn annotation(item: &RenderedFinding) -> String {
    let command = item.severity.as_str();
    format!("::{command} title={}::{}", property(item.check.code), data(&message(item)))
}

/// Returns the problem, its place, a referrer and the fix.
fn message(item: &RenderedFinding) -> String {
    let subject = item.subject.name();
    let mut text = shortened(&item.message, MAX_CHARS).into_owned();
    if !names(&text, subject) {
        text.push_str(&format!(" {}", shortened(subject, MAX_CHARS)));
    }
    if let Some(referrer) = item.linked_from.first() {
        text.push_str(&format!(" (linked from {})", shortened(&referrer.url, MAX_CHARS)));
    }
    text.push_str(&format!(" – {}", item.check.fix));
    text
}

/// Returns true if a text names a subject, and not just a longer URL that begins with it.
fn names(text: &str, subject: &str) -> bool {
    text.match_indices(subject).any(|(at, _)| {
        let behind = text.get(at + subject.len()..).unwrap_or_default();
        let behind = behind.trim_start_matches(['.', ',', ':', ';', ')', '`', '"']);
        behind.is_empty() || behind.starts_with(char::is_whitespace)
    })
}

/// Escapes a message for a workflow command.
fn data(text: &str) -> String {
    visible(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{MAX_ANNOTATIONS, data, property, write};
    use crate::rendered_finding::{RenderedFinding, Subject};
    use crate::report::sample::{HOSTILE, Sample, item};

    fn text(sample: &Sample) -> String {
        let mut out = Vec::new();
        write(&sample.report(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_annotations_in_full() {
        insta::assert_snapshot!(text(&Sample::plain()));
    }

    #[test]
    fn the_special_characters_of_commands_are_escaped() {
        assert_eq!(data("100%: a,b"), "100%25: a,b");
        assert_eq!(property("100%: a,b"), "100%25%3A a%2Cb");
        assert_eq!(data("a\r\nb"), "a\\r\\nb");
    }

    #[test]
    fn the_page_is_named_even_if_its_url_is_the_prefix_of_another() {
        let messages = [
            ("It takes 2 hops to https://site.test/ccc.", " https://site.test/c "),
            ("https://site.test/c: gone.", "https://site.test/c: gone. –"),
            ("Leads to https://site.test/c.", "Leads to https://site.test/c. –"),
        ];
        for (message, part) in messages {
            let subject = Subject::Url("https://site.test/c".to_owned());
            let item =
                RenderedFinding { message: message.to_owned(), linked_from: Vec::new(), ..item("http-4xx", subject) };
            let text = super::message(&item);
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn a_hostile_text_stays_on_its_line() {
        let text = text(&Sample::hostile());
        assert_eq!(text.lines().count(), HOSTILE.len());
        assert!(text.lines().all(|line| line.starts_with("::error title=http-4xx::")));
        assert!(!text.contains(['\u{202e}', '\u{1b}', '\r']));
    }

    #[test]
    fn the_number_of_annotations_is_bounded_and_the_rest_is_counted() {
        let items = (0..60).map(|n| item("http-4xx", Subject::Url(format!("https://site.test/{n}"))));
        let text = text(&Sample::of(items.collect()));
        assert_eq!(text.lines().filter(|line| line.starts_with("::error")).count(), MAX_ANNOTATIONS);
        assert!(text.ends_with("10 more of severity error: report.json has all\n"));
    }
}
