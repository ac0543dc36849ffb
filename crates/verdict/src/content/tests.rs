use super::*;
use proptest::prelude::*;

/// A page as words, each a block.
fn page(words: &str) -> Vec<BlockHash> {
    let hash = |word: &str| word.bytes().fold(17_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    words.split_whitespace().map(hash).collect()
}

/// Evidence of nothing but the blocks that the site shares.
fn shared(is_common: &dyn Fn(BlockHash) -> bool) -> VolatilityEvidence<'_> {
    VolatilityEvidence { is_common, volatile_places: [&[], &[]] }
}

/// Compares consecutive fetches of one page; returns which of them were changes.
fn visits(pages: &[&str]) -> Vec<bool> {
    days_of(pages, &[])
}

fn days_of(pages: &[&str], common: &[&str]) -> Vec<bool> {
    let common: Vec<BlockHash> = common.iter().flat_map(|words| page(words)).collect();
    let mut slots = Vec::new();
    let mut reported = Vec::new();
    for pair in pages.windows(2) {
        let Comparison { changed, slots: now } =
            compare(&page(pair[0]), &page(pair[1]), slots, shared(&|block| common.contains(&block)));
        slots = slots_from_bytes(&slots_to_bytes(&now));
        assert_eq!(slots, now);
        reported.push(changed);
    }
    reported
}

#[test]
fn equal_pages_are_no_change_and_a_first_difference_is_one() {
    assert_eq!(visits(&["nav a b foot", "nav a b foot", "nav a c foot"]), [false, true]);
}

#[test]
fn a_block_that_differs_at_two_fetches_in_a_row_is_boilerplate_from_then_on() {
    let reported = visits(&["nav a seen1 foot", "nav a seen2 foot", "nav a seen3 foot", "nav a seen4 foot"]);
    assert_eq!(reported, [true, false, false]);
}

#[test]
fn a_visit_without_a_difference_breaks_the_row() {
    assert_eq!(visits(&["a b c", "a x c", "a x c", "a y c"]), [true, false, true]);
}

#[test]
fn content_beside_a_counter_is_still_content() {
    let before = ["nav a b seen1 foot", "nav a b seen2 foot", "nav a b seen3 foot"];
    for (what, then) in [
        ("the block next to it", "nav a z seen4 foot"),
        ("a block added before it", "nav a b c seen4 foot"),
        ("a block removed before it", "nav a seen4 foot"),
        ("a block farther off", "nav z b seen4 foot"),
    ] {
        let mut pages = before.to_vec();
        pages.push(then);
        let reported = visits(&pages);
        assert_eq!(reported.last(), Some(&true), "{what}");
        // The counter stays learned, and its new neighbours stay content.
        let (next, last) = (then.replace("seen4", "seen5"), then.replace("seen4", "seen6"));
        pages.extend([next.as_str(), last.as_str()]);
        assert_eq!(visits(&pages)[3..], [false, false], "{what}");
        let edited = last.replace("nav", "nav new").replace("seen6", "seen7");
        pages.push(edited.as_str());
        assert_eq!(visits(&pages).last(), Some(&true), "{what}, and another");
    }
}

#[test]
fn the_last_paragraph_stays_content_after_it_changed_together_with_the_counter() {
    let pages = ["a b n1 foot", "a b n2 foot", "a b n3 foot", "a x n4 foot", "a x n5 foot", "a y n6 foot"];
    assert_eq!(visits(&pages), [true, false, true, false, true]);
}

#[test]
fn a_box_of_related_pages_is_learned_whatever_it_shows() {
    let pages = [
        "a may A B C D foot",
        "a may E B F G foot",
        "a may H I J K foot",
        "a may A I L M foot",
        "a may N O P Q foot",
        "a may N R P S foot",
    ];
    assert_eq!(visits(&pages)[2..], [false, false, false]);
}

