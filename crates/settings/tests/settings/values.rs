//! The values that each kind accepts.

use crate::support::{file, flags};
use mapwright_settings::{Input, ListType, Out, Settings};
use std::path::PathBuf;
use std::time::Duration;

fn settings(words: &[&str]) -> Settings {
    flags(words).unwrap().settings
}

#[test]
fn the_defaults_are_those_of_the_design() {
    insta::assert_debug_snapshot!(settings(&[]));
}

#[test]
fn durations() {
    let delay = |text: &str| settings(&["--delay", text]).crawl.delay;
    let cases = [
        ("30", Duration::from_secs(30)),
        ("30s", Duration::from_secs(30)),
        ("500ms", Duration::from_millis(500)),
        ("2m", Duration::from_secs(120)),
        ("2h", Duration::from_secs(7_200)),
        ("1d", Duration::from_secs(86_400)),
        ("0.25", Duration::from_millis(250)),
        ("1.5 h", Duration::from_secs(5_400)),
    ];
    for (text, expected) in cases {
        assert_eq!(delay(text), expected, "{text}");
    }
}

#[test]
fn sizes() {
    let body = |text: &str| settings(&["--max-body", text]).fetch.max_body;
    let cases = [
        ("10MiB", 10_485_760),
        ("10MB", 10_000_000),
        ("1048576", 1_048_576),
        ("64kib", 65_536),
        ("64 kB", 64_000),
        ("1.5MiB", 1_572_864),
    ];
    for (text, expected) in cases {
        assert_eq!(body(text), expected, "{text}");
    }
}

#[test]
fn a_dash_is_a_standard_stream() {
    let read = settings(&["--out", "-", "--url-list", "-"]);
    assert_eq!((read.output.out, read.crawl.url_list), (Out::Stdout, Some(Input::Stdin)));
    let read = settings(&["--out", "./-", "--url-list", "list"]);
    assert_eq!(read.output.out, Out::Directory(PathBuf::from("./-")));
    assert_eq!(read.crawl.url_list, Some(Input::File(PathBuf::from("list"))));
}

#[test]
fn pins_are_read_in_every_spelling() {
    let pins =
        settings(&["--resolve", "WWW.Example.COM:443:192.0.2.1,a.test:80:::1", "--resolve", "b.test:8080:[::1]"]);
    let read: Vec<_> = pins.fetch.resolve.iter().map(|p| (p.host.as_str(), p.port, p.address.to_string())).collect();
    let expected = [
        ("www.example.com", 443, "192.0.2.1".to_owned()),
        ("a.test", 80, "::1".to_owned()),
        ("b.test", 8080, "::1".to_owned()),
    ];
    assert_eq!(read, expected);
}

#[test]
fn ranges_begin_at_their_first_address() {
    let words = ["--allow-address", "10.1.2.3/16,192.0.2.7,fd12::1/8,::/0,0.0.0.0/0"];
    let read: Vec<String> = settings(&words).fetch.allow_address.iter().map(ToString::to_string).collect();
    assert_eq!(read, ["10.1.0.0/16", "192.0.2.7/32", "fd00::/8", "::/0", "0.0.0.0/0"]);
}

#[test]
fn headers_and_credentials_keep_their_colons() {
    let read = settings(&["-H", "X-Time:  12:30 ", "--auth", "user:pass:word"]);
    let header = read.fetch.header.first().unwrap();
    assert_eq!((header.name.as_str(), header.value.as_str()), ("X-Time", "12:30"));
    let auth = read.fetch.auth.unwrap();
    assert_eq!((auth.user.as_str(), auth.password.as_str()), ("user", "pass:word"));
}

#[test]
fn a_proxy_without_scheme_speaks_http() {
    let read = settings(&["--proxy", "user:pw@proxy.test:3128"]);
    assert_eq!(read.fetch.proxy.unwrap().as_str(), "http://user:pw@proxy.test:3128/");
}

#[test]
fn a_base_names_a_directory() {
    let base = |text: &str| settings(&["--sitemap-base", text]).sitemap.sitemap_base.unwrap();
    assert_eq!(base("https://Example.com"), "https://example.com/");
    assert_eq!(base("https://example.com/maps"), "https://example.com/maps/");
}

#[test]
fn kinds_of_documents_are_a_list() {
    assert_eq!(settings(&["--list-types", "html,pdf"]).sitemap.list_types, [ListType::Html, ListType::Pdf]);
}

#[test]
fn the_file_may_use_the_types_of_toml() {
    let text = "[crawl]\nrate-limit = 2.5\nmax-depth = 3\ndelay = 1\nno-feeds = true\nscope = \"host\"\n\
                [fetch]\nmax-body = 0x10_0000\nheader = [\"A: b, c\", 'D: e']\n";
    let read = file(text).unwrap().settings;
    assert_eq!(read.crawl.rate_limit, Some(2.5));
    assert_eq!(read.crawl.max_depth, Some(3));
    assert_eq!(read.fetch.max_body, 1_048_576);
    assert_eq!(read.fetch.header.len(), 2);
    assert!(read.crawl.no_feeds);
}
