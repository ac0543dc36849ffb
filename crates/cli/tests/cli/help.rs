//! Help, version, manual pages, completions, and the documents that repeat them.

use crate::support::Workspace;

/// Returns the help of a command, without the version, which changes with every release.
fn help(words: &[&str]) -> String {
    let words = [words, &["--help"]].concat();
    Workspace::new().run(&words).done().replace(concat!("mapwright/", env!("CARGO_PKG_VERSION")), "mapwright/VERSION")
}

#[test]
fn help_of_every_command() {
    insta::assert_snapshot!("help", help(&[]));
    insta::assert_snapshot!("help_crawl", help(&["crawl"]));
    insta::assert_snapshot!("help_sitemap", help(&["sitemap"]));
    insta::assert_snapshot!("help_sitemap_list", help(&["sitemap", "list"]));
    insta::assert_snapshot!("help_sitemap_check", help(&["sitemap", "check"]));
    insta::assert_snapshot!("help_robots_check", help(&["robots", "check"]));
    insta::assert_snapshot!("help_config", help(&["config"]));
    insta::assert_snapshot!("help_config_show", help(&["config", "show"]));
    insta::assert_snapshot!("help_completions", help(&["completions"]));
    insta::assert_snapshot!("help_man", help(&["man"]));
}

#[test]
fn version() {
    assert_eq!(Workspace::new().run(&["--version"]).done(), format!("mapwright {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_manual_page_for_the_program_and_for_each_command() {
    let page = |words: &[&str]| Workspace::new().run(&[&["man"], words].concat()).done();
    assert!(page(&[]).contains(".TH mapwright 1"));
    let check = page(&["sitemap", "check"]);
    assert!(check.contains(".TH mapwright-sitemap-check 1") && check.contains("follow"), "{check}");
    insta::assert_snapshot!(Workspace::new().run(&["man", "sing"]).refused(), @"mapwright: no command `sing`: man: see mapwright --help");
}

#[test]
fn completions_for_the_usual_shells() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(Workspace::new().run(&["completions", shell]).done().contains("mapwright"), "{shell}");
    }
}

#[test]
fn the_page_of_exit_codes_says_what_the_help_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/exit-codes.md");
    let page = std::fs::read_to_string(path).unwrap();
    let help = help(&[]);
    let (_, codes) = help.split_once("Exit codes:\n").unwrap();
    assert_eq!(codes.lines().count(), 9);
    for line in codes.lines() {
        let (code, meaning) = line.trim().split_once("  ").unwrap();
        assert!(page.contains(&format!("| {code} | {meaning} |\n")), "{line} is not in docs/exit-codes.md");
    }
}

#[test]
fn help_that_cannot_be_written_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let run = Workspace::new().command(&["--help"]).stdout(full).output().unwrap();
    assert_eq!(run.status.code(), Some(5));
    assert!(String::from_utf8_lossy(&run.stderr).contains("cannot write"));
}

#[test]
fn short_help_shows_examples_and_what_is_used_most_and_long_help_all() {
    for command in ["crawl", "audit"] {
        let run = |flag| Workspace::new().run(&[command, flag]).done();
        let (short, long) = (run("-h"), run("--help"));
        let options = |text: &str| text.lines().filter(|line| line.trim_start().starts_with('-')).count();
        assert!((15..=26).contains(&options(&short)), "{short}");
        assert!(options(&long) > 60, "{long}");
        assert!(short.starts_with("Examples:\n") && short.contains("--help all of them"), "{short}");
    }
}
