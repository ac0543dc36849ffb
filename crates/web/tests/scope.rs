//! The URLs that a crawl admits.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

use mapwright_web::scope::ScopeError;
use mapwright_web::{PageUrl, Scope, ScopeKind, ScopeVerdict, UrlIdentity};

fn url(text: &str) -> PageUrl {
    PageUrl::parse(text, &UrlIdentity::default()).expect(text)
}

fn urls(texts: &[&str]) -> Vec<PageUrl> {
    texts.iter().map(|text| url(text)).collect()
}

fn scope(kind: ScopeKind, roots: &[&str]) -> Scope {
    Scope::new(kind, urls(roots), Vec::new(), &[], &[]).unwrap()
}

fn filtered(include: &[&str], exclude: &[&str]) -> Scope {
    let texts = |patterns: &[&str]| patterns.iter().map(|pattern| (*pattern).to_owned()).collect::<Vec<_>>();
    let roots = urls(&["http://h/start.html"]);
    Scope::new(ScopeKind::Path, roots, Vec::new(), &texts(include), &texts(exclude)).unwrap()
}

fn assert_in(scope: &Scope, texts: &[&str]) {
    for text in texts {
        assert_eq!(scope.admits(&url(text)), ScopeVerdict::In, "{text}");
    }
}

fn assert_out(scope: &Scope, texts: &[&str]) {
    for text in texts {
        assert_eq!(scope.admits(&url(text)), ScopeVerdict::OutOfScope, "{text}");
    }
}

fn assert_excluded(scope: &Scope, texts: &[&str]) {
    for text in texts {
        assert_eq!(scope.admits(&url(text)), ScopeVerdict::Excluded, "{text}");
    }
}

#[test]
fn path_scope_is_the_origin_and_the_directory() {
    let scope = scope(ScopeKind::Path, &["http://h/docs/start.html?x"]);
    assert_in(&scope, &["http://h/docs/", "http://h/docs/a/b?c", "http://h/docs/start.html?x"]);
    assert_out(&scope, &["http://h/docs", "http://h/docsX/", "http://h/", "https://h/docs/", "http://h:81/docs/"]);
    assert_out(&scope, &["http://www.h/docs/", "http://h./docs/"]);
}

#[test]
fn several_roots_each_reach_their_own_directory() {
    let scope = scope(ScopeKind::Path, &["http://h/a/", "http://o/b/"]);
    assert_in(&scope, &["http://h/a/x", "http://o/b/x"]);
    assert_out(&scope, &["http://h/b/x", "http://o/a/x"]);
}

#[test]
fn host_scope_is_the_origin() {
    let scope = scope(ScopeKind::Host, &["https://example.com/docs/"]);
    assert_in(&scope, &["https://example.com/", "https://example.com/other"]);
    assert_out(&scope, &["http://example.com/", "https://example.com:444/", "https://www.example.com/"]);
    assert_out(&scope, &["https://example.com.evil.example/"]);
}

#[test]
fn domain_scope_is_every_host_below_the_registrable_domain() {
    let scope = scope(ScopeKind::Domain, &["https://www.example.co.uk/x"]);
    assert_in(&scope, &["https://example.co.uk/", "http://example.co.uk:8080/", "http://a.b.example.co.uk/y"]);
    assert_in(&scope, &["https://www.example.co.uk./"]);
    assert_out(&scope, &["http://other.co.uk/", "http://myexample.co.uk/", "http://example.co.uk.evil.example/"]);
}

#[test]
fn a_public_suffix_is_not_everybodys_domain() {
    let project = scope(ScopeKind::Domain, &["https://project.github.io/"]);
    assert_in(&project, &["https://project.github.io/x", "https://a.project.github.io/"]);
    assert_out(&project, &["https://github.io/", "https://other.github.io/"]);
    let suffix = scope(ScopeKind::Domain, &["https://github.io/"]);
    assert_in(&suffix, &["https://github.io/x", "http://github.io:81/"]);
    assert_out(&suffix, &["https://other.github.io/"]);
}

