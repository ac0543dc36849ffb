//! `config init|check|show`.

use crate::support::Workspace;

#[test]
fn init_makes_a_file_that_check_accepts() {
    let place = Workspace::new();
    assert_eq!(place.run(&["config", "init"]).done(), "");
    let made = std::fs::read_to_string(place.path("mapwright.toml")).unwrap();
    assert_eq!(made, Workspace::new().run(&["config", "init", "-"]).done());
    assert_eq!(place.run(&["config", "check", "--config", "mapwright.toml"]).done(), "");
}

#[test]
fn init_overwrites_nothing() {
    let place = Workspace::new().file("mapwright.toml", "mine");
    insta::assert_snapshot!(place.run(&["config", "init"]).refused(), @"mapwright: the file exists: file mapwright.toml: name another file, or remove this one");
    assert_eq!(std::fs::read_to_string(place.path("mapwright.toml")).unwrap(), "mine");
}

#[test]
fn init_into_a_missing_directory_is_a_failed_output() {
    assert_eq!(Workspace::new().run(&["config", "init", "missing/file.toml"]).code, 5);
}

#[test]
fn show_prints_the_source_of_each_value() {
    let place = Workspace::new()
        .file("site.toml", "[crawl]\nconcurrency = 4\n\n[fetch]\nauth = \"user:s3cret\"\n")
        .variable("MAPWRIGHT_CONFIG", "site.toml")
        .variable("MAPWRIGHT_RETRIES", "0");
    let out = place.run(&["config", "show", "--timeout", "5s"]).done();
    for line in [
        "crawl.concurrency = 4  (file site.toml line 2 key crawl.concurrency)",
        "fetch.retries = 0  (variable MAPWRIGHT_RETRIES)",
        "fetch.timeout = 5s  (flag --timeout)",
        "fetch.auth = (secret)  (file site.toml line 5 key fetch.auth)",
        "crawl.max-depth = (not set)  (default)",
        "crawl.scope = path  (default)",
    ] {
        assert!(out.lines().any(|shown| shown == line), "{line} is not in:\n{out}");
    }
    assert!(!out.contains("s3cret"));
}

#[test]
fn show_speaks_json() {
    let out = Workspace::new().run(&["config", "show", "--format", "json"]).done();
    let rows: Vec<serde_json::Value> = serde_json::from_str(&out).unwrap();
    let row = rows.iter().find(|row| row["key"] == "output.format").unwrap();
    assert_eq!((row["value"].as_str(), row["from"].as_str()), (Some("json"), Some("flag --format")));
    let unset = rows.iter().find(|row| row["key"] == "crawl.max-depth").unwrap();
    assert!(unset["value"].is_null());
}

#[test]
fn a_file_that_is_not_named_is_read_where_jobs_are_looked_for_alone() {
    let place = Workspace::new().file("mapwright.toml", "nonsense");
    for words in [["config", "check"], ["config", "show"], ["jobs", "list"]] {
        let refused = place.run(&words).refused();
        assert!(refused.contains("file mapwright.toml line 1"), "{refused}");
    }
    let robots = place.file("robots.txt", "User-agent: *\nAllow: /\n");
    robots.run(&["robots", "check", "--robots", "robots.txt", "--agent", "any", "https://example.com/"]).done();
}

#[test]
fn a_check_says_what_it_looked_at() {
    let place = Workspace::new();
    assert!(place.run(&["config", "check"]).err.contains("there is no configuration file"));
    let place = place.file("mapwright.toml", "[job.shop]\nurl = [\"https://shop.example/\"]\n");
    assert!(place.run(&["config", "check"]).err.contains("mapwright.toml is fine, with one job"));
}

#[test]
fn errors_are_reported_in_one_line() {
    let place = Workspace::new().file("typo.toml", "[fetch]\ntimeuot = 3\n").file("bytes.toml", b"\xff\xfe");
    let lines = [
        place.run(&["config", "check", "--config", "typo.toml"]).refused(),
        place.run(&["config", "check", "--config", "bytes.toml"]).refused(),
        place.run(&["config", "check", "--config", "missing.toml"]).refused(),
        place.run(&["config", "check", "--timeout", "soon"]).refused(),
        Workspace::new().variable("MAPWRIGHT_TIMEOUT", "soon").run(&["config", "check"]).refused(),
    ];
    insta::assert_snapshot!(lines.concat());
}

