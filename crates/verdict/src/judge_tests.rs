use super::*;
use crate::graph::Pointer;
use proptest::prelude::*;

static NONE: std::sync::LazyLock<Judgements> = std::sync::LazyLock::new(Judgements::new);

fn page() -> Known {
    Known { fate: Fate::Page, ..Known::default() }
}

fn failed() -> Known {
    Known { fate: Fate::Failed(Reason::HttpError), ..Known::default() }
}

fn to(target: Node, known: Known) -> Known {
    Known { canonical: Pointer::to(target), ..known }
}

fn redirect(target: Node) -> Known {
    Known { fate: Fate::Redirect, redirect: Pointer::to(target), ..Known::default() }
}

fn reasons(graph: &[Known]) -> Vec<Option<Reason>> {
    verdicts(graph).into_iter().map(|v| v.and_then(|v| v.reason)).collect()
}

fn verdicts(graph: &[Known]) -> Vec<Option<Verdict>> {
    let verdicts = judge(graph, &NONE, &|node| format!("{node:04}"));
    (0..).take(graph.len()).map(|node| verdicts.of(node)).collect()
}

#[test]
fn a_page_without_canonical_is_its_own_and_a_canonical_to_itself_says_the_same() {
    assert_eq!(reasons(&[page(), to(1, page())]), [None, None]);
}

#[test]
fn a_canonical_excludes_for_another_page_a_redirect_a_noindex_or_blocked_target_or_another_host() {
    let noindex = Known { noindex: true, ..page() };
    let blocked = Known { fate: Fate::NotFetched(Reason::Robots), ..Known::default() };
    let elsewhere = Known { fate: Fate::NotFetched(Reason::OutOfScope), ..Known::default() };
    for target in [page(), redirect(2), noindex, blocked, elsewhere] {
        let verdicts = verdicts(&[to(1, page()), target, page()]);
        assert_eq!(verdicts[0], Some(Verdict::out(Reason::Canonical, Some(1))), "{target:?}");
    }
}

#[test]
fn a_canonical_to_an_error_is_ignored() {
    assert_eq!(reasons(&[to(1, page()), failed()]), [None, Some(Reason::HttpError)]);
    let by_redirects = [to(1, page()), redirect(2), redirect(3), failed()];
    assert_eq!(reasons(&by_redirects)[0], None, "what it redirects to fails");
    assert_eq!(reasons(&[to(1, page()), redirect(2), redirect(1)])[0], None, "it redirects without end");
    assert_eq!(reasons(&[to(1, page()), redirect(1)])[0], None, "it redirects to itself");
}

#[test]
fn a_canonical_to_a_page_that_stays_listed_though_it_fails_counts() {
    let kept = Known { kept: true, bad_hour: true, ..failed() };
    assert_eq!(reasons(&[to(1, page()), kept])[0], Some(Reason::Canonical));
    assert_eq!(reasons(&[to(1, page()), redirect(2), kept])[0], Some(Reason::Canonical));
}

#[test]
fn canonicals_in_a_loop_are_ignored_redirects_on_the_way_included() {
    assert_eq!(reasons(&[to(1, page()), to(0, page())]), [None, None]);
    assert_eq!(reasons(&[to(1, page()), redirect(0)]), [None, Some(Reason::Redirect)]);
}

#[test]
fn a_page_that_only_leads_into_a_loop_is_excluded_by_its_canonical() {
    assert_eq!(reasons(&[to(1, page()), to(2, page()), to(1, page())]), [Some(Reason::Canonical), None, None]);
}

#[test]
fn each_page_of_a_chain_but_the_last_is_excluded() {
    assert_eq!(
        reasons(&[to(1, page()), to(2, page()), page()]),
        [Some(Reason::Canonical), Some(Reason::Canonical), None]
    );
}

#[test]
fn an_instant_refresh_is_a_redirect_and_comes_before_noindex() {
    let refreshing = Known { redirect: Pointer::to(1), noindex: true, ..page() };
    assert_eq!(reasons(&[refreshing, page()]), [Some(Reason::Redirect), None]);
}

