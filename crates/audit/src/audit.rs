//! One audit: what is found in a record, how grave it is, and how it stands to the audits before.

use crate::baseline::Baseline;
use crate::code::Code;
use crate::draw;
use crate::figures::{Figures, Past, RunFacts, Tally};
use crate::findings;
use crate::identity::{parts, subject};
use crate::item::State;
use crate::judge::{Judge, Judged};
use crate::limits::Limits;
use crate::lives::{Gone, Lives};
use crate::notes;
use crate::report::Fixed;
use crate::severities::Severities;
use crate::severity::Severity;
use crate::site::{self, Site, UrlParameter};
use jiff::Timestamp;
use mapwright_store::{Record, StoreError};
use mapwright_web::Robots;
use std::collections::BTreeMap;

/// What an audit goes by.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// What findings are measured by.
    pub limits: Limits,
    /// How grave they are.
    pub severities: Severities,
    /// What is known and accepted.
    pub baseline: Baseline,
    /// A robots.txt that is not deployed yet.
    pub next_robots: Option<Robots>,
    /// The token that robots.txt is asked with.
    pub agent: String,
    /// Everything that was asked for was fetched.
    pub whole: bool,
    /// Sitemap files that were not asked for, because they lay beyond the limits of number and nesting.
    pub sitemaps_beyond: u64,
    /// Checks that were asked for and cannot be made, in words.
    pub unmade: Vec<String>,
}

/// What an audit came to.
#[derive(Debug)]
pub struct Audit {
    pub(crate) site: Site,
    /// The gravest first, then by code and subject.
    pub(crate) judged: Vec<Judged>,
    run: RunFacts,
    figures: Figures,
    tallies: Vec<Tally>,
    fixed: Vec<Fixed>,
    /// Keys of what this run could not judge, and which stays as it was.
    carried: Vec<i64>,
    notes: Vec<String>,
}

impl Audit {
    /// Audits the newest run of a record, which must have been judged.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn of(record: &Record, options: &Options) -> Result<Self, StoreError> {
        let mut site = site::load(record, &options.agent)?;
        site.sitemaps_beyond = options.sitemaps_beyond;
        let mut found = findings::all(&site, &options.limits, options.next_robots.as_ref());
        let judge = Judge { record, options, lives: Lives::of(record)? };
        judge.leave_lost(&site, &mut found);
        let all = found.len();
        let veiled = judge.lift(&mut site, &mut found)?;
        let unjudged = all - found.len();
        let judged = judge.judge(&site, found);
        let Gone { fixed, carried } = judge.gone(&site, &judged, &veiled)?;
        let mut audit = Self {
            tallies: tallies(&judged, &fixed, &options.severities),
            figures: Figures::default(),
            notes: notes::of(&site, options, unjudged),
            run: run(&site, record, options)?,
            site,
            judged,
            fixed,
            carried,
        };
        audit.figures = draw::figures(&audit);
        audit.figures.history = history(record, &audit)?;
        Ok(audit)
    }

    /// The run.
    #[must_use]
    pub fn run(&self) -> &RunFacts {
        &self.run
    }

    /// The site in figures.
    #[must_use]
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Each kind of finding, and how often.
    #[must_use]
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// What was mended since the audit before.
    #[must_use]
    pub fn fixed(&self) -> &[Fixed] {
        &self.fixed
    }

    /// URL parameters whose roles are certain.
    #[must_use]
    pub fn parameters(&self) -> &[UrlParameter] {
        &self.site.parameters
    }

    /// What the reader ought to know.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// How many findings there are, by severity, those of the baseline apart.
    #[must_use]
    pub fn count(&self, severity: Severity) -> u64 {
        self.tallies.iter().filter(|tally| tally.severity == severity).map(|tally| tally.count - tally.accepted).sum()
    }

    /// Code and subject of each finding that the baseline does not hold.
    pub fn unaccepted(&self) -> impl Iterator<Item = (Code, &str)> {
        let open = self.judged.iter().filter(|one| !one.accepted);
        open.map(|one| (one.finding.code, subject(&self.site, &one.finding)))
    }

    /// A baseline that holds everything that was found.
    #[must_use]
    pub fn baseline(&self) -> Baseline {
        let mut baseline = Baseline::default();
        for one in &self.judged {
            for part in parts(&self.site, &one.finding) {
                baseline.accept(one.finding.code, part.subject());
            }
        }
        baseline
    }

    /// Notes in the record what was found, for the audits to come.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub fn note(&self, record: &mut Record) -> Result<(), StoreError> {
        let counts = Severity::ALL.map(|severity| self.judged.iter().filter(|one| one.severity == severity).count());
        let keys = record.keys();
        let rows = self.judged.iter().flat_map(|one| {
            let code = one.finding.code;
            parts(&self.site, &one.finding).into_iter().map(move |part| part.row(keys, code))
        });
        record.note_audit(self.run.whole, counts.map(|count| count as u64), rows, &self.carried)
    }
}

fn run(site: &Site, record: &Record, options: &Options) -> Result<RunFacts, StoreError> {
    let facts = record.run_facts()?;
    Ok(RunFacts { number: facts.run, starts: facts.starts, started: site.started, whole: options.whole })
}

fn tallies(judged: &[Judged], fixed: &[Fixed], severities: &Severities) -> Vec<Tally> {
    let mut tallies: BTreeMap<Code, Tally> = BTreeMap::new();
    let empty = |code: Code| {
        let severity = severities.of(code).unwrap_or(code.severity());
        Tally { code, severity, count: 0, accepted: 0, fresh: 0, regressed: 0, fixed: 0 }
    };
    for one in judged {
        let code = one.finding.code;
        let tally = tallies.entry(code).or_insert_with(|| empty(code));
        tally.count += 1;
        tally.accepted += u64::from(one.accepted);
        tally.fresh += u64::from(one.state != State::Persisting);
        tally.regressed += u64::from(one.state == State::Regressed);
    }
    for one in fixed {
        tallies.entry(one.code).or_insert_with(|| empty(one.code)).fixed += 1;
    }
    tallies.into_values().collect()
}

fn history(record: &Record, audit: &Audit) -> Result<Vec<Past>, StoreError> {
    let run = audit.run.number;
    let past = |row: &mapwright_store::AuditRow| {
        let [errors, warnings, notices] = row.counts;
        let started = Timestamp::from_millisecond(row.started).unwrap_or_default();
        Past { run: row.run, started, errors, warnings, notices }
    };
    let mut history: Vec<Past> = record.audits()?.iter().filter(|row| row.run != run).map(past).collect();
    let count = |severity| audit.judged.iter().filter(|one| one.severity == severity).count() as u64;
    history.push(Past {
        run,
        started: audit.run.started,
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        notices: count(Severity::Notice),
    });
    Ok(history)
}
