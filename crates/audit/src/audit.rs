//! One audit: what is found in a record, how grave it is, and how it stands to the audits before.

use crate::baseline::Baseline;
use crate::code::Code;
use crate::draw;
use crate::figures::{Figures, Past, RunFacts, Tally};
use crate::finding::{About, Finding};
use crate::findings;
use crate::item::State;
use crate::limits::Limits;
use crate::notes;
use crate::report::Fixed;
use crate::severities::Severities;
use crate::severity::Severity;
use crate::site::{self, Site};
use jiff::Timestamp;
use mapwright_store::{FindingRow, Life, Record, StoreError};
use mapwright_web::Robots;
use std::collections::{BTreeMap, HashMap};

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
}

/// A finding and how it is to be told.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    pub(crate) finding: Finding,
    pub(crate) severity: Severity,
    pub(crate) state: State,
    pub(crate) accepted: bool,
    key: i64,
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
        let found = findings::all(&site, &options.limits, options.next_robots.as_ref());
        let lives = Lives::of(record)?;
        let mut judged = judge(&site, found, options, record, &lives);
        judged.sort_by_cached_key(|one| (one.severity, one.finding.code, subject(&site, &one.finding).to_owned()));
        judged.dedup_by_key(|one| one.key);
        let facts = record.run_facts()?;
        let run = RunFacts { number: facts.run, starts: facts.starts, started: site.started, whole: options.whole };
        let fixed = if options.whole { lives.fixed(record, &judged, options)? } else { Vec::new() };
        let mut audit = Self {
            tallies: tallies(&judged, &fixed, &options.severities),
            figures: Figures::default(),
            notes: notes::of(&site, options),
            site,
            judged,
            run,
            fixed,
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
            baseline.accept(one.finding.code, subject(&self.site, &one.finding));
        }
        baseline
    }

    /// Notes in the record what was found, for the audits to come.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub fn note(&self, record: &mut Record) -> Result<(), StoreError> {
        let counts = Severity::ALL.map(|severity| self.judged.iter().filter(|one| one.severity == severity).count());
        let rows = self.judged.iter().map(|one| {
            let url = if let About::Url(url) = one.finding.about { Some(url) } else { None };
            let text = url.is_none().then(|| subject(&self.site, &one.finding).to_owned());
            FindingRow { key: one.key, code: one.finding.code.as_str().to_owned(), url, subject: text }
        });
        record.note_audit(self.run.whole, counts.map(|count| count as u64), rows)
    }
}

/// What a finding is about, in one text.
pub(crate) fn subject<'s>(site: &'s Site, finding: &'s Finding) -> &'s str {
    match &finding.about {
        About::Url(url) => site.text(*url),
        About::Group(urls) => urls.iter().map(|url| site.text(*url)).min().unwrap_or_default(),
        About::Site => site.starts.first().map_or("", |start| site.text(*start)),
        About::Pattern(pattern) => pattern,
    }
}

fn judge(site: &Site, found: Vec<Finding>, options: &Options, record: &Record, lives: &Lives) -> Vec<Judged> {
    let keys = record.keys();
    let mut judged = Vec::with_capacity(found.len());
    for finding in found {
        let Some(severity) = options.severities.of(finding.code) else { continue };
        let text = subject(site, &finding);
        let target = finding.evidence.as_ref().and_then(|evidence| evidence.target).map_or("", |url| site.text(url));
        let key = keys.hash([finding.code.as_str(), text, target].join("\n").as_bytes()).cast_signed();
        let accepted = options.baseline.accepts(finding.code, text);
        judged.push(Judged { severity, state: lives.state(key), accepted, key, finding });
    }
    judged
}

/// The life of findings, as the record knows it.
struct Lives {
    known: HashMap<i64, Life>,
    /// This run, and the newest whole audit before it.
    run: i64,
    before: i64,
}

impl Lives {
    fn of(record: &Record) -> Result<Self, StoreError> {
        Ok(Self { known: record.lives()?, run: record.run(), before: record.audit_before()? })
    }

    fn state(&self, key: i64) -> State {
        match self.known.get(&key) {
            None => State::New,
            // This run was audited before.
            Some(life) if life.last == self.run && life.since == self.run => {
                if life.before > 0 {
                    State::Regressed
                } else {
                    State::New
                }
            }
            Some(life) if life.last >= self.before => State::Persisting,
            Some(_) => State::Regressed,
        }
    }

    /// What the audit before found, and this one does not. What is muted is not told as fixed.
    fn fixed(&self, record: &Record, judged: &[Judged], options: &Options) -> Result<Vec<Fixed>, StoreError> {
        let mut fixed = Vec::new();
        if self.before == 0 {
            return Ok(fixed);
        }
        let still: std::collections::HashSet<i64> = judged.iter().map(|one| one.key).collect();
        record.each_gone(self.before..self.run, |key, code, subject| {
            let code = Code::from_name(code).filter(|code| options.severities.of(*code).is_some());
            if let Some(code) = code.filter(|_| !still.contains(&key)) {
                fixed.push(Fixed { code, subject: subject.to_owned() });
            }
        })?;
        Ok(fixed)
    }
}

fn tallies(judged: &[Judged], fixed: &[Fixed], severities: &Severities) -> Vec<Tally> {
    let mut tallies: BTreeMap<Code, Tally> = BTreeMap::new();
    let empty = |code: Code| {
        let severity = severities.of(code).unwrap_or(code.severity());
        Tally { code, severity, count: 0, accepted: 0, fresh: 0, fixed: 0 }
    };
    for one in judged {
        let code = one.finding.code;
        let tally = tallies.entry(code).or_insert_with(|| empty(code));
        tally.count += 1;
        tally.accepted += u64::from(one.accepted);
        tally.fresh += u64::from(one.state != State::Persisting);
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
