use crate::shape::shape;
use crate::trap_detector::TrapDetector;
use crate::trap_detector::tests::{THIS_YEAR, admitted, chained, found, url};
use mapwright_web::date::MONTHS;
use std::collections::{HashSet, VecDeque};

/// Walks a site breadth-first from `starts`, with a budget of 1,000, until a number of URLs was admitted. Returns how
/// many URLs were admitted and how many refused.
fn walked(starts: &[&str], most: usize, links: impl Fn(&str) -> Vec<String>) -> (usize, usize) {
    let mut patterns = TrapDetector::new(1000, THIS_YEAR);
    let mut queue: VecDeque<(String, u16)> = starts.iter().map(|start| ((*start).to_owned(), 0)).collect();
    let mut known: HashSet<String> = HashSet::new();
    let (mut walked, mut refused) = (0, 0);
    while let Some((page, generation)) = queue.pop_front().filter(|_| walked < most) {
        walked += 1;
        for link in links(&page).into_iter().filter(|link| known.insert(link.clone())) {
            let (from, to) = (url(&page), url(&link));
            let next =
                if shape(&to).is_some() && shape(&from) == shape(&to) { generation.saturating_add(1) } else { 0 };
            if patterns.admit(&found(&link, next), Some(&from)) {
                queue.push_back((link, next));
            } else {
                refused += 1;
            }
        }
    }
    (walked, refused)
}

/// A gallery's number and page.
fn gallery(text: &str) -> Option<(u64, u64)> {
    let (gallery, page) = text.strip_prefix("http://a.example/gallery/")?.split_once('/')?;
    Some((gallery.parse().ok()?, page.parse().ok()?))
}

/// A site of 600 galleries, numbered from `first` on, of which `lists` lists show ten each. A gallery has `pages`
/// pages; each page leads to the next, and to those of other galleries that `others` gives.
struct Galleries {
    first: u64,
    lists: u64,
    pages: fn(u64) -> u64,
    others: fn(u64, u64) -> Vec<(u64, u64)>,
}

impl Galleries {
    fn links(&self, text: &str) -> Vec<String> {
        let address = |(gallery, page)| format!("http://a.example/gallery/{gallery}/{page}");
        let is_there =
            |(number, at): &(u64, u64)| (self.first..self.first + 600).contains(number) && *at <= (self.pages)(*number);
        if let Some((number, at)) = gallery(text) {
            let linked = std::iter::once((number, at + 1)).chain((self.others)(number, at));
            return linked.filter(is_there).map(address).collect();
        }
        let list: u64 = text.rsplit('=').next().unwrap().parse().unwrap();
        let listed = (self.first + list * 10..self.first + list * 10 + 10).map(|number| address((number, 1)));
        let next = (list + 1 < self.lists).then(|| format!("http://a.example/list?page={}", list + 1));
        listed.chain(next).collect()
    }

    #[track_caller]
    fn assert_complete(&self, what: &str) {
        let pages: u64 = (self.first..self.first + 600).map(self.pages).sum();
        let came = walked(&["http://a.example/list?page=0"], usize::MAX, |page| self.links(page));
        assert_eq!(came, ((self.lists + pages) as usize, 0), "{what} from {} on", self.first);
    }
}

#[test]
fn galleries_are_complete_however_many_pages_they_have() {
    let others = |_, _| Vec::new();
    for first in [3000, 1800] {
        Galleries { first, lists: 60, pages: |_| 4, others }.assert_complete("4 pages");
        Galleries { first, lists: 60, pages: |_| 12, others }.assert_complete("12 pages");
        Galleries { first, lists: 60, pages: |_| 24, others }.assert_complete("24 pages");
        Galleries { first, lists: 60, pages: |number| 1 + number * 7 % 30, others }.assert_complete("1 to 30 pages");
    }
}

#[test]
fn galleries_that_lead_to_their_neighbours_are_complete() {
    let others = |number, _| vec![(number + 1, 1), (number - 1, 1)];
    let lists = 1;
    Galleries { first: 1800, lists, pages: |_| 4, others }.assert_complete("too short for months");
    Galleries { first: 3000, lists, pages: |_| 12, others }.assert_complete("beyond the present");
    Galleries { first: 1800, lists, pages: |_| 15, others }.assert_complete("other numbers in the place of months");
    Galleries { first: 900, lists, pages: |_| 12, others }.assert_complete("other numbers in the place of years");
}

