//! A synthetic audit of a large site, without randomness: the same for every reader.

use mapwright_audit::figures::{AuditedRun, Bar, Figures, Funnel, PastAudit, SiteFolder, Tally};
use mapwright_audit::rendered_finding::{Referrer, RenderedFinding, RenderedFindings, State, Subject};
use mapwright_audit::report::{Fixed, Report, UrlTable};
use mapwright_audit::{Check, Severity, checks};
use mapwright_store::UrlRow;
use mapwright_verdict::Reason;
use mapwright_web::page::facts::Region;
use std::io;

const FOLDERS: [&str; 12] =
    ["docs", "blog", "shop", "shop/archive", "news", "help", "people", "events", "media", "api", "jobs", "wiki"];

/// Kinds with their share of findings, in percent.
const KINDS: [(&str, usize); 15] = [
    ("single-inlink", 12),
    ("dead-end", 4),
    ("deep", 8),
    ("http-4xx", 9),
    ("http-5xx", 2),
    ("no-answer-timeout", 1),
    ("slow", 6),
    ("redirect-link", 16),
    ("redirect-chain", 5),
    ("canonical-missing", 14),
    ("canonical-to-error", 2),
    ("sitemap-omits", 8),
    ("hreflang-no-return", 6),
    ("dup-title", 5),
    ("trap-calendar", 2),
];

/// Findings that are made on demand.
pub(crate) struct MadeUp {
    kinds: Vec<(&'static Check, usize)>,
}

impl MadeUp {
    /// Returns `count` findings.
    pub(crate) fn new(count: usize) -> Self {
        let mut kinds: Vec<(&'static Check, usize)> =
            KINDS.iter().filter_map(|(code, share)| Some((checks::named(code)?, count * share / 100))).collect();
        let made: usize = kinds.iter().map(|(_, many)| many).sum();
        kinds.extend(checks::named("noindex").map(|check| (check, count - made)));
        kinds.retain(|(_, many)| *many > 0);
        kinds.sort_by_key(|(check, _)| (check.severity, rank(check)));
        Self { kinds }
    }

    /// Returns each kind with its count.
    pub(crate) fn tallies(&self) -> Vec<Tally> {
        let tally = |&(check, many): &(&'static Check, usize)| {
            let count = many as u64;
            Tally {
                check,
                severity: check.severity,
                count,
                accepted: count / 20,
                affected: count - count / 20,
                new_or_regressed: count / 7,
                regressed: 0,
                fixed: count / 11,
            }
        };
        let mut tallies: Vec<Tally> = self.kinds.iter().map(tally).collect();
        tallies.sort_by_key(|tally| rank(tally.check));
        tallies
    }
}

impl RenderedFindings for MadeUp {
    fn len(&self) -> usize {
        self.kinds.iter().map(|(_, many)| many).sum()
    }

