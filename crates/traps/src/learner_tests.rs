use super::*;
use crate::parameter::path_pattern;
use mapwright_web::UrlIdentity;
use proptest::prelude::*;

fn url(path: &str) -> PageUrl {
    PageUrl::parse(&format!("http://a.example{path}"), &UrlIdentity::default()).unwrap()
}

fn page(content: u64) -> Option<PageFingerprint> {
    Some(PageFingerprint::of([content].into_iter(), Some("Page")))
}

/// A learner that has read these pages, given by path and content.
fn learner(pages: &[(&str, Option<u64>)]) -> Learner {
    let mut learner = Learner::default();
    for (path, content) in pages {
        let url = url(path);
        learner.samples(&url);
        learner.read(&url, content.and_then(page));
    }
    learner
}

fn clean(learner: &Learner, path: &str) -> Option<String> {
    learner.clean(&url(path)).map(|url| url.path_and_query().to_owned())
}

#[test]
fn a_session_is_recognised_by_the_pages_without_it() {
    let learner = learner(&[
        ("/t.php?t=1&sid=aa", Some(1)),
        ("/t.php?t=1", Some(1)),
        ("/t.php?t=2&sid=bb", Some(2)),
        ("/t.php?t=2", Some(2)),
    ]);
    assert_eq!(clean(&learner, "/t.php?t=3&sid=cc").as_deref(), Some("/t.php?t=3"));
    assert_eq!(clean(&learner, "/t.php?t=3"), None);
}

#[test]
fn the_number_of_a_story_is_no_session_even_if_it_is_named_like_one() {
    let learner = learner(&[("/story.php?sid=aa", Some(1)), ("/story.php", Some(9)), ("/story.php?sid=bb", Some(2))]);
    assert_eq!(clean(&learner, "/story.php?sid=cc"), None);
}

#[test]
fn a_counter_example_withdraws_a_role() {
    let mut learner = learner(&[("/a?ref=x", Some(1)), ("/a", Some(1)), ("/b?ref=x", Some(2)), ("/b", Some(2))]);
    assert!(clean(&learner, "/c?ref=x").is_some());
    learner.read(&url("/d"), page(7));
    learner.read(&url("/d?ref=y"), page(8));
    assert_eq!(clean(&learner, "/c?ref=x"), None);
}

#[test]
fn two_lists_of_one_page_are_no_evidence_for_a_longer_one() {
    let mut learner = learner(&[
        ("/a?s=2", Some(1)),
        ("/a?s=3", Some(1)),
        ("/a", Some(1)),
        ("/shop/b?s=2", Some(2)),
        ("/shop/b?s=3", Some(2)),
        ("/shop/b", Some(2)),
    ]);
    assert_eq!(clean(&learner, "/a?s=4").as_deref(), Some("/a"), "at its own path it is proven");
    assert_eq!(clean(&learner, "/c?s=2"), None);
    for (n, path) in [(3, "/d"), (4, "/e"), (5, "/f")] {
        learner.read(&url(&format!("{path}?s=2")), page(n));
        learner.read(&url(path), page(n));
    }
    assert_eq!(clean(&learner, "/c?s=2").as_deref(), Some("/c"));
}

#[test]
fn a_parameter_without_which_there_is_no_page_specifies_it() {
    let learner = learner(&[("/a?ref=1", Some(1)), ("/a?ref=2", Some(1)), ("/a?ref=3", Some(1)), ("/a", None)]);
    assert_eq!(clean(&learner, "/a?ref=4"), None);
}

#[test]
fn a_parameter_whose_values_change_the_title_specifies_the_page() {
    let mut learner = Learner::default();
    for (n, title) in [(1, "One"), (2, "Two")] {
        learner.read(&url(&format!("/doku.php?id={n}")), Some(PageFingerprint::of([n].into_iter(), Some(title))));
    }
    for action in ["diff", "index", "media"] {
        learner.read(&url(&format!("/doku.php?do={action}")), page(7));
        learner.read(&url(&format!("/doku.php?id=1&do={action}")), page(7));
    }
    assert_eq!(clean(&learner, "/doku.php?id=3"), None);
}

