//! robots.txt of hostile and careless hosts: bounded, and readable rules still apply.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

use mapwright_web::Robots;
use mapwright_web::robots::{MAX_FAULTS, MAX_FILE_BYTES, MAX_SITEMAPS, MAX_TEXT_CHARS};
use proptest::prelude::*;

const AGENT: &str = "foobot";

fn compiled(text: &str) -> Robots {
    Robots::compile(text.as_bytes())
}

fn allows(robots: &Robots, path: &str) -> bool {
    robots.rule_for_path(AGENT, path).allowed
}

#[test]
fn what_lies_beyond_the_limit_is_not_read() {
    let filler = "# ------------------------------------------------------------\n".repeat(10_000);
    let late = compiled(&format!("{filler}User-agent: *\nDisallow: /x\n"));
    assert!(allows(&late, "/x") && late.is_cut());
    let early = compiled(&format!("User-agent: *\nDisallow: /x\n{filler}"));
    assert!(!allows(&early, "/x"));
    assert!(!compiled("User-agent: *\nDisallow: /x\n").is_cut());
}

#[test]
fn a_rule_that_the_limit_cuts_says_nothing() {
    let head = "User-agent: *\n";
    let last = "Disallow: /secret";
    for (missing, held) in [(0, true), (1, false), (6, false)] {
        let filler = "#".repeat(MAX_FILE_BYTES + missing - head.len() - last.len() - 1);
        let robots = compiled(&format!("{head}{filler}\n{last}\n# more"));
        assert!(robots.is_cut());
        assert_eq!(allows(&robots, "/secret"), !held, "{missing} octets missing");
        assert!(allows(&robots, "/sec"), "{missing} octets missing");
    }
}

#[test]
fn a_file_that_ends_at_the_limit_is_complete() {
    let head = "User-agent: *\nDisallow: /x\n";
    let robots = compiled(&format!("{head}{}", "#".repeat(MAX_FILE_BYTES - head.len())));
    assert!(!robots.is_cut() && !allows(&robots, "/x"));
}

#[test]
fn a_million_rules_are_read_up_to_the_limit() {
    let rules: String = (0..1_000_000).map(|n| format!("Disallow: /{n}*x$\n")).collect();
    let robots = compiled(&format!("User-agent: *\n{rules}"));
    assert!(!allows(&robots, "/123/x"));
    assert!(!allows(&robots, "/20000x"));
    assert!(allows(&robots, "/a/123/x") && allows(&robots, "/123/y"));
    let line = robots.rule_for_path(AGENT, "/12345/x").line.unwrap();
    assert_eq!((line.number, line.text.as_str()), (12_347, "Disallow: /12345*x$"));
}

#[test]
fn many_rules_behind_one_wildcard_are_distinguished() {
    let rules: String = (1..25_000).map(|n| format!("Disallow: /*{n}x$\n")).collect();
    let robots = compiled(&format!("User-agent: *\nAllow: /*ok\n{rules}"));
    assert_eq!(robots.rule_for_path(AGENT, "/a/777x").line.unwrap().text, "Disallow: /*777x$");
    assert_eq!(robots.rule_for_path(AGENT, "/a/9x").line.unwrap().text, "Disallow: /*9x$");
    assert!(allows(&robots, "/a/777y") && allows(&robots, "/x") && allows(&robots, "/ok"));
}

#[test]
fn a_long_line_holds_as_any_other() {
    let long = "a".repeat(20_000);
    let accented = "\u{e9}".repeat(90_000);
    let digits = "1".repeat(20_000);
    let blanks = " ".repeat(20_000);
    let robots = compiled(&format!(
        "User-agent:{blanks}{AGENT}/{digits}\nDisallow: /{long}\nAllow: /{long}b\nDisallow: /{accented}\nDisallow:{blanks}/x\n"
    ));
    assert!(!allows(&robots, &format!("/{long}c")) && allows(&robots, &format!("/{long}b")) && allows(&robots, "/a"));
    assert!(!allows(&robots, &format!("/{accented}")) && !allows(&robots, "/x"));
    assert!(robots.faults().is_empty(), "{:?}", robots.faults());
}