    fn each(&self, take: &mut dyn FnMut(&RenderedFinding) -> io::Result<()>) -> io::Result<()> {
        self.kinds.iter().try_for_each(|(check, many)| (0..*many).try_for_each(|number| take(&item(check, number))))
    }
}

/// Returns the place of a check in the order of reports.
fn rank(check: &Check) -> Option<usize> {
    checks::all().iter().position(|one| *one == check)
}

fn url(number: usize) -> String {
    let folder = FOLDERS.iter().cycle().nth(number % 7919).copied().unwrap_or("docs");
    format!("https://www.site.test/{folder}/{}/a-page-with-a-name-{number}.html", number % 31)
}

fn item(check: &'static Check, number: usize) -> RenderedFinding {
    let referrers = (1..=3).map(|step| Referrer {
        url: url(number * 7 + step),
        anchor: format!("Read on in part {step}"),
        region: if step == 1 { Region::Nav } else { Region::Main },
        nofollow: number % 11 == step,
    });
    let redirects = matches!(check.code, "redirect-link" | "redirect-chain");
    RenderedFinding {
        check,
        severity: check.severity,
        state: [State::New, State::Persisting, State::Persisting, State::Persisting, State::Regressed]
            .into_iter()
            .nth(number % 5)
            .unwrap_or(State::New),
        accepted: number % 20 == 19,
        subject: subject(check.code, number),
        message: format!("{} This is number {number}.", check.reason),
        linked_from: referrers.collect(),
        linked_from_count: Some(3 + (number as u64 * number as u64) % 977),
        chain: if redirects { vec![url(number + 1), url(number + 2)] } else { Vec::new() },
        target: redirects.then(|| url(number + 2)),
        sitemaps: if number.is_multiple_of(3) {
            vec!["https://www.site.test/sitemap.xml".to_owned()]
        } else {
            Vec::new()
        },
        entrances: Vec::new(),
        examples: if check.code == "trap-calendar" {
            (0..4).map(|step| url(number + step)).collect()
        } else {
            Vec::new()
        },
    }
}

/// Returns the findings that are fixed.
fn fixed(check: &'static Check) -> impl Iterator<Item = Fixed> {
    (0..40).map(move |number| Fixed { check, subject: url(number * 13) })
}

/// Returns as many URLs, of which every seventh is left out and every hundredth is missing.
fn urls(count: usize) -> UrlTable {
    let row = |number: usize| {
        let is_missing = number % 100 == 99;
        let reason = (number % 7 == 3).then_some(Reason::Duplicate).or(is_missing.then_some(Reason::HttpError));
        UrlRow {
            id: u32::try_from(number).unwrap_or(u32::MAX),
            url: url(number),
            reason,
            evidence: (reason == Some(Reason::Duplicate)).then(|| url(number + 1)),
            status: Some(if is_missing { 404 } else { 200 }),
            failure: None,
            total_ms: Some((number * 37 % 1_900) as u64),
            title: Some(format!("Page {number} of a large site")),
            depth: Some((number % 9) as u32),
            inlinks: (number * 13 % 500) as u64,
            lastmod: reason.is_none().then(|| format!("2026-05-{:02}", number % 28 + 1)),
        }
    };
    let rows: Vec<UrlRow> = (0..count).map(row).collect();
    let with = |reason| rows.iter().filter(|row| row.reason == reason).count() as u64;
    let by_reason = [None, Some(Reason::Duplicate), Some(Reason::HttpError)].map(|reason| (reason, with(reason)));
    UrlTable { rows, by_reason: by_reason.into(), scripts: Vec::new() }
}

fn subject(code: &str, number: usize) -> Subject {
    match code {
        "dup-title" => Subject::Urls((0..3).map(|step| url(number * 3 + step)).collect()),
        "trap-calendar" => Subject::Pattern(format!("https://www.site.test/events/{number}/*/…")),
        _ => Subject::Url(url(number)),
    }
}

/// The data of a report of these findings.
pub(crate) struct Audit {
    items: MadeUp,
    tallies: Vec<Tally>,
    run: AuditedRun,
    figures: Figures,
    fixed: Vec<Fixed>,
    notes: Vec<String>,
    urls: UrlTable,
}

impl Audit {
    /// Returns an audit with `count` findings.
    ///
    /// # Errors
    /// Never, because the only time in it is well-formed.
    pub(crate) fn new(count: usize) -> Result<Self, jiff::Error> {
        let items = MadeUp::new(count);
        let started: jiff::Timestamp = "2026-05-24T03:02:01Z".parse()?;
        Ok(Self {
            tallies: items.tallies(),
            figures: figures(&items.tallies(), started)?,
            items,
            run: AuditedRun { number: 24, starts: vec!["https://www.site.test/".to_owned()], started, complete: true },
            fixed: checks::named("http-4xx").into_iter().flat_map(fixed).collect(),
            notes: vec!["Links to other sites were not checked: --check-external does.".to_owned()],
            urls: urls(count),
        })
    }

