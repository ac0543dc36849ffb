//! `robots check`: one line per URL, exit 0 whatever the verdicts.

use crate::support::Workspace;

const FILE: &str =
    "# rules\nUser-agent: *\nDisallow: /private/\nAllow: /private/open\n\nUser-agent: other\nDisallow: /\n";

fn check(agent: &str, urls: &[&str]) -> String {
    let place = Workspace::new().file("robots.txt", FILE);
    let words = [&["robots", "check", "--agent", agent, "--robots", "robots.txt"], urls].concat();
    place.run(&words).done()
}

#[test]
fn each_url_gets_its_verdict_and_the_deciding_line() {
    let urls = ["https://e.test/", "https://e.test/private/x", "https://e.test/private/open"];
    let expected = "allow https://e.test/\tno rule\n\
                    disallow https://e.test/private/x\tline 3: Disallow: /private/\n\
                    allow https://e.test/private/open\tline 4: Allow: /private/open\n";
    assert_eq!(check("mapwright", &urls), expected);
}

#[test]
fn the_group_of_the_agent_decides() {
    assert_eq!(check("Other/2.0", &["https://e.test/"]), "disallow https://e.test/\tline 7: Disallow: /\n");
}

#[test]
fn the_file_may_come_from_standard_input() {
    let words = ["robots", "check", "--agent", "a", "--robots", "-", "http://e.test/x"];
    let run = Workspace::new().run_with(&words, b"User-agent: a\r\nDisallow: /x\r\n");
    assert_eq!(run.done(), "disallow http://e.test/x\tline 2: Disallow: /x\n");
}

#[test]
fn urls_are_judged_in_canonical_form() {
    let place = Workspace::new().file("r", "User-agent: *\nDisallow: /caf%C3%A9\n");
    let run = |url| place.run(&["robots", "check", "--agent", "a", "--robots", "r", url]).done();
    assert!(run("https://e.test/caf\u{e9}/menu").starts_with("disallow "));
    assert!(run("https://e.test/caf%c3%a9").starts_with("disallow "));
    assert!(run("https://e.test/cafe").starts_with("allow "));
}

#[test]
fn every_parameter_counts_even_one_that_a_crawl_would_drop() {
    let place = Workspace::new().file("r", "User-agent: *\nDisallow: /*utm_source=\n");
    let run = place.run(&["robots", "check", "--agent", "a", "--robots", "r", "https://e.test/?utm_source=x"]);
    assert!(run.done().starts_with("disallow "));
}

#[test]
fn control_characters_of_the_file_are_shown_as_escapes() {
    let place = Workspace::new().file("r", "User-agent: *\nDisallow: /a\u{1b}[31m\u{202e}*\n");
    let out =
        place.run(&["robots", "check", "--agent", "a", "--robots", "r", "https://e.test/a%1B[31m%E2%80%AEx"]).done();
    assert!(!out.contains(['\u{1b}', '\u{202e}']), "{out:?}");
    assert_eq!(out.lines().count(), 1);
}

#[test]
fn input_that_cannot_be_judged_is_refused_before_anything_is_printed() {
    let place = Workspace::new().file("r", FILE);
    let run = |words: &[&str]| place.run(&[&["robots", "check", "--agent", "a"], words].concat()).refused();
    let lines = [
        run(&["--robots", "r", "https://e.test/", "ftp://e.test/"]),
        run(&["--robots", "r", "/path"]),
        run(&["--robots", "missing", "https://e.test/"]),
        run(&["--robots", ".", "https://e.test/"]),
        run(&["https://e.test/"]),
    ];
    insta::assert_snapshot!(lines.concat());
}

#[test]
fn a_robot_without_a_name_is_refused() {
    let place = Workspace::new().file("r", "");
    for agent in ["", " "] {
        let output = place.run(&["robots", "check", "--agent", agent, "--robots", "r", "http://e.test/"]).refused();
        assert!(output.contains("flag --agent: give its name"), "{output}");
    }
}
