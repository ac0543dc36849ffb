//! The rules of one agent, indexed so that a verdict checks few of them.

use super::form::{self, Side};
use super::grams::GramTable;
use super::pattern::Pattern;
use super::rule::Rule;
use super::starts::StartTable;
use std::cmp::Reverse;
use std::collections::HashSet;

/// The maximum number of rules with wildcards that are checked for one literal prefix; more of them are looked up by
/// grams.
const MAX_AT_A_START: usize = 16;

/// Rules in order of precedence, and a table of them for each form. The lower rank wins.
#[derive(Debug)]
pub(super) struct RuleIndex {
    /// The rule's number in the file's list, by rank.
    numbers: Vec<u32>,
    written: Table,
    /// Only the rules whose pattern differs in this form.
    folded: Table,
}

impl RuleIndex {
    /// Indexes rules, given with their numbers: the most octets first, allow before disallow (RFC 9309 2.2.2), then the
    /// earlier line. Only the first of several rules with one pattern is kept.
    pub(super) fn build<'a>(rules: impl Iterator<Item = (u32, &'a Rule)>) -> Self {
        let mut rules: Vec<(u32, &Rule)> = rules.collect();
        rules.sort_by_key(|(number, rule)| (Reverse(rule.octets), Reverse(rule.allow), *number));
        let mut known = HashSet::with_capacity(rules.len());
        rules.retain(|(_, rule)| known.insert(&rule.patterns));
        let ranked = || (0..).zip(rules.iter().map(|(_, rule)| &rule.patterns));
        let written = ranked().map(|(rank, patterns)| (rank, patterns.written.clone())).collect();
        let folded = ranked().filter_map(|(rank, patterns)| Some((rank, patterns.folded.clone()?))).collect();
        let numbers = rules.iter().map(|(number, _)| *number).collect();
        RuleIndex { numbers, written: Table::build(written), folded: Table::build(folded) }
    }

    /// The number of the rule that decides on `path`, in either form.
    pub(super) fn deciding(&self, path: &[u8]) -> Option<u32> {
        let written = self.written.first(&form::as_written(path, Side::Path));
        let folded = if self.folded.is_empty() { None } else { self.folded.first(&form::folded(path, Side::Path)) };
        let rank = written.into_iter().chain(folded).min()?;
        self.numbers.get(usize::try_from(rank).ok()?).copied()
    }
}

/// Patterns of one form, and two indexes of those that may match a path.
#[derive(Debug)]
struct Table {
    /// Patterns with the ranks of their rules, in order of rank.
    placed: Vec<(Pattern, u32)>,
    starts: StartTable,
    grams: GramTable,
}

impl Table {
    fn build(ranked: Vec<(u32, Pattern)>) -> Self {
        let by_place = (0..).zip(ranked.iter().map(|(_, pattern)| pattern.clone())).collect();
        let mut crowded = Vec::new();
        let starts = StartTable::build(by_place, MAX_AT_A_START, &mut crowded);
        let placed = ranked.into_iter().map(|(rank, pattern)| (pattern, rank)).collect();
        Table { placed, starts, grams: GramTable::build(&crowded) }
    }

    fn is_empty(&self) -> bool {
        self.placed.is_empty()
    }

    /// The rank of the first rule that matches `path`.
    fn first(&self, path: &[u8]) -> Option<u32> {
        let mut best = u32::MAX;
        for places in self.starts.of(path) {
            self.improve(&mut best, places.iter().copied(), path);
        }
        for filed in self.grams.of(path) {
            self.improve(&mut best, filed.iter().map(|(_, place)| *place), path);
        }
        self.placed.get(usize::try_from(best).ok()?).map(|(_, rank)| *rank)
    }

    /// Lowers `best` to the first of the ascending `places` whose pattern matches.
    fn improve(&self, best: &mut u32, places: impl Iterator<Item = u32>, path: &[u8]) {
        let matches = |place: u32| {
            let index = usize::try_from(place).unwrap_or(usize::MAX);
            self.placed.get(index).is_some_and(|(pattern, _)| pattern.matches(path))
        };
        if let Some(place) = places.take_while(|place| place < best).find(|place| matches(*place)) {
            *best = place;
        }
    }
}
