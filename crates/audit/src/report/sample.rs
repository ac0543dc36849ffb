//! Small audits for the tests of the formats: a plain one, and one of a malicious site.

use super::{Fixed, Report, UrlTable};
use crate::check::Check;
use crate::checks::{self, check};
use crate::figures::{AuditedRun, Bar, CommonFinding, Figures, Funnel, PastAudit, SiteFolder, Tally};
use crate::rendered_finding::{Referrer, RenderedFinding, State, Subject};
use crate::scripts_compared::compare;
use crate::site::UrlParameter;
use mapwright_store::UrlRow;
use mapwright_verdict::Reason;
use mapwright_web::PageFacts;
use mapwright_web::page::facts::{BeforeScripts, Region};
use std::collections::BTreeMap;

/// Texts that try to break out of every format.
pub(crate) const HOSTILE: [&str; 14] = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<!--",
    "]]>",
    "=HYPERLINK(\"http://evil.test\")",
    " \t@SUM(A1)",
    "-2+3",
    "a\u{202e}gpj.exe\u{2066}",
    "\u{1b}[31mred\u{0}\r\n::error title=x::y",
    "| cell | `code` | [link](javascript:alert(3)) ![i](http://evil.test/i.png)",
    "\"quoted\" 'single' & &amp;",
    "@octocat #1 www.evil.test http://evil.test/ a@evil.test",
    "```\n# heading\n<details>",
    "%0A%3A, 100%: a,b",
];

/// The data of a report.
pub(crate) struct Sample {
    pub(crate) run: AuditedRun,
    pub(crate) figures: Figures,
    pub(crate) tallies: Vec<Tally>,
    pub(crate) items: Vec<RenderedFinding>,
    pub(crate) fixed: Vec<Fixed>,
    pub(crate) notes: Vec<String>,
    pub(crate) parameters: Vec<UrlParameter>,
    pub(crate) urls: UrlTable,
}

/// A finding without evidence.
pub(crate) fn item(code: &str, subject: Subject) -> RenderedFinding {
    let check = check(code);
    RenderedFinding {
        check,
        severity: check.severity,
        state: State::New,
        accepted: false,
        subject,
        message: check.reason.to_owned(),
        linked_from: Vec::new(),
        linked_from_count: None,
        chain: Vec::new(),
        target: None,
        sitemaps: Vec::new(),
        entrances: Vec::new(),
        examples: Vec::new(),
    }
}

fn url(path: &str) -> Subject {
    Subject::Url(format!("https://site.test{path}"))
}

fn referrer(path: &str, anchor: &str) -> Referrer {
    Referrer {
        url: format!("https://site.test{path}"),
        anchor: anchor.to_owned(),
        region: Region::Main,
        nofollow: false,
    }
}

fn parameter(path: &str, name: &str, role: &'static str) -> UrlParameter {
    UrlParameter {
        host: "site.test".to_owned(),
        pattern: path.to_owned(),
        parameter: name.to_owned(),
        role: role.to_owned(),
        urls: 1_200,
        example: format!("https://site.test{path}?{name}=1"),
        wasted: if role == "sorts" { (1..4).collect() } else { Vec::new() },
        advice: if role == "sorts" { vec![format!("robots.txt: Disallow: {path}?{name}=")] } else { Vec::new() },
    }
}

