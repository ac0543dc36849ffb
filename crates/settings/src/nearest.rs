//! The known name that a mistyped one was probably meant to be.

/// Characters of a mistyped name that are compared; longer ones have no near name.
const COMPARED_CHARS: usize = 64;

/// The candidate that is nearest to `name`, if it is near enough to be worth naming: at most a third of its characters
/// differ. Of equally near ones the first.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed: Vec<char> = name.to_lowercase().chars().collect();
    if typed.is_empty() || typed.len() > COMPARED_CHARS {
        return None;
    }
    let allowed = (typed.len() / 3).max(1);
    let ranked = candidates.into_iter().map(|candidate| (distance(&typed, candidate), candidate));
    ranked.filter(|(distance, _)| *distance <= allowed).min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// The edits between two names, ignoring case: characters put in, left out, replaced, or swapped with their neighbour
/// (optimal string alignment).
fn distance(typed: &[char], candidate: &str) -> usize {
    let candidate: Vec<char> = candidate.to_lowercase().chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=typed.len()).collect();
    for (i, c) in candidate.iter().enumerate() {
        let last = i.checked_sub(1).and_then(|i| candidate.get(i));
        let mut next = vec![i + 1];
        for (j, t) in typed.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX - 1);
            let replaced = at(&row, j) + usize::from(c != t);
            let mut best = replaced.min(at(&row, j + 1) + 1).min(at(&next, j) + 1);
            let swapped = j.checked_sub(1).filter(|k| typed.get(*k) == Some(c) && last == Some(t));
            if let Some(k) = swapped {
                best = best.min(at(&before, k) + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or_default()
}
