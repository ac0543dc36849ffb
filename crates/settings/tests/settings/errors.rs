//! Every refused value gives one line: the fault, its place, what to do.

use crate::support::{file, flags, line, variable};

/// A value that each option refuses.
const REFUSED: &[(&str, &str)] = &[
    ("out", ""),
    ("format", "jsn"),
    ("color", "sometimes"),
    ("concurrency", "0"),
    ("concurrency", "1025"),
    ("concurrency", "many"),
    ("concurrency", "99999999999999999999999"),
    ("rate-limit", "0"),
    ("rate-limit", "-1"),
    ("rate-limit", "NaN"),
    ("rate-limit", "1e-19"),
    ("delay", "soon"),
    ("delay", "-5"),
    ("max-depth", "4294967296"),
    ("max-urls", "0"),
    ("max-time", "0"),
    ("max-time", "20000d"),
    ("scope", "hots"),
    ("scope", "list"),
    ("include", "("),
    ("exclude", "a{1000}{1000}{1000}"),
    ("no-list", "["),
    ("drop-param", "a=b"),
    ("drop-param", "*"),
    ("pattern-budget", "0"),
    ("max-crawl-delay", "10 parsecs"),
    ("user-agent", "b\u{f6}t"),
    ("user-agent", "123"),
    ("robots-agent", "bot/1.0"),
    ("search-agent", ""),
    ("header", "no colon s3cret"),
    ("header", "bad name: s3cret"),
    ("header", "X: a\u{7}s3cret"),
    ("header", "Host: example.com"),
    ("header", "User-Agent: x"),
    ("auth", "s3cret"),
    ("cookie-file", "a\0b"),
    ("timeout", "0"),
    ("timeout", "1.5.2s"),
    ("retries", "11"),
    ("proxy", "socks5://s3cret@proxy:1080"),
    ("proxy", "http://proxy/path"),
    ("proxy", "http://"),
    ("resolve", "example.com:443"),
    ("resolve", "example.com:0:127.0.0.1"),
    ("resolve", "example.com:443:localhost"),
    ("resolve", "127.0.0.1:443:127.0.0.1"),
    ("resolve", "*:443:127.0.0.1"),
    ("allow-address", "intranet"),
    ("allow-address", "10.0.0.0/33"),
    ("max-body", "10 apples"),
    ("max-body", "100MiB"),
    ("max-body", "1"),
    ("bytes-in-flight", "1MiB"),
    ("max-redirects", "-1"),
    ("max-urls-per-file", "50001"),
    ("max-bytes-per-file", "52428801"),
    ("gzip", "allways"),
    ("sitemap-format", "html"),
    ("sitemap-base", "/sitemaps/"),
    ("sitemap-base", "ftp://example.com/"),
    ("sitemap-base", "https://example.com/?x"),
    ("list-types", "htm"),
    ("list-types", ""),
    ("shrink-guard", "101"),
];

#[test]
fn refused_flags() {
    let lines: Vec<String> = REFUSED
        .iter()
        .map(|(name, value)| line(flags(&[&format!("--{name}={value}")])))
        .inspect(|line| assert!(!line.contains('\n') && !line.contains("s3cret"), "{line}"))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn flag_variable_and_key_give_the_same_line_but_for_the_place() {
    let flag = line(flags(&["--concurrency", "0"]));
    let variable = line(variable("MAPWRIGHT_CONCURRENCY", "0"));
    let key = line(file("# a\n[crawl]\nconcurrency = 0\n"));
    insta::assert_snapshot!([flag, variable, key].join("\n"), @r"
    `0` is too small: flag --concurrency: give a number from 1 to 1024
    `0` is too small: variable MAPWRIGHT_CONCURRENCY: give a number from 1 to 1024
    `0` is too small: file site.toml line 3 key crawl.concurrency: give a number from 1 to 1024
    ");
}

#[test]
fn refused_switches() {
    insta::assert_snapshot!(line(variable("MAPWRIGHT_INSECURE", "yes")), @"`yes` is neither true nor false: variable MAPWRIGHT_INSECURE: write true or false");
}

#[test]
fn the_item_of_a_list_is_named_by_its_line() {
    let text = "[crawl]\nexclude = [\n  \"fine\",\n  \"(\",\n]\n";
    insta::assert_snapshot!(line(file(text)), @"`(` is not a regular expression (unclosed group): file site.toml line 4 key crawl.exclude: correct it; a character with a special meaning is escaped by a backslash");
}

#[test]
fn values_are_quoted_on_one_line_and_shortened() {
    let long = format!("a\n\u{1b}[31m{}", "x".repeat(500));
    let line = line(variable("MAPWRIGHT_TIMEOUT", &long));
    assert!(line.starts_with("`a\\n\\u{1b}[31mxxx"), "{line}");
    assert!(line.len() < 250, "{line}");
}