#[test]
fn of_twins_with_equal_bytes_the_more_linked_stays_and_links_to_a_redirect_count_for_its_target() {
    let twin = |inlinks, length| Known { twin: 9, inlinks, length, ..page() };
    assert_eq!(reasons(&[twin(1, 10), twin(2, 30)]), [Some(Reason::Duplicate), None]);
    let mut linked_redirect = redirect(0);
    linked_redirect.inlinks = 5;
    assert_eq!(reasons(&[twin(1, 10), twin(2, 30), linked_redirect])[..2], [None, Some(Reason::Duplicate)]);
}

#[test]
fn of_twins_equally_linked_the_shorter_stays_then_the_first_in_order() {
    let twin = |length| Known { twin: 9, inlinks: 1, length, ..page() };
    assert_eq!(reasons(&[twin(31), twin(30)]), [Some(Reason::Duplicate), None]);
    assert_eq!(reasons(&[twin(30), twin(30)]), [None, Some(Reason::Duplicate)]);
}

#[test]
fn pages_that_are_no_twins_with_equal_bytes_stay() {
    let known = |twin| Known { twin, ..page() };
    assert_eq!(reasons(&[known(1), known(2)]), [None, None]);
    assert_eq!(reasons(&[known(0), known(0)]), [None, None], "nothing is known of their bytes");
}

#[test]
fn a_twin_left_out_by_no_list_still_is_the_duplicate_it_was_before() {
    let twin = |inlinks, no_list| Known { twin: 9, inlinks, no_list, ..page() };
    assert_eq!(reasons(&[twin(1, false), twin(2, true)]), [Some(Reason::Duplicate), Some(Reason::NoList)]);
}

#[test]
fn the_last_reasons_are_no_list_and_too_long_in_this_order() {
    let both = Known { no_list: true, too_long: true, ..page() };
    let long = Known { too_long: true, ..page() };
    assert_eq!(reasons(&[both, long]), [Some(Reason::NoList), Some(Reason::TooLong)]);
}

fn any_known(size: u32) -> impl Strategy<Value = Known> {
    (0..6_u8, prop::option::of(0..size), prop::option::of(0..size), any::<bool>(), 0..5_u64, 0..4_u32).prop_map(
        |(fate, redirect, canonical, noindex, twin, inlinks)| Known {
            fate: match fate {
                0 => Fate::Absent,
                1 => Fate::NotFetched(Reason::Robots),
                2 => Fate::Failed(Reason::HttpError),
                3 => Fate::Redirect,
                4 => Fate::Page,
                _ => Fate::File,
            },
            redirect: redirect.filter(|_| fate == 3).into(),
            canonical: canonical.into(),
            noindex,
            twin,
            inlinks,
            ..Known::default()
        },
    )
}

proptest! {
    #[test]
    fn every_url_of_the_run_has_one_verdict_and_only_pages_are_listed(
        graph in prop::collection::vec(any_known(12), 12)
    ) {
        let verdicts = verdicts(&graph);
        for (known, verdict) in graph.iter().zip(&verdicts) {
            prop_assert_eq!(verdict.is_none(), known.fate == Fate::Absent);
            let listed = verdict.is_some_and(|v| v.reason.is_none());
            prop_assert!(!listed || (known.fate == Fate::Page && !known.noindex && known.redirect.get().is_none()));
        }
    }

    #[test]
    fn a_duplicate_always_gives_its_place_to_a_page_of_the_same_bytes(
        graph in prop::collection::vec(any_known(12), 12)
    ) {
        let verdicts = verdicts(&graph);
        for (known, verdict) in graph.iter().zip(&verdicts) {
            if let Some(Verdict { reason: Some(Reason::Duplicate), evidence: Some(stays) }) = verdict {
                prop_assert_eq!(graph[*stays as usize].twin, known.twin);
                prop_assert!(verdicts[*stays as usize].is_some_and(|v| v.reason != Some(Reason::Duplicate)));
            }
        }
    }
}
