//! Slots for concurrent runs: a run that mostly waits for its site gives up its slot to other jobs.
#![allow(clippy::indexing_slicing, reason = "helpers fail the test by panicking; the lint knows test functions alone")]

use mapwright_e2e::service::Service;
use mapwright_e2e::{Command, Workspace};
use mapwright_testkit::{FakeSite, Response, ResponseGate};

/// The number of jobs on a site that answers, besides two jobs that hang.
const GOOD: usize = 48;

fn facts(service: &Service, job: &str) -> String {
    service.job(job)["state"].as_str().unwrap_or_default().to_owned()
}

fn is_done(service: &Service, job: &str) -> bool {
    service.job(job)["newest_run"]["outcome"] == "done"
}

/// Fifty jobs share two slots, and the first two jobs hang forever.
#[test]
fn two_sites_that_hang_keep_no_other_job_from_running() {
    let (site, gate) = (FakeSite::open(), ResponseGate::closed());
    let mut jobs = "[serve]\nmax-jobs = 2\n[job]\ncron = \"0 0 1 1 *\"\n[fetch]\ntimeout = \"1h\"\n".to_owned();
    for hung in ["hung-a", "hung-b"] {
        site.answer(&format!("/{hung}/"), Response::html("<title>Late</title>").held_by(&gate));
        jobs += &format!("[job.{hung}]\nurl = [\"{}\"]\n", site.url(&format!("/{hung}/")));
    }
    for good in 0..GOOD {
        site.page(&format!("/{good}/"), format!("<title>{good}</title>"));
        jobs += &format!("[job.good-{good}]\nurl = [\"{}\"]\n", site.url(&format!("/{good}/")));
    }
    let workspace = Workspace::of_service(&jobs);
    let mut service = workspace.serve();
    for hung in ["hung-a", "hung-b"] {
        assert!((200..300).contains(&service.order(hung, "start")));
        service.until("it hangs", |service| (facts(service, hung) == "running").then_some(()));
    }
    for good in 0..GOOD {
        assert!((200..300).contains(&service.order(&format!("good-{good}"), "start")));
    }
    // The API and the dashboard report which job waits, since when, and for which job.
    let job = service.job("good-7");
    let waiting = job["waiting"].as_str().unwrap_or_default();
    assert!(waiting.starts_with("waiting for a slot since 20"), "{job}");
    assert!(waiting.ends_with(" UTC; hung-a and hung-b hold them (--max-jobs)"), "{job}");
    for page in ["/", "/jobs/good-7"] {
        assert!(service.get(page).1.contains(waiting), "{page}");
    }
    service.until("the others run", |service| {
        (0..GOOD).all(|good| is_done(service, &format!("good-{good}"))).then_some(())
    });
    let listed = Command::new(["jobs", "list", "--state-root", "root"]).within(&workspace).run().exited(0);
    assert_eq!(listed.stdout.lines().filter(|line| line.ends_with(", running")).count(), 2, "{}", listed.stdout);
    for hung in ["hung-a", "hung-b"] {
        assert_eq!(facts(&service, hung), "running", "it goes on all the same");
        let page = service.get(&format!("/jobs/{hung}")).1;
        assert!(page.contains("The site has answered nothing for "), "{page}");
    }
    gate.open();
    service.until("they end", |service| ["hung-a", "hung-b"].iter().all(|hung| is_done(service, hung)).then_some(()));
}
