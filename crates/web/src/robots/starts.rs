//! An index of rules by their literal prefixes.

use super::pattern::Pattern;

/// A literal prefix and the rules that share it.
#[derive(Debug)]
pub(super) struct Start {
    pattern: Pattern,
    len: usize,
    /// The longest other prefix that this one begins with.
    parent: Option<usize>,
    /// Ranks of the rules, ascending.
    ranks: Vec<u32>,
}

impl Start {
    fn text(&self) -> &[u8] {
        self.pattern.start(self.len)
    }
}

/// All literal prefixes, sorted. Every prefix of a path sorts at or before the path, and is an ancestor of the last
/// entry that does: one binary search and a walk up find them all.
#[derive(Debug, Default)]
pub(super) struct StartTable {
    starts: Vec<Start>,
}

impl StartTable {
    /// Groups `(rank, pattern)` by prefix. If a group has more than `most` rules, those with text after a wildcard are
    /// moved to `others`.
    pub(super) fn build(mut ranked: Vec<(u32, Pattern)>, most: usize, others: &mut Vec<(u32, Pattern)>) -> Self {
        let start_of = |pattern: &Pattern| pattern.prefix_len();
        ranked.sort_by(|(a_rank, a), (b_rank, b)| {
            a.start(start_of(a)).cmp(b.start(start_of(b))).then(a_rank.cmp(b_rank))
        });
        let mut starts: Vec<Start> = Vec::new();
        for group in ranked.chunk_by(|(_, a), (_, b)| a.start(start_of(a)) == b.start(start_of(b))) {
            let crowded = group.len() > most;
            let (away, here): (Vec<_>, Vec<_>) =
                group.iter().cloned().partition(|(_, pattern)| crowded && pattern.tail_pieces().next().is_some());
            others.extend(away);
            if let Some((_, pattern)) = here.first() {
                let (pattern, len) = (pattern.clone(), start_of(pattern));
                starts.push(Start { pattern, len, parent: None, ranks: here.iter().map(|(rank, _)| *rank).collect() });
            }
        }
        link_parents(&mut starts);
        StartTable { starts }
    }

    /// The ranks of the rules for each prefix of `path`, the longest prefix first.
    pub(super) fn of<'a>(&'a self, path: &'a [u8]) -> impl Iterator<Item = &'a [u32]> {
        let mut at = self.starts.partition_point(|start| start.text() <= path).checked_sub(1);
        std::iter::from_fn(move || {
            loop {
                let start = self.starts.get(at?)?;
                at = start.parent;
                if path.starts_with(start.text()) {
                    return Some(start.ranks.as_slice());
                }
            }
        })
    }
}

/// Sets the parent of every prefix; `starts` is sorted, so the prefixes of a text precede it, the longest last.
fn link_parents(starts: &mut [Start]) {
    let mut open: Vec<(usize, Pattern, usize)> = Vec::new();
    for (at, start) in starts.iter_mut().enumerate() {
        while open.last().is_some_and(|(_, pattern, len)| !start.text().starts_with(pattern.start(*len))) {
            open.pop();
        }
        start.parent = open.last().map(|(parent, ..)| *parent);
        open.push((at, start.pattern.clone(), start.len));
    }
}
