//! The first findings of each kind, for reports that do not show all.

use crate::check::Check;
use crate::rendered_finding::{RenderedFinding, RenderedFindings};
use std::collections::BTreeMap;
use std::io;

/// The first findings of one kind.
#[derive(Default)]
struct Kind {
    open: Vec<RenderedFinding>,
    accepted: Vec<RenderedFinding>,
}

/// The first findings of each kind, with those in the baseline apart.
pub(crate) struct Samples(BTreeMap<&'static Check, Kind>);

impl Samples {
    /// Reads at most `limit` findings of each kind, and as many accepted ones.
    pub(crate) fn of(items: &dyn RenderedFindings, limit: usize) -> io::Result<Self> {
        let mut kinds: BTreeMap<&'static Check, Kind> = BTreeMap::new();
        items.each(&mut |item| {
            let kind = kinds.entry(item.check).or_default();
            let list = if item.accepted { &mut kind.accepted } else { &mut kind.open };
            if list.len() < limit {
                list.push(item.clone());
            }
            Ok(())
        })?;
        Ok(Self(kinds))
    }

    /// Returns the findings of a kind that are not in the baseline.
    pub(crate) fn open(&self, check: &Check) -> &[RenderedFinding] {
        self.0.get(check).map_or(&[], |kind| &kind.open)
    }

    /// Returns the findings of a kind, the accepted ones last.
    pub(crate) fn all(&self, check: &Check) -> impl Iterator<Item = &RenderedFinding> {
        self.0.get(check).into_iter().flat_map(|kind| kind.open.iter().chain(&kind.accepted))
    }
}

/// Passes the first `limit` findings to `take`, and stops without reading the others.
pub(crate) fn first(
    items: &dyn RenderedFindings,
    limit: usize,
    take: &mut dyn FnMut(&RenderedFinding) -> io::Result<()>,
) -> io::Result<()> {
    let mut left = limit;
    let handed = items.each(&mut |item| {
        // An error is the only way to stop.
        left = left.checked_sub(1).ok_or_else(|| io::Error::from(io::ErrorKind::QuotaExceeded))?;
        take(item)
    });
    match handed {
        Err(error) if left == 0 && error.kind() == io::ErrorKind::QuotaExceeded => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::{Samples, first};
    use crate::checks::check;
    use crate::report::sample::Sample;
    use std::io;

    #[test]
    fn a_kind_gives_its_first_findings_the_accepted_ones_last() {
        let sample = Sample::plain();
        let samples = Samples::of(&sample.items, 1).unwrap();
        assert_eq!(samples.open(check("http-4xx")), &sample.items[..1]);
        assert_eq!(samples.all(check("http-4xx")).count(), 2);
        assert_eq!(samples.all(check("slow")).count(), 0);
    }

    #[test]
    fn reading_ends_at_the_limit_and_errors_are_kept() {
        let items = Sample::plain().items;
        for limit in [0, 1, 3, items.len(), 99] {
            let mut taken = 0;
            first(&items, limit, &mut |_| {
                taken += 1;
                Ok(())
            })
            .unwrap();
            assert_eq!(taken, limit.min(items.len()));
        }
        assert!(first(&items, 3, &mut |_| Err(io::Error::other("full"))).is_err());
    }
}
