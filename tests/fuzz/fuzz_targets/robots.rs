//! robots.txt: any bytes compile, and for plain rules the verdict equals that of a naive backtracking matcher, written
//! only from RFC 9309.
//!
//! An input that begins with `rules` is a list of rules and of paths to check, one a line: `+PATTERN` allows,
//! `-PATTERN` disallows, `?PATH` is checked. Any other input is a robots.txt.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mapwright_web::Robots;

/// The limits of compared inputs: the naive matcher's time is exponential in the number of wildcards.
const MAX_RULES: usize = 20;
const MAX_CHARS: usize = 40;
const MAX_WILDCARDS: usize = 4;

fuzz_target!(|data: &[u8]| {
    match std::str::from_utf8(data).ok().and_then(|text| text.strip_prefix("rules\n")) {
        Some(text) => compare(text),
        None => survive(data),
    }
});

/// Asserts that nothing panics, and that every verdict names a line of the file.
fn survive(data: &[u8]) {
    let robots = Robots::compile(data);
    let text = String::from_utf8_lossy(data);
    let lines = text.split(['\r', '\n']).count();
    let values = text.lines().filter_map(|line| line.split_once(':')).map(|(_, value)| value.trim()).take(50);
    for path in values.chain(["/", "/robots.txt", "/a?b=c", ""]) {
        for agent in ["mapwright", "Googlebot/2.1", "*", ""] {
            let ruling = robots.rule_for_path(agent, path);
            assert!(ruling.allowed || ruling.line.is_some(), "a refusal without a line");
            let number = ruling.line.map_or(1, |line| line.number as usize);
            assert!((1..=lines).contains(&number), "line {number} of {lines}");
            assert_eq!(robots.agent(agent).rule(path).allowed, ruling.allowed);
        }
    }
    assert!(robots.rule_for_path("mapwright", "/robots.txt").allowed);
    assert!(robots.crawl_delay("mapwright").is_none_or(|seconds| seconds.is_finite() && seconds >= 0.0));
    assert!(robots.faults().len() <= mapwright_web::robots::MAX_FAULTS);
    assert!(robots.sitemaps().len() <= mapwright_web::robots::MAX_SITEMAPS);
    let with_mark = [b"\xEF\xBB\xBF".as_slice(), data].concat();
    // A partial byte-order mark is also skipped, but not after a complete one.
    if !data.starts_with(b"\xEF") && data.len() + 3 <= mapwright_web::robots::MAX_FILE_BYTES {
        let marked = Robots::compile(&with_mark);
        assert_eq!(marked.sitemaps(), robots.sitemaps(), "a byte-order mark says nothing");
    }
}

struct CheckRule<'t> {
    allow: bool,
    pattern: &'t str,
}

fn compare(text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() > 2 * MAX_RULES || lines.iter().any(|line| !is_plain(line)) {
        return;
    }
    let rules: Vec<CheckRule<'_>> = lines
        .iter()
        .filter_map(|line| {
            let (allow, pattern) = match line.split_at(1) {
                ("+", pattern) => (true, pattern),
                ("-", pattern) => (false, pattern),
                _ => return None,
            };
            pattern.starts_with(['/', '*']).then_some(CheckRule { allow, pattern })
        })
        .collect();
    let robots = Robots::compile(file(&rules).as_bytes());
    for path in lines.iter().filter_map(|line| line.strip_prefix('?')).filter(|path| path.starts_with('/')) {
        if path.contains(['*', '$']) || *path == *"/robots.txt" {
            continue;
        }
        let ruling = robots.rule_for_path("mapwright", path);
        let expected = verdict(&rules, path);
        assert_eq!(ruling.allowed, expected, "{path} by\n{}", file(&rules));
        let line = ruling.line.map(|line| line.number as usize);
        let decided = rules.iter().any(|rule| matches(rule.pattern, path));
        assert_eq!(line.is_some(), decided);
        if let Some(rule) = line.map(|line| &rules[line - 2]) {
            assert!(rule.allow == expected && matches(rule.pattern, path), "a line that does not say so");
        }
    }
}

/// Returns true if the line is short and has only characters that normalization does not change.
fn is_plain(line: &str) -> bool {
    let body = line.strip_suffix('$').unwrap_or(line);
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"/*?=&-_.~+!,;:@".contains(&byte);
    !line.is_empty() && line.len() <= MAX_CHARS && body.bytes().all(known) && line.matches('*').count() <= MAX_WILDCARDS
}

fn file(rules: &[CheckRule<'_>]) -> String {
    let lines: String =
        rules.iter().map(|r| format!("{}: {}\n", if r.allow { "Allow" } else { "Disallow" }, r.pattern)).collect();
    format!("User-agent: *\n{lines}")
}

/// Returns the verdict by RFC 9309 section 2.2.2: the longest matching rule wins, allow wins a tie, and no match
/// allows.
fn verdict(rules: &[CheckRule<'_>], path: &str) -> bool {
    let matching = rules.iter().filter(|rule| matches(rule.pattern, path));
    matching.map(|rule| (rule.pattern.len(), rule.allow)).max().is_none_or(|(_, allow)| allow)
}

/// Matches a path by RFC 9309 section 2.2.3, with backtracking.
fn matches(pattern: &str, path: &str) -> bool {
    match pattern.strip_suffix('$') {
        Some(body) => fits(body.as_bytes(), path.as_bytes(), true),
        None => fits(pattern.as_bytes(), path.as_bytes(), false),
    }
}

fn fits(pattern: &[u8], path: &[u8], to_the_end: bool) -> bool {
    match pattern.split_first() {
        None => !to_the_end || path.is_empty(),
        Some((b'*', rest)) => (0..=path.len()).any(|skip| fits(rest, &path[skip..], to_the_end)),
        Some((octet, rest)) => path.first() == Some(octet) && fits(rest, &path[1..], to_the_end),
    }
}
