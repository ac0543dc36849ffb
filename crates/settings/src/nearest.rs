//! The known name that a mistyped one was probably meant to be.

/// The most characters of a mistyped name; a longer one has no near name.
const MAX_CHARS: usize = 64;

/// Returns the candidate nearest to `name` if at most a third of the characters differ (optimal string alignment, case
/// ignored); the first of equally near ones.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (typed, chars) = (name.to_lowercase(), name.chars().count());
    if typed.is_empty() || chars > MAX_CHARS {
        return None;
    }
    let distance = |candidate: &str| strsim::osa_distance(&typed, &candidate.to_lowercase());
    let ranked = candidates.into_iter().map(|candidate| (distance(candidate), candidate));
    let near = ranked.filter(|(distance, _)| *distance <= (chars / 3).max(1));
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}
