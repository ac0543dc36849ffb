//! The rules of one agent, arranged so that a verdict looks at few of them.

use super::build::Rule;
use super::grams::GramTable;
use super::pattern::Pattern;
use super::starts::StartTable;
use std::cmp::Reverse;
use std::collections::HashSet;

/// Most rules with wildcards that are tried for one literal start; more of them are looked up by grams.
const MOST_AT_A_START: usize = 16;

/// Rules in order of precedence, and two tables into it.
#[derive(Debug)]
pub(super) struct RuleIndex {
    /// By rank: pattern, and the rule's number in the file's list. The lower rank wins.
    ranked: Vec<(Pattern, u32)>,
    starts: StartTable,
    grams: GramTable,
}

impl RuleIndex {
    /// Arranges rules, given with their numbers: the most octets first, allow before disallow (RFC 9309 2.2.2), then the
    /// earlier line. Of rules with one pattern only the first is kept.
    pub(super) fn build<'a>(rules: impl Iterator<Item = (u32, &'a Rule)>) -> Self {
        let mut rules: Vec<(u32, &Rule)> = rules.collect();
        rules.sort_by_key(|(number, rule)| (Reverse(rule.octets), Reverse(rule.allow), *number));
        let mut known = HashSet::with_capacity(rules.len());
        let ranked: Vec<(Pattern, u32)> = rules
            .into_iter()
            .filter(|(_, rule)| known.insert(&rule.pattern))
            .map(|(number, rule)| (rule.pattern.clone(), number))
            .collect();
        let by_rank = (0..).zip(ranked.iter().map(|(pattern, _)| pattern.clone())).collect();
        let mut crowded = Vec::new();
        let starts = StartTable::build(by_rank, MOST_AT_A_START, &mut crowded);
        RuleIndex { ranked, starts, grams: GramTable::build(&crowded) }
    }

    /// The number of the rule that decides on `path`, which is in normal form.
    pub(super) fn deciding(&self, path: &[u8]) -> Option<u32> {
        let mut best = u32::MAX;
        for ranks in self.starts.of(path) {
            self.improve(&mut best, ranks.iter().copied(), path);
        }
        for filed in self.grams.of(path) {
            self.improve(&mut best, filed.iter().map(|(_, rank)| *rank), path);
        }
        self.ranked.get(usize::try_from(best).ok()?).map(|(_, number)| *number)
    }

    /// Lowers `best` to the first of the ascending `ranks` whose rule matches.
    fn improve(&self, best: &mut u32, ranks: impl Iterator<Item = u32>, path: &[u8]) {
        let matches = |rank: u32| {
            let index = usize::try_from(rank).unwrap_or(usize::MAX);
            self.ranked.get(index).is_some_and(|(pattern, _)| pattern.matches(path))
        };
        if let Some(rank) = ranks.take_while(|rank| rank < best).find(|rank| matches(*rank)) {
            *best = rank;
        }
    }
}
