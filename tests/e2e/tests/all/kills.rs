//! A crawl that is killed (SIGKILL) at any instant, again and again, and resumed each time, ends as one that was not:
//! the same URLs, the same bytes, and no page fetched again but what was in flight or not yet committed.

use std::io::Write;

use mapwright_e2e::desk::Desk;
use mapwright_e2e::kill::{Blow, CutCrawl, Ground, Histogram, Moment, Reference, Stage};
use mapwright_e2e::links;
use mapwright_testkit::{Gate, Response, Site};

/// How much is killed.
struct Plan {
    /// URLs of the site.
    numbers: usize,
    concurrency: usize,
    /// Kills in all.
    kills: usize,
    /// Crawls on which the kills are spread, each killed at other instants.
    crawls: usize,
    /// Kills of one crawl up to its last request.
    stops: usize,
    /// So that the sitemap has an index and parts.
    urls_per_file: usize,
}

#[test]
fn ten_kills_change_nothing() {
    let stages = kill(&Plan { numbers: 400, concurrency: 16, kills: 10, crawls: 2, stops: 3, urls_per_file: 80 });
    assert!(Histogram(&stages).tail() > 0, "no kill came after the last request");
}

#[test]
fn kills_of_one_request_at_a_time_change_nothing() {
    kill(&Plan { numbers: 160, concurrency: 1, kills: 6, crawls: 1, stops: 3, urls_per_file: 50 });
}

#[test]
#[cfg(feature = "full")]
fn two_hundred_kills_change_nothing() {
    let stages = kill(&Plan { numbers: 3_000, concurrency: 16, kills: 200, crawls: 20, stops: 7, urls_per_file: 500 });
    let histogram = Histogram(&stages);
    assert!(histogram.gaps() == 0, "the kills are not spread over the whole crawl");
    assert!(histogram.tail() >= 20, "too few kills came after the last request");
}

#[test]
#[cfg(feature = "full")]
fn many_kills_of_one_request_at_a_time_change_nothing() {
    let plan = Plan { numbers: 3_000, concurrency: 1, kills: 30, crawls: 3, stops: 7, urls_per_file: 500 };
    kill(&plan);
}

/// Kills crawls by plan, compares each in the end with one that was not, and tells where they were killed.
#[track_caller]
fn kill(plan: &Plan) -> Vec<Stage> {
    let ground = Ground::of(plan.numbers);
    let (concurrency, urls) = (plan.concurrency.to_string(), plan.urls_per_file.to_string());
    let arguments = ["--concurrency", &concurrency, "--max-urls-per-file", &urls];
    let reference = Reference::of(&ground, &arguments);
    assert!(reference.published.count() > 2, "the sitemap has no parts");
    let (mut stages, mut lost) = (Vec::new(), Vec::new());
    for crawl in 0..plan.crawls * 3 {
        let mut moments = plan.moments(crawl, &reference);
        moments.truncate(plan.kills - stages.len());
        let mut cut = CutCrawl::begin(&ground, &arguments);
        stages.extend(moments.into_iter().map_while(|moment| cut.run_until(moment, Blow::Kill, &reference)));
        drop(cut.run().exited(0));
        let repeats = cut.assert_same(&reference);
        cut.assert_lost_little(&repeats, plan.concurrency);
        lost.extend(repeats.lost);
        if stages.len() == plan.kills {
            break;
        }
    }
    assert_eq!(stages.len(), plan.kills, "the crawls ended before they could be killed so often");
    let most = lost.iter().max().copied().unwrap_or(0);
    tell(&format!("{}at concurrency {concurrency}, a kill lost at most {most} fetches", Histogram(&stages)));
    stages
}

impl Plan {
    /// The moments of one crawl in their order: evenly from the first request to the last, between those of the other
    /// crawls; one kill right after a kill; and two after the last request.
    fn moments(&self, crawl: usize, reference: &Reference) -> Vec<Moment> {
        let (turn, of) = (crawl % self.crawls, self.crawls);
        let all = self.stops * of;
        let asked = |stop: usize| Moment::Asked(1 + (stop * of + turn) * reference.targets.saturating_sub(1) / all);
        let mut moments: Vec<Moment> = (0..self.stops).map(asked).collect();
        let again = if turn % 2 == 0 { Moment::Started } else { Moment::FirstRequest };
        moments.insert(1 + turn % self.stops, again);
        if turn % 4 == 3 {
            // The very first request, robots.txt, before any page.
            moments.insert(0, Moment::FirstRequest);
        }
        let tail = reference.tail * u32::try_from(turn).unwrap_or(0) / u32::try_from(of).unwrap_or(1);
        let publishing = if turn % 2 == 0 { Moment::Publishing } else { Moment::Quiet(reference.tail / 2 + tail / 2) };
        moments.extend([Moment::Quiet(tail), publishing]);
        moments
    }
}

/// Prints what is to be seen even where the test passes.
fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "\n{text}");
}

#[test]
fn a_process_that_is_killed_as_soon_as_it_starts_loses_nothing() {
    let ground = Ground::of(100);
    let reference = Reference::of(&ground, &[]);
    let mut cut = CutCrawl::begin(&ground, &[]);
    assert!(cut.run_until(Moment::Asked(50), Blow::Kill, &reference).is_some());
    for moment in [Moment::Started, Moment::Started, Moment::FirstRequest, Moment::Started, Moment::FirstRequest] {
        assert!(cut.run_until(moment, Blow::Kill, &reference).is_some(), "it had ended before {moment:?}");
    }
    drop(cut.run().exited(0));
    let repeats = cut.assert_same(&reference);
    cut.assert_lost_little(&repeats, 16);
}

#[test]
fn a_kill_leaves_the_sitemap_of_the_night_before() {
    let (desk, site, gate) = (Desk::new(), Site::open(), Gate::closed());
    site.page("/", links(&["/a"])).page("/a", "<h1>A</h1>");
    desk.crawl_well(&site.url("/"), &[]);
    let before = desk.published();
    site.page("/", links(&["/a", "/b", "/held"])).page("/b", "<h1>B</h1>");
    site.answer("/held", Response::html("<h1>Held</h1>").held_by(&gate));
    let mut crawl = desk.start_crawl(&site.url("/"), &[]);
    site.wait_for("/held", 1);
    crawl.process().kill();
    drop(crawl.wait());
    assert!(desk.published() == before, "the old sitemap has changed");
    gate.open();
    drop(desk.run(&["resume", "--state", &desk.state().display().to_string()]).exited(0));
    mapwright_testkit::assert_listed(&desk.out(), &site.urls(&["/", "/a", "/b", "/held"]));
}
