//! The lanes of one origin, with only a window of each in memory.

use mapwright_model::{Lane, Task};
use std::collections::VecDeque;

/// Highest number of tasks of one lane in memory; the others wait in the record.
pub(crate) const WINDOW: usize = 512;
/// Number of tasks in the window below which more are read from the record.
const LOW: usize = 128;

/// One lane: the window, and the count of tasks that wait in the record behind it.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    window: VecDeque<Task>,
    backlog: u64,
    /// Highest task number that has been in the window; the backlog is everything queued beyond it.
    last: u64,
    /// Highest task number that was read from the record: a task may be read there before it is announced.
    read_to: Option<u64>,
    refilling: bool,
    /// Numbers of tasks announced during a read of the record, which the read may or may not include.
    meanwhile: Vec<u64>,
}

impl Queue {
    /// Adds a task that is already in the record.
    pub(crate) fn push(&mut self, task: Task) {
        if self.read_to.is_some_and(|to| task.task_id.number() <= to) {
            return;
        }
        if self.refilling {
            self.meanwhile.push(task.task_id.number());
        } else if self.backlog > 0 || self.window.len() >= WINDOW {
            self.backlog += 1;
        } else {
            self.last = self.last.max(task.task_id.number());
            self.window.push_back(task);
        }
    }

    /// Adds a task that was in the window before.
    pub(crate) fn push_again(&mut self, task: Task) {
        self.window.push_back(task);
    }

    /// Notes that `count` tasks of an interrupted run wait in the record.
    pub(crate) fn add_backlog(&mut self, count: u64) {
        self.backlog += count;
    }

    pub(crate) fn front(&self) -> Option<&Task> {
        self.window.front()
    }

    pub(crate) fn pop(&mut self) -> Option<Task> {
        self.window.pop_front()
    }

    /// Takes the first task for which `wanted` holds, out of turn.
    pub(crate) fn pop_first(&mut self, wanted: impl Fn(&Task) -> bool) -> Option<Task> {
        let at = self.window.iter().position(wanted)?;
        self.window.remove(at)
    }

    pub(crate) fn len(&self) -> u64 {
        self.window.len() as u64 + self.backlog + self.meanwhile.len() as u64
    }

    /// Returns the task number beyond which to read the record, and how many tasks, if more are needed. Marks the read
    /// as under way.
    pub(crate) fn next_refill(&mut self) -> Option<(u64, usize)> {
        if self.backlog == 0 || self.refilling || self.window.len() > LOW {
            return None;
        }
        self.refilling = true;
        Some((self.last, WINDOW - self.window.len()))
    }

    /// Adds the tasks that the record returned; `requested` is the number requested. Fewer tasks mean that the record
    /// holds no more.
    pub(crate) fn refill(&mut self, tasks: Vec<Task>, requested: usize) {
        self.refilling = false;
        let got = tasks.len();
        self.backlog = if got < requested { 0 } else { self.backlog.saturating_sub(got as u64) };
        for task in tasks {
            self.last = self.last.max(task.task_id.number());
            self.window.push_back(task);
        }
        self.read_to = Some(self.last);
        let missed = std::mem::take(&mut self.meanwhile).into_iter().filter(|seq| *seq > self.last);
        self.backlog += missed.count() as u64;
    }
}

/// The lanes of one origin.
#[derive(Debug, Default)]
pub(crate) struct Lanes([Queue; Lane::ALL.len()]);

impl Lanes {
    pub(crate) fn of(&mut self, lane: Lane) -> &mut Queue {
        match lane {
            Lane::Prerequisite => &mut self.0[0],
            Lane::Redirect => &mut self.0[1],
            Lane::Link => &mut self.0[2],
            Lane::Listed => &mut self.0[3],
            Lane::Check => &mut self.0[4],
        }
    }

    pub(crate) fn len(&self) -> u64 {
        self.0.iter().map(Queue::len).sum()
    }

    /// Returns the number of all tasks but checks.
    pub(crate) fn waiting(&self) -> u64 {
        self.len() - self.0[4].len()
    }

    /// Returns the first task of each lane.
    pub(crate) fn fronts(&self) -> impl Iterator<Item = &Task> {
        self.0.iter().filter_map(Queue::front)
    }

    /// Returns the least depth of the links in the window.
    pub(crate) fn nearest_link(&self) -> Option<u32> {
        self.0[2].window.iter().map(|task| task.route.depth).min()
    }

    /// Returns the number of links and redirect hops.
    pub(crate) fn links(&self) -> u64 {
        self.0.get(1..3).unwrap_or_default().iter().map(Queue::len).sum()
    }

    /// Returns the number of page tasks: neither prerequisites nor checks.
    pub(crate) fn pages(&self) -> u64 {
        self.0.get(1..4).unwrap_or_default().iter().map(Queue::len).sum()
    }

    pub(crate) fn next_refill(&mut self) -> Option<(Lane, u64, usize)> {
        Lane::ALL.into_iter().find_map(|lane| self.of(lane).next_refill().map(|(after, count)| (lane, after, count)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_model::{Purpose, UrlId};
    use mapwright_web::{PageUrl, UrlIdentity};

    fn task(seq: u64) -> Task {
        let url = PageUrl::parse(&format!("http://example.com/{seq}"), &UrlIdentity::default()).unwrap();
        Task::new(seq, UrlId(seq as u32), url, Purpose::Page, Lane::Link)
    }

    #[test]
    fn what_does_not_fit_the_window_waits_in_the_record_and_comes_back_in_order() {
        let mut queue = Queue::default();
        for seq in 1..=1000 {
            queue.push(task(seq));
        }
        assert_eq!(queue.len(), 1000);
        let mut out = Vec::new();
        loop {
            if let Some((after, count)) = queue.next_refill() {
                let more: Vec<Task> = (after + 1..=1000).take(count).map(task).collect();
                queue.refill(more, count);
            }
            let Some(task) = queue.pop() else { break };
            out.push(task.task_id.number());
        }
        assert_eq!(out, (1..=1000).collect::<Vec<u64>>());
        assert_eq!(queue.len(), 0);
    }
}