#[test]
fn domain_scope_of_an_address_or_a_single_label_is_that_host() {
    let address = scope(ScopeKind::Domain, &["http://127.0.0.1:8080/"]);
    assert_in(&address, &["http://127.0.0.1/", "https://127.0.0.1:9090/x"]);
    assert_out(&address, &["http://27.0.0.1/", "http://127.0.0.2/", "http://0.1.example/"]);
    let label = scope(ScopeKind::Domain, &["http://localhost/"]);
    assert_in(&label, &["http://localhost:81/"]);
    assert_out(&label, &["http://a.localhost/", "http://mylocalhost/"]);
    let v6 = scope(ScopeKind::Domain, &["http://[::1]/"]);
    assert_in(&v6, &["http://[::1]:81/x"]);
    assert_out(&v6, &["http://[::2]/"]);
}

#[test]
fn list_scope_is_exactly_the_list() {
    let list = urls(&["http://h/a", "http://o/b?c"]);
    let scope = Scope::new(ScopeKind::List, Vec::new(), list, &[], &[]).unwrap();
    assert_in(&scope, &["http://h/a", "http://o/b?c", "http://h/a#x"]);
    assert_out(&scope, &["http://h/a/", "http://h/a/b", "http://o/b", "http://h/"]);
}

#[test]
fn a_list_widens_no_other_scope() {
    let scope = Scope::new(ScopeKind::Path, urls(&["http://h/a/"]), urls(&["http://o/x"]), &[], &[]).unwrap();
    assert_out(&scope, &["http://o/x"]);
}

#[test]
fn patterns_match_anywhere_in_the_canonical_text() {
    let scope = filtered(&[], &[r"\.pdf$", "/private/", "^https?://[^/]+/x"]);
    assert_in(&scope, &["http://h/a.pdf?x", "http://h/public/"]);
    assert_excluded(&scope, &["http://h/a.pdf", "http://h/a/private/b", "http://h/xyz"]);
    let included = filtered(&["/docs/", "~"], &["draft"]);
    assert_in(&included, &["http://h/docs/a", "http://h/%7euser"]);
    assert_excluded(&included, &["http://h/other", "http://h/docs/draft"]);
}

#[test]
fn what_is_out_of_scope_is_not_called_excluded() {
    assert_out(&filtered(&["docs"], &["x"]), &["http://o/x"]);
}

#[test]
fn patterns_never_refuse_a_root() {
    let scope = filtered(&["docs"], &["start"]);
    assert_in(&scope, &["http://h/start.html"]);
    assert_excluded(&scope, &["http://h/start.html?x"]);
}

#[test]
fn a_bad_pattern_is_named_with_its_reason() {
    let bad = |include: &[String], exclude: &[String]| {
        Scope::new(ScopeKind::Path, urls(&["http://h/"]), Vec::new(), include, exclude).unwrap_err()
    };
    let fault = bad(&["ok".to_owned(), "a(b".to_owned()], &[]);
    assert_eq!(fault.to_string(), "the include pattern `a(b` is no regular expression: unclosed group");
    let large = bad(&[], &["(?:[a-z]{100}){1000}".to_owned()]);
    assert!(matches!(large, ScopeError::BadPattern { list: "exclude", .. }), "{large}");
    assert_eq!(large.to_string().lines().count(), 1);
}

#[test]
fn a_scope_needs_a_start() {
    for kind in [ScopeKind::Path, ScopeKind::Host, ScopeKind::Domain] {
        let made = Scope::new(kind, Vec::new(), urls(&["http://h/"]), &[], &[]);
        assert_eq!(made.unwrap_err(), ScopeError::NoStart, "{kind:?}");
    }
    assert_eq!(Scope::new(ScopeKind::List, Vec::new(), Vec::new(), &[], &[]).unwrap_err(), ScopeError::NoStart);
}

#[test]
fn a_redirected_start_moves_the_scope() {
    let mut scope = scope(ScopeKind::Path, &["http://example.com/a/", "http://example.com/b/"]);
    scope.move_root(&url("http://example.com/a/"), &url("https://www.example.com/en/"));
    assert_eq!(scope.roots(), urls(&["https://www.example.com/en/", "http://example.com/b/"]));
    assert_in(&scope, &["https://www.example.com/en/x", "http://example.com/b/x"]);
    assert_out(&scope, &["http://example.com/a/x", "https://www.example.com/"]);
}