#[test]
fn an_unknown_variable_is_a_warning() {
    let run = Workspace::new().variable("MAPWRIGHT_TIMEUOT", "3").run(&["config", "check", "-q"]);
    assert_eq!(run.code, 0);
    insta::assert_snapshot!(run.err, @"mapwright: warning: `MAPWRIGHT_TIMEUOT` names no option and is ignored: environment: did you mean MAPWRIGHT_TIMEOUT?");
}

#[test]
fn check_refuses_what_a_command_refuses_at_the_same_place() {
    let place = Workspace::new()
        .file("links.toml", "[crawl]\nlinks-in = [\"[\"]\n")
        .file("fail.toml", "[audit]\nfail-on = [\"erorr\"]\n");
    for (file, command, expected) in [
        ("links.toml", "crawl", "file links.toml line 2 key crawl.links-in"),
        ("fail.toml", "audit", "file fail.toml line 2 key audit.fail-on"),
    ] {
        let checked = place.run(&["config", "check", "--config", file]).refused();
        let begun = place.run(&[command, "http://localhost:9/", "--state", "record", "--config", file]).refused();
        assert!(checked.contains(expected), "{checked}");
        assert_eq!(begun, checked);
    }
    let place = Workspace::new().variable("MAPWRIGHT_FAIL_ON", "foo");
    let words = ["audit", "http://localhost:9/", "--state", "record"];
    assert!(place.run(&words).refused().contains("variable MAPWRIGHT_FAIL_ON"));
}

#[test]
fn show_says_that_crawls_do_not_read_the_file_it_found() {
    let place = Workspace::new().file("mapwright.toml", "[crawl]\nmax-urls = 3\n");
    let found = place.run(&["config", "show"]);
    assert!(found.err.contains("crawl and audit read it only with --config mapwright.toml"), "{found:?}");
    assert!(found.done().contains("crawl.max-urls = 3"));
    for words in [&["config", "show", "--config", "mapwright.toml"][..], &["config", "show", "-q"]] {
        assert_eq!(place.run(words).err, "", "{words:?}");
    }
}

#[test]
fn a_file_with_secrets_that_every_user_may_read_is_warned_of() {
    use std::os::unix::fs::PermissionsExt as _;
    let place =
        Workspace::new().file("mapwright.toml", "[notify]\nsmtp-password = \"s3cret\"\n[crawl]\nconcurrency = 4\n");
    let output = |mode| {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(place.path("mapwright.toml"), mode).unwrap();
        place.run(&["config", "check"]).err
    };
    insta::assert_snapshot!(output(0o644).lines().next().unwrap_or_default(), @"mapwright: warning: every user may read the file mapwright.toml, which holds secrets (notify.smtp-password): `chmod o-r mapwright.toml`");
    assert!(!output(0o640).contains("warning"));
    std::fs::write(place.path("mapwright.toml"), "[crawl]\nconcurrency = 4\n").unwrap();
    assert!(!output(0o644).contains("warning"), "without a secret");
}

#[test]
fn init_of_a_job_writes_the_few_lines_that_it_needs_and_check_accepts_them() {
    let place = Workspace::new();
    let words = ["config", "init", "--job", "shop", "https://shop.example/", "--cron", "30 3 * * 1"];
    assert_eq!(place.run(&words).done(), "");
    let made = std::fs::read_to_string(place.path("mapwright.toml")).unwrap();
    assert!(made.lines().count() < 20, "{made}");
    for line in ["[job.shop]", "url = [\"https://shop.example/\"]"] {
        assert!(made.contains(line), "{made}");
    }
    assert!(place.run(&["config", "check"]).err.contains("is fine, with one job"));
    assert!(
        place.run(&["jobs", "list", "--state-root", "root"]).done().contains("shop: both of https://shop.example/")
    );
    let all = Workspace::new().run(&["config", "init", "--all", "--job", "shop", "https://shop.example/", "-"]).done();
    assert!(all.contains("[job.shop]") && all.contains("#max-depth") && all.lines().count() > 300, "{all}");
    let refused = |words: &[&str]| Workspace::new().run(&[&["config", "init", "--job"], words].concat()).refused();
    for (words, what) in [
        (&["shop", "ftp://shop.example/"][..], "http"),
        (&["Bad Name", "https://shop.example/"], "job"),
        (&["shop", "https://shop.example/", "--cron", "61 * * * *"], "cron"),
    ] {
        assert!(refused(words).contains(what), "{}", refused(words));
    }
}