#[test]
fn titles_under_the_values_of_one_parameter_are_no_evidence_about_another() {
    let titled = |content: u64, title| Some(PageFingerprint::of([content].into_iter(), Some(title)));
    let mut learner = Learner::default();
    learner.read(&url("/list?from=1"), titled(1, "One"));
    for n in 1..=3 {
        learner.read(&url(&format!("/list?x={n}")), titled(7, "List"));
    }
    learner.read(&url("/list"), titled(7, "List"));
    assert_eq!(clean(&learner, "/list?x=4").as_deref(), Some("/list"));
}

#[test]
fn a_parameter_that_specified_the_page_in_an_earlier_run_still_does() {
    let pattern = path_pattern(&url("/doku.php?id=1"));
    let key = ParameterKey { pattern, parameter: Parameter::from_label("id") };
    let mut learner = Learner::default();
    learner.recall(key, ParameterRole::Specifies);
    learner.read(&url("/doku.php"), page(1));
    (1..=4).for_each(|n| learner.read(&url(&format!("/doku.php?id={n}")), page(1)));
    assert_eq!(clean(&learner, "/doku.php?id=5"), None);
}

#[test]
fn a_page_that_was_read_as_a_variant_has_an_unread_clean_url_until_that_is_read() {
    let mut learner = learner(&[("/a?r=1", Some(1)), ("/b?r=1", Some(2)), ("/c?r=1", Some(3)), ("/d?r=1", Some(4))]);
    assert_eq!(learner.clean_anywhere(&url("/d?r=1")), None, "nothing is certain");
    [("/a", 1), ("/b", 2), ("/c", 3)].into_iter().for_each(|(path, content)| learner.read(&url(path), page(content)));
    assert_eq!(learner.clean_anywhere(&url("/d?r=1")), Some(url("/d")));
    assert!(learner.has_unread_clean(&url("/d?r=1")) && !learner.has_unread_clean(&url("/a?r=1")));
    learner.read(&url("/d"), page(4));
    assert!(!learner.has_unread_clean(&url("/d?r=1")) && learner.has_read(&url("/d")));
}

#[test]
fn the_role_of_a_parameter_is_unknown_until_it_is_learnt() {
    let names = |learner: &Learner, path: &str| -> Vec<String> {
        learner.unknown(&url(path)).into_iter().map(|key| key.parameter.name).collect()
    };
    let mut learner = Learner::default();
    assert_eq!(names(&learner, "/t.php?t=1&sid=a"), ["t", "sid"]);
    assert!(names(&learner, "/t").is_empty());
    let samples = learner.samples(&url("/t.php?t=1&sid=a"));
    assert!(samples.iter().all(|sample| learner.unknown(sample).is_empty()), "a comparison waits for nothing");
    for n in 1..=3 {
        learner.read(&url(&format!("/t.php?t={n}&sid=a")), page(n));
        learner.read(&url(&format!("/t.php?t={n}")), page(n));
        learner.read(&url("/t.php?sid=a"), page(9));
    }
    assert!(names(&learner, "/t.php?t=7&sid=a").is_empty(), "one specifies the page, the other has no effect");
}

#[test]
fn few_clean_urls_are_requested_for_each_role() {
    let mut learner = Learner::default();
    let requested: usize = (0..100).map(|n| learner.samples(&url(&format!("/t.php?t={n}&sid=x{n}"))).len()).sum();
    assert_eq!(requested, 8, "four for each of two parameters");
}

