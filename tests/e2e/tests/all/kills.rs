//! A crawl that is repeatedly killed (SIGKILL) at any moment and resumed ends like an uninterrupted one, with the same
//! URLs and the same bytes. It fetches only those pages again that were in flight or not committed.

use std::io::Write;

use mapwright_e2e::kill::{CutCrawl, Histogram, Interruption, InterruptionSite, Moment, Reference, Stage};
use mapwright_e2e::{Workspace, links};
use mapwright_testkit::{FakeSite, Response, ResponseGate};

/// The number of kills, and the settings of the crawls.
struct Plan {
    /// URLs of the site.
    numbers: usize,
    concurrency: usize,
    /// Kills in all.
    kills: usize,
    /// Crawls over which the kills are spread, each killed at other moments.
    crawls: usize,
    /// Kills of one crawl before its last request.
    stops: usize,
    /// URLs per file, few enough that the sitemap has an index and parts.
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
    assert!(histogram.gaps() == 0, "the kills are not spread over the entire crawl");
    assert!(histogram.tail() >= 20, "too few kills came after the last request");
}

#[test]
#[cfg(feature = "full")]
fn many_kills_of_one_request_at_a_time_change_nothing() {
    let plan = Plan { numbers: 3_000, concurrency: 1, kills: 30, crawls: 3, stops: 7, urls_per_file: 500 };
    kill(&plan);
}

/// Kills crawls by plan, compares each result with that of an uninterrupted crawl, and returns the stages of the kills.
#[track_caller]
fn kill(plan: &Plan) -> Vec<Stage> {
    let ground = InterruptionSite::of(plan.numbers);
    let (concurrency, urls) = (plan.concurrency.to_string(), plan.urls_per_file.to_string());
    let arguments = ["--concurrency", &concurrency, "--max-urls-per-file", &urls];
    let reference = Reference::of(&ground, &arguments);
    assert!(reference.published.count() > 2, "the sitemap has no parts");
    let (mut stages, mut lost) = (Vec::new(), Vec::new());
    for crawl in 0..plan.crawls * 3 {
        let mut moments = plan.moments(crawl, &reference);
        moments.truncate(plan.kills - stages.len());
        let mut cut = CutCrawl::begin(&ground, &arguments);
        stages.extend(moments.into_iter().map_while(|moment| cut.run_until(moment, Interruption::Kill, &reference)));
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
    report(&format!("{}at concurrency {concurrency}, a kill lost at most {most} fetches", Histogram(&stages)));
    stages
}

impl Plan {
    /// The moments of one crawl in order: evenly from the first request to the last, between those of the other crawls;
    /// one right after a kill; and two after the last request.
    fn moments(&self, crawl: usize, reference: &Reference) -> Vec<Moment> {
        let (turn, of) = (crawl % self.crawls, self.crawls);
        let all = self.stops * of;
        let requested =
            |stop: usize| Moment::Requested(1 + (stop * of + turn) * reference.targets.saturating_sub(1) / all);
        let mut moments: Vec<Moment> = (0..self.stops).map(requested).collect();
        let again = if turn % 2 == 0 { Moment::Started } else { Moment::FirstRequest };
        moments.insert(1 + turn % self.stops, again);
        if turn % 4 == 3 {
            // The first request is robots.txt, before any page.
            moments.insert(0, Moment::FirstRequest);
        }
        // A process that only judges and publishes takes less time for it than one that commits the last pages first.
        let least = reference.tail / 2;
        let tail = least * u32::try_from(turn).unwrap_or(0) / u32::try_from(of).unwrap_or(1);
        let publishing = if turn % 2 == 0 { Moment::Publishing } else { Moment::Quiet(least / 2 + tail / 2) };
        moments.extend([Moment::Quiet(tail), publishing]);
        moments
    }
}

/// Prints a text even if the test passes.
fn report(text: &str) {
    let _ = writeln!(std::io::stderr(), "\n{text}");
}

#[test]
fn a_process_that_is_killed_as_soon_as_it_starts_loses_nothing() {
    let ground = InterruptionSite::of(100);
    let reference = Reference::of(&ground, &[]);
    let mut cut = CutCrawl::begin(&ground, &[]);
    assert!(cut.run_until(Moment::Requested(50), Interruption::Kill, &reference).is_some());
    for moment in [Moment::Started, Moment::Started, Moment::FirstRequest, Moment::Started, Moment::FirstRequest] {
        assert!(cut.run_until(moment, Interruption::Kill, &reference).is_some(), "it had ended before {moment:?}");
    }
    drop(cut.run().exited(0));
    let repeats = cut.assert_same(&reference);
    cut.assert_lost_little(&repeats, 16);
}

#[test]
fn a_kill_leaves_the_sitemap_of_the_last_run() {
    let (workspace, site, gate) = (Workspace::new(), FakeSite::open(), ResponseGate::closed());
    site.page("/", links(&["/a"])).page("/a", "<h1>A</h1>");
    workspace.crawl_well(&site.url("/"), &[]);
    let before = workspace.published();
    site.page("/", links(&["/a", "/b", "/held"])).page("/b", "<h1>B</h1>");
    site.answer("/held", Response::html("<h1>Held</h1>").held_by(&gate));
    let mut crawl = workspace.start_crawl(&site.url("/"), &[]);
    site.wait_for("/held", 1);
    crawl.process().kill();
    drop(crawl.wait());
    assert!(workspace.published() == before, "the old sitemap has changed");
    gate.open();
    drop(workspace.run(&["resume", "--state", &workspace.state().display().to_string()]).exited(0));
    mapwright_testkit::assert_listed(&workspace.out(), &site.urls(&["/", "/a", "/b", "/held"]));
}
