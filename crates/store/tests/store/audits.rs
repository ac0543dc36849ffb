//! The history of findings over the audits of one record.

use crate::crawled::ReadRecord;
use mapwright_store::{FindingRow, Record, Retention, StoredHistory};
use mapwright_testcrawl::{Crawled, Web};
use std::collections::BTreeMap;

/// A finding whose code is derived from its key.
fn finding(key: i64) -> FindingRow {
    FindingRow { key, code: format!("code-{key}"), url: None, subject: Some(format!("subject {key}")) }
}

/// A record that is crawled and audited several times.
struct Audited {
    crawled: Crawled,
    site: Web,
}

impl Audited {
    /// Crawls the site once, without an audit.
    fn begin() -> Self {
        let site = Web::default().links("/", &["/a"]).links("/a", &[]);
        Self { crawled: site.crawled(), site }
    }

    /// Audits the newest run with these findings.
    fn finds(&mut self, keys: &[i64]) -> &mut Self {
        self.note(true, keys)
    }

    /// Audits the newest run as interrupted, with these findings.
    fn is_cut_and_finds(&mut self, keys: &[i64]) -> &mut Self {
        self.note(false, keys)
    }

    fn note(&mut self, complete: bool, keys: &[i64]) -> &mut Self {
        let counts = [keys.len() as u64, 0, 0];
        self.crawled.record_mut().note_audit(complete, counts, keys.iter().map(|key| finding(*key)), &[]).unwrap();
        self
    }

    /// Crawls the site again.
    fn then(&mut self) -> &mut Self {
        self.crawled.again(&self.site);
        self
    }

    fn record(&self) -> &Record {
        self.crawled.record()
    }

    /// The history of a finding: since, last, before.
    fn life(&self, key: i64) -> Option<(i64, i64, i64)> {
        self.record()
            .finding_histories()
            .unwrap()
            .get(&key)
            .map(|StoredHistory { since, last, before }| (*since, *last, *before))
    }

    /// The findings of the newest complete audit before this run that this run does not have.
    fn gone(&self) -> Vec<String> {
        let (before, run) = (self.record().audit_before().unwrap(), self.record().run());
        let mut gone = Vec::new();
        self.record().each_finding(before..run, |_, _, subject| gone.push(subject.to_owned())).unwrap();
        gone
    }
}