#[test]
fn a_long_line_that_says_nothing_disturbs_no_other() {
    let robots =
        compiled(&format!("User-agent: *\n{}\nno{}: /\nDisallow: /x\n", "\u{e9}".repeat(9_001), "a".repeat(20_000)));
    assert!(allows(&robots, "/a") && !allows(&robots, "/x"));
    let faults: Vec<u32> = robots.faults().iter().map(|fault| fault.line).collect();
    assert_eq!(faults, [2, 3]);
    assert!(robots.faults().iter().all(|fault| fault.text.chars().count() == MAX_TEXT_CHARS));
}

#[test]
fn a_long_comment_does_not_make_a_line_too_long() {
    let robots = compiled(&format!("User-agent: *\nDisallow: /x #{}\n", "\u{e9}".repeat(20_000)));
    assert!(!allows(&robots, "/x"));
}

#[test]
fn a_long_rule_within_the_limit_holds() {
    let path = format!("/{}", "a".repeat(15_000));
    let robots = compiled(&format!("User-agent: *\nDisallow: {path}\n"));
    assert!(!allows(&robots, &path) && allows(&robots, &path[..15_000]));
    assert_eq!(robots.rule_for_path(AGENT, &path).line.unwrap().text.chars().count(), MAX_TEXT_CHARS);
}

#[test]
fn wildcards_do_not_blow_up() {
    let chain = "*a".repeat(5_000);
    let robots = compiled(&format!("User-agent: *\nDisallow: /{chain}b$\n"));
    assert!(allows(&robots, &format!("/{}", "a".repeat(10_000))));
    assert!(!allows(&robots, &format!("/{}b", "a".repeat(10_000))));
    let stars = compiled(&format!("User-agent: *\nDisallow: /{}x\n", "*".repeat(15_000)));
    assert!(allows(&stars, "/yyy") && !allows(&stars, "/yxy"));
}

#[test]
fn nested_starts_are_walked_not_searched() {
    let rules: String = (1..900).map(|n| format!("Disallow: /{}$\n", "a".repeat(n))).collect();
    let robots = compiled(&format!("User-agent: *\n{rules}"));
    assert!(!allows(&robots, &format!("/{}", "a".repeat(500))));
    assert!(allows(&robots, &format!("/{}b", "a".repeat(500))));
}

#[test]
fn many_agents_may_share_many_rules() {
    let agents: String = (0..10_000).map(|n| format!("User-agent: bot{n}\n")).collect();
    let rules: String = (0..10_000).map(|n| format!("Disallow: /{n}$\n")).collect();
    let robots = compiled(&format!("{agents}{rules}"));
    assert!(!robots.rule_for_path("bot9999", "/9999").allowed);
    assert!(robots.rule_for_path("bot10000", "/9999").allowed);
}

#[test]
fn a_rule_is_found_by_its_rarest_text_whichever_wildcard_it_follows() {
    let rules: String = (1..20_000).map(|n| format!("Disallow: /*section*{n}z\n")).collect();
    let robots = compiled(&format!("User-agent: *\n{rules}"));
    assert_eq!(robots.rule_for_path(AGENT, "/section/x5z").line.unwrap().text, "Disallow: /*section*5z");
    assert!(allows(&robots, "/sectio/5z") && allows(&robots, "/5z/section") && allows(&robots, "/section/z"));
}

#[test]
fn many_crawl_delays_for_many_agents_take_one_pass() {
    let agents: String = (0..12_000).map(|n| format!("User-agent: b{n}\n")).collect();
    let delays: String = (0..15_000).map(|n| format!("Crawl-delay: {n}\n")).collect();
    let robots = compiled(&format!("{agents}{delays}"));
    assert_eq!(robots.crawl_delay("b11999"), Some(14_999.0));
}

#[test]
fn lists_are_bounded() {
    let faults = compiled(&"nonsense in many words\n".repeat(5_000));
    assert_eq!(faults.faults().len(), MAX_FAULTS);
    let sitemaps = compiled(&"Sitemap: http://h/s.xml\n".repeat(15_000));
    assert_eq!(sitemaps.sitemaps().len(), MAX_SITEMAPS);
}

