//! Groups, agents, lines and other records of robots.txt: RFC 9309, and Google's published behaviour where the RFC is
//! silent. Matching of rules is tested in `robots_matching.rs`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

use mapwright_web::Robots;
use mapwright_web::robots::RuleLine;

const AGENT: &str = "foobot";

fn compiled(text: &str) -> Robots {
    Robots::compile(text.as_bytes())
}

/// Returns true if the rules after `User-agent: *` allow `path`.
fn allows(rules: &str, path: &str) -> bool {
    agent_may(&format!("User-agent: *\n{rules}\n"), AGENT, path)
}

fn agent_may(text: &str, agent: &str, path: &str) -> bool {
    compiled(text).rule_for_path(agent, path).allowed
}

/// Checks `rules` for all agents against allowed and disallowed paths.
fn assert_rules(rules: &str, allowed: &[&str], disallowed: &[&str]) {
    for path in allowed {
        assert!(allows(rules, path), "{rules:?} should allow {path}");
    }
    for path in disallowed {
        assert!(!allows(rules, path), "{rules:?} should disallow {path}");
    }
}

fn deciding(text: &str, path: &str) -> Option<RuleLine> {
    compiled(text).rule_for_path(AGENT, path).line
}

// Groups, RFC 9309 2.1 and 2.2.1

#[test]
fn the_own_group_binds_and_that_of_everybody_does_not_add_to_it() {
    for text in [
        "User-agent: *\nDisallow: /s\n\nUser-agent: foobot\nDisallow: /f\n",
        "User-agent: foobot\nDisallow: /f\n\nUser-agent: *\nDisallow: /s\n",
    ] {
        assert!(agent_may(text, AGENT, "/s"));
        assert!(!agent_may(text, AGENT, "/f"));
        assert!(!agent_may(text, "barbot", "/s"));
        assert!(agent_may(text, "barbot", "/f"));
    }
}

#[test]
fn an_own_group_without_rules_allows_all() {
    assert!(agent_may("User-agent: *\nDisallow: /\n\nUser-agent: foobot\n", AGENT, "/x"));
    assert!(agent_may("User-agent: *\nDisallow: /\n\nUser-agent: foobot\nDisallow:\n", AGENT, "/x"));
}

#[test]
fn groups_of_one_agent_are_merged_whatever_the_case() {
    let text = "User-agent: FooBot\nDisallow: /a\nUser-agent: bar\nDisallow: /b\nUser-agent: FOOBOT\nDisallow: /c\n";
    assert!(!agent_may(text, "fooBOT", "/a"));
    assert!(agent_may(text, "fooBOT", "/b"));
    assert!(!agent_may(text, "fooBOT", "/c"));
}

#[test]
fn consecutive_agents_share_the_rules_that_follow() {
    let text = "User-agent: a\nUser-agent: foobot\n\n# x\nUser-agent: z\nDisallow: /x\nUser-agent: other\nDisallow: /y";
    for agent in ["a", "foobot", "z"] {
        assert!(!agent_may(text, agent, "/x"), "{agent}");
        assert!(agent_may(text, agent, "/y"), "{agent}");
    }
}

#[test]
fn other_records_do_not_end_a_run_of_agents() {
    for between in ["Sitemap: http://h/s.xml", "Crawl-delay: 1", "Banana: x", "no record at all", "Host: h", "%%%"] {
        let text = format!("User-agent: foobot\n{between}\nUser-agent: barbot\nDisallow: /x\n");
        assert!(!agent_may(&text, AGENT, "/x"), "{between}");
        assert!(!agent_may(&text, "barbot", "/x"), "{between}");
    }
}

#[test]
fn an_empty_rule_ends_a_run_of_agents() {
    let text = "User-agent: foobot\nDisallow:\nUser-agent: *\nDisallow: /\n";
    assert!(agent_may(text, AGENT, "/x"));
}

#[test]
fn rules_before_any_group_are_nobodys() {
    assert!(agent_may("Disallow: /\nUser-agent: foobot\nDisallow: /x\n", AGENT, "/y"));
}

#[test]
fn without_a_group_or_a_rule_all_is_allowed() {
    for text in ["", "User-agent: barbot\nDisallow: /\n", "<html><body>no</body></html>", "\0\0\0"] {
        let ruling = compiled(text).rule_for_path(AGENT, "/x");
        assert!(ruling.allowed && ruling.line.is_none(), "{text}");
    }
    assert!(Robots::allow_all().rule_for_path(AGENT, "/x").allowed);
}

// Agents, RFC 9309 2.2.1

#[test]
fn what_follows_the_token_of_a_group_is_ignored() {
    for name in ["foobot/1.2", "foobot (like others)", "foobot; x", "foobot#friend", "foobot, barbot", "FooBot"] {
        let text = format!("User-agent: {name}\nDisallow: /x\n");
        assert!(!agent_may(&text, AGENT, "/x"), "{name}");
        assert!(agent_may(&text, "barbot", "/x"), "{name}");
    }
}