#[test]
fn a_finding_is_new_then_persists_then_is_fixed() {
    let mut audited = Audited::begin();
    audited.finds(&[1, 2]);
    assert_eq!(audited.life(1), Some((1, 1, 0)));
    audited.then().finds(&[1]);
    assert_eq!(audited.life(1), Some((1, 2, 0)), "it persists");
    assert_eq!(audited.gone(), ["subject 2"]);
    audited.then().finds(&[1]);
    assert_eq!(audited.gone(), [""; 0], "what was gone before is reported once");
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
fn the_same_run_audited_again_gives_the_same_history() {
    let mut audited = Audited::begin();
    audited.finds(&[1, 2]).then().finds(&[2]).then().finds(&[1, 2, 3]);
    let finding_histories = sorted(audited.record());
    assert_eq!(finding_histories[&1], (3, 3, 1));
    for _ in 0..3 {
        audited.finds(&[1, 2, 3]);
        assert_eq!(sorted(audited.record()), finding_histories);
    }
    assert_eq!(audited.record().audits().unwrap().len(), 3, "one audit for each run");
}

#[test]
fn a_repeated_audit_removes_the_findings_that_it_no_longer_has() {
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
fn an_interrupted_run_fixes_no_finding() {
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
fn a_new_finding_of_an_interrupted_run_persists_in_the_next() {
    let mut audited = Audited::begin();
    audited.finds(&[]).then().is_cut_and_finds(&[5]).then().finds(&[5]);
    assert_eq!(audited.life(5), Some((2, 3, 0)));
    audited.then().finds(&[]);
    assert_eq!(audited.gone(), ["subject 5"]);
}

#[test]
fn a_new_finding_of_an_interrupted_run_that_the_next_does_not_have_is_fixed() {
    let mut audited = Audited::begin();
    audited.finds(&[]).then().is_cut_and_finds(&[5]).then().finds(&[]);
    assert_eq!(audited.gone(), ["subject 5"]);
}

#[test]
fn an_interrupted_run_audited_again_gives_the_same_history() {
    let mut audited = Audited::begin();
    audited.finds(&[1, 2]).then().is_cut_and_finds(&[2, 3]).then().finds(&[1, 2, 3]);
    let finding_histories = sorted(audited.record());
    audited.finds(&[1, 2, 3]);
    assert_eq!(sorted(audited.record()), finding_histories);
}

#[test]
fn an_inconclusive_finding_persists() {
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
fn audits_are_listed_with_their_counts_the_oldest_first() {
    let mut audited = Audited::begin();
    audited.finds(&[1, 2]).then().is_cut_and_finds(&[1]);
    let rows = audited.record().audits().unwrap();
    let reported: Vec<_> = rows.iter().map(|row| (row.run, row.complete, row.counts)).collect();
    assert_eq!(reported, [(1, true, [2, 0, 0]), (2, false, [1, 0, 0])]);
    assert!(rows[0].started > 0 && rows[0].started <= rows[1].started);
}

#[test]
fn a_finding_about_a_url_is_reported_with_its_text() {
    let mut audited = Audited::begin();
    let number = "SELECT id FROM url WHERE text = 'http://example.com/a'";
    let url: u32 = audited.crawled.reader().query_row(number, [], |row| row.get(0)).unwrap();
    let row = FindingRow { key: 7, code: "http-4xx".to_owned(), url: Some(url), subject: None };
    audited.crawled.record_mut().note_audit(true, [1, 0, 0], [row].into_iter(), &[]).unwrap();
    let mut reported = Vec::new();
    let take = |key, code: &str, subject: &str| reported.push((key, code.to_owned(), subject.to_owned()));
    audited.record().each_finding(1..2, take).unwrap();
    assert_eq!(reported, [(7, "http-4xx".to_owned(), "http://example.com/a".to_owned())]);
}

#[test]
fn pruning_removes_only_findings_that_were_fixed_before_the_kept_runs() {
    let mut audited = Audited::begin();
    audited.finds(&[1, 2, 3]).then().finds(&[1, 2]).then().finds(&[1]).then().finds(&[1]);
    audited.crawled.record_mut().prune(&Retention { runs: 3, age: None }).unwrap();
    assert_eq!(audited.life(3), None, "it was last found in the run that is gone");
    assert_eq!(audited.life(2), Some((1, 2, 0)), "it could still regress");
    assert_eq!(audited.life(1), Some((1, 4, 0)));
    assert_eq!(audited.record().audits().unwrap().iter().map(|row| row.run).collect::<Vec<_>>(), [2, 3, 4]);
}

#[test]
fn the_history_of_a_finding_continues_after_pruning() {
    let mut audited = Audited::begin();
    audited.finds(&[1, 2]).then().finds(&[1]).then().finds(&[1]);
    audited.crawled.record_mut().prune(&Retention { runs: 2, age: None }).unwrap();
    audited.then().finds(&[1]);
    assert_eq!(audited.life(1), Some((1, 4, 0)), "since a run that is not kept any more");
    assert_eq!(audited.record().audit_before().unwrap(), 3);
}

#[test]
fn the_audit_that_the_next_is_compared_with_survives_the_pruning_of_its_run() {
    let mut audited = Audited::begin();
    audited.finds(&[1, 2]).then().is_cut_and_finds(&[1]).then().is_cut_and_finds(&[1]).then();
    audited.crawled.record_mut().prune(&Retention { runs: 2, age: None }).unwrap();
    audited.finds(&[1, 2]);
    assert_eq!(audited.life(2), Some((1, 4, 0)), "no complete audit between missed it");
}

fn sorted(record: &Record) -> BTreeMap<i64, (i64, i64, i64)> {
    record
        .finding_histories()
        .unwrap()
        .into_iter()
        .map(|(key, life)| (key, (life.since, life.last, life.before)))
        .collect()
}
