//! The audit reports on each labelled site every finding of its labels, and no other finding of the codes that the site
//! tests. Each test prints a table of code, expected and found.
#![allow(clippy::expect_used, clippy::panic, reason = "helpers fail the test by panicking")]

use std::fmt::Write;
use std::path::Path;

use mapwright_e2e::{Command, Workspace};
use mapwright_testkit::labelled::{CodeResult, FAMILIES, LabelSubject, LabelledSite, ReportedFinding};
use serde_json::Value;

/// A test for each family, named after it.
macro_rules! families {
    ($($test:ident: $name:literal,)*) => {
        $(
            #[test]
            fn $test() {
                assert_finds_what_is_labelled($name);
            }
        )*

        #[test]
        fn every_family_has_a_test() {
            let tested = [$($name),*];
            let untested: Vec<&str> =
                FAMILIES.iter().map(|family| family.name).filter(|name| !tested.contains(name)).collect();
            assert!(untested.is_empty(), "{untested:?}");
        }
    };
}

families! {
    reachability: "reachability",
    answers: "answers",
    silence: "silence",
    bodies: "bodies",
    redirects: "redirects",
    indexability: "indexability",
    canonicals: "canonicals",
    on_page: "on-page",
    sitemap_entries: "sitemap-entries",
    sitemap_files: "sitemap-files",
    lastmods: "lastmods",
    hreflang: "hreflang",
    duplicates: "duplicates",
    traps: "traps",
    complete: "complete",
    external: "external",
    resources: "resources",
    scripts: "scripts",
    what_if: "what-if",
    clean: "clean",
}

/// Audits every site of the family of this name, and prints a table of sites and codes.
#[track_caller]
fn assert_finds_what_is_labelled(family: &str) {
    let Some(family) = FAMILIES.iter().find(|known| known.name == family) else { panic!("no family {family}") };
    let mut table = format!("{:24} {:24} {:>8} {:>6}\n", "site", "code", "expected", "found");
    let mut wrong = 0;
    for site in (family.open)() {
        for row in site.compare(&findings(&site)) {
            write_row(&mut table, site.name(), &row);
            wrong += usize::from(!row.is_right());
        }
    }
    println!("{table}");
    assert!(wrong == 0, "{}: {wrong} rows are not as labelled\n{table}", family.name);
}

fn write_row(table: &mut String, site: &str, row: &CodeResult) {
    let _ = writeln!(table, "{site:24} {:24} {:>8} {:>6}", row.code, row.expected, row.found);
    for missing in &row.missing {
        let _ = writeln!(table, "    missing  {missing}");
    }
    for surplus in &row.surplus {
        let _ = writeln!(table, "    surplus  {surplus}");
    }
}

/// The findings of the audit in the last run of a site.
#[track_caller]
fn findings(site: &LabelledSite) -> Vec<ReportedFinding> {
    let workspace = Workspace::new();
    for run in 1..=site.runs() {
        site.begin_run(run);
        let audit = Command::new(["audit", &site.start()]).within(&workspace);
        let audit = audit.arg("--out").arg(workspace.out()).arg("--state").arg(workspace.state());
        // Findings alone do not change the exit code.
        let _ = audit.args(site.arguments()).run().exited(0);
    }
    read(&workspace.out().join("report.json"))
}

/// The findings of a report.
#[track_caller]
fn read(path: &Path) -> Vec<ReportedFinding> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let report: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let findings = report.get("findings").and_then(Value::as_array).expect("a report has an array of findings");
    findings.iter().map(finding).collect()
}

#[track_caller]
fn finding(value: &Value) -> ReportedFinding {
    let code = value.get("code").and_then(Value::as_str).unwrap_or_else(|| panic!("no code: {value}"));
    ReportedFinding { code: code.to_owned(), subject: subject(value) }
}

/// The only subject of a finding.
#[track_caller]
fn subject(finding: &Value) -> LabelSubject {
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("no text: {finding}")).to_owned();
    let read = |key: &str| {
        let value = finding.get(key)?;
        Some(match key {
            "url" => LabelSubject::Url(text(value)),
            "urls" => LabelSubject::Urls(value.as_array().into_iter().flatten().map(text).collect()),
            "site" => LabelSubject::Site,
            _ => LabelSubject::Pattern(text(value)),
        })
    };
    let subjects: Vec<LabelSubject> = ["url", "urls", "site", "pattern"].into_iter().filter_map(read).collect();
    match <[LabelSubject; 1]>::try_from(subjects) {
        Ok([subject]) => subject,
        Err(subjects) => panic!("one subject, not {}: {finding}", subjects.len()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{LabelSubject, subject};

    #[test]
    fn each_kind_of_subject_is_read() {
        assert_eq!(subject(&json!({"url": "http://h/a"})), LabelSubject::Url("http://h/a".to_owned()));
        let group = ["http://h/a".to_owned(), "http://h/b".to_owned()];
        assert_eq!(subject(&json!({"urls": ["http://h/b", "http://h/a"]})), LabelSubject::Urls(group.into()));
        assert_eq!(subject(&json!({"site": "http://h/"})), LabelSubject::Site);
        assert_eq!(subject(&json!({"pattern": "http://h/c?m=*"})), LabelSubject::Pattern("http://h/c?m=*".to_owned()));
    }

    #[test]
    #[should_panic(expected = "one subject, not 2")]
    fn a_finding_with_two_subjects_is_none() {
        subject(&json!({"url": "http://h/a", "site": "http://h/"}));
    }
}