#[test]
fn names_are_complete_tokens_without_wildcards_or_quotes() {
    for name in ["*bot", "foo*", "\"foobot\"", "foo", "foobotx", "foobot2", "foobot-news", "", "**"] {
        assert!(agent_may(&format!("User-agent: {name}\nDisallow: /x\n"), AGENT, "/x"), "{name}");
    }
    assert!(!agent_may("User-agent: * (all)\nDisallow: /x\n", AGENT, "/x"));
}

#[test]
fn a_group_that_names_nobody_keeps_its_rules_from_the_group_before() {
    assert!(agent_may("User-agent: foobot\nDisallow: /a\nUser-agent: \"x\"\nDisallow: /b\n", AGENT, "/b"));
}

#[test]
fn tokens_have_digits_underscores_and_hyphens() {
    for name in ["foo2bot", "my_foo-bot", "MJ12bot", "360spider"] {
        assert!(!agent_may(&format!("User-agent: {name}\nDisallow: /x\n"), name, "/x"), "{name}");
    }
}

#[test]
fn a_full_user_agent_text_is_searched_for_its_tokens() {
    let text = "User-agent: foobot\nDisallow: /x\nUser-agent: mozilla\nDisallow: /m\n";
    for agent in [
        "foobot/2.1",
        "Mozilla/5.0 (compatible; foobot/2.1; +https://example.net/bot)",
        "Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1.2 Safari/5 FooBot/3",
        "FooBot (+https://example.net/)",
    ] {
        assert!(!agent_may(text, agent, "/x"), "{agent}");
        assert!(agent_may(text, agent, "/m"), "{agent}");
    }
    assert!(!agent_may(text, "Mozilla/5.0 (compatible)", "/m"));
    let url_words = "User-agent: bot\nDisallow: /\nUser-agent: https\nDisallow: /\n";
    assert!(agent_may(url_words, "mapwright/1.0 (+https://example.net/bot)", "/x"));
}

#[test]
fn an_agent_named_with_a_dot_finds_its_group() {
    assert!(!agent_may("User-agent: archive.org_bot\nDisallow: /x\n", "archive.org_bot", "/x"));
}

// Lines, RFC 9309 2.2

#[test]
fn keys_are_read_whatever_their_case_and_blanks() {
    let text = "  USER-AGENT:foobot\t\n\t Disallow \t:\t /x  \t\naLLoW:/x/y\n";
    assert!(!agent_may(text, AGENT, "/x"));
    assert!(!agent_may(text, AGENT, "/xz"));
    assert!(agent_may(text, AGENT, "/x/y"));
}

#[test]
fn a_missing_colon_is_forgiven_between_two_words_only() {
    for line in ["Disallow /x", "  Disallow \t /x  ", "disallow\t/x # not here"] {
        assert!(!allows(line, "/x"), "{line}");
    }
    for line in ["Disallow /x /y", "Disallow/x", "Disallow"] {
        assert!(allows(line, "/x"), "{line}");
    }
    assert!(!agent_may("User-agent foobot\nDisallow: /x", AGENT, "/x"));
}

#[test]
fn known_misspellings_are_forgiven_and_others_are_not() {
    for key in ["Dissallow", "Dissalow", "Disalow", "Diasllow", "Disallaw", "DISSALLOW"] {
        assert!(!allows(&format!("{key}: /x"), "/x"), "{key}");
    }
    for key in ["Disallowed", "Dsallow", "Block", "Disallow-all", "Noindex", "Disallow x"] {
        assert!(allows(&format!("{key}: /x"), "/x"), "{key}");
    }
    for key in ["Useragent", "User agent", "user-agent"] {
        assert!(!agent_may(&format!("{key}: foobot\nDisallow: /x"), AGENT, "/x"), "{key}");
    }
}

#[test]
fn a_hash_begins_a_comment_anywhere() {
    assert_rules("Disallow: /x # not this", &["/y"], &["/x"]);
    assert_rules("Disallow: /x#y", &[], &["/x", "/xz"]);
    assert_rules("Disallow: #/x", &["/x", "/"], &[]);
    assert_rules("#Disallow: /x", &["/x"], &[]);
}

#[test]
fn cr_lf_and_crlf_end_lines_and_nothing_else_does() {
    for end in ["\n", "\r", "\r\n"] {
        let text = ["User-agent: foobot", "Disallow: /x", "", "Disallow: /y"].join(end);
        assert!(!agent_may(&text, AGENT, "/x"));
        let line = deciding(&text, "/y").unwrap();
        assert_eq!((line.number, line.text.as_str()), (4, "Disallow: /y"), "{end:?}");
    }
    assert_rules(
        "Allow: /a\u{2028}Disallow: /x\nAllow: /b\u{85}Disallow: /y\nAllow: /\u{B}Disallow: /z",
        &["/x", "/y", "/z"],
        &[],
    );
}

#[test]
fn a_byte_order_mark_at_the_start_is_dropped_and_elsewhere_is_not() {
    let text = "\u{FEFF}User-agent: foobot\nDisallow: /x\n\u{FEFF}Disallow: /y\n";
    assert!(!agent_may(text, AGENT, "/x"));
    assert!(agent_may(text, AGENT, "/y"));
    assert!(!agent_may("\u{FEFF}# c\nUser-agent: foobot\nDisallow: /x", AGENT, "/x"));
}