impl Sample {
    /// Returns an ordinary audit: each kind of subject, state and evidence once.
    pub(crate) fn plain() -> Self {
        let lost = RenderedFinding {
            linked_from: vec![referrer("/", "Lost, and found"), referrer("/news", "lost")],
            linked_from_count: Some(12),
            sitemaps: vec!["https://site.test/sitemap.xml".to_owned()],
            ..item("http-4xx", url("/lost"))
        };
        let chain = RenderedFinding {
            state: State::Persisting,
            chain: vec!["https://site.test/b".to_owned(), "https://site.test/c".to_owned()],
            target: Some("https://site.test/c".to_owned()),
            ..item("redirect-chain", url("/a"))
        };
        let duplicates = vec!["https://site.test/x".to_owned(), "https://site.test/X".to_owned()];
        let items = vec![
            lost,
            RenderedFinding { accepted: true, state: State::Persisting, ..item("http-4xx", url("/known")) },
            RenderedFinding { state: State::Regressed, ..chain },
            item("dup-case", Subject::Urls(duplicates)),
            RenderedFinding {
                examples: vec!["https://site.test/day/1".to_owned()],
                entrances: vec!["https://site.test/days".to_owned()],
                ..item("trap-calendar", Subject::Pattern("https://site.test/day/*/…".to_owned()))
            },
            item("robots-missing", Subject::Site("https://site.test/".to_owned())),
        ];
        Self::of(items)
    }

    /// Returns an audit with every hostile text in every place that a site can fill.
    pub(crate) fn hostile() -> Self {
        let items = HOSTILE.iter().map(|text| RenderedFinding {
            message: format!("The title is {text}."),
            linked_from: vec![Referrer { anchor: (*text).to_owned(), ..referrer(text, text) }],
            linked_from_count: Some(1),
            chain: vec![(*text).to_owned()],
            target: Some((*text).to_owned()),
            sitemaps: vec![(*text).to_owned()],
            examples: vec![(*text).to_owned()],
            ..item("http-4xx", Subject::Url((*text).to_owned()))
        });
        let mut sample = Self::of(items.collect());
        sample.notes = HOSTILE.iter().map(|text| (*text).to_owned()).collect();
        sample.run.starts = vec![HOSTILE.concat()];
        sample.fixed = vec![Fixed { check: check("dup-title"), subject: HOSTILE.concat() }];
        let folder = SiteFolder { path: HOSTILE.concat(), urls: 3, errors: 1, warnings: 1, folders: Vec::new() };
        sample.figures.folders = vec![folder];
        for common in &mut sample.figures.common {
            (common.pattern, common.examples) = (Some(HOSTILE.concat()), vec![HOSTILE.concat()]);
        }
        sample.parameters =
            vec![UrlParameter { pattern: HOSTILE.concat(), ..parameter("", &HOSTILE.concat(), "sorts") }];
        sample.figures.statuses = vec![Bar { label: HOSTILE.concat(), count: 3 }];
        let text = || Some(HOSTILE.concat());
        let hostile = |row: &UrlRow| UrlRow {
            url: HOSTILE.concat(),
            title: text(),
            evidence: text(),
            lastmod: text(),
            ..row.clone()
        };
        sample.urls.rows = sample.urls.rows.iter().map(hostile).collect();
        sample
    }

    /// Returns an audit with these findings.
    pub(crate) fn of(items: Vec<RenderedFinding>) -> Self {
        let fixed = vec![Fixed { check: check("dead-end"), subject: "https://site.test/end".to_owned() }];
        let starts = vec!["https://site.test/".to_owned()];
        Self {
            run: AuditedRun { number: 3, starts, started: "2026-05-04T03:02:01Z".parse().unwrap(), complete: true },
            figures: figures(),
            tallies: tallies(&items, &fixed),
            items,
            fixed,
            notes: vec!["Links to other sites were not checked: --check-external does.".to_owned()],
            urls: urls(),
            parameters: vec![parameter("/list", "sort", "sorts"), parameter("/news", "id", "specifies")],
        }
    }

    pub(crate) fn report(&self) -> Report<'_> {
        Report {
            run: &self.run,
            figures: &self.figures,
            tallies: &self.tallies,
            items: &self.items,
            fixed: &self.fixed,
            notes: &self.notes,
            urls: &self.urls,
            parameters: &self.parameters,
        }
    }
}

