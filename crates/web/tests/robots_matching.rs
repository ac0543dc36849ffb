//! Matching of robots.txt rules, and the choice between several: RFC 9309 2.2.2 and 2.2.3.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

use mapwright_web::robots::RuleLine;
use mapwright_web::{PageUrl, Robots, UrlIdentity};

const AGENT: &str = "foobot";

fn compiled(text: &str) -> Robots {
    Robots::compile(text.as_bytes())
}

/// Returns true if the rules after `User-agent: *` allow `path`.
fn allows(rules: &str, path: &str) -> bool {
    compiled(&format!("User-agent: *\n{rules}\n")).rule_for_path(AGENT, path).allowed
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

#[test]
fn a_rule_matches_what_starts_with_it() {
    assert_rules(
        "Disallow: /fish",
        &["/Fish", "/catfish", "/", "/?id=fish"],
        &["/fish", "/fish.html", "/fish/x", "/fish?x"],
    );
    assert_rules("Disallow: /fish/", &["/fish", "/fish.html"], &["/fish/", "/fish/x?y"]);
    assert_rules("Disallow: /", &[], &["/", "/x", "/?q"]);
    assert_rules("Disallow: /a?b", &["/a", "/aXb"], &["/a?b", "/a?bc"]);
}

#[test]
fn an_empty_rule_matches_nothing() {
    assert_rules("Disallow:", &["/", "/x"], &[]);
    assert_rules("Disallow: /\nAllow:", &[], &["/x"]);
    assert_rules("Disallow: /x\nDisallow:", &["/y"], &["/x"]);
}

#[test]
fn a_star_stands_for_any_octets_and_none() {
    assert_rules("Disallow: /*.php", &["/", "/x.PHP"], &["/.php", "/index.php", "/d/i.php?x", "/a.php/b"]);
    assert_rules("Disallow: /fish*.php", &["/fish", "/Fish.php"], &["/fish.php", "/fishes/a.php?x"]);
    assert_rules("Disallow: /a/*/z", &["/a/z"], &["/a/b/z", "/a/b/c/z", "/a/?/z", "/a//z"]);
    assert_rules("Disallow: /fish*", &["/catfish"], &["/fish", "/fishheads"]);
    assert_rules("Disallow: /a***b", &["/b"], &["/ab", "/a1b"]);
    assert_rules("Disallow: *", &[], &["/", "/x"]);
    assert_rules("Disallow: */x", &["/", "/y"], &["/x", "/a/x"]);
}

#[test]
fn a_dollar_at_the_end_stands_for_the_end() {
    assert_rules("Disallow: /x$", &["/x/", "/x?", "/xy"], &["/x"]);
    assert_rules("Disallow: /*.php$", &["/a.php?x", "/a.php5"], &["/a.php", "/b.php.php"]);
    assert_rules("Disallow: /*a*b*c$", &["/xaxbxcx", "/cba"], &["/abc", "/xaxbxc"]);
    assert_rules("Disallow: /*ab*ab$", &["/ab", "/ababx"], &["/abab", "/xabxxabab"]);
    assert_rules("Disallow: /ab*ab$", &["/ab", "/aab"], &["/abab"]);
    assert_rules("Disallow: /x*$", &["/y"], &["/x", "/xyz"]);
    assert_rules("Disallow: $", &["/", "/x"], &[]);
}

#[test]
fn every_other_character_stands_for_itself() {
    assert_rules("Disallow: /a$b", &["/a", "/ab"], &["/a$b", "/a%24b"]);
    assert_rules("Disallow: /a$$", &["/a"], &["/a$"]);
    assert_rules("Disallow: /a.c", &["/abc"], &["/a.c"]);
    assert_rules("Disallow: /a+b", &["/aab"], &["/a+b"]);
    assert_rules("Disallow: /(x)\nDisallow: /[ab]", &["/x", "/a"], &["/(x)", "/[ab]"]);
    assert_rules("Disallow: /a|b\nDisallow: /^c\nDisallow: /d{2}", &["/a", "/c", "/dd"], &["/a|b", "/a%7Cb", "/%5Ec"]);
    assert_rules("Disallow: /\\.x", &["/.x"], &["/%5C.x"]);
}

#[test]
fn a_rule_that_starts_with_neither_slash_nor_star_matches_nothing() {
    assert_rules(
        "Disallow: x\nDisallow: http://example.com/x\nDisallow: ?x",
        &["/x", "/?x", "/http://example.com/x"],
        &[],
    );
}

#[test]
fn the_longest_match_decides_and_a_tie_allows() {
    assert_rules("Allow: /a\nDisallow: /a/b", &["/a/c"], &["/a/b/c"]);
    assert_rules("Disallow: /a/b\nAllow: /a", &["/a/c"], &["/a/b/c"]);
    assert_rules("Disallow: /x\nAllow: /x", &["/x", "/xy"], &[]);
    assert_rules("Disallow: /*/b\nAllow: /a/b", &["/a/b"], &[]);
    assert_rules("Allow: /page\nDisallow: /*.htm", &["/page"], &["/page.htm", "/page.html"]);
    assert_rules("Allow: /page\nDisallow: /*.ph", &["/page", "/page.php5"], &["/x.php5"]);
    assert_rules("Allow: /$\nDisallow: /", &["/"], &["/page.htm", "/?x"]);
    assert_rules(
        "Allow: /example/page/\nDisallow: /example/page/disallowed.gif",
        &["/example/page/x"],
        &["/example/page/disallowed.gif"],
    );
}

#[test]
fn length_is_counted_in_octets_of_the_escaped_pattern() {
    assert_rules("Disallow: /\u{e9}\nAllow: /%C3", &[], &["/%C3%A9x"]);
    assert_rules("Disallow: /%7Ea\nAllow: /~a", &["/~a"], &[]);
    assert_rules("Disallow: /a[0]\nAllow: /*[0]=", &["/a[0]=1"], &["/a[0]"]);
}

#[test]
fn of_rules_alike_the_first_line_is_named() {
    let line = deciding("User-agent: *\nDisallow: /x\nDisallow: /x\nUser-agent: *\nDisallow: /x", "/x");
    assert_eq!(line.unwrap().number, 2);
}

#[test]
fn escapes_and_characters_are_compared_in_one_form() {
    assert_rules("Disallow: /foo/\u{30c4}", &["/foo/"], &["/foo/%E3%83%84", "/foo/%e3%83%84", "/foo/\u{30c4}"]);
    assert_rules("Disallow: /foo/%e3%83%84", &[], &["/foo/%E3%83%84", "/foo/\u{30c4}"]);
    assert_rules("Disallow: /%7Euser", &[], &["/~user", "/%7euser"]);
    assert_rules("Disallow: /~user", &[], &["/%7Euser"]);
    assert_rules("Disallow: /\u{1f600}", &["/%F0%9F%98%81"], &["/%F0%9F%98%80"]);
    assert_rules("Disallow: /a b", &["/a", "/a+b"], &["/a%20b"]);
    assert_rules("Disallow: /a%20b", &["/a+b"], &["/a%20b", "/a b"]);
    assert_rules("Disallow: /?q='x'", &[], &["/?q='x'", "/?q=%27x%27"]);
}

#[test]
fn escaped_reserved_characters_stay_apart_from_raw_ones() {
    assert_rules("Disallow: /a%2Fb", &["/a/b"], &["/a%2Fb", "/a%2fb"]);
    assert_rules("Disallow: /a%3Fb", &["/a?b"], &["/a%3Fb"]);
    assert_rules("Disallow: /p?u=https%3A%2F%2Fx", &["/p?u=https://x"], &["/p?u=https%3A%2F%2Fx"]);
}

#[test]
fn an_escaped_star_or_dollar_is_literal() {
    assert_rules("Disallow: /file-%2A.html", &["/file-x.html"], &["/file-*.html", "/file-%2a.html"]);
    assert_rules("Disallow: /foo-%24", &["/foo-"], &["/foo-$", "/foo-%24", "/foo-$x"]);
}

#[test]
fn marks_are_the_same_raw_and_escaped() {
    for (raw, escape) in [("'", "%27"), ("!", "%21"), ("(", "%28"), (")", "%29"), ("[", "%5b"), ("{", "%7B")] {
        let (by_char, by_escape) = (format!("/it{raw}s"), format!("/it{escape}s"));
        for rule in [&by_char, &by_escape] {
            assert_rules(&format!("Disallow: {rule}"), &["/its"], &[&by_char, &by_escape]);
        }
    }
}

#[test]
fn a_stray_percent_stands_for_itself() {
    assert_rules("Disallow: /100%off", &["/100", "/100off"], &["/100%off", "/100%25off"]);
    assert_rules("Disallow: /é%z/x", &["/%C3%A9/x"], &["/%C3%A9%25z/x"]);
    assert_rules("Disallow: /5%", &["/5"], &["/5%", "/5%25"]);
    assert_rules("Disallow: /5%$", &["/5%25x", "/5%2F"], &["/5%", "/5%25"]);
}

#[test]
fn a_rule_may_name_a_part_of_an_escape() {
    assert_rules(
        "Disallow: /*%",
        &["/plain", "/x*y"],
        &["/caf%C3%A9", "/caf\u{e9}", "/a%2Fb", "/a b", "/a|b", "/a[0]"],
    );
    for rule in ["/a%2", "/a%2*", "/a*%2"] {
        assert_rules(&format!("Disallow: {rule}"), &["/a/b", "/a*b", "/a$", "/a2"], &["/a%2Fb", "/a%2f", "/a%2Ab"]);
    }
    assert_rules("Disallow: /*9$", &["/caf\u{e9}s"], &["/caf%C3%A9"]);
    assert_rules("Disallow: /*2Fb", &["/a/b"], &["/a%2Fb"]);
    assert_rules("Disallow: /*%7", &["/a[b", "/%C3"], &["/a|b", "/a%7Cb"]);
}

#[test]
fn a_rule_matches_no_digits_of_an_escape_for_a_raw_character() {
    assert_rules("Disallow: /*D", &["/list?f[0]=1", "/list?f%5B0%5D=1", "/a}b"], &["/D"]);
    assert_rules("Disallow: /*A\nDisallow: /*2A", &["/x*y"], &["/x%2Ay"]);
    assert_rules("Disallow: /*27\nDisallow: /*24", &["/it's", "/a$"], &["/it%27s", "/a%24"]);
    assert_rules("Disallow: /*B\nDisallow: /*C\nDisallow: /*E\nDisallow: /*0", &["/a{b|c^d`e"], &[]);
}

#[test]
fn octets_that_are_no_utf_8_are_compared_as_octets() {
    let robots = Robots::compile(b"User-agent: *\nDisallow: /caf\xE9\n");
    assert!(!robots.rule_for_path(AGENT, "/caf%E9").allowed);
    assert!(robots.rule_for_path(AGENT, "/caf%C3%A9").allowed);
    assert_eq!(robots.rule_for_path(AGENT, "/caf%E9").line.unwrap().text, "Disallow: /caf\u{FFFD}");
}

#[test]
fn a_full_url_is_matched_by_path_and_query() {
    let robots = compiled("User-agent: *\nDisallow: /x$\nDisallow: /?q\nDisallow: /a|b\nDisallow: /100%\n");
    let allowed = |text| robots.rule_for(AGENT, &PageUrl::parse(text, &UrlIdentity::default()).unwrap()).allowed;
    assert!(!allowed("https://example.com/x#frag"));
    assert!(allowed("https://example.com/y#/x"));
    assert!(!allowed("https://example.com?q=1"));
    assert!(!allowed("https://example.com/a|b"));
    assert!(!allowed("https://example.com/100%"));
}

#[test]
fn robots_txt_itself_is_always_allowed() {
    assert_rules("Disallow: /", &["/robots.txt"], &["/robots.txt.bak", "/a/robots.txt"]);
}

#[test]
fn an_agent_is_chosen_once_for_many_paths() {
    let robots = compiled("User-agent: foobot\nCrawl-delay: 3\nDisallow: /x\n");
    let rules = robots.agent(AGENT);
    assert!(!rules.rule("/x").allowed && rules.rule("/y").allowed);
    assert_eq!(rules.crawl_delay(), Some(3.0));
}
