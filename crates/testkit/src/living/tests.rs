//! The pages show exactly the predicted facts.
#![allow(clippy::unwrap_used, reason = "helpers fail the test by panicking; the lint knows test functions alone")]

use std::collections::{BTreeMap, BTreeSet};

use super::answers::Answers;
use super::page::State;
use super::render::Rendering;
use super::section::{SECTIONS, Section};
use super::world::World;
use super::{Day, DayKind, LEARNING, LivingSite, dates};
use crate::request::ReceivedRequest;

const SEED: u64 = 11;
const PAGES: usize = 300;

#[test]
fn the_seed_alone_decides() {
    let year = LivingSite::truth(SEED, PAGES, 40);
    assert!(year == LivingSite::truth(SEED, PAGES, 40));
    assert!(year != LivingSite::truth(SEED + 1, PAGES, 40));
}

#[test]
fn texts_change_where_the_truth_says_so_and_nowhere_else() {
    let mut world = World::new(SEED, PAGES);
    world.next_day();
    for _ in 2..=100 {
        let before = world.clone();
        let day = world.next_day();
        let reported: BTreeSet<&String> = day.changed.union(&day.flipped).collect();
        for (path, page) in &before.pages {
            let now = world.pages.get(path).unwrap();
            assert_eq!(page.text != now.text, reported.contains(path), "day {}: {path}", day.number);
            assert!(page.section == now.section && page.title == now.title, "{path}");
        }
    }
}

#[test]
fn bytes_change_where_the_truth_says_so_and_nowhere_else() {
    let mut world = World::new(SEED, PAGES);
    world.next_day();
    for _ in 2..=60 {
        let before = shown(&world);
        let day = world.next_day();
        let all: BTreeSet<String> = [&day.changed, &day.flipped, &day.boilerplate, &day.hidden, &day.loose]
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        for (path, html) in shown(&world) {
            let Some(old) = before.get(&path) else { continue };
            let expected = day.kind == DayKind::Deploy || all.contains(&path);
            // The bytes of a page with noindex in the response head, or still with noindex, do not change.
            let may = day.hidden.contains(&path);
            assert!(may || (*old != html) == expected, "day {} ({:?}): {path}", day.number, day.kind);
        }
    }
}

#[test]
fn most_of_what_differs_is_no_change() {
    let year = LivingSite::truth(SEED, PAGES, 365);
    let sum = |of: fn(&Day) -> usize| year.iter().map(of).sum::<usize>();
    let (listed, changed) = (sum(|day| day.listed.len()), sum(|day| day.changed.len()));
    let boilerplate = sum(|day| day.boilerplate.len());
    assert!((8..=20).contains(&(changed * 1_000 / listed)), "{changed} of {listed} changed");
    assert!((150..=230).contains(&(boilerplate * 1_000 / listed)), "{boilerplate} of {listed}");
    assert!(sum(|day| day.flipped.len()) > 200 && sum(|day| day.moved.len()) > 80);
    assert!(sum(|day| day.failing.len()) > 120 && sum(|day| day.hidden.len()) > 120);
    let last = year.last().unwrap().listed.len();
    assert!((PAGES - 40..=PAGES + 40).contains(&last), "{last} pages in the end");
}

#[test]
fn nothing_happens_before_a_quiet_run() {
    let year = LivingSite::truth(SEED, PAGES, 100);
    let quiet: Vec<&Day> = year.iter().filter(|day| day.kind == DayKind::Quiet).collect();
    assert!(quiet.len() > 7);
    for day in quiet {
        let sets = [&day.changed, &day.flipped, &day.boilerplate, &day.added, &day.removed, &day.failing];
        assert!(sets.iter().all(|set| set.is_empty()) && day.loose.is_empty(), "{day:?}");
    }
}

#[test]
fn every_page_is_young_for_the_learning_period() {
    let year = LivingSite::truth(SEED, PAGES, 4);
    let young: Vec<usize> = year.iter().map(|day| day.young.len()).collect();
    assert!(young.iter().take(LEARNING as usize).all(|count| *count >= PAGES), "{young:?}");
    assert!(young.last().is_some_and(|count| *count < 10), "{young:?}");
}

