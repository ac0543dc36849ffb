//! Defaults < file < environment < flags, and the origin of each value.

use crate::support::{SourcedText, file, flags, variable};
use mapwright_settings::{SettingSource, Settings, definitions};
use std::time::Duration;

const FILE: &str = "[fetch]\ntimeout = \"20s\"\n";

fn timeout(written: &SourcedText<'_>) -> Duration {
    written.load().unwrap().settings.fetch.timeout
}

#[test]
fn each_layer_overrides_the_one_below() {
    let mut written = SourcedText::default();
    assert_eq!(timeout(&written), Duration::from_secs(30));
    written.file = Some(FILE);
    assert_eq!(timeout(&written), Duration::from_secs(20));
    written.variables = &[("MAPWRIGHT_TIMEOUT", "10")];
    assert_eq!(timeout(&written), Duration::from_secs(10));
    written.flags = &["--timeout", "5s"];
    assert_eq!(timeout(&written), Duration::from_secs(5));
}

#[test]
fn the_origin_of_each_value_is_reported() {
    let written = SourcedText {
        flags: &["-c", "4"],
        variables: &[("MAPWRIGHT_RETRIES", "0")],
        file: Some("[fetch]\n\ntimeout = 20\n"),
    };
    let origins = written.load().unwrap().origins;
    let place = |key: &str| origins.iter().find(|origin| origin.key == key).unwrap().set_at.clone();
    assert_eq!(place("crawl.concurrency"), SettingSource::Flag("concurrency".into()));
    assert_eq!(place("fetch.retries"), SettingSource::Variable("MAPWRIGHT_RETRIES".into()));
    let line = SettingSource::File { name: "site.toml".into(), line: 3, key: "fetch.timeout".into() };
    assert_eq!(place("fetch.timeout"), line);
    assert_eq!(place("crawl.scope"), SettingSource::Default);
    assert_eq!(origins.len(), definitions().count());
}

#[test]
fn a_list_replaces_the_list_below_it() {
    let written = SourcedText {
        flags: &["--exclude", "c"],
        variables: &[("MAPWRIGHT_EXCLUDE", "b")],
        file: Some("[crawl]\nexclude = [\"a\"]\n"),
    };
    assert_eq!(written.load().unwrap().settings.crawl.exclude, ["c"]);
}

#[test]
fn lists_are_repeated_flags_arrays_or_separated_text() {
    let names = |loaded: mapwright_settings::Loaded| loaded.settings.crawl.drop_param;
    assert_eq!(names(flags(&["--drop-param", "a", "--drop-param", "b,c"]).unwrap()), ["a", "b", "c"]);
    assert_eq!(names(variable("MAPWRIGHT_DROP_PARAM", "a, b\nc\n").unwrap()), ["a", "b", "c"]);
    assert_eq!(names(file("[crawl]\ndrop-param = [\"a\", \"b\"]\n").unwrap()), ["a", "b"]);
    assert_eq!(names(file("[crawl]\ndrop-param = \"a,b\"\n").unwrap()), ["a", "b"]);
}

#[test]
fn a_comma_belongs_to_a_regular_expression() {
    let loaded = variable("MAPWRIGHT_INCLUDE", "^/a{1,2}$\n^/b$").unwrap();
    assert_eq!(loaded.settings.crawl.include, ["^/a{1,2}$", "^/b$"]);
}

#[test]
fn a_switch_of_the_file_can_be_turned_off_by_a_variable() {
    let mut written = SourcedText { file: Some("[crawl]\nno-feeds = true\n"), ..SourcedText::default() };
    assert!(written.load().unwrap().settings.crawl.no_feeds);
    written.variables = &[("MAPWRIGHT_NO_FEEDS", "false")];
    assert!(!written.load().unwrap().settings.crawl.no_feeds);
}

#[test]
fn an_empty_value_switches_an_optional_option_off() {
    let written = SourcedText {
        flags: &["--proxy", ""],
        variables: &[("MAPWRIGHT_PROXY", "http://p:1")],
        ..SourcedText::default()
    };
    assert_eq!(written.load().unwrap().settings.fetch.proxy, None);
}

#[test]
fn an_empty_variable_counts_as_not_set() {
    let loaded = variable("MAPWRIGHT_TIMEOUT", "").unwrap();
    assert_eq!(loaded.settings.fetch.timeout, Duration::from_secs(30));
    assert_eq!(loaded.warnings, [""; 0]);
}

