use super::*;

fn page(status: Option<u16>) -> Event<'static> {
    let outcome = if status.is_some() { Outcome::Page } else { Outcome::NoAnswer };
    Event::Visited { url: "http://127.0.0.1/", is_page: true, outcome, status, total: None, will_retry: false }
}

fn after(began: Instant, millis: u64) -> Instant {
    began + Duration::from_millis(millis)
}

#[test]
fn the_rate_is_right_from_the_first_second() {
    let began = Instant::now();
    let mut speed = CrawlSpeed::new(began);
    speed.see(&page(Some(200)), after(began, 20));
    assert_eq!(speed.rate(after(began, 20)), 1.0, "one page after 20 ms is no 50 a second");
    for at in 2..=100 {
        speed.see(&page(Some(200)), after(began, at * 100));
    }
    let rate = speed.rate(after(began, 10_000));
    assert!((9.0..=11.0).contains(&rate), "{rate}");
    speed.sample(after(began, 10_300));
    speed.sample(after(began, 15_000));
    assert_eq!(speed.rate(after(began, 15_500)), 0.0, "what stands still is not shown to go on");
}

#[test]
fn a_site_that_does_not_answer_is_silent() {
    let began = Instant::now();
    let mut speed = CrawlSpeed::new(began);
    assert_eq!(speed.silence(after(began, 9_000)), None);
    speed.see(&page(None), after(began, 30_000));
    assert_eq!(speed.silence(after(began, 31_000)), Some(Duration::from_secs(31)));
    assert_eq!((speed.pages(), speed.errors()), (1, 1));
    speed.see(&page(Some(404)), after(began, 32_000));
    assert_eq!(speed.silence(after(began, 33_000)), None, "an error is an answer");
}

#[test]
fn few_answers_are_a_wait_for_the_site_and_a_queue_that_moves_is_work() {
    let began = Instant::now();
    let mut speed = CrawlSpeed::new(began);
    assert!(!speed.waits_for_site(after(began, 19_000)), "it may only begin slowly");
    assert!(speed.waits_for_site(after(began, 20_000)));
    for at in 0..400 {
        speed.see(&page(Some(200)), after(began, 20_000 + at * 100));
    }
    assert!(!speed.waits_for_site(after(began, 60_000)), "ten answers a second are work");
    for at in 0..40 {
        speed.see(&page(Some(200)), after(began, 60_000 + at * 1_000));
    }
    assert!(speed.waits_for_site(after(began, 100_000)), "one a second is none");
    speed.see(&Event::Committed { queued: 50_000, rendering: 0 }, after(began, 101_000));
    assert!(!speed.waits_for_site(after(began, 102_000)));
    assert!(speed.waits_for_site(after(began, 122_000)));
    assert!(speed.samples.len() < 100, "{}", speed.samples.len());
}
