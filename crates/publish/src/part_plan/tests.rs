use super::*;

const FIFTY: Capacity = Capacity { urls: 50, bytes: 1_000_000 };

/// The ranges and parts after a publication, which the next one is measured against.
fn publish(ranges: &[Range], keys: &[String], capacity: Capacity) -> (Vec<Range>, Vec<Vec<String>>) {
    let mut counter = RangeCounter::new(capacity, ranges.to_vec());
    keys.iter().for_each(|key| counter.count(key, 100));
    let mut rest = keys;
    let (mut ranges, mut parts) = (Vec::new(), Vec::new());
    for piece in counter.planned_parts(false) {
        let (part, after) = rest.split_at(piece.urls as usize);
        rest = after;
        let first = part.first().unwrap().clone();
        ranges.push(Range {
            bound: piece.bound.unwrap_or(first),
            last: part.last().unwrap().clone(),
            urls: part.len() as u64,
        });
        parts.push(part.to_vec());
    }
    assert!(rest.is_empty());
    (ranges, parts)
}

fn keys(numbers: impl Iterator<Item = u32>) -> Vec<String> {
    let mut keys: Vec<String> = numbers.map(|number| format!("http://a.example/{number:06}")).collect();
    keys.sort();
    keys
}

fn changed(before: &[Vec<String>], after: &[Vec<String>]) -> usize {
    after.iter().filter(|part| !before.contains(part)).count()
}

#[test]
fn a_page_that_comes_or_goes_changes_one_part() {
    let all = keys((0..1000).map(|n| n * 10));
    let (ranges, parts) = publish(&[], &all, FIFTY);
    let mut more = all.clone();
    more.push("http://a.example/004005".to_owned());
    more.sort();
    let (ranges, with) = publish(&ranges, &more, FIFTY);
    assert_eq!(changed(&parts, &with), 1);
    let (_, without) = publish(&ranges, &all, FIFTY);
    assert_eq!(without, parts);
}

#[test]
fn a_part_over_the_limit_is_split_and_the_others_stay() {
    let all = keys((0..1000).map(|n| n * 10));
    let (ranges, parts) = publish(&[], &all, FIFTY);
    let more = keys((0..1000).map(|n| n * 10).chain((0..30).map(|n| 4001 + n)));
    let (_, after) = publish(&ranges, &more, FIFTY);
    assert_eq!(after.len(), parts.len() + 1);
    assert_eq!(changed(&parts, &after), 2);
    assert!(after.iter().all(|part| part.len() <= 50));
}

#[test]
fn what_only_ever_grows_at_its_end_leaves_full_parts_behind() {
    let mut ranges = Vec::new();
    let mut parts = Vec::new();
    for day in 1..=200 {
        (ranges, parts) = publish(&ranges, &keys(0..day * 7), FIFTY);
    }
    let full: usize = parts.iter().map(Vec::len).sum::<usize>() * 100 / (parts.len() * 50);
    assert!(full >= 65, "{full} % full");
}

#[test]
fn parts_that_empty_are_merged() {
    let (ranges, before) = publish(&[], &keys(0..1000), FIFTY);
    let (ranges, few) = publish(&ranges, &keys((0..1000).filter(|n| n % 20 == 0)), FIFTY);
    assert!(few.len() * 5 < before.len(), "{}", few.len());
    let (_, one) = publish(&ranges, &keys(0..3), FIFTY);
    assert_eq!(one.len(), 1);
}

#[test]
fn a_run_that_splits_a_part_rewrites_no_other_part() {
    let ten = Capacity { urls: 10, bytes: 1_000_000 };
    let range = |part: Vec<String>| Range {
        bound: part.first().unwrap().clone(),
        last: part.last().unwrap().clone(),
        urls: part.len() as u64,
    };
    let ranges = [range(keys((0..17).step_by(2))), range(keys(100..105)), range(keys(200..205))];
    let sizes = |numbers: &mut dyn Iterator<Item = u32>| {
        publish(&ranges, &keys(numbers), ten).1.iter().map(Vec::len).collect::<Vec<_>>()
    };
    let one_gone = || (100..104).chain(200..205);
    assert_eq!(sizes(&mut (0..17).step_by(2).chain(one_gone())), [9, 9], "the two go together");
    assert_eq!(sizes(&mut (0..17).chain(one_gone())), [8, 9, 4, 5]);
    assert_eq!(sizes(&mut (0..17).chain((100..104).chain(200..204))), [8, 9, 8], "both are written again");
}

#[test]
fn a_part_over_the_limit_shares_with_a_neighbour_that_has_room() {
    let ten = Capacity { urls: 10, bytes: 1_000_000 };
    let (ranges, parts) = publish(&[], &keys((0..30).step_by(2)), ten);
    assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [7, 8]);
    let grown = keys((0..30).filter(|key| key % 2 == 0 || *key < 8));
    let (_, parts) = publish(&ranges, &grown, ten);
    assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [9, 10], "the part behind takes some");
    let grown = keys((0..30).filter(|key| key % 2 == 0 || *key > 22));
    let (_, parts) = publish(&ranges, &grown, ten);
    assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [9, 10], "the part before takes some");
    let grown = keys((0..30).filter(|key| key % 2 == 0 || *key < 16));
    let (_, parts) = publish(&ranges, &grown, ten);
    assert_eq!(parts.len(), 3, "neither has room");
}

#[test]
fn everything_is_one_file_where_one_file_may_hold_it() {
    let (ranges, _) = publish(&[], &keys(0..60), FIFTY);
    let mut counter = RangeCounter::new(FIFTY, ranges);
    keys(0..50).iter().for_each(|key| counter.count(key, 100));
    assert_eq!(counter.planned_parts(true).len(), 1);
}

#[test]
fn bytes_split_parts_as_numbers_do() {
    let (_, parts) = publish(&[], &keys(0..100), Capacity { urls: 50_000, bytes: 1_000 });
    assert!(parts.iter().all(|part| (6..=10).contains(&part.len())), "{parts:?}");
}

#[test]
fn parts_stay_within_limits_and_well_filled_over_hundreds_of_runs() {
    let mut state = 7_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % 900_000
    };
    let mut numbers: std::collections::BTreeSet<u32> = (0..1500).map(|_| random()).collect();
    let (mut ranges, mut fills) = (Vec::new(), Vec::new());
    for _ in 0..400 {
        let all: Vec<u32> = numbers.iter().copied().collect();
        for _ in 0..15 {
            numbers.remove(&all[random() as usize % all.len()]);
        }
        numbers.extend((0..15).map(|_| random()));
        let (next, parts) = publish(&ranges, &keys(numbers.iter().copied()), FIFTY);
        ranges = next;
        assert!(parts.iter().all(|part| (1..=50).contains(&part.len())));
        fills.push(numbers.len() * 100 / (parts.len() * 50));
    }
    assert!(fills.iter().all(|fill| *fill >= 65), "{fills:?}");
}
