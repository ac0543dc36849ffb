//! One audit: what is found in a record, how grave it is, and how it stands to the audits before.

use crate::baseline::Baseline;
use crate::code::Code;
use crate::draw;
use crate::figures::{Figures, Past, RunFacts, Tally};
use crate::finding::Finding;
use crate::findings;
use crate::identity::{parts, subject};
use crate::item::State;
use crate::limits::Limits;
use crate::lives::{Gone, Lives, together};
use crate::notes;
use crate::report::Fixed;
use crate::severities::Severities;
use crate::severity::Severity;
use crate::sight::{Sight, Veiled, unlinked_url};
use crate::site::{self, Site};
use jiff::Timestamp;
use mapwright_store::{Record, StoreError};
use mapwright_web::{KeyMaker, Robots};
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
        let lives = Lives::of(record)?;
        let fresh = |site: &Site, one: &Finding| {
            keys(site, one, record.keys()).into_iter().any(|key| lives.state(key) != State::Persisting)
        };
        let unlinked = found.iter().filter(|one| options.severities.of(one.code).is_some() && fresh(&site, one));
        let unlinked = unlinked.filter_map(unlinked_url).collect();
        let veiled = Veiled::of(&mut site, record, &unlinked)?;
        let all = found.len();
        found.retain(|one| !veiled.covers(one) || !fresh(&site, one));
        let unjudged = all - found.len();
        let judged = judge(&site, found, options, record.keys(), &lives);
        let facts = record.run_facts()?;
        let run = RunFacts { number: facts.run, starts: facts.starts, started: site.started, whole: options.whole };
        let Gone { fixed, carried } = if options.whole && lives.before() > 0 {
            let found = judged.iter().flat_map(|one| keys(&site, &one.finding, record.keys())).collect();
            lives.gone(record, &found, &Sight::of(&site, options, record, lives.before(), &veiled)?)?
        } else {
            Gone::default()
        };
        let mut audit = Self {
            tallies: tallies(&judged, &fixed, &options.severities),
            figures: Figures::default(),
            notes: notes::of(&site, options, unjudged),
            site,
            judged,
            run,
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

/// Each finding with its severity and its life. Of such as are about the same one is kept.
fn judge(site: &Site, found: Vec<Finding>, options: &Options, keys: KeyMaker, lives: &Lives) -> Vec<Judged> {
    let mut judged = Vec::with_capacity(found.len());
    for finding in found {
        let Some(severity) = options.severities.of(finding.code) else { continue };
        let (mut key, mut state, mut accepted) = (0_i64, None, true);
        for part in parts(site, &finding) {
            let own = part.key(keys, finding.code);
            // A finding of one part is known by the key of that.
            key = key.wrapping_mul(31).wrapping_add(own);
            state = Some(state.map_or(lives.state(own), |state| together(state, lives.state(own))));
            accepted &= options.baseline.accepts(finding.code, part.subject());
        }
        if options.baseline.names_groups_by_first() {
            accepted = options.baseline.accepts(finding.code, subject(site, &finding));
        }
        let state = state.unwrap_or(State::New);
        judged.push(Judged { severity, state, accepted, key, finding });
    }
    judged.sort_by_cached_key(|one| (one.severity, one.finding.code, subject(site, &one.finding).to_owned()));
    judged.dedup_by_key(|one| one.key);
    judged
}

/// The keys of a finding's parts.
fn keys(site: &Site, finding: &Finding, keys: KeyMaker) -> Vec<i64> {
    parts(site, finding).iter().map(|part| part.key(keys, finding.code)).collect()
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