proptest! {
    /// The roles do not depend on the order in which pages are read.
    #[test]
    fn roles_do_not_depend_on_the_order_of_answers(order in Just((0..24_usize).collect::<Vec<_>>()).prop_shuffle()) {
        let paths: Vec<(String, u64)> = (0..8_u64)
            .flat_map(|n| [(format!("/p{n}?s=x{n}&v={n}"), n), (format!("/p{n}?v={n}"), n), (format!("/p{n}?s=x{n}"), n + 50)])
            .collect();
        let mut learner = Learner::default();
        for at in order {
            let (path, content) = &paths[at];
            learner.read(&url(path), page(*content));
        }
        prop_assert_eq!(clean(&learner, "/new?s=1&v=2"), Some("/new?v=2".to_owned()));
    }
}

/// A diary is requested by day and length; without the length it shows its first page.
#[test]
fn a_page_requested_for_comparison_is_no_evidence_about_its_own_parameters() {
    let mut learner = Learner::default();
    learner.read(&url("/diary"), page(1));
    for day in 1..=6 {
        for sample in learner.samples(&url(&format!("/diary?from={day}&days=1"))) {
            learner.read(&sample, page(1));
        }
    }
    assert_eq!(clean(&learner, "/diary?from=9&days=1"), None);
}

#[test]
fn one_page_that_has_nothing_to_sort_is_no_evidence_about_others() {
    let pages =
        [("/node/1", Some(1)), ("/node/1?sort=a", Some(1)), ("/node/1?sort=b", Some(1)), ("/node/1?sort=c", Some(1))];
    let mut learner = learner(&pages);
    assert_eq!(clean(&learner, "/node/1?sort=d").as_deref(), Some("/node/1"));
    assert_eq!(clean(&learner, "/node/18?sort=a"), None);
    learner.read(&url("/node/2"), page(2));
    learner.read(&url("/node/2?sort=a"), page(2));
    assert_eq!(clean(&learner, "/node/18?sort=a").as_deref(), Some("/node/18"));
}

#[test]
fn identifiers_that_name_pages_are_not_tested_on_other_patterns() {
    let mut learner = learner(&[("/a/8f14e45fceea167a5a36/x", Some(1)), ("/a/x", None)]);
    assert_eq!(learner.samples(&url("/b/c9f0f895fb98ab9159f5/y")), Vec::new());
    assert_eq!(learner.samples(&url("/b?id=c9f0f895fb98ab9159f5")), vec![url("/b")]);
}

#[test]
fn a_language_without_effect_says_nothing_about_another() {
    let same = [("/a?lang=en", 1), ("/a", 1), ("/b?lang=en", 2), ("/b", 2), ("/c?lang=en", 3), ("/c", 3)];
    let mut learner = learner(&same.map(|(path, content)| (path, Some(content))));
    assert_eq!(clean(&learner, "/d?lang=en").as_deref(), Some("/d"));
    let german = url("/d?lang=de");
    assert_eq!((learner.clean(&german), learner.unknown(&german).len()), (None, 1), "it is requested and compared");
    assert_eq!(learner.samples(&german), [url("/d")]);
    for (path, content) in [("/d", 4), ("/d?lang=de", 4), ("/d?lang=fr", 4)] {
        learner.read(&url(path), page(content));
    }
    assert_eq!(clean(&learner, "/e?lang=it").as_deref(), Some("/e"), "three values agree");
}

#[test]
fn a_role_that_an_earlier_run_learned_holds_for_all_values() {
    let mut learner = Learner::default();
    let of = VariantParameter::all(&url("/a?ref=x")).remove(0);
    learner.recall(of.key, ParameterRole::NoEffect);
    assert_eq!(clean(&learner, "/a?ref=y").as_deref(), Some("/a"));
}

#[test]
fn one_session_speaks_for_all() {
    for session in [|digit: char| format!("{digit}B7C3D9E1F5A2B8C"), |digit: char| format!("1x25d3a{digit}")] {
        let at = |name: &str, digit: char| url(&format!("/{name};jsessionid={}", session(digit)));
        let mut learner = Learner::default();
        for name in ["a", "b"] {
            learner.read(&at(name, '1'), page(1));
            learner.read(&url(&format!("/{name}")), page(1));
        }
        assert_eq!(learner.clean(&at("c", '2')), Some(url("/c")));
    }
}
