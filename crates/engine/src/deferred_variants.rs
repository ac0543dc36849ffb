//! Variants with a parameter of unknown role, which wait until everything else is read.

use mapwright_model::{Task, UrlId};
use mapwright_traps::ParameterKey;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// Highest number of tasks that wait; further ones are requested at once.
const MAX_DEFERRED: usize = 20_000;
/// Number of variants that are requested first to learn the role of a parameter; each further round doubles it.
const FIRST_ROUND: u32 = 4;
/// Highest number of times that it is doubled.
const MAX_DOUBLED: u32 = 16;

/// Queued URLs with a parameter whose role is not known yet.
///
/// The order of answers decides when a URL is leased. So that it does not decide which variants are compared, they wait
/// until nothing else is left. Then a few variants of each parameter are requested, and so on until its role is known.
#[derive(Debug, Default)]
pub(crate) struct DeferredVariants {
    waiting: Vec<Task>,
    /// Tasks that were chosen for a round, and are not leased again yet.
    chosen: HashSet<UrlId>,
    /// Rounds of variants that were requested, by parameter.
    rounds: HashMap<ParameterKey, u32>,
}

impl DeferredVariants {
    /// Reports whether a task was chosen for a round: it is requested, whatever was learnt since, so that the other
    /// answers of the round do not matter.
    pub(crate) fn is_chosen(&mut self, task: &Task) -> bool {
        task.url_id.is_some_and(|id| self.chosen.remove(&id))
    }

    /// Adds a task, unless too many wait. Returns whether it waits now.
    pub(crate) fn add(&mut self, task: &Task) -> bool {
        let waits = self.waiting.len() < MAX_DEFERRED;
        if waits {
            self.waiting.push(task.clone());
        }
        waits
    }

    /// Takes the tasks whose parameters have a role by now. `unknown` returns the parameters of a URL whose role is not
    /// known.
    pub(crate) fn take_decided(&mut self, unknown: impl Fn(&Task) -> Vec<ParameterKey>) -> Vec<Task> {
        self.waiting.extract_if(.., |task| unknown(task).is_empty()).collect()
    }

    /// Takes the tasks of the next round: some of each parameter, whatever the order in which they were added.
    pub(crate) fn take_round(&mut self, unknown: impl Fn(&Task) -> Vec<ParameterKey>) -> Vec<Task> {
        self.waiting.sort_by_cached_key(|task| {
            let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(task.url.as_str());
            (hash, task.url.as_str().to_owned())
        });
        let mut taken: HashMap<ParameterKey, u32> = HashMap::new();
        let (waiting, rounds) = (&mut self.waiting, &mut self.rounds);
        let round = waiting.extract_if(.., |task| {
            let keys = unknown(task);
            let has_room = |key: &ParameterKey| {
                let round = rounds.get(key).copied().unwrap_or_default();
                taken.get(key).copied().unwrap_or_default() < FIRST_ROUND << round.min(MAX_DOUBLED)
            };
            let goes = keys.iter().any(has_room);
            if goes {
                keys.into_iter().for_each(|key| *taken.entry(key).or_default() += 1);
            }
            goes
        });
        let round: Vec<Task> = round.collect();
        taken.into_keys().for_each(|key| *rounds.entry(key).or_default() += 1);
        self.chosen.extend(round.iter().filter_map(|task| task.url_id));
        round
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_model::{Lane, Purpose};
    use mapwright_traps::{parameters, path_pattern};
    use mapwright_web::{PageUrl, UrlIdentity};

    fn task(n: u32) -> Task {
        let url = PageUrl::parse(&format!("http://a.example/t?t={n}"), &UrlIdentity::default()).unwrap();
        Task::new(n.into(), UrlId(n), url, Purpose::Page, Lane::Link)
    }

    fn keys(task: &Task) -> Vec<ParameterKey> {
        let pattern = path_pattern(&task.url);
        parameters(&task.url)
            .into_iter()
            .map(|parameter| ParameterKey { pattern: pattern.clone(), parameter })
            .collect()
    }

    fn rounds(order: impl Iterator<Item = u32>) -> Vec<Vec<u64>> {
        let mut deferred = DeferredVariants::default();
        order.for_each(|n| assert!(deferred.add(&task(n))));
        let round = || {
            let tasks = deferred.take_round(keys);
            assert!(tasks.iter().all(|task| deferred.is_chosen(task) && !deferred.is_chosen(task)));
            (!tasks.is_empty()).then(|| tasks.iter().map(|task| task.task_id.number()).collect())
        };
        std::iter::from_fn(round).collect()
    }

    #[test]
    fn each_round_is_twice_as_large_and_independent_of_the_order() {
        let forward = rounds(0..40);
        assert_eq!(forward.iter().map(Vec::len).collect::<Vec<_>>(), [4, 8, 16, 12]);
        assert_eq!(forward, rounds((0..40).rev()));
    }

    #[test]
    fn decided_tasks_are_taken_at_once() {
        let mut deferred = DeferredVariants::default();
        (0..40).for_each(|n| assert!(deferred.add(&task(n))));
        let unknown = |task: &Task| if task.task_id.number() < 30 { Vec::new() } else { keys(task) };
        assert_eq!(deferred.take_decided(unknown).len(), 30);
        assert!(deferred.take_decided(unknown).is_empty());
        assert_eq!(deferred.take_round(unknown).len(), 4);
    }

    #[test]
    fn too_many_do_not_wait() {
        let mut deferred = DeferredVariants::default();
        let task = task(1);
        assert!((0..MAX_DEFERRED).all(|_| deferred.add(&task)));
        assert!(!deferred.add(&task));
    }
}