#[test]
fn what_is_left_of_a_byte_order_mark_is_dropped_too() {
    for mark in [&b"\xEF\xBB\xBF"[..], b"\xEF\xBB", b"\xEF", b""] {
        let robots = Robots::compile(&[mark, b"User-agent: foobot\nDisallow: /x\n"].concat());
        assert!(!robots.rule_for_path(AGENT, "/x").allowed, "{mark:?}");
    }
}

#[test]
fn all_white_space_of_ascii_around_keys_and_values_is_dropped() {
    for space in ["\t", " ", "\u{B}", "\u{C}", " \u{B} "] {
        let text = format!("User-agent: foobot\n{space}Disallow{space}:{space}/x{space}\n");
        assert!(!agent_may(&text, AGENT, "/x") && !agent_may(&text, AGENT, "/xy"), "{space:?}");
    }
}

#[test]
fn the_deciding_line_is_shown_as_in_the_file() {
    let text = "\u{FEFF}# head\r\n\r\nuser-agent: *\r\n\tDISALLOW:  /caf\u{e9}  # why\r\n";
    let line = deciding(text, "/caf%C3%A9/x").unwrap();
    assert_eq!(line.number, 4);
    assert_eq!(line.text, "DISALLOW:  /caf\u{e9}  # why");
    assert_eq!(deciding(text, "/other"), None);
}

// Other records, RFC 9309 2.2.4

#[test]
fn sitemaps_are_listed_as_written_whatever_group_they_stand_in() {
    let text = "Sitemap: http://h/a.xml?x=100%&y=%c3\nUser-agent: x\nSITEMAP :  https://b\u{fc}cher.example/\u{e9}.xml # c\n\
                Sitemap:\nsite-map: /relative.xml\nSitemap https://h/b.xml";
    let expected = ["http://h/a.xml?x=100%&y=%c3", "https://b\u{fc}cher.example/\u{e9}.xml", "/relative.xml"];
    assert_eq!(compiled(text).sitemaps()[..3], expected);
}

#[test]
fn a_crawl_delay_binds_the_agents_named_before_it() {
    let text = "User-agent: a\nCrawl-delay: 10\nUser-agent: b\nUser-agent: c\nCrawl-delay: 2.5\nDisallow: /x\n\
                User-agent: *\nDisallow: /y\ncrawl-delay: 1\n";
    let robots = compiled(text);
    assert_eq!(robots.crawl_delay("a"), Some(10.0));
    assert_eq!(robots.crawl_delay("b"), Some(2.5));
    assert_eq!(robots.crawl_delay("c/2.0"), Some(2.5));
    assert_eq!(robots.crawl_delay("other"), Some(1.0));
}

#[test]
fn the_own_group_without_a_crawl_delay_has_none() {
    assert_eq!(
        compiled("User-agent: *\nCrawl-delay: 5\nDisallow:\nUser-agent: foobot\nDisallow: /x").crawl_delay(AGENT),
        None
    );
}

#[test]
fn of_several_crawl_delays_the_longest_counts() {
    let text = "User-agent: foobot\nCrawl-delay: 2\nCrawl-delay: 7\nDisallow:\nUser-agent: foobot\nCrawl-delay: 3\n";
    assert_eq!(compiled(text).crawl_delay(AGENT), Some(7.0));
}

#[test]
fn a_crawl_delay_that_is_no_number_is_a_fault() {
    for value in ["", "soon", "-1", "inf", "NaN", "1e9", "."] {
        let robots = compiled(&format!("User-agent: *\nCrawl-delay: {value}\n"));
        assert_eq!(robots.crawl_delay(AGENT), None, "{value}");
        assert_eq!(robots.faults().len(), 1, "{value}");
    }
}

#[test]
fn lines_that_say_nothing_are_faults() {
    let text = "Disallow: /early\nUser-agent: *\nnonsense here it is\n:x\nDisalow: /x\nBanana: y\nHost: h\n# fine\n\
                Disallow: relative\nUser-agent: \"q\"\nClean-param: a\n<b>\nSitemap:\n";
    let lines: Vec<u32> = compiled(text).faults().iter().map(|fault| fault.line).collect();
    assert_eq!(lines, [1, 3, 4, 6, 9, 10, 12, 13]);
    assert_eq!(compiled(text).faults()[1].text, "nonsense here it is");
}

#[test]
fn an_error_page_in_place_of_the_file_is_noticed() {
    for text in ["<!DOCTYPE html>\n<html>", "\u{FEFF}\n  <html>", "<!-- x --><HEAD>", "<?xml version='1.0'?>"] {
        assert!(compiled(text).looks_like_html(), "{text}");
    }
    for text in ["<!-- Ours -->\nUser-agent: *\nDisallow: /a", "<!-- Ours -->\nSitemap: http://a.example/s.xml"] {
        assert!(!compiled(text).looks_like_html(), "{text}");
    }
    for text in ["", "User-agent: *\n", "# <html>\nUser-agent: *", "<", "<b>"] {
        assert!(!compiled(text).looks_like_html(), "{text}");
    }
}