#[test]
fn a_start_that_moves_to_another_host_keeps_its_directory() {
    for steps in [
        &["http://example.com/", "https://www.example.com/en/"][..],
        &["http://example.com/", "https://www.example.com/", "https://www.example.com/en/"],
        &["http://example.com/", "http://example.com/en/", "http://www.example.com/en/", "https://www.example.com/en/"],
    ] {
        let mut scope = scope(ScopeKind::Path, &["http://example.com/"]);
        for step in steps.windows(2) {
            if scope.admits(&url(step[1])) == ScopeVerdict::OutOfScope {
                scope.move_root(&url(step[0]), &url(step[1]));
            }
        }
        assert_in(&scope, &["https://www.example.com/", "https://www.example.com/de/"]);
        assert_out(&scope, &["http://example.com/", "http://www.example.com/"]);
    }
    let mut below = scope(ScopeKind::Path, &["http://example.com/shop/index.html"]);
    let root = below.move_root(&url("http://example.com/shop/index.html"), &url("https://www.example.com/shop/home/"));
    assert_eq!(root, url("https://www.example.com/shop/"));
    assert_in(&below, &["https://www.example.com/shop/x"]);
    assert_out(&below, &["https://www.example.com/"]);
}

#[test]
fn a_move_from_an_unknown_root_adds_and_a_known_target_is_not_doubled() {
    let mut scope = scope(ScopeKind::Path, &["http://h/a/", "http://h/b/"]);
    scope.move_root(&url("http://o/"), &url("http://h/c/"));
    assert_eq!(scope.roots(), urls(&["http://h/a/", "http://h/b/", "http://h/c/"]));
    scope.move_root(&url("http://h/a/"), &url("http://h/b/"));
    assert_eq!(scope.roots(), urls(&["http://h/b/", "http://h/c/"]));
    scope.move_root(&url("http://h/b/"), &url("http://h/b/"));
    scope.move_root(&url("http://o/"), &url("http://h/c/"));
    assert_eq!(scope.roots(), urls(&["http://h/b/", "http://h/c/"]));
}

#[test]
fn a_sitemap_belongs_to_the_root_of_the_first_host() {
    let of = |kind, roots: &[&str]| scope(kind, roots).sitemap_directory().as_str().to_owned();
    assert_eq!(of(ScopeKind::Path, &["http://h/index.php/b/c"]), "http://h/");
    assert_eq!(of(ScopeKind::Path, &["http://h/a/x?y=/z/", "http://o/b/"]), "http://h/");
    assert_eq!(of(ScopeKind::Host, &["http://h/a/b"]), "http://h/");
    assert_eq!(of(ScopeKind::Domain, &["http://h.example/a/b"]), "http://h.example/");
}

#[test]
fn a_stored_scope_reads_back() {
    let patterns = ["docs".to_owned()];
    let list = urls(&["http://h/b", "http://h/a"]);
    let one = Scope::new(ScopeKind::List, urls(&["http://h/a"]), list, &patterns, &["x$".to_owned()]).unwrap();
    let stored = serde_json::to_value(&one).unwrap();
    assert_eq!(
        stored,
        serde_json::json!({
            "kind": "list", "roots": ["http://h/a"], "list": ["http://h/a", "http://h/b"],
            "include": ["docs"], "exclude": ["x$"],
        })
    );
    let again: Scope = serde_json::from_value(stored.clone()).unwrap();
    assert_eq!(serde_json::to_value(&again).unwrap(), stored);
    assert_eq!(again.kind(), ScopeKind::List);
    assert_eq!(again.admits(&url("http://h/b")), ScopeVerdict::Excluded);
    assert!(
        serde_json::from_value::<Scope>(serde_json::json!({
            "kind": "path", "roots": [], "list": [], "include": [], "exclude": [],
        }))
        .is_err()
    );
}
