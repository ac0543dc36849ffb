//! No content is lost, and the order of answers decides nothing.

use crate::crawl::{Blank, Order, Outcome, crawl};
use crate::generate::generate;
use crate::model::{Address, Site};
use crate::reduce::reduce;
use crate::show::View;
use crate::truth::{Truth, report};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of generated sites; the environment may set another number (`SITES`) or choose one site (`SEED`).
const SITES: u64 = if cfg!(feature = "full") { 10_000 } else { 200 };
/// The orders in which each site is crawled.
const ORDERS: [Order; 4] = [
    Order { concurrency: 1, seed: 1 },
    Order { concurrency: 16, seed: 2 },
    Order { concurrency: 4, seed: 3 },
    Order { concurrency: 16, seed: 4 },
];
/// Sites that once lost content: one page with nothing to sort, a short page behind a number, a list of which only a
/// further page is linked, two sessions in each link.
const SEEDS: [u64; 22] = [
    323, 1227, 1565, 1926, 2080, 2439, 2506, 2829, 2953, 3062, 3119, 3169, 4013, 4441, 4582, 5528, 6457, 7031, 7805,
    8729, 9381, 9992,
];
/// The number of faults that are reported in full.
const MAX_REPORTED: usize = 3;

#[test]
fn no_content_is_lost_whatever_the_order_of_answers() {
    let set = |name| std::env::var(name).ok().map(|number| number.parse::<u64>().unwrap());
    let (first, last) = set("SEED").map_or((1, set("SITES").unwrap_or(SITES)), |seed| (seed, seed));
    let next = AtomicU64::new(first);
    let work = || {
        let blank = Blank::new();
        let seeds = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)).filter(|seed| *seed <= last));
        let kind = |seed| Some((seed, Fault::of(&generate(seed), &blank)?.kind()));
        seeds.filter_map(kind).collect::<Vec<_>>()
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut faulty: Vec<(u64, &str)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    faulty.sort_unstable();
    let sites = last + 1 - first;
    let lost = faulty.iter().filter(|(_, kind)| *kind == "lost").count() as u64;
    let of_kind = |wanted: &str| faulty.iter().filter(|(_, kind)| *kind == wanted).count();
    let [lists, roles] = ["another list", "other roles"].map(of_kind);
    println!(
        "of {sites} sites {lost} lose content, {lists} have another list and {roles} other roles in another order"
    );
    let reported = || faulty.iter().take(MAX_REPORTED).map(|(seed, _)| report_of(*seed)).collect::<String>();
    assert!(
        faulty.is_empty(),
        "{} of {sites} sites, {lost} of them with losses: {faulty:?}\n{}",
        faulty.len(),
        reported()
    );
}

#[test]
fn sites_that_once_lost_content_lose_none() {
    let blank = Blank::new();
    for seed in SEEDS {
        let site = generate(seed);
        let lost = Fault::of(&site, &blank).filter(|fault| fault.kind() == "lost");
        assert!(lost.is_none(), "SEED={seed} {}", lost.map(|lost| lost.report(&site)).unwrap_or_default());
    }
}

/// Checks a site.
pub(crate) fn check(site: &Site, blank: &Blank) {
    if let Some(fault) = Fault::of(site, blank) {
        panic!("{}", fault.report(site));
    }
}

/// Describes the fault of the site of a seed, on the smallest site that has it.
fn report_of(seed: u64) -> String {
    let (site, blank) = (generate(seed), Blank::new());
    let Some(fault) = Fault::of(&site, &blank) else { return format!("SEED={seed} goes well at times\n") };
    let is_like = |site: &Site| Fault::of(site, &blank).is_some_and(|like| like.kind() == fault.kind());
    let least = reduce(&site, &is_like);
    let reported = Fault::of(&least, &blank).map(|fault| fault.report(&least)).unwrap_or_default();
    format!("SEED={seed} {reported}\n")
}

/// A promise that was broken.
enum Fault {
    /// Texts that no listed page shows, each with a URL that shows it.
    Lost(Vec<(String, String)>, Order, Outcome),
    /// The outcome in this order differs from that in the first order.
    Differs(Order, Outcome, Outcome),
}

impl Fault {
    fn of(site: &Site, blank: &Blank) -> Option<Self> {
        let truth = Truth::of(site, usize::MAX)?;
        let shared = Arc::new(site.clone());
        let mut first: Option<Outcome> = None;
        for order in ORDERS {
            let outcome = crawl(&shared, blank, order);
            let lost = lost(site, &truth, &outcome);
            if !lost.is_empty() {
                return Some(Self::Lost(lost, order, outcome));
            }
            match &first {
                None => first = Some(outcome),
                Some(first) if *first != outcome => return Some(Self::Differs(order, first.clone(), outcome)),
                Some(_) => {}
            }
        }
        None
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Lost(..) => "lost",
            Self::Differs(_, one, other) if one.listed != other.listed => "another list",
            Self::Differs(..) => "other roles",
        }
    }

    fn report(&self, site: &Site) -> String {
        let kind = self.kind();
        let what = match self {
            Self::Lost(texts, order, outcome) => format!("in {order:?}: {texts:#?}\n{outcome}"),
            Self::Differs(order, one, other) => format!("in {order:?}:\n{one}instead of, in {:?}:\n{other}", ORDERS[0]),
        };
        format!("{kind} {what}\n{}", report(site))
    }
}

/// The texts that no listed page shows, each with a URL that shows it.
fn lost(site: &Site, truth: &Truth, outcome: &Outcome) -> Vec<(String, String)> {
    let mut shown: BTreeSet<String> = BTreeSet::new();
    for url in &outcome.listed {
        let view = Address::parse(site, url).and_then(|address| View::of(site, &address));
        shown.extend(view.iter().flat_map(View::shown).cloned());
    }
    let lost = truth.texts.iter().filter(|(text, _)| !shown.contains(*text));
    lost.map(|(text, url)| (text.clone(), url.clone())).collect()
}

#[test]
fn short_lists_are_no_evidence_for_long_ones() {
    let site = generate(3062);
    let lost = (0..40).find_map(|_| Fault::of(&site, &Blank::new()).filter(|fault| fault.kind() == "lost"));
    assert!(lost.is_none(), "{}", lost.map(|lost| lost.report(&site)).unwrap_or_default());
}