/// Rules and paths over few characters, so that they match often.
fn rules() -> impl Strategy<Value = Vec<(bool, String)>> {
    let pattern =
        prop_oneof!["/[ab/*]{0,5}[$]?", "/[*][ab/]{1,6}[$]?", "[*][ab/*]{0,4}[$]?", "/[ab]{1,2}[*][ab/*]{1,6}[$]?"];
    prop::collection::vec((any::<bool>(), pattern), 0..80)
}

/// Returns true if `pattern` matches `path`, by trying every possibility.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    match pattern.split_first() {
        None => true,
        Some((b'$', [])) => path.is_empty(),
        Some((b'*', rest)) => (0..=path.len()).any(|skipped| matches(rest, &path[skipped..])),
        Some((literal, rest)) => path.first() == Some(literal) && matches(rest, &path[1..]),
    }
}

/// The deciding line: the longest matching pattern, an allow among equals, and the first among those.
fn reference(rules: &[(bool, String)], path: &str) -> Option<(bool, usize)> {
    let matching = rules.iter().enumerate().filter(|(_, (_, pattern))| matches(pattern.as_bytes(), path.as_bytes()));
    matching
        .max_by_key(|(at, (allow, pattern))| (pattern.len(), *allow, std::cmp::Reverse(*at)))
        .map(|(at, (allow, _))| (*allow, at + 2))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn verdicts_are_those_of_a_naive_matcher(
        rules in rules(),
        paths in prop::collection::vec("/[ab/]{0,9}", 1..12),
    ) {
        let lines = rules.iter().map(|(allow, pattern)| format!("{}: {pattern}\n", if *allow { "Allow" } else { "Disallow" }));
        let robots = compiled(&format!("User-agent: *\n{}", lines.collect::<String>()));
        let bound = robots.agent(AGENT);
        for path in &paths {
            let ruling = bound.rule(path);
            let expected = reference(&rules, path);
            prop_assert_eq!(ruling.allowed, expected.is_none_or(|(allow, _)| allow), "{} under {:?}", path, &rules);
            let line = ruling.line.map(|line| line.number as usize);
            prop_assert_eq!(line, expected.map(|(_, line)| line), "{} under {:?}", path, &rules);
        }
    }

    #[test]
    fn a_rule_is_met_where_the_url_holds_its_text(path in "/[a257BCD/]{0,6}['!()a257BCD/]{0,6}", text in "[257BCD]{1,2}") {
        let robots = compiled(&format!("User-agent: *\nDisallow: /*{text}\n"));
        prop_assert_eq!(allows(&robots, &path), !path.contains(&text), "{} in {}", text, path);
    }

    #[test]
    fn every_part_of_an_escaped_url_may_be_a_rule(
        parts in prop::collection::vec("a|/|%2F|%C3%A9|%27|%25|%00|%3A", 1..8),
        from in 0..8_usize,
        len in 1..8_usize,
    ) {
        let path = format!("/{}", parts.concat());
        let part: String = path.chars().skip(1 + from).take(len).collect();
        for rule in [path.chars().take(1 + len).collect(), format!("/*{part}"), format!("{path}$")] {
            let robots = compiled(&format!("User-agent: *\nDisallow: {rule}\n"));
            prop_assert!(!allows(&robots, &path), "{} under {}", path, rule);
        }
    }

    #[test]
    fn any_octets_are_a_robots_txt(bytes in prop::collection::vec(any::<u8>(), 0..400), path in "\\PC{0,30}") {
        let robots = Robots::compile(&bytes);
        let _ = robots.rule_for_path(AGENT, &path);
        let _ = (robots.crawl_delay(AGENT), robots.sitemaps(), robots.faults(), robots.looks_like_html());
    }

    #[test]
    fn any_lines_are_a_robots_txt(
        lines in prop::collection::vec("(User-agent|Disallow|Allow|Sitemap|Crawl-delay)?[: \t]{0,2}[*$%/#a-f0-9é\u{FEFF}\r]{0,12}", 0..30),
        path in "/[%a-f0-9*$é]{0,12}",
    ) {
        let text = lines.join("\n");
        let count = text.split("\r\n").flat_map(|part| part.split(['\r', '\n'])).count();
        let robots = compiled(&format!("User-agent: *\n{text}"));
        if let Some(line) = robots.rule_for_path(AGENT, &path).line {
            prop_assert!((2..=count as u32 + 1).contains(&line.number));
        }
    }
}