fn urls() -> UrlTable {
    let listed = UrlRow {
        id: 1,
        url: "https://site.test/".to_owned(),
        reason: None,
        evidence: None,
        status: Some(200),
        failure: None,
        total_ms: Some(120),
        title: Some("Home".to_owned()),
        depth: Some(0),
        inlinks: 12,
        lastmod: Some("2026-05-01".to_owned()),
    };
    let copy = UrlRow {
        id: 2,
        url: "https://site.test/index.html".to_owned(),
        reason: Some(Reason::Duplicate),
        evidence: Some(listed.url.clone()),
        depth: Some(1),
        lastmod: None,
        ..listed.clone()
    };
    let never = UrlRow {
        id: 3,
        url: "https://site.test/private".to_owned(),
        reason: Some(Reason::Robots),
        evidence: None,
        status: None,
        total_ms: None,
        title: None,
        ..copy.clone()
    };
    let by_reason = vec![(None, 1), (Some(Reason::Duplicate), 1), (Some(Reason::Robots), 1)];
    let before = BeforeScripts { title: Some("App".to_owned()), ..BeforeScripts::default() };
    let after = PageFacts { title: listed.title.clone(), ..PageFacts::default() };
    let scripts = vec![(0, compare(&before, &after))];
    UrlTable { rows: vec![listed, copy, never], by_reason, scripts }
}

fn tallies(items: &[RenderedFinding], fixed: &[Fixed]) -> Vec<Tally> {
    let mut by_code: BTreeMap<&'static Check, Tally> = BTreeMap::new();
    let none = |check: &'static Check| Tally {
        check,
        severity: check.severity,
        count: 0,
        accepted: 0,
        affected: 0,
        new_or_regressed: 0,
        regressed: 0,
        fixed: 0,
    };
    for item in items {
        let tally = by_code.entry(item.check).or_insert_with(|| none(item.check));
        tally.count += 1;
        tally.accepted += u64::from(item.accepted);
        tally.affected += u64::from(!item.accepted);
        tally.new_or_regressed += u64::from(item.state != State::Persisting);
        tally.regressed += u64::from(item.state == State::Regressed);
    }
    for gone in fixed {
        by_code.entry(gone.check).or_insert_with(|| none(gone.check)).fixed += 1;
    }
    let mut tallies: Vec<Tally> = by_code.into_values().collect();
    tallies.sort_by_key(|tally| checks::rank(tally.check));
    tallies
}

fn bars(of: &[(&str, u64)]) -> Vec<Bar> {
    of.iter().map(|(label, count)| Bar { label: (*label).to_owned(), count: *count }).collect()
}

fn figures() -> Figures {
    let below =
        SiteFolder { path: "https://site.test/day/".into(), urls: 40, errors: 0, warnings: 8, folders: Vec::new() };
    let past = |run, errors, day: &str| PastAudit {
        run,
        started: format!("{day}T03:02:01Z").parse().unwrap(),
        errors,
        warnings: 2,
        notices: 1,
    };
    Figures {
        funnel: Funnel { discovered: 120, fetched: 100, indexable: 80, listed: 70, in_sitemap: 60 },
        statuses: bars(&[("200", 90), ("301", 6), ("404", 3), ("no answer", 1)]),
        depths: bars(&[("0", 1), ("1", 30), ("2", 69)]),
        times: bars(&[("< 50 ms", 70), ("< 100 ms", 20), ("≥ 1 s", 10)]),
        folders: vec![SiteFolder {
            path: "https://site.test/".into(),
            urls: 100,
            errors: 4,
            warnings: 9,
            folders: vec![below],
        }],
        common: vec![CommonFinding {
            check: check("desc-missing"),
            pattern: Some("https://site.test/day/*".to_owned()),
            patterns: 3,
            affected: 38,
            pages: 40,
            examples: vec!["https://site.test/day/1".to_owned()],
        }],
        history: vec![past(1, 5, "2026-05-02"), past(2, 2, "2026-05-03"), past(3, 2, "2026-05-04")],
    }
}