/// The n-th month since the year 0, as a path.
fn month(n: i64) -> String {
    format!("http://a.example/cal/{}/{:02}/", n / 12, n % 12 + 1)
}

#[test]
fn a_calendar_has_a_budget_however_its_months_link_each_other() {
    let now = 2026 * 12 + 10;
    let steps: [&[i64]; 5] = [&[-1, 1], &[1, 12], &[-12, -1, 1, 12], &[1, 120], &[-24, -12, 1, 12, 24]];
    for steps in steps {
        let links = |page: &str| {
            let Some((year, month_of)) =
                page.strip_prefix("http://a.example/cal/").and_then(|rest| rest.split_once('/'))
            else {
                return vec![month(now)];
            };
            let n = year.parse::<i64>().unwrap() * 12 + month_of.trim_end_matches('/').parse::<i64>().unwrap() - 1;
            steps.iter().map(|step| n + step).filter(|n| (12_000..120_000).contains(n)).map(month).collect()
        };
        let (walked, refused) = walked(&["http://a.example/"], 5000, links);
        assert!((1000..=1900).contains(&walked) && refused > 0, "{walked} {refused} by {steps:?}");
    }
}

/// Months and their days, from January 2024 on.
fn calendar(month: impl Fn(u32, u32) -> String, day: impl Fn(u32, u32, u32) -> String) -> impl Iterator<Item = String> {
    (2024 * 12..2224 * 12).flat_map(move |n| {
        let (year, number) = (n / 12, n % 12 + 1);
        let days: Vec<_> = (1..=28).map(|number_of_day| day(year, number, number_of_day)).collect();
        std::iter::once(month(year, number)).chain(days)
    })
}

#[test]
fn a_calendar_of_months_and_days_has_a_budget_once_it_leaves_the_present() {
    let count = chained(calendar(
        |year, month| format!("http://a.example/calendar/{year}/{month:02}/"),
        |year, month, day| format!("http://a.example/calendar/{year}/{month:02}/{day:02}/"),
    ));
    // 2024 to 2028, and some days.
    assert!((1741..=1900).contains(&count), "{count}");
}

#[test]
fn a_calendar_has_a_budget_however_its_months_are_written() {
    let name = |n: u32| MONTHS[(n % 12) as usize];
    let ways: [&dyn Fn(u32) -> String; 5] = [
        &|n| format!("cal/{}-{:02}.html", n / 12, n % 12 + 1),
        &|n| format!("cal/{}_{:02}/", n / 12, n % 12 + 1),
        &|n| format!("cal/month-{}-{:02}/", n / 12, n % 12 + 1),
        &|n| format!("calendar/{}/{}", n / 12, name(n)),
        &|n| format!("events?y={}&m={}", n / 12, n % 12 + 1),
    ];
    for way in ways {
        let count = chained((0..2400).map(|n| format!("http://a.example/{}", way(2024 * 12 + n))));
        assert!((1000..=1001).contains(&count), "{count} {}", way(2024 * 12));
    }
}

#[test]
fn days_of_past_years_are_complete() {
    let days = (2013 * 336..2023 * 336).map(|n| {
        let (year, month, day) = (n / 336, n / 28 % 12 + 1, n % 28 + 1);
        format!("http://a.example/{year}/{month:02}/{day:02}/")
    });
    let mut patterns = TrapDetector::new(1000, THIS_YEAR);
    for (n, day) in days.enumerate() {
        assert!(patterns.admit(&found(&day, 1), None), "{day}");
        let article = format!("{day}title-{n}");
        assert!(patterns.admit(&found(&article, 0), Some(&url(&day))), "{article}");
    }
}

#[test]
fn threads_and_their_pages_are_no_months() {
    let pages =
        (3000..8000).flat_map(|thread| (1..=4).map(move |page| format!("http://a.example/topic/{thread}/{page}")));
    assert_eq!(admitted(pages.map(|page| (page, 1))), 20_000);
}
