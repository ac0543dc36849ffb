//! Reads a `report.json` line by line, because all findings at once may exceed memory.

use super::Rule;
use crate::figures::AuditedRun;
use crate::rendered_finding::RenderedFinding;
use std::io::{self, BufRead, Read};

/// Maximum length of a line, in bytes: a finding about very many URLs.
const MAX_LINE: u64 = 32 << 20;

/// A part of a report that readers need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportLine {
    /// The audited run.
    Run(AuditedRun),
    /// A kind of finding.
    Rule(Rule),
    /// A finding.
    Finding(Box<RenderedFinding>),
    /// Another line, or one that cannot be read: of a kind of finding that another version knows.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Rules,
    Findings,
    Other,
}

/// Reads the lines of a report, as [`write`](super::write) writes them.
#[derive(Debug)]
pub struct ReportReader<R> {
    lines: R,
    line: Vec<u8>,
    section: Section,
}

impl<R: BufRead> ReportReader<R> {
    /// Reads from the beginning of a report.
    pub fn new(lines: R) -> Self {
        Self { lines, line: Vec::new(), section: Section::Other }
    }

    /// Reads a line; returns false at the end.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        Ok((&mut self.lines).take(MAX_LINE).read_until(b'\n', &mut self.line)? > 0)
    }

    fn part(&mut self) -> ReportLine {
        let line = self.line.trim_ascii_end();
        let line = line.strip_suffix(b",").unwrap_or(line);
        match (line.first(), self.section) {
            (Some(b'{'), Section::Rules) => read(line, ReportLine::Rule),
            (Some(b'{'), Section::Findings) => read(line, ReportLine::Finding),
            (Some(b'"'), _) => {
                self.section = section(line);
                line.strip_prefix(b"\"run\": ").map_or(ReportLine::Other, |run| read(run, ReportLine::Run))
            }
            _ => ReportLine::Other,
        }
    }
}

impl<R: BufRead> Iterator for ReportReader<R> {
    type Item = io::Result<ReportLine>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.read_line() {
            Ok(true) => Some(Ok(self.part())),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

/// Returns the section that a member of the report begins.
fn section(line: &[u8]) -> Section {
    match line {
        b"\"rules\": [" => Section::Rules,
        b"\"findings\": [" => Section::Findings,
        _ => Section::Other,
    }
}

fn read<T: serde::de::DeserializeOwned>(line: &[u8], part: fn(T) -> ReportLine) -> ReportLine {
    serde_json::from_slice(line).map_or(ReportLine::Other, part)
}

#[cfg(test)]
mod tests {
    use super::{ReportLine, ReportReader};
    use crate::report::json::{Rule, write};
    use crate::report::sample::Sample;

    fn lines(report: &[u8]) -> Vec<ReportLine> {
        ReportReader::new(report).map(Result::unwrap).collect()
    }

    #[test]
    fn the_parts_are_read_as_they_were_written() {
        for sample in [Sample::plain(), Sample::hostile()] {
            let mut written = Vec::new();
            write(&sample.report(), &mut written).unwrap();
            let mut read = lines(&written);
            read.retain(|line| *line != ReportLine::Other);
            let mut expected = vec![ReportLine::Run(sample.run.clone())];
            expected.extend(sample.tallies.iter().map(|tally| ReportLine::Rule(Rule::from(tally))));
            expected.extend(sample.items.iter().map(|item| ReportLine::Finding(Box::new(item.clone()))));
            assert_eq!(read, expected);
        }
    }

    #[test]
    fn a_finding_of_an_unknown_kind_is_another_line() {
        let finding = "{\"code\":\"of-another-version\",\"severity\":\"error\",\"state\":\"new\",\"url\":\"http://a.test/\",\"message\":\"\"}";
        let report = format!("{{\n\"findings\": [\n{finding}\n]\n}}\n");
        assert!(lines(report.as_bytes()).iter().all(|line| *line == ReportLine::Other));
    }
}
