//! The life of findings over the audits of one record.

use crate::site::{Crawled, Site};
use mapwright_store::{FindingRow, Life, Record, Retention};
use std::collections::BTreeMap;

/// A finding whose key stands for its code.
fn finding(key: i64) -> FindingRow {
    FindingRow { key, code: format!("code-{key}"), url: None, subject: Some(format!("subject {key}")) }
}

/// A record that is crawled and audited over and over.
struct Audited {
    crawled: Crawled,
    site: Site,
}

impl Audited {
    /// Crawled once, and not audited yet.
    fn begin() -> Self {
        let site = Site::default().links("/", &["/a"]).links("/a", &[]);
        Self { crawled: site.crawled(), site }
    }

    /// The newest run is audited: it found these.
    fn finds(&mut self, keys: &[i64]) -> &mut Self {
        self.note(true, keys)
    }

    /// The newest run was cut: its audit found these.
    fn is_cut_and_finds(&mut self, keys: &[i64]) -> &mut Self {
        self.note(false, keys)
    }

    fn note(&mut self, whole: bool, keys: &[i64]) -> &mut Self {
        let counts = [keys.len() as u64, 0, 0];
        self.crawled.record_mut().note_audit(whole, counts, keys.iter().map(|key| finding(*key)), &[]).unwrap();
        self
    }

    /// One run more.
    fn then(&mut self) -> &mut Self {
        self.crawled.again(&self.site);
        self
    }

    fn record(&self) -> &Record {
        self.crawled.record()
    }

    /// The life of a finding: since, last, before.
    fn life(&self, key: i64) -> Option<(i64, i64, i64)> {
        self.record().lives().unwrap().get(&key).map(|Life { since, last, before }| (*since, *last, *before))
    }

    /// Findings that the newest whole audit before this run made last, and which this run does not make.
    fn gone(&self) -> Vec<String> {
        let (before, run) = (self.record().audit_before().unwrap(), self.record().run());
        let mut gone = Vec::new();
        self.record().each_finding(before..run, |_, _, subject| gone.push(subject.to_owned())).unwrap();
        gone
    }
}

#[test]
fn a_finding_is_new_then_persists_then_is_gone() {
    let mut audited = Audited::begin();
    audited.finds(&[1, 2]);
    assert_eq!(audited.life(1), Some((1, 1, 0)));
    audited.then().finds(&[1]);
    assert_eq!(audited.life(1), Some((1, 2, 0)), "it persists");
    assert_eq!(audited.gone(), ["subject 2"]);
    audited.then().finds(&[1]);
    assert_eq!(audited.gone(), [""; 0], "what was gone before is told once");
    assert_eq!(audited.life(2), Some((1, 1, 0)), "it is remembered");
}

#[test]
fn a_finding_that_comes_back_has_regressed() {
    let mut audited = Audited::begin();
    audited.finds(&[1]).then().finds(&[]).then().finds(&[1]);
    assert_eq!(audited.life(1), Some((3, 3, 1)));
    audited.then().finds(&[1]);
    assert_eq!(audited.life(1), Some((3, 4, 1)), "from now on it persists");
    audited.then().finds(&[]).then().finds(&[1]);
    assert_eq!(audited.life(1), Some((6, 6, 4)), "the last time counts");
}

#[test]
fn the_same_run_audited_again_gives_the_same_lives() {
    let mut audited = Audited::begin();
    audited.finds(&[1, 2]).then().finds(&[2]).then().finds(&[1, 2, 3]);
    let lives = sorted(audited.record());
    assert_eq!(lives[&1], (3, 3, 1));
    for _ in 0..3 {
        audited.finds(&[1, 2, 3]);
        assert_eq!(sorted(audited.record()), lives);
    }
    assert_eq!(audited.record().audits().unwrap().len(), 3, "one audit for each run");
}

#[test]
fn an_audit_done_anew_takes_back_what_it_does_not_find_any_more() {
    let mut audited = Audited::begin();
    audited.finds(&[1]).then().finds(&[2]).then().finds(&[1, 2, 3]);
    audited.finds(&[]);
    let last: Vec<(i64, i64)> = sorted(audited.record()).iter().map(|(key, life)| (*key, life.1)).collect();
    assert_eq!(last, [(1, 1), (2, 2)], "as after the second run");
    audited.finds(&[1, 2, 3]);
    assert_eq!(audited.life(1), Some((3, 3, 1)));
    assert_eq!(audited.life(2), Some((2, 3, 0)));
    assert_eq!(audited.life(3), Some((3, 3, 0)));
}

#[test]
fn a_cut_run_fixes_nothing() {
    let mut audited = Audited::begin();
    audited.finds(&[1, 2]).then().is_cut_and_finds(&[1]);
    assert_eq!(audited.record().audit_before().unwrap(), 1);
    audited.then().finds(&[1, 2]);
    assert_eq!(audited.record().audit_before().unwrap(), 1, "a cut run is nothing to compare with");
    assert_eq!(audited.life(1), Some((1, 3, 0)));
    assert_eq!(audited.life(2), Some((1, 3, 0)), "the cut run did not find it, and it was there all the time");
    assert_eq!(audited.gone(), [""; 0]);
}

#[test]
fn what_a_cut_run_finds_first_is_known_in_the_next() {
    let mut audited = Audited::begin();
    audited.finds(&[]).then().is_cut_and_finds(&[5]).then().finds(&[5]);
    assert_eq!(audited.life(5), Some((2, 3, 0)));
    audited.then().finds(&[]);
    assert_eq!(audited.gone(), ["subject 5"]);
}