/// Compares twelve fetches of three paragraphs followed by a counter; the last paragraph is edited at each of these
/// fetches (counted from 0).
fn edited_beside_a_counter(edits: &[usize]) -> Vec<bool> {
    let page = |later: usize| {
        let edition = edits.iter().filter(|edit| **edit <= later).count();
        format!("nav a b last{edition} seen{later} foot")
    };
    let pages: Vec<String> = (0..12).map(page).collect();
    visits(&pages.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn each_edit_right_beside_a_counter_is_a_change() {
    for edits in [&[3, 8, 10][..], &[2, 8], &[4, 6]] {
        let reported = edited_beside_a_counter(edits);
        for (later, reported) in (1..).zip(&reported) {
            assert_eq!(*reported, later == 1 || edits.contains(&later), "{edits:?}, fetch {later}");
        }
    }
}

#[test]
fn a_block_that_changed_once_together_with_a_counter_is_content_again_after_a_while() {
    let reported = edited_beside_a_counter(&[1, 8]);
    assert_eq!(reported.iter().filter(|reported| **reported).count(), 2);
    assert!(reported[0] && reported[7]);
}

#[test]
fn a_box_in_another_order_at_each_fetch_is_learned() {
    for lines in 2..=12 {
        let page = |later: usize| {
            let list: Vec<String> = (0..lines).map(|line| format!("line{}", (line + later) % lines)).collect();
            format!("nav a b {} c d foot", list.join(" "))
        };
        let mut pages: Vec<String> = (0..12).map(page).collect();
        pages.push(page(12).replace(" b ", " z "));
        let reported = visits(&pages.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(reported[0] && reported[12 - 1], "{lines}: {reported:?}");
        assert!(reported[2..11].iter().all(|reported| !reported), "{lines}: {reported:?}");
    }
}

#[test]
fn a_box_is_one_slot_even_if_its_first_line_stayed_at_the_first_difference() {
    let mut pages = vec!["a may A B C D foot", "a may A E F G foot", "a may H I J K foot", "a may L M N O foot"];
    pages.extend(["a may P Q R S foot", "a may Q T U V foot", "a may W Q X Y foot", "a may Z W 1 2 foot"]);
    assert_eq!(visits(&pages), [true, true, false, false, false, false, false]);
}

#[test]
fn a_paragraph_between_two_counters_that_changed_with_them_is_content() {
    let mut pages = vec!["a m1 p b c d n1 foot", "a m2 p b c d n2 foot", "a m3 p b c d n3 foot"];
    pages.extend(["a m4 q n4 foot", "a m5 q n5 foot", "a m6 r n6 foot", "a m7 r n7 foot"]);
    assert_eq!(visits(&pages), [true, false, true, false, true, false]);
}

#[test]
fn a_box_in_another_order_keeps_a_line_that_stays_first_by_chance() {
    let mut pages = vec!["a may A B C D foot", "a may B C D A foot", "a may D A B C foot"];
    for _ in 0..4 {
        pages.extend(["a may D B C A foot", "a may D C A B foot"]);
    }
    pages.push("a may A D B C foot");
    assert_eq!(visits(&pages)[1..], [false; 10]);
}

#[test]
fn a_page_that_is_rewritten_and_then_corrected_is_content() {
    let pages = ["a b c d e f", "u v w x y z", "u v W x y z", "u v W x y z", "u V W x y z", "u V W x y Z"];
    assert_eq!(visits(&pages), [true, true, false, true, true]);
}

#[test]
fn a_page_that_shows_an_error_at_one_visit_is_content() {
    let pages = ["a b c d e f", "oops", "a b c d e f", "a b c d e F", "a b c d e F", "a b C d e F"];
    assert_eq!(visits(&pages), [true, true, true, false, true]);
}

#[test]
fn a_page_that_differs_at_each_fetch_is_boilerplate_from_the_third_difference_on() {
    let pages = ["a b c d e f", "g h i j k l", "m n o p q r", "s t u v w x", "A B C D E F", "G H I J K L"];
    assert_eq!(visits(&pages), [true, true, false, false, false]);
}

/// A page of six paragraphs around a list of `items`, of which `fresh` are new at each fetch.
fn around_a_list(fetch: usize, items: usize, fresh: usize, newest_first: bool, second: &str) -> String {
    let newest = 100 + fetch * fresh;
    let mut list: Vec<String> = (newest - items..newest).map(|item| format!("item{item}")).collect();
    if newest_first {
        list.reverse();
    }
    format!("nav one {second} three latest {} four five six foot", list.join(" "))
}

#[test]
fn a_list_of_the_latest_things_is_learned_and_the_text_beside_it_is_content() {
    for (items, fresh) in [(2, 1), (4, 1), (8, 1), (8, 2), (8, 7)] {
        for newest_first in [true, false] {
            let second = |fetch: usize| if fetch < 5 { "two" } else { "zwei" };
            let pages: Vec<String> =
                (0..8).map(|fetch| around_a_list(fetch, items, fresh, newest_first, second(fetch))).collect();
            let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
            let reported = visits(&pages);
            assert_eq!(reported, [true, false, false, false, true, false, false], "{fresh} of {items} are new");
        }
    }
}

#[test]
fn a_page_that_grows_at_each_fetch_changes_each_time() {
    let grown = |fetch: usize| (0..=fetch).map(|item| format!("item{item} ")).collect::<String>();
    let pages: Vec<String> = (3..9).map(|fetch| format!("nav one two latest {} four foot", grown(fetch))).collect();
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    assert_eq!(visits(&pages), [true; 5]);
}

#[test]
fn blocks_that_the_site_shares_are_left_out_on_both_sides() {
    let common = ["home news edition1 edition2 shop"];
    assert_eq!(days_of(&["home news a edition1", "home news shop a edition2"], &common), [false]);
    assert_eq!(days_of(&["home news a edition1", "home news shop b edition2"], &common), [true]);
}

/// An advertisement may be on a quarter of the site in one crawl, and on this page alone in the next.
#[test]
fn a_box_is_learned_even_if_the_site_sometimes_shares_its_blocks() {
    let pages =
        ["nav a ad1 foot", "nav a ad2 foot", "nav a AD3 foot", "nav a AD4 foot", "nav a ad5 foot", "nav a ad6 foot"];
    let reported = days_of(&pages, &["ad2 AD3 AD4"]);
    assert_eq!(reported, [true, false, false, false, false], "{reported:?}");
}

/// All pages show a date between two paragraphs: an edit of both paragraphs is one difference, a later edit another.
#[test]
fn a_place_around_shared_blocks_is_not_a_box() {
    let page = |later: usize, one: &str, two: &str| format!("nav {one} day{later} {two} own foot");
    let dates = (0..9).map(|later| format!("day{later}")).collect::<Vec<_>>().join(" ");
    let pages: Vec<String> = (0..9)
        .map(|later| match later {
            0 | 1 => page(later, "a", "b"),
            2..6 => page(later, "A", "B"),
            _ => page(later, "AA", "B"),
        })
        .collect();
    let reported = days_of(&pages.iter().map(String::as_str).collect::<Vec<_>>(), &[&dates]);
    assert_eq!(reported, [false, true, false, false, false, true, false, false]);
}

#[test]
fn a_counter_is_known_by_one_neighbour_when_the_footer_changes() {
    let pages = ["a n1 foot1", "a n2 foot1", "a n3 foot1", "a n4 foot2", "a n5 foot2"];
    assert_eq!(days_of(&pages, &["foot1 foot2"]), [true, false, false, false]);
}

#[test]
fn a_date_at_the_end_of_the_page_is_known_there_when_the_footer_changes() {
    let pages = ["a foot1 n1", "a foot1 n2", "a foot1 n3", "a foot2 n4", "a foot2 n5"];
    assert_eq!(days_of(&pages, &["foot1 foot2"]), [true, false, false, false]);
}

#[test]
fn a_place_without_a_difference_for_many_visits_is_content_again() {
    let mut pages = vec!["a n1 z", "a n2 z", "a n3 z"];
    pages.extend(std::iter::repeat_n("a n3 z", 70));
    pages.push("a n4 z");
    assert_eq!(visits(&pages).last(), Some(&true));
}

#[test]
fn a_box_keeps_its_place_when_the_footer_changes_while_one_of_its_lines_stays() {
    let pages = [
        "a may A B C D foot1",
        "a may E F G H foot1",
        "a may I J K L foot1",
        "a may M J N O foot2",
        "a may P Q R S foot2",
        "a may T U V S foot2",
        "a may W X Y Z foot2",
    ];
    assert_eq!(days_of(&pages, &["foot1 foot2"]), [true, false, false, false, false, false]);
}

#[test]
fn a_box_is_learned_even_if_one_of_its_lines_stays_by_chance() {
    let pages = ["a may A B C D foot", "a may E B F G foot", "a may H I J K foot", "a may L M N O foot"];
    assert_eq!(visits(&pages), [true, false, false]);
}

#[test]
fn a_block_added_or_removed_beside_an_unchanged_counter_is_content() {
    let mut pages = vec!["a b n1 foot", "a b n2 foot", "a b n3 foot"];
    pages.extend(["a b c n3 foot", "a b c n4 foot", "a b c d n4 foot", "a b c d n5 foot", "a b c n5 foot"]);
    assert_eq!(visits(&pages), [true, false, true, false, true, false, true]);
}

#[test]
fn an_incomplete_slot_is_ignored() {
    assert_eq!(slots_from_bytes(&[1, 2, 3]), []);
}

proptest! {
    #[test]
    fn equal_pages_never_differ(blocks in prop::collection::vec(any::<u32>(), 0..60)) {
        prop_assert!(!compare(&blocks, &blocks, Vec::new(), shared(&|_| false)).changed);
    }

    #[test]
    fn any_pages_and_slots_can_be_compared(
        pages in prop::collection::vec(prop::collection::vec(0_u32..8, 0..20), 2..8),
    ) {
        let mut slots = Vec::new();
        for pair in pages.windows(2) {
            slots = compare(&pair[0], &pair[1], slots, shared(&|block| block == 3)).slots;
            prop_assert!(slots.len() <= 64);
        }
    }
}