#[test]
fn the_last_of_two_equal_flags_counts() {
    assert_eq!(flags(&["--timeout", "1", "--timeout", "2"]).unwrap().settings.fetch.timeout, Duration::from_secs(2));
}

#[test]
fn v_counts() {
    assert_eq!(flags(&["-vv"]).unwrap().settings.output.verbose, 2);
    assert_eq!(variable("MAPWRIGHT_VERBOSE", "1").unwrap().settings.output.verbose, 1);
}

#[test]
fn the_robots_name_follows_the_user_agent_unless_it_is_named() {
    let token = |words: &[&str]| flags(words).unwrap().settings.robots_token().to_owned();
    assert_eq!(token(&[]), "mapwright");
    assert_eq!(token(&["-A", "OurBot/2.1 (+https://example.com/bot)"]), "OurBot");
    assert_eq!(token(&["-A", "OurBot/2.1", "--robots-agent", "other"]), "other");
    assert_eq!(token(&["--robots-agent", "other"]), "other");
}

#[test]
fn the_environment_of_other_programs_is_read() {
    let written = SourcedText {
        variables: &[
            ("https_proxy", "http://lower:3128"),
            ("HTTPS_PROXY", "http://upper:3128"),
            ("NO_PROXY", "localhost,.example.com"),
            ("HOME", "/home/u"),
            ("XDG_STATE_HOME", "relative/is/ignored"),
        ],
        ..SourcedText::default()
    };
    let ambient = written.load().unwrap().settings.ambient;
    assert_eq!(ambient.https_proxy.as_ref().unwrap().as_str(), "http://lower:3128");
    assert_eq!(ambient.no_proxy.as_deref(), Some("localhost,.example.com"));
    assert_eq!(ambient.state_root().unwrap().to_str(), Some("/home/u/.local/state/mapwright"));
}

#[test]
fn no_color_is_honoured_where_colour_is_automatic() {
    let colored = |flags: &'static [&'static str], variables: &'static [(&'static str, &'static str)]| {
        SourcedText { flags, variables, file: None }.load().unwrap().settings.colored(true)
    };
    assert!(colored(&[], &[]));
    assert!(!colored(&[], &[("NO_COLOR", "1")]));
    assert!(colored(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(!colored(&["--color", "never"], &[]));
}

#[test]
fn the_file_is_named_by_the_flag_before_the_variable() {
    let command =
        || clap::Command::new("m").args(mapwright_settings::arguments(mapwright_settings::CommandKind::Crawl));
    let environment = || [("MAPWRIGHT_CONFIG".to_owned(), "env.toml".to_owned())].into_iter();
    let named = |words: &[&str]| Settings::config_file(&command().get_matches_from(words), environment());
    assert_eq!(named(&["m", "--config", "f.toml"]), Some(("f.toml".into(), SettingSource::Flag("config".into()))));
    assert_eq!(named(&["m"]), Some(("env.toml".into(), SettingSource::Variable("MAPWRIGHT_CONFIG".into()))));
    assert_eq!(Settings::config_file(&command().get_matches_from(["m"]), std::iter::empty()), None);
}

/// Names hold no comma: in one text they are separated by commas as well.
#[test]
fn names_are_separated_by_commas() {
    let names = |text: &'static str| {
        SourcedText { variables: &[("MAPWRIGHT_SERVER_NAME", text)], ..SourcedText::default() }
            .load()
            .unwrap()
            .settings
            .serve
    };
    assert_eq!(names("ops.example,dash.example\nx.example").server_name, ["ops.example", "dash.example", "x.example"]);
}

#[test]
fn a_fault_quotes_no_password_of_a_url() {
    for (key, url) in [("sitemap-base", "ftp://u:s3cret@h/"), ("rewrite-host", "http://u:s3cret@h =b")] {
        let error = flags(&[&format!("--{key}"), url]).unwrap_err().to_string();
        assert!(!error.contains("s3cret") && error.contains("://h"), "{error}");
    }
}

#[test]
fn secrets_are_shown_nowhere() {
    let secrets = ["Authorization: Bearer s3cret", "user:s3cret", "http://u:s3cret@proxy:1"];
    let words = ["-H", secrets[0], "--auth", secrets[1], "--proxy", secrets[2]];
    let written = SourcedText { flags: &words, variables: &[("HTTP_PROXY", secrets[2])], ..SourcedText::default() };
    let loaded = written.load().unwrap();
    assert_eq!(loaded.settings.fetch.auth.as_ref().unwrap().password, "s3cret");
    assert!(!format!("{loaded:?}").contains("s3cret"));
}