#[test]
fn what_a_cut_run_found_first_and_the_next_does_not_is_gone() {
    let mut audited = Audited::begin();
    audited.finds(&[]).then().is_cut_and_finds(&[5]).then().finds(&[]);
    assert_eq!(audited.gone(), ["subject 5"]);
}

#[test]
fn a_cut_run_audited_again_gives_the_same_lives() {
    let mut audited = Audited::begin();
    audited.finds(&[1, 2]).then().is_cut_and_finds(&[2, 3]).then().finds(&[1, 2, 3]);
    let lives = sorted(audited.record());
    audited.finds(&[1, 2, 3]);
    assert_eq!(sorted(audited.record()), lives);
}

#[test]
fn what_could_not_be_judged_is_carried_on() {
    let mut audited = Audited::begin();
    audited.finds(&[1, 2]).then();
    let carry = |audited: &mut Audited| {
        audited.crawled.record_mut().note_audit(true, [1, 0, 0], [finding(1)].into_iter(), &[2]).unwrap();
    };
    carry(&mut audited);
    assert_eq!(audited.life(2), Some((1, 2, 0)));
    assert_eq!(audited.gone(), [""; 0]);
    carry(&mut audited);
    assert_eq!(audited.life(2), Some((1, 2, 0)), "audited again");
    audited.then().finds(&[1, 2]);
    assert_eq!(audited.life(2), Some((1, 3, 0)), "it was there all the time");
    audited.then().finds(&[1]);
    assert_eq!(audited.gone(), ["subject 2"]);
}

#[test]
fn a_run_that_was_not_audited_changes_nothing() {
    let mut audited = Audited::begin();
    audited.finds(&[1]).then().then().finds(&[1]);
    assert_eq!(audited.life(1), Some((1, 3, 0)));
    assert_eq!(audited.record().audits().unwrap().iter().map(|row| row.run).collect::<Vec<_>>(), [1, 3]);
}

#[test]
fn audits_are_told_with_their_counts_the_oldest_first() {
    let mut audited = Audited::begin();
    audited.finds(&[1, 2]).then().is_cut_and_finds(&[1]);
    let rows = audited.record().audits().unwrap();
    let told: Vec<_> = rows.iter().map(|row| (row.run, row.whole, row.counts)).collect();
    assert_eq!(told, [(1, true, [2, 0, 0]), (2, false, [1, 0, 0])]);
    assert!(rows[0].started > 0 && rows[0].started <= rows[1].started);
}

#[test]
fn a_finding_about_a_url_is_told_by_its_text() {
    let mut audited = Audited::begin();
    let number = "SELECT id FROM url WHERE text = 'http://example.com/a'";
    let url: u32 = audited.crawled.reader().query_row(number, [], |row| row.get(0)).unwrap();
    let row = FindingRow { key: 7, code: "http-4xx".to_owned(), url: Some(url), subject: None };
    audited.crawled.record_mut().note_audit(true, [1, 0, 0], [row].into_iter(), &[]).unwrap();
    let mut told = Vec::new();
    let take = |key, code: &str, subject: &str| told.push((key, code.to_owned(), subject.to_owned()));
    audited.record().each_finding(1..2, take).unwrap();
    assert_eq!(told, [(7, "http-4xx".to_owned(), "http://example.com/a".to_owned())]);
}

#[test]
fn pruned_runs_take_only_findings_with_them_that_were_gone_before() {
    let mut audited = Audited::begin();
    audited.finds(&[1, 2, 3]).then().finds(&[1, 2]).then().finds(&[1]).then().finds(&[1]);
    audited.crawled.record_mut().prune(&Retention { runs: 3, age: None }).unwrap();
    assert_eq!(audited.life(3), None, "it was last found in the run that is gone");
    assert_eq!(audited.life(2), Some((1, 2, 0)), "it could still regress");
    assert_eq!(audited.life(1), Some((1, 4, 0)));
    assert_eq!(audited.record().audits().unwrap().iter().map(|row| row.run).collect::<Vec<_>>(), [2, 3, 4]);
}

#[test]
fn after_pruning_the_life_of_a_finding_goes_on() {
    let mut audited = Audited::begin();
    audited.finds(&[1, 2]).then().finds(&[1]).then().finds(&[1]);
    audited.crawled.record_mut().prune(&Retention { runs: 2, age: None }).unwrap();
    audited.then().finds(&[1]);
    assert_eq!(audited.life(1), Some((1, 4, 0)), "since a run that is not kept any more");
    assert_eq!(audited.record().audit_before().unwrap(), 3);
}

#[test]
fn an_audit_to_compare_with_outlives_its_run() {
    let mut audited = Audited::begin();
    audited.finds(&[1, 2]).then().is_cut_and_finds(&[1]).then().is_cut_and_finds(&[1]).then();
    audited.crawled.record_mut().prune(&Retention { runs: 2, age: None }).unwrap();
    audited.finds(&[1, 2]);
    assert_eq!(audited.life(2), Some((1, 4, 0)), "no whole audit between missed it");
}

fn sorted(record: &Record) -> BTreeMap<i64, (i64, i64, i64)> {
    record.lives().unwrap().into_iter().map(|(key, life)| (key, (life.since, life.last, life.before))).collect()
}
