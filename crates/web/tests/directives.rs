//! Robots directives in tags and headers, by Google's published behaviour.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use mapwright_web::directives::{Binding, Directives, binding, parse_x_robots};
use mapwright_web::page::{FactLocation, PlacedDirectives};

fn meta(content: &str) -> Directives {
    Directives::parse_meta(content)
}

fn header(value: &str) -> Vec<(Option<String>, Directives)> {
    parse_x_robots(value)
}

fn placed(agent: Option<&str>, content: &str) -> PlacedDirectives {
    PlacedDirectives { agent: agent.map(str::to_owned), directives: meta(content), place: FactLocation::Head }
}

fn bound(all: &[PlacedDirectives]) -> Binding {
    binding(all, &["mapwright", "Googlebot"], "2026-01-01T00:00:00Z".parse().unwrap())
}

#[test]
fn tokens_are_complete_in_any_case_and_spacing() {
    let directives = meta(" , NoIndex ,NOFOLLOW");
    assert!(directives.noindex && directives.nofollow);
    let directives = meta("noindexing, my-nofollow, no index");
    assert!(!directives.noindex && !directives.nofollow);
    assert_eq!(directives.other, ["noindexing", "my-nofollow", "no index"]);
}

#[test]
fn none_and_all_stand_for_two() {
    let none = meta("none");
    assert!(none.noindex && none.nofollow && !none.index);
    let all = meta("ALL");
    assert!(all.index && all.follow && !all.noindex);
    assert_eq!(meta(""), Directives::default());
}

#[test]
fn other_rules_are_kept_as_they_are() {
    let directives = meta("noarchive, max-snippet:20, max-image-preview:large");
    assert!(!directives.noindex && !directives.nofollow);
    assert_eq!(directives.other, ["noarchive", "max-snippet:20", "max-image-preview:large"]);
}

#[test]
fn unavailable_after_takes_every_date_form_comma_included() {
    for text in
        ["2019-01-01", "2019-01-01T00:00:00Z", "Tuesday, 01-Jan-19 00:00:00 GMT", "Tue, 01 Jan 2019 00:00:00 +0000"]
    {
        let directives = meta(&format!("noarchive, unavailable_after: {text}, nofollow"));
        let date = directives.unavailable_after.unwrap_or_else(|| panic!("{text}"));
        assert_eq!(date.earliest().to_string(), "2019-01-01T00:00:00Z", "{text}");
        assert!(directives.nofollow, "{text}");
    }
    let unreadable = meta("unavailable_after: soon, noindex");
    assert!(unreadable.unavailable_after.is_none() && unreadable.noindex);
}

#[test]
fn a_header_without_agent_is_for_all() {
    let scopes = header("noindex, nofollow");
    assert_eq!(scopes.len(), 1);
    assert_eq!(scopes[0].0, None);
    assert!(scopes[0].1.noindex && scopes[0].1.nofollow);
}

#[test]
fn an_agent_scopes_what_follows_it() {
    let scopes = header("otherbot: noindex, nofollow");
    assert_eq!(scopes.len(), 1);
    assert_eq!(scopes[0].0.as_deref(), Some("otherbot"));
    assert!(scopes[0].1.noindex && scopes[0].1.nofollow);

    let scopes = header("noarchive, GoogleBot: nofollow, otherbot: noindex, none");
    let agents: Vec<_> = scopes.iter().map(|(agent, _)| agent.as_deref()).collect();
    assert_eq!(agents, [None, Some("googlebot"), Some("otherbot")]);
    assert!(scopes[1].1.nofollow && !scopes[1].1.noindex);
    assert!(scopes[2].1.noindex && scopes[2].1.nofollow);
}

#[test]
fn directives_with_a_colon_are_no_agents() {
    let scopes = header("unavailable_after: 25 Jun 2010 15:00:00 GMT, max-snippet: 20");
    assert_eq!(scopes.len(), 1);
    assert_eq!(scopes[0].0, None);
    assert_eq!(scopes[0].1.unavailable_after.as_ref().unwrap().to_string(), "2010-06-25T15:00:00Z");
    let scopes = header("otherbot: unavailable_after: 2010-06-25");
    assert_eq!(scopes[0].0.as_deref(), Some("otherbot"));
    assert!(scopes[0].1.unavailable_after.is_some());
    assert_eq!(header(""), []);
    assert_eq!(header("otherbot:"), []);
}

#[test]
fn generic_and_own_directives_bind_and_others_do_not() {
    assert!(bound(&[placed(None, "noindex")]).noindex);
    assert!(bound(&[placed(Some("*"), "noindex")]).noindex);
    assert!(bound(&[placed(Some("mapwright"), "nofollow")]).nofollow);
    assert!(bound(&[placed(Some("googlebot"), "noindex")]).noindex);
    assert_eq!(bound(&[placed(Some("otherbot"), "noindex, nofollow")]), Binding::default());
    assert_eq!(bound(&[placed(Some("googlebot-news"), "noindex")]), Binding::default());
}

#[test]
fn the_most_restrictive_wins() {
    let all = bound(&[placed(None, "index, follow"), placed(None, "noindex"), placed(Some("mapwright"), "nofollow")]);
    assert!(all.noindex && all.nofollow);
    let contradiction = bound(&[placed(None, "index, noindex")]);
    assert!(contradiction.noindex);
}

#[test]
fn expiry_is_judged_at_the_time_given() {
    assert!(bound(&[placed(None, "unavailable_after: 2025-12-31")]).expired);
    assert!(!bound(&[placed(None, "unavailable_after: 2026-01-01")]).expired, "the day is not over");
    assert!(!bound(&[placed(Some("otherbot"), "unavailable_after: 2019-01-01")]).expired);
}

#[test]
fn millions_of_directives_are_bounded() {
    let directives = meta(&"x,".repeat(1 << 20));
    assert!(directives.other.len() <= 32);
    assert!(header(&"bot: noindex,".repeat(1 << 16)).len() <= 64);
    assert!(header(&"b:".repeat(1 << 20)).len() <= 64);
}
