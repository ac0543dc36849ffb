//! One audit: the findings in a record, their severities and their states relative to earlier audits.

use crate::baseline::Baseline;
use crate::chart_data;
use crate::check::Check;
use crate::checks;
use crate::classifier::{ClassifiedFinding, Classifier};
use crate::figures::{AuditedRun, Figures, PastAudit, Tally};
use crate::history::{FindingHistory, GoneFindings};
use crate::identity::{parts, subject};
use crate::notes;
use crate::options::Options;
use crate::rendered_finding::State;
use crate::report::Fixed;
use crate::severities::Severities;
use crate::severity::Severity;
use crate::site::{self, Site, UrlParameter};
use jiff::Timestamp;
use mapwright_store::{Record, StoreError};
use std::collections::BTreeMap;

/// The result of an audit.
#[derive(Debug)]
pub struct Audit {
    pub(crate) site: Site,
    /// Sorted by severity, the highest first, then by check and subject.
    pub(crate) classified: Vec<ClassifiedFinding>,
    run: AuditedRun,
    figures: Figures,
    tallies: Vec<Tally>,
    fixed: Vec<Fixed>,
    /// Keys of earlier findings that this run could not confirm or refute; they stay as they were.
    undecided: Vec<i64>,
    notes: Vec<String>,
}

impl Audit {
    /// Audits the newest run of a record, whose verdicts must be there.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn of(record: &Record, options: &Options) -> Result<Self, StoreError> {
        let mut site = site::load(record, &options.agent)?;
        site.sitemaps_over_limit = options.sitemaps_over_limit;
        let mut found = checks::run(&site, &options.limits, options.next_robots.as_ref());
        let classifier = Classifier { record, options, history: FindingHistory::of(record)? };
        classifier.drop_soft_404s(&site, &mut found);
        let all = found.len();
        let inconclusive = classifier.drop_inconclusive(&mut site, &mut found)?;
        let unjudged = all - found.len();
        let classified = classifier.classify(&site, found);
        let GoneFindings { fixed, undecided } = classifier.resolved(&site, &classified, &inconclusive)?;
        let mut audit = Self {
            tallies: tallies(&site, &classified, &fixed, &options.severities),
            figures: Figures::default(),
            notes: notes::of(&site, options, unjudged),
            run: run(&site, record, options)?,
            site,
            classified,
            fixed,
            undecided,
        };
        audit.figures = chart_data::figures(&audit.site, &audit.classified);
        audit.figures.history = history(record, &audit)?;
        Ok(audit)
    }

    /// Returns the facts of the run.
    #[must_use]
    pub fn run(&self) -> &AuditedRun {
        &self.run
    }

    /// The site in figures.
    #[must_use]
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Returns each kind of finding with its counts.
    #[must_use]
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// Returns the findings of the previous audit that are fixed.
    #[must_use]
    pub fn fixed(&self) -> &[Fixed] {
        &self.fixed
    }

    /// Returns the URL parameters whose roles are certain.
    #[must_use]
    pub fn parameters(&self) -> &[UrlParameter] {
        &self.site.parameters
    }

    /// Returns notes for the reader: checks that were not made, and why.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the number of findings of a severity, without those of the baseline.
    #[must_use]
    pub fn count(&self, severity: Severity) -> u64 {
        self.tallies.iter().filter(|tally| tally.severity == severity).map(|tally| tally.count - tally.accepted).sum()
    }

    /// Returns check and subject of each finding that is not in the baseline.
    pub fn unaccepted(&self) -> impl Iterator<Item = (&'static Check, &str)> {
        let open = self.classified.iter().filter(|one| !one.accepted);
        open.map(|one| (one.finding.check, subject(&self.site, &one.finding)))
    }

    /// Returns a baseline that holds all findings.
    #[must_use]
    pub fn baseline(&self) -> Baseline {
        let mut baseline = Baseline::default();
        for one in &self.classified {
            for part in parts(&self.site, &one.finding) {
                baseline.accept(one.finding.check, part.subject());
            }
        }
        baseline
    }

    /// Stores the findings in the record, for later audits.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub fn note(&self, record: &mut Record) -> Result<(), StoreError> {
        let counts =
            Severity::ALL.map(|severity| self.classified.iter().filter(|one| one.severity == severity).count());
        let keys = record.keys();
        let rows = self.classified.iter().flat_map(|one| {
            let check = one.finding.check;
            parts(&self.site, &one.finding).into_iter().map(move |part| part.row(keys, check))
        });
        record.note_audit(self.run.complete, counts.map(|count| count as u64), rows, &self.undecided)
    }
}

fn run(site: &Site, record: &Record, options: &Options) -> Result<AuditedRun, StoreError> {
    let facts = record.run_facts()?;
    Ok(AuditedRun { number: facts.run, starts: facts.starts, started: site.started, complete: options.complete })
}

fn tallies(site: &Site, classified: &[ClassifiedFinding], fixed: &[Fixed], severities: &Severities) -> Vec<Tally> {
    let mut tallies: BTreeMap<&'static Check, Tally> = BTreeMap::new();
    let empty = |check: &'static Check| {
        let severity = severities.of(check).unwrap_or(check.severity);
        Tally { check, severity, count: 0, accepted: 0, affected: 0, new_or_regressed: 0, regressed: 0, fixed: 0 }
    };
    for one in classified {
        let check = one.finding.check;
        let tally = tallies.entry(check).or_insert_with(|| empty(check));
        tally.count += 1;
        tally.accepted += u64::from(one.accepted);
        tally.affected += if one.accepted { 0 } else { one.finding.affected(site) };
        tally.new_or_regressed += u64::from(one.state != State::Persisting);
        tally.regressed += u64::from(one.state == State::Regressed);
    }
    for one in fixed {
        tallies.entry(one.check).or_insert_with(|| empty(one.check)).fixed += 1;
    }
    let mut tallies: Vec<Tally> = tallies.into_values().collect();
    tallies.sort_by_key(|tally| checks::rank(tally.check));
    tallies
}

fn history(record: &Record, audit: &Audit) -> Result<Vec<PastAudit>, StoreError> {
    let run = audit.run.number;
    let past = |row: &mapwright_store::AuditRow| {
        let [errors, warnings, notices] = row.counts;
        let started = Timestamp::from_millisecond(row.started).unwrap_or_default();
        PastAudit { run: row.run, started, errors, warnings, notices }
    };
    let mut history: Vec<PastAudit> = record.audits()?.iter().filter(|row| row.run != run).map(past).collect();
    let count = |severity| audit.classified.iter().filter(|one| one.severity == severity).count() as u64;
    history.push(PastAudit {
        run,
        started: audit.run.started,
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        notices: count(Severity::Notice),
    });
    Ok(history)
}