    /// Returns its report.
    pub(crate) fn report(&self) -> Report<'_> {
        Report {
            run: &self.run,
            figures: &self.figures,
            tallies: &self.tallies,
            items: &self.items,
            fixed: &self.fixed,
            urls: &self.urls,
            parameters: &[],
            notes: &self.notes,
        }
    }
}

fn bars(of: &[(&str, u64)]) -> Vec<Bar> {
    of.iter().map(|(label, count)| Bar { label: (*label).to_owned(), count: *count }).collect()
}

fn folder(path: &str, urls: u64, ill: (u64, u64), folders: Vec<SiteFolder>) -> SiteFolder {
    SiteFolder { path: format!("https://www.site.test/{path}"), urls, errors: ill.0, warnings: ill.1, folders }
}

fn folders() -> Vec<SiteFolder> {
    let archive = vec![
        folder("shop/archive/", 21_000, (4_900, 2_000), Vec::new()),
        folder("shop/new/", 8_000, (90, 300), Vec::new()),
    ];
    let versions =
        (1..=9).map(|n| folder(&format!("docs/v{n}/"), 5_200 - n * 400, (n * 12, n * 9), Vec::new())).collect();
    let site = vec![
        folder("docs/", 42_000, (600, 900), versions),
        folder("shop/", 36_000, (5_100, 2_600), archive),
        folder("blog/", 23_000, (0, 800), Vec::new()),
        folder("wiki/", 19_000, (260, 0), Vec::new()),
        folder("news/", 14_000, (0, 0), Vec::new()),
        folder("events/", 9_000, (1_200, 40), Vec::new()),
        folder("help/", 6_000, (0, 0), Vec::new()),
        folder("people/", 4_000, (30, 20), Vec::new()),
        folder("media/", 3_000, (0, 12), Vec::new()),
        folder("jobs/", 900, (0, 0), Vec::new()),
    ];
    vec![folder("", 160_000, (7_200, 4_500), site)]
}

fn figures(tallies: &[Tally], started: jiff::Timestamp) -> Result<Figures, jiff::Error> {
    let count =
        |severity| tallies.iter().filter(|tally| tally.severity == severity).map(|tally| tally.count).sum::<u64>();
    let now = Severity::ALL.map(count);
    let past = |run: i64| {
        let day = started.checked_sub(jiff::SignedDuration::from_hours(24 * (24 - run)))?;
        let [errors, warnings, notices] =
            now.map(|count| count + count * (24 - run).unsigned_abs() * (3 + run.unsigned_abs() % 3) / 90);
        Ok(PastAudit { run, started: day, errors, warnings, notices })
    };
    Ok(Figures {
        funnel: Funnel {
            discovered: 212_340,
            fetched: 160_000,
            indexable: 131_200,
            listed: 120_004,
            in_sitemap: 98_412,
        },
        statuses: bars(&[
            ("200", 141_300),
            ("301", 7_200),
            ("302", 410),
            ("404", 9_000),
            ("410", 90),
            ("500", 1_900),
            ("no answer", 100),
            ("not requested", 52_340),
        ]),
        depths: bars(&[
            ("0", 1),
            ("1", 140),
            ("2", 2_310),
            ("3", 31_200),
            ("4", 62_000),
            ("5", 41_000),
            ("6", 9_200),
            ("7", 800),
            ("8", 61),
            ("9", 4),
        ]),
        times: bars(&[
            ("< 50 ms", 12_000),
            ("< 100 ms", 81_000),
            ("< 200 ms", 42_100),
            ("< 500 ms", 16_000),
            ("< 1 s", 5_900),
            ("< 2 s", 2_100),
            ("< 5 s", 700),
            ("≥ 5 s", 100),
        ]),
        folders: folders(),
        common: Vec::new(),
        history: (1..=24).map(past).collect::<Result<_, jiff::Error>>()?,
    })
}