#[test]
fn pages_answer_as_the_truth_says() {
    let mut answers = Answers::of(World::new(SEED, PAGES));
    for number in 0..40 {
        answers.instants.push(1_800_000_000 + 10 * number);
        let day = answers.world.next_day();
        let paths: Vec<(String, State)> =
            answers.world.pages.values().map(|page| (page.path.clone(), page.state.clone())).collect();
        for (path, state) in paths {
            let answer = ask(&mut answers, &path, "");
            let expected = match state {
                State::Gone(status) => status,
                State::Moved(_) => 301,
                State::Here if day.failing.contains(&path) => 503,
                State::Here => 200,
            };
            assert!(answer.starts_with(&format!("HTTP/1.1 {expected} ")), "day {}: {path}: {answer}", day.number);
            let noindex = answer.to_lowercase().contains("noindex");
            assert_eq!(expected == 200 && !noindex, day.listed.contains(&path) && expected != 503, "{path}");
        }
    }
}

#[test]
fn in_a_quiet_run_sections_with_304_send_nothing_again() {
    let mut answers = Answers::of(World::new(SEED, PAGES));
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for number in 1..=6 {
        answers.instants.push(1_800_000_000 + 10 * number);
        let day = answers.world.next_day();
        for path in day.listed.difference(&day.failing) {
            let section = answers.world.pages.get(path).unwrap().section;
            let validators = known.get(path).cloned().unwrap_or_default();
            let answer = ask(&mut answers, path, &validators);
            if day.kind == DayKind::Quiet {
                let spared = answer.starts_with("HTTP/1.1 304");
                assert_eq!(spared, section.answers_304(), "{path} with {validators}: {answer}");
            }
            known.insert(path.clone(), validators_of(&answer));
        }
    }
}

#[test]
fn there_are_sections_of_every_habit() {
    let count = |fits: fn(&Section) -> bool| SECTIONS.iter().filter(|section| fits(section)).count();
    assert_eq!(count(Section::answers_304), 7);
    assert!(count(Section::shows_every_byte) > 3 && count(|section| section.gzip) > 2);
}

#[test]
fn dates_are_written_and_read() {
    assert_eq!(dates::http_date(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT");
    assert_eq!(dates::w3c(784_111_777), "1994-11-06T08:49:37Z");
    assert_eq!(dates::w3c_east(784_111_777, 2), "1994-11-06T10:49:37+02:00");
    for second in [0, 951_782_400, 1_709_164_800, 1_735_689_599, 4_107_542_399] {
        assert_eq!(dates::read_http_date(&dates::http_date(second)), Some(second));
        assert_eq!(dates::instant(&dates::w3c(second)), Some(second * 1_000));
        assert_eq!(dates::instant(&dates::w3c_east(second, 2)), Some(second * 1_000));
    }
    assert_eq!(dates::instant("2024-02-29"), Some(1_709_164_800_000));
    assert_eq!(dates::instant("2024-02-29T00:00:00.25-01:30"), Some(1_709_170_200_250));
    assert!(["", "never", "2024", "2024-02-29T", "2024-02-29T10:00"].iter().all(|text| dates::instant(text).is_none()));
}

/// Renders each existing page, the same in a quiet run as in the previous one.
fn shown(world: &World) -> BTreeMap<String, String> {
    let here = world.pages.values().filter(|page| page.state == State::Here);
    here.map(|page| {
        (page.path.clone(), Rendering { world, page, at: page.changed_in.into(), fetch: world.tick }.html())
    })
    .collect()
}

/// Returns the head of the response, and the body if it is not compressed.
fn ask(answers: &mut Answers, path: &str, validators: &str) -> String {
    let head = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1{validators}");
    let request = ReceivedRequest::parse(head.as_bytes(), 1).unwrap();
    String::from_utf8_lossy(&answers.answer(&request).to_bytes()).into_owned()
}

/// The conditional header fields of the next request for a page, from the last response.
fn validators_of(answer: &str) -> String {
    let field = |line: &str| {
        let (name, value) = line.split_once(": ")?;
        match name {
            "ETag" => Some(format!("\r\nIf-None-Match: {value}")),
            "Last-Modified" => Some(format!("\r\nIf-Modified-Since: {value}")),
            _ => None,
        }
    };
    answer.lines().take_while(|line| !line.is_empty()).filter_map(field).collect()
}
