use super::*;
use crate::graph::Pointer;
use proptest::prelude::*;

static NONE: std::sync::LazyLock<Judgements> = std::sync::LazyLock::new(Judgements::new);

fn page() -> UrlNode {
    UrlNode { fetch_status: FetchStatus::Page, ..UrlNode::default() }
}

fn failed() -> UrlNode {
    UrlNode { fetch_status: FetchStatus::Failed(Reason::HttpError), ..UrlNode::default() }
}

fn to(target: NodeIndex, known: UrlNode) -> UrlNode {
    UrlNode { canonical: Pointer::to(target), ..known }
}

fn redirect(target: NodeIndex) -> UrlNode {
    UrlNode { fetch_status: FetchStatus::Redirect, redirect: Pointer::to(target), ..UrlNode::default() }
}

fn reasons(graph: &[UrlNode]) -> Vec<Option<Reason>> {
    verdicts(graph).into_iter().map(|v| v.and_then(|v| v.reason)).collect()
}

fn verdicts(graph: &[UrlNode]) -> Vec<Option<Verdict>> {
    let verdicts = judge(graph, &NONE, &|node| format!("{node:04}"));
    (0..).take(graph.len()).map(|node| verdicts.of(node)).collect()
}

#[test]
fn a_page_without_canonical_or_with_one_to_itself_is_listed() {
    assert_eq!(reasons(&[page(), to(1, page())]), [None, None]);
}

#[test]
fn a_canonical_excludes_for_another_page_a_redirect_a_noindex_or_blocked_target_or_another_host() {
    let noindex = UrlNode { noindex: true, ..page() };
    let blocked = UrlNode { fetch_status: FetchStatus::NotFetched(Reason::Robots), ..UrlNode::default() };
    let elsewhere = UrlNode { fetch_status: FetchStatus::NotFetched(Reason::OutOfScope), ..UrlNode::default() };
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
    let kept = UrlNode { kept: true, transient_failure: true, ..failed() };
    assert_eq!(reasons(&[to(1, page()), kept])[0], Some(Reason::Canonical));
    assert_eq!(reasons(&[to(1, page()), redirect(2), kept])[0], Some(Reason::Canonical));
}

#[test]
fn canonicals_in_a_loop_with_redirects_are_ignored() {
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
    let refreshing = UrlNode { redirect: Pointer::to(1), noindex: true, ..page() };
    assert_eq!(reasons(&[refreshing, page()]), [Some(Reason::Redirect), None]);
}

#[test]
fn the_most_linked_exact_duplicate_stays_and_links_to_a_redirect_count_for_its_target() {
    let duplicate_key = |inlinks, length| UrlNode { duplicate_key: 9, inlinks, length, ..page() };
    assert_eq!(reasons(&[duplicate_key(1, 10), duplicate_key(2, 30)]), [Some(Reason::Duplicate), None]);
    let mut linked_redirect = redirect(0);
    linked_redirect.inlinks = 5;
    assert_eq!(
        reasons(&[duplicate_key(1, 10), duplicate_key(2, 30), linked_redirect])[..2],
        [None, Some(Reason::Duplicate)]
    );
}

#[test]
fn the_shortest_of_equally_linked_duplicates_stays_then_the_first_in_order() {
    let duplicate_key = |length| UrlNode { duplicate_key: 9, inlinks: 1, length, ..page() };
    assert_eq!(reasons(&[duplicate_key(31), duplicate_key(30)]), [Some(Reason::Duplicate), None]);
    assert_eq!(reasons(&[duplicate_key(30), duplicate_key(30)]), [None, Some(Reason::Duplicate)]);
}

#[test]
fn pages_that_are_not_exact_duplicates_stay() {
    let known = |duplicate_key| UrlNode { duplicate_key, ..page() };
    assert_eq!(reasons(&[known(1), known(2)]), [None, None]);
    assert_eq!(reasons(&[known(0), known(0)]), [None, None], "nothing is known of their bytes");
}

#[test]
fn a_duplicate_of_a_page_that_no_list_leaves_out_stays_a_duplicate() {
    let duplicate_key = |inlinks, no_list| UrlNode { duplicate_key: 9, inlinks, no_list, ..page() };
    assert_eq!(
        reasons(&[duplicate_key(1, false), duplicate_key(2, true)]),
        [Some(Reason::Duplicate), Some(Reason::NoList)]
    );
}

#[test]
fn the_last_reasons_are_no_list_and_too_long_in_this_order() {
    let both = UrlNode { no_list: true, too_long: true, ..page() };
    let long = UrlNode { too_long: true, ..page() };
    assert_eq!(reasons(&[both, long]), [Some(Reason::NoList), Some(Reason::TooLong)]);
}

fn any_known(size: u32) -> impl Strategy<Value = UrlNode> {
    (0..6_u8, prop::option::of(0..size), prop::option::of(0..size), any::<bool>(), 0..5_u64, 0..4_u32).prop_map(
        |(fetch_status, redirect, canonical, noindex, duplicate_key, inlinks)| UrlNode {
            fetch_status: match fetch_status {
                0 => FetchStatus::Absent,
                1 => FetchStatus::NotFetched(Reason::Robots),
                2 => FetchStatus::Failed(Reason::HttpError),
                3 => FetchStatus::Redirect,
                4 => FetchStatus::Page,
                _ => FetchStatus::File,
            },
            redirect: redirect.filter(|_| fetch_status == 3).into(),
            canonical: canonical.into(),
            noindex,
            duplicate_key,
            inlinks,
            ..UrlNode::default()
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
            prop_assert_eq!(verdict.is_none(), known.fetch_status == FetchStatus::Absent);
            let listed = verdict.is_some_and(|v| v.reason.is_none());
            prop_assert!(!listed || (known.fetch_status == FetchStatus::Page && !known.noindex && known.redirect.get().is_none()));
        }
    }

    #[test]
    fn a_duplicate_always_gives_its_place_to_a_page_of_the_same_bytes(
        graph in prop::collection::vec(any_known(12), 12)
    ) {
        let verdicts = verdicts(&graph);
        for (known, verdict) in graph.iter().zip(&verdicts) {
            if let Some(Verdict { reason: Some(Reason::Duplicate), evidence: Some(stays) }) = verdict {
                prop_assert_eq!(graph[*stays as usize].duplicate_key, known.duplicate_key);
                prop_assert!(verdicts[*stays as usize].is_some_and(|v| v.reason != Some(Reason::Duplicate)));
            }
        }
    }
}
