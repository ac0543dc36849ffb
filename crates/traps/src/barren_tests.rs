use super::*;
use crate::TrapDetector;
use crate::family_yield::ENOUGH_READ;
use crate::shape::shape;
use crate::trap_detector::tests::{THIS_YEAR, found, url};
use mapwright_model::Unfetched;
use mapwright_web::page::block::Block;
use std::collections::{HashSet, VecDeque};

const BUDGET: u64 = 100;
/// Pages after which a crawl of a trap is given up.
const MANY: usize = 10_000;

/// A page: its blocks of text, and its links.
type Page = (Vec<String>, Vec<String>);

fn block(text: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(text).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Returns the paths that a crawl from `/` with the small budget reads.
fn crawl(site: impl Fn(&str) -> Page) -> HashSet<String> {
    crawl_with(BUDGET, site)
}

/// Returns the paths that a crawl from `/` reads, page by page as the engine does.
fn crawl_with(budget: u64, site: impl Fn(&str) -> Page) -> HashSet<String> {
    let at = |path: &str| url(&format!("http://a.example{path}"));
    let mut patterns = TrapDetector::new(budget, THIS_YEAR);
    let mut known = HashSet::from(["/".to_owned()]);
    let mut queue = VecDeque::from([("/".to_owned(), 0_u16)]);
    let mut read = HashSet::new();
    while let Some((path, generation)) = queue.pop_front().filter(|_| read.len() < MANY) {
        let page = at(&path);
        if !patterns.still_admits(&page) {
            continue;
        }
        let (texts, links) = site(&path);
        let blocks: Vec<u64> = texts.iter().map(|text| block(text)).collect();
        let content =
            DistinctContent { blocks: &blocks, numbers: 0, all_blocks: &[], has_new_media: false, is_data: false };
        patterns.learn_content(&page, Some(content));
        for link in links.into_iter().filter(|link| known.insert(link.clone())) {
            let to = at(&link);
            let generation = if shape(&to).is_some() && shape(&to) == shape(&page) { generation + 1 } else { 0 };
            if patterns.admit(&found(to.as_str(), generation), Some(&page)) {
                queue.push_back((link, generation));
            }
        }
        patterns.begin_commit();
        read.insert(path);
    }
    read
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// The number at the end of a path.
fn number(path: &str) -> u64 {
    path.rsplit(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty()).map_or(0, |part| part.parse().unwrap())
}

/// The links of a trap on its page with this path.
type Links<'a> = &'a dyn Fn(&str) -> Vec<String>;

fn read(barren: &mut Barren, page: &PageUrl, content: Option<DistinctContent<'_>>) {
    barren.read(page, PatternFamilies::of(page), content);
}

#[test]
fn what_has_no_content_has_one_budget_whatever_its_urls() {
    let names = ["home", "about", "team", "jobs", "news", "contact"];
    let below = |path: &str| (0..3).map(|n| format!("{path}{}/", names[(path.len() + n) % 6])).collect::<Vec<_>>();
    let choices: Vec<String> = (0..12).map(|n| format!("c{n}=x")).collect();
    let lot = |path: &str, n: u64| block(&format!("{path} {n}"));
    let ways: [(&str, Links<'_>, usize); 6] = [
        ("paths that grow at the root", &below, BUDGET as usize + 150),
        ("names drawn by lot", &|path| (0..5).map(|n| format!("/offer/{:x}", lot(path, n))).collect(), 200),
        (
            "filters",
            &|path| {
                let (page, query) = path.split_once('?').unwrap_or(("/list", ""));
                choices.iter().filter(|c| !query.contains(*c)).map(|c| format!("{page}?{query}&{c}")).collect()
            },
            300,
        ),
        (
            "towns with a trap each",
            &|path| match path {
                "/" => (0..20).map(|n| format!("/town/{n}/")).collect(),
                path => vec![format!("{path}tour/"), format!("{path}stop/")],
            },
            300,
        ),
        (
            "a database browser of ten tables",
            &|path| {
                let (page, query) = path.split_once('?').unwrap_or((path, ""));
                match page {
                    "/" => (0..10).map(|n| format!("/db/t{n}")).collect(),
                    page => choices.iter().take(8).map(|c| format!("{page}?{query}&_sort={c}")).collect(),
                }
            },
            350,
        ),
        (
            "months without end",
            &|path| {
                let month = number(path) + 1;
                vec![format!("/cal?m={month}"), format!("/cal?m={}", month + 12)]
            },
            200,
        ),
    ];
    for (name, links, most) in ways {
        let read = crawl(|path| (texts(&["A page.", "Its menu."]), links(path))).len();
        assert!((ENOUGH_READ as usize..=most).contains(&read), "{name}: {read}");
        // Combinations of few filters prove endless on their own.
        let own = crawl(|path| (texts(&["Its menu.", path]), links(path))).len();
        assert!(own > 2 * read || name == "filters", "{name}, each page with a text of its own: {own}");
    }
}

#[test]
fn a_wide_choice_of_filters_is_sampled_though_its_first_pages_offer_all() {
    let choices: Vec<String> = (0..40).map(|n| format!("c{n}=x")).collect();
    let read = crawl_with(1_000, |path| {
        let (page, query) = path.split_once('?').unwrap_or(("/list", ""));
        let more = choices.iter().filter(|choice| !query.contains(*choice));
        (texts(&["A page."]), more.map(|choice| format!("{page}?{query}&{choice}")).collect())
    });
    assert!((20..=120).contains(&read.len()), "{}", read.len());
}

#[test]
fn a_list_that_runs_empty_ends_soon_and_one_with_items_does_not() {
    let list = |from: u64| {
        move |path: &str| {
            let page = number(path);
            let items = if page <= from { vec![format!("Item {page}.")] } else { texts(&["No items."]) };
            (items, vec![format!("/list?page={}", page + 1)])
        }
    };
    for items in [0, 40, 700] {
        let read = crawl(list(items)).len() as u64;
        let most = items + u64::from(MAX_EQUAL) + 5;
        assert!((items..=most).contains(&read), "{items} items: {read}");
    }
    // A gap does not end a diary: it continues after quiet days. One of full days may link to them.
    for (every, name) in [(25, "d"), (1, "day")] {
        let diary = |path: &str| {
            let day = number(path);
            let text = if day.is_multiple_of(every) { format!("On {day}.") } else { "Nothing happened.".to_owned() };
            let next = if day < 3_000 { vec![format!("/diary?{name}={}", day + 1)] } else { Vec::new() };
            (vec![text], next)
        };
        assert_eq!(crawl_with(1_000, diary).len(), 3_001, "{name}");
    }
}

#[test]
fn what_lists_with_content_lead_to_is_read() {
    // Barren items, all of them linked by lists with content.
    let shop = |path: &str| match path.strip_prefix("/list/") {
        Some(list) => (vec![path.to_owned()], (0..50).map(|n| format!("/item/{list}-{n}")).collect()),
        None if path == "/" => (texts(&["Home."]), (0..40).map(|n| format!("/list/{n}")).collect()),
        None => (texts(&["An item."]), texts(&["/"])),
    };
    assert_eq!(crawl(shop).len(), 1 + 40 + 2_000);
}

#[test]
fn pages_with_content_behind_barren_ones_make_the_budget_grow() {
    // Each item is behind two barren pages.
    let maze = |path: &str| match (path, path.split('/').nth(1)) {
        ("/", _) => (texts(&["Home."]), (0..300).map(|n| format!("/door/{n}")).collect()),
        (_, Some("door")) => (texts(&["Open."]), vec![path.replace("door", "hall")]),
        (_, Some("hall")) => (texts(&["Open."]), vec![path.replace("hall", "room")]),
        _ => (vec![path.to_owned()], Vec::new()),
    };
    assert_eq!(crawl(maze).len(), 1 + 3 * 300);
}

/// Returns the number of pages requested of a chain of 1,000, given the content of each.
fn chain(budget: u64, content: impl Fn(u64) -> Option<DistinctContent<'static>>) -> u64 {
    let mut barren = Barren::default();
    let page = |n: u64| url(&format!("http://a.example/photo/{n}"));
    for n in 0..1_000 {
        read(&mut barren, &page(n), content(n));
        if barren.refuses(&found(page(n + 1).as_str(), n as u16), Some(&page(n)), LastRunState::New, budget).is_some() {
            return n;
        }
    }
    1_000
}

const SAME: DistinctContent<'static> =
    DistinctContent { blocks: &[1 << 50, 2 << 50], numbers: 0, all_blocks: &[], has_new_media: false, is_data: false };

#[test]
fn a_new_image_and_what_is_only_remembered_are_content() {
    assert_eq!(chain(BUDGET, |_| Some(DistinctContent { has_new_media: true, ..SAME })), 1_000);
    assert_eq!(chain(BUDGET, |_| None), 1_000);
}

#[test]
fn what_repeats_itself_ends_after_a_few_and_what_has_other_numbers_later() {
    // With so large a budget, the sample of a barren family is no limit.
    let large = 10_000;
    let equal = chain(large, |_| Some(SAME));
    assert!((u64::from(MAX_EQUAL)..=u64::from(MAX_EQUAL) + 3).contains(&equal), "{equal}");
    let of_data = chain(large, |_| Some(DistinctContent { numbers: MANY_NUMBERS, ..SAME }));
    assert!((large / SAMPLE..=large / SAMPLE + ENOUGH_READ + 3).contains(&of_data), "{of_data}");
    // Title and heading are the same number, the link is another: no text is left to compare.
    let heading: &'static [u64] = &[1 << 50, 2 << 50, 1 << 50];
    let nothing = chain(large, |_| Some(DistinctContent { blocks: heading, numbers: 2, ..SAME }));
    assert!(nothing >= large / SAMPLE, "{nothing}");
}

#[test]
fn of_a_barren_family_a_sample_is_requested_and_of_data_all_that_has_budget() {
    let sample = chain(1_000, |_| Some(SAME));
    assert!((ENOUGH_READ..=ENOUGH_READ + 1_000 / SAMPLE + 3).contains(&sample), "{sample}");
    // A page with content at intervals.
    let some: u64 = 10;
    let content = |n: u64| if n.is_multiple_of(some) { Vec::leak(vec![(n + 9) << 50]) } else { SAME.blocks };
    assert_eq!(chain(1_000, |n| Some(DistinctContent { blocks: content(n), ..SAME })), 1_000);
    // The same words on each page, with other numbers.
    let all_blocks = |n: u64| Vec::leak(vec![Block { hash: n, bytes: 9, role: BlockRole::Text }]);
    let data = chain(100_000, |n| Some(DistinctContent { numbers: MANY_NUMBERS, all_blocks: all_blocks(n), ..SAME }));
    assert_eq!(data, 1_000);
}

#[test]
fn of_data_a_sample_is_requested_though_pages_with_content_link_it() {
    let (mut barren, export) = (Barren::default(), |n: u64| url(&format!("http://a.example/rows.json?day={n}")));
    let mut requested = 0;
    for n in 0..400 {
        if barren.still_admits(&export(n), 1_000) {
            requested += 1;
            read(&mut barren, &export(n), Some(DistinctContent { blocks: &[], is_data: true, ..SAME }));
        }
    }
    assert_eq!(requested, ENOUGH_READ + 1_000 / SAMPLE);
    // With one page among them, the family is no longer data.
    let mut barren = Barren::default();
    for n in 0..400 {
        read(&mut barren, &export(n), Some(DistinctContent { blocks: &[], is_data: n > 0, ..SAME }));
        assert!(barren.still_admits(&export(1_000 + n), 1_000), "{n}");
    }
}

#[test]
fn plain_names_in_a_directory_are_no_family_to_sample() {
    // The manuals of two machines have the same text, and their pages link to each other.
    let mut barren = Barren::default();
    let page = |n: u64| url(&format!("http://a.example/manual/u8x{n}_add.html"));
    for n in 0..200 {
        let elsewhere = url(&format!("http://a.example/other/u8x{n}_add.html"));
        read(&mut barren, &elsewhere, Some(DistinctContent { blocks: Vec::leak(vec![n << 50]), ..SAME }));
    }
    for n in 0..200 {
        read(&mut barren, &page(n), Some(DistinctContent { blocks: Vec::leak(vec![n << 50]), ..SAME }));
        let next = found(page(1_000 + n).as_str(), 0);
        assert_eq!(barren.refuses(&next, Some(&page(n)), LastRunState::New, BUDGET), None, "{n}");
        assert!(barren.still_admits(&next.url, BUDGET), "{n}");
    }
}

#[test]
fn what_the_last_run_requested_is_requested_again_and_what_it_refused_is_refused() {
    let page = |n: u64| url(&format!("http://a.example/day/{n}"));
    let mut barren = Barren::default();
    for n in 0..100 {
        read(&mut barren, &page(n), Some(SAME));
        let refused = barren.refuses(&found(page(n + 1).as_str(), 0), Some(&page(n)), LastRunState::Known, BUDGET);
        assert_eq!(refused, None, "{n}");
    }
    let mut barren = Barren::default();
    let mut admits = |content, before| {
        read(&mut barren, &page(0), content);
        barren.refuses(&found(page(1).as_str(), 0), Some(&page(0)), before, BUDGET).is_none()
    };
    assert!(admits(Some(SAME), LastRunState::Sampled), "found on a page with content");
    assert!(!admits(Some(SAME), LastRunState::Sampled));
    assert!(!admits(None, LastRunState::Sampled), "of what is only remembered it is not known");
    assert!(admits(None, LastRunState::New));
}

#[test]
fn what_a_sample_leaves_out_is_no_spent_budget() {
    let mut patterns = TrapDetector::new(1_000, THIS_YEAR);
    let page = |n: u64| url(&format!("http://a.example/day/{n}"));
    let refused = (0..1_000).find_map(|n| {
        patterns.learn_content(&page(n), Some(SAME));
        patterns.refuses(&found(page(n + 1).as_str(), 0), Some(&page(n)), LastRunState::New)
    });
    assert_eq!(refused, Some(Unfetched::Sampled));
}
