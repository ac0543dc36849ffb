use super::*;

/// Blocks of this role and length, one for each word.
fn passages(words: &str, bytes: u32, role: PassageRole) -> Vec<Passage> {
    let hash = |word: &str| word.bytes().fold(17_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    words.split_whitespace().map(|word| Passage { text: hash(word), bytes, role }).collect()
}

fn page(text: &str, links: &str, boilerplate: &str) -> Vec<Passage> {
    let parts =
        [(text, 256, PassageRole::Text), (links, 16, PassageRole::Link), (boilerplate, 16, PassageRole::Boilerplate)];
    parts.into_iter().flat_map(|(words, bytes, role)| passages(words, bytes, role)).collect()
}

/// Reports whether two pages differ in their compared blocks, and whether they differ in a list.
fn differ(old: &[Passage], new: &[Passage]) -> (bool, bool) {
    let pair = Pair::of(old, new, &|_| false);
    (pair.old != pair.new, pair.has_another_list(&|_| 1))
}

#[test]
fn an_article_is_compared_without_links_and_boilerplate() {
    let before = page("one two", "back", "menu");
    assert_eq!(differ(&before, &page("one two", "back next", "menu shop")), (false, false));
    assert_eq!(differ(&before, &page("one TWO", "back", "menu")), (true, false));
}

#[test]
fn a_page_that_consists_of_links_is_compared_with_them() {
    let list =
        |links: &str| [passages("preface", 16, PassageRole::Text), passages(links, 32, PassageRole::Link)].concat();
    assert_eq!(differ(&list("a b c"), &list("a b c d")), (true, false));
    assert_eq!(differ(&list("a b c"), &list("a b c")), (false, false));
}

#[test]
fn a_page_with_hardly_anything_but_boilerplate_is_compared_with_it() {
    let toc = |entries: &str| {
        [passages("title", 16, PassageRole::Text), passages(entries, 32, PassageRole::Boilerplate)].concat()
    };
    assert_eq!(differ(&toc("a b c d"), &toc("a b c d e")), (true, false));
}

#[test]
fn a_list_in_an_article_changes_if_it_grows_and_not_if_its_entries_move_up() {
    let list = |links: &str| page("one two", links, "");
    assert_eq!(differ(&list("a b c d e"), &list("a b c d e f")), (false, true));
    assert_eq!(differ(&list("a b c d e f"), &list("a b c d e")), (false, true));
    assert_eq!(differ(&list("a b c d e"), &list("z a b c d")), (false, false));
    assert_eq!(differ(&list("a"), &list("a b")), (false, false), "a pager");
    let pair = Pair::of(&list("a b c d e"), &list("a b c d e f"), &|_| false);
    assert!(!pair.has_another_list(&|_| 3), "a link that came on other pages too");
}

#[test]
fn the_same_place_has_the_same_number_on_other_pages() {
    let of = |page: &[BlockHash], at: usize, now: BlockHash| {
        let mut new = page.to_vec();
        new[at] = now;
        placed(page, &new)
    };
    let [one, other] = [of(&[1, 2, 30, 31, 9], 2, 39), of(&[1, 2, 40, 41, 42, 9], 2, 49)];
    let common = |side: usize| one[side][0].places.iter().filter(|place| other[side][0].places.contains(place)).count();
    // The common places: by the distance from the start, and from each of the two blocks before it.
    assert_eq!([common(0), common(1)], [3, 3]);
    let grown = placed(&[1, 2, 40, 41, 42, 9], &[1, 2, 39, 38, 41, 42, 9]);
    let is_new = |block: &Placed| block.places.iter().all(|place| !one[1][0].places.contains(place));
    assert!(grown[1].iter().all(is_new), "what comes in beside it is another matter");
    assert!(one[0][0].places.iter().all(|place| !one[1][0].places.contains(place)), "before and now are two pages");
}

#[test]
fn a_difference_on_other_pages_too_is_no_change_and_one_beside_it_is() {
    let compared = |new: &[BlockHash], volatile_places: &[usize]| {
        let evidence = VolatilityEvidence { is_common: &|_| false, volatile_places: [&[2], volatile_places] };
        compare(&[5, 6, 7, 8], new, Vec::new(), evidence).changed
    };
    assert!(!compared(&[5, 6, 70, 8], &[2]));
    assert!(compared(&[5, 60, 70, 8], &[2]));
    assert!(compared(&[5, 6, 70, 8], &[]));
}

/// First a template change with a later edit in the same place, then a clock that differs on other pages too at two
/// visits and on this page alone at the third.
#[test]
fn a_place_that_differs_alone_after_it_differed_with_others_is_a_change_once() {
    let reported = |volatile_places: [&[usize]; 3]| {
        let mut slots = Vec::new();
        let mut reported = Vec::new();
        for (later, here) in (0..).zip(volatile_places) {
            let evidence = VolatilityEvidence { is_common: &|_| false, volatile_places: [here, here] };
            let comparison = compare(&[5, 70 + later, 8], &[5, 71 + later, 8], slots, evidence);
            slots = slots_from_bytes(&slots_to_bytes(&comparison.slots));
            reported.push(comparison.changed);
        }
        reported
    };
    assert_eq!(reported([&[1], &[], &[]]), [false, true, false]);
    assert_eq!(reported([&[1], &[1], &[]]), [false, false, false]);
}
