//! The labels are complete and do not contradict each other.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpStream;

use super::{CODES, FAMILIES, LabelSubject, LabelledSite, ReportedFinding};

fn all() -> Vec<LabelledSite> {
    FAMILIES.iter().flat_map(|family| (family.open)()).collect()
}

/// Codes that are derived from many pages of a site and by default options only, for which the end-to-end tests of URL
/// parameters have sites of their own; and one that only a site over https has.
const ELSEWHERE: [&str; 4] = ["param-session", "param-sort", "param-no-effect", "mixed-content"];

#[test]
fn every_code_has_a_page_that_has_it_and_a_look_alike_that_has_not() {
    let sites = all();
    let labelled: BTreeSet<&str> = sites.iter().flat_map(LabelledSite::labels).map(|label| label.code).collect();
    let expect_not: BTreeSet<&str> = sites.iter().flat_map(LabelledSite::look_alikes).map(|look| look.code).collect();
    let here = || CODES.iter().copied().filter(|code| !ELSEWHERE.contains(code));
    let without = |known: &BTreeSet<&str>| here().filter(|code| !known.contains(code)).collect();
    let (no_label, no_look_alike): (Vec<&str>, Vec<&str>) = (without(&labelled), without(&expect_not));
    assert!(no_label.is_empty(), "no page has {no_label:?}");
    assert!(no_look_alike.is_empty(), "nothing looks like {no_look_alike:?}");
}

#[test]
fn a_site_speaks_of_what_it_is_about() {
    for site in all() {
        let unknown: Vec<_> = site.about().iter().filter(|code| !CODES.contains(code)).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", site.name());
        let codes = site.labels().iter().map(|label| label.code).chain(site.look_alikes().iter().map(|look| look.code));
        let others: Vec<_> = codes.filter(|code| !site.about().contains(code)).collect();
        assert!(others.is_empty(), "{}: {others:?}", site.name());
    }
}

#[test]
fn no_look_alike_is_labelled() {
    for site in all() {
        for look in site.look_alikes() {
            let label = site.labels().iter().find(|label| label.code == look.code && label.fits(&look.subject));
            assert!(label.is_none(), "{}: {} {}", site.name(), look.code, look.subject);
        }
    }
}

#[test]
fn no_label_stands_twice() {
    for site in all() {
        let labels: Vec<_> = site.labels().iter().map(|label| (label.code, label.to_string())).collect();
        let distinct: BTreeSet<_> = labels.iter().collect();
        assert_eq!(distinct.len(), labels.len(), "{}: {labels:#?}", site.name());
    }
}

#[test]
fn names_are_unique() {
    let names: Vec<_> = all().iter().map(LabelledSite::name).collect();
    let distinct: BTreeSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
}

#[test]
fn a_comparison_reports_missing_and_surplus_findings() {
    let site = super::what_if::sites().remove(0);
    let finding =
        |code: &str, path: &str| ReportedFinding { code: code.to_owned(), subject: LabelSubject::Url(site.url(path)) };
    let found = [
        finding("whatif-blocks", "/later/x"),
        finding("whatif-blocks", "/later/kept"),
        finding("whatif-blocks", "/new"),
        finding("noindex", "/later/x"),
    ];
    let rows = site.compare(&found);
    let row = |code: &str| rows.iter().find(|row| row.code == code).unwrap();
    let blocks = row("whatif-blocks");
    assert_eq!((blocks.expected, blocks.found, blocks.missing.len()), (1, 3, 0));
    let kept = format!("{} (a look-alike: a longer rule of the new file allows it)", site.url("/later/kept"));
    assert_eq!(blocks.surplus, [kept, site.url("/new")]);
    assert_eq!(row("whatif-frees").missing, [site.url("/closed/y")]);
    assert!(!rows.iter().any(|row| row.code == "noindex"), "the site is not about it");
}

#[test]
fn patterns_are_known_by_their_beginning_and_groups_by_their_members() {
    let pattern = |text: &str| LabelSubject::Pattern(text.to_owned());
    assert!(pattern("http://h/cal").fits(&pattern("http://h/cal?month=*")));
    assert!(!pattern("http://h/cal").fits(&pattern("http://h/list?page=*")));
    assert!(!pattern("http://h/cal").fits(&LabelSubject::Url("http://h/cal?month=1".to_owned())));
    let group = |urls: &[&str]| LabelSubject::Urls(urls.iter().map(ToString::to_string).collect());
    assert!(group(&["a", "b"]).fits(&group(&["b", "a"])));
    assert!(!group(&["a", "b"]).fits(&group(&["a", "b", "c"])));
}

/// Returns the site's response for a path, head included.
fn answer(site: &LabelledSite, path: &str) -> String {
    let mut stream = TcpStream::connect(site.server().address()).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: labelled\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn pages_change_between_the_first_run_and_the_second_and_rest_then() {
    let site = all().into_iter().find(|site| site.runs() > 1).unwrap();
    let states: Vec<[String; 4]> = (1..=site.runs())
        .map(|run| {
            site.begin_run(run);
            ["/stale", "/renewed", "/still", "/dated.xml"].map(|path| answer(&site, path))
        })
        .collect();
    let [first, second, third] = states.try_into().unwrap();
    assert_eq!(second, third);
    let changed: Vec<bool> = first.iter().zip(&second).map(|(before, after)| before != after).collect();
    assert_eq!(changed, [true, true, false, true]);
}
