//! `mapwright robots check`: RFC 9309, section 2.2, and Google's documentation of its own parser.

use mapwright_e2e::{Command, Workspace};

const HOST: &str = "http://a.test";

/// A robots.txt with the paths that it allows and disallows for our agent. A failure lists all differences.
struct File<'a> {
    name: &'a str,
    text: Vec<u8>,
    allowed: &'a [&'a str],
    disallowed: &'a [&'a str],
}

fn file<'a>(name: &'a str, text: impl Into<Vec<u8>>, allowed: &'a [&'a str], disallowed: &'a [&'a str]) -> File<'a> {
    File { name, text: text.into(), allowed, disallowed }
}

/// The verdict lines of `robots check`.
fn verdicts(agent: &str, text: &[u8], paths: &[&str]) -> Vec<String> {
    let workspace = Workspace::new();
    let robots = workspace.file("robots.txt", text);
    let command = Command::new(["robots", "check", "--agent", agent, "--robots"]).arg(robots).within(&workspace);
    let done = command.args(paths.iter().map(|path| format!("{HOST}{path}"))).run().exited(0);
    done.stdout.lines().map(str::to_owned).collect()
}

fn wrong(file: &File<'_>) -> Vec<String> {
    let paths: Vec<&str> = file.allowed.iter().chain(file.disallowed).copied().collect();
    let lines = verdicts("mapwright", &file.text, &paths);
    assert_eq!(lines.len(), paths.len(), "exactly one line for each URL of `{}`: {lines:#?}", file.name);
    let expected = |at: usize| if at < file.allowed.len() { "allow " } else { "disallow " };
    let differs = |(at, line): &(usize, &String)| !line.starts_with(expected(*at));
    let reported = |(at, line): (usize, &String)| format!("`{}`: expected {}got {line}", file.name, expected(at));
    lines.iter().enumerate().filter(differs).map(reported).collect()
}

#[track_caller]
fn check(files: &[File<'_>]) {
    let wrong: Vec<String> = files.iter().flat_map(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn check_prints_the_verdict_a_tab_and_the_deciding_line() {
    let text = b"# rules\nUser-agent: *\nDisallow: /private/\nAllow: /private/open\n";
    let lines = verdicts("mapwright", text, &["/private/x", "/private/open", "/"]);
    let [private, open, root] = &lines[..] else { panic!("one line for each URL: {lines:?}") };
    let (verdict, decided) = private.split_once('\t').expect("a tab");
    assert_eq!(verdict, format!("disallow {HOST}/private/x"));
    assert!(decided.contains('3') && decided.contains("Disallow: /private/"), "{decided}");
    let (verdict, decided) = open.split_once('\t').expect("a tab");
    assert_eq!(verdict, format!("allow {HOST}/private/open"));
    assert!(decided.contains('4') && decided.contains("Allow: /private/open"), "{decided}");
    let (verdict, _) = root.split_once('\t').expect("a tab, where no line decides too");
    assert_eq!(verdict, format!("allow {HOST}/"));
}

#[test]
fn groups_and_agents() {
    let star_and_own = "User-agent: *\nDisallow: /\n\nUser-agent: mapwright\nDisallow: /own\n";
    check(&[
        file("no group: all is allowed", "", &["/", "/x"], &[]),
        file("the star", "User-agent: *\nDisallow: /x\n", &["/", "/y"], &["/x", "/xy"]),
        file("our group beats the star", star_and_own, &["/", "/x"], &["/own", "/ownership"]),
        file(
            "the order of groups is free",
            "User-agent: mapwright\nDisallow: /own\nUser-agent: *\nDisallow: /\n",
            &["/x"],
            &["/own"],
        ),
        file("any case", "user-AGENT: MapWright\nDISALLOW: /x\n", &["/"], &["/x"]),
        file("a version is no part", "User-agent: mapwright/2.0 (x)\nDisallow: /x\n", &["/"], &["/x"]),
        file(
            "groups of one agent merge",
            "User-agent: mapwright\nDisallow: /a\n\nUser-agent: other\nDisallow: /b\n\nUser-agent: MAPWRIGHT\nDisallow: /c\n",
            &["/b"],
            &["/a", "/c"],
        ),
        file(
            "star groups merge",
            "User-agent: *\nDisallow: /a\nUser-agent: other\nDisallow: /b\nUser-agent: *\nDisallow: /c\n",
            &["/b"],
            &["/a", "/c"],
        ),
        file("several agents, one group", "User-agent: other\nUser-agent: mapwright\nDisallow: /x\n", &["/"], &["/x"]),
        file(
            "an empty group of ours allows all",
            "User-agent: mapwright\nDisallow:\n\nUser-agent: *\nDisallow: /\n",
            &["/", "/x"],
            &[],
        ),
        file("another's group is not ours", "User-agent: other\nDisallow: /\n", &["/"], &[]),
        file(
            "a part of our name",
            "User-agent: map\nDisallow: /\nUser-agent: mapwright-images\nDisallow: /\nUser-agent: xmapwright\nDisallow: /\n",
            &["/"],
            &[],
        ),
        file("rules in front of any group", "Disallow: /\nUser-agent: *\nDisallow: /x\n", &["/"], &["/x"]),
        file(
            "blank lines do not end a group",
            "User-agent: mapwright\n\nDisallow: /a\n\n\nDisallow: /b\n",
            &["/"],
            &["/a", "/b"],
        ),
        file(
            "unknown lines do not split a group",
            "User-agent: other\nNonsense: 1\nUser-agent: mapwright\nDisallow: /x\n",
            &["/"],
            &["/x"],
        ),
        file(
            "sitemap lines do not split a group",
            "User-agent: mapwright\nSitemap: http://a.test/s.xml\nDisallow: /x\n",
            &["/"],
            &["/x"],
        ),
        file(
            "a group follows rules",
            "User-agent: other\nDisallow: /a\nUser-agent: mapwright\nDisallow: /b\n",
            &["/a"],
            &["/b"],
        ),
    ]);
}

#[test]
fn matching() {
    let example = "User-agent: *\nDisallow: /foo/bar?baz=quz\nDisallow: /foo/bar/ツ\nDisallow: /foo/qux/%E3%83%84\nDisallow: /bar/%62%61%7A\n";
    check(&[
        file(
            "longest match",
            "User-agent: *\nDisallow: /a/\nAllow: /a/b/\nDisallow: /a/b/c\n",
            &["/", "/a/b/x"],
            &["/a/x", "/a/b/c"],
        ),
        file("order is free", "User-agent: *\nAllow: /a/b/\nDisallow: /a/\n", &["/a/b/x"], &["/a/x"]),
        file("ties allow", "User-agent: *\nDisallow: /a\nAllow: /a\n", &["/a"], &[]),
        file("paths differ in case", "User-agent: *\nDisallow: /Private\n", &["/private"], &["/Private"]),
        file("a star", "User-agent: *\nDisallow: /*.gif\n", &["/a.png"], &["/a.gif", "/d/b.gif?x=1"]),
        file("several stars", "User-agent: *\nDisallow: /a*b*c\n", &["/acb"], &["/abc", "/axbyc"]),
        file("the end", "User-agent: *\nDisallow: /*.php$\n", &["/a.php?x", "/a.php5"], &["/a.php", "/d/a.php"]),
        file("the end of the root", "User-agent: *\nDisallow: /$\n", &["/x"], &["/"]),
        file("a dollar sign inside is itself", "User-agent: *\nDisallow: /a$b\n", &["/a"], &["/a$bc"]),
        file(
            "length counts the pattern's bytes",
            "User-agent: *\nAllow: /page\nDisallow: /*.htm\n",
            &["/page"],
            &["/page.htm"],
        ),
        file("a star in front", "User-agent: *\nDisallow: *.pdf$\n", &["/a.pdfx"], &["/a.pdf"]),
        file("an empty Disallow is nothing", "User-agent: *\nDisallow:\n", &["/"], &[]),
        file("an empty Allow is nothing", "User-agent: *\nAllow:\nDisallow: /\n", &[], &["/", "/x"]),
        file("queries count", "User-agent: *\nDisallow: /*?\n", &["/x"], &["/x?y=1"]),
        file("robots.txt is always allowed", "User-agent: *\nDisallow: /\n", &["/robots.txt"], &["/x"]),
        // RFC 9309, 2.2.2, the table of percent-escapes.
        file("RFC 9309: the query", example, &["/foo/bar"], &["/foo/bar?baz=quz"]),
        file("RFC 9309: raw UTF-8 in the rule", example, &[], &["/foo/bar/%E3%83%84", "/foo/bar/ツ"]),
        file(
            "RFC 9309: an escape in the rule",
            example,
            &[],
            &["/foo/qux/%E3%83%84", "/foo/qux/ツ", "/foo/qux/%e3%83%84"],
        ),
        file("RFC 9309: escaped unreserved", example, &[], &["/bar/baz", "/bar/%62%61%7A"]),
        file("an escaped slash is no slash", "User-agent: *\nDisallow: /a%2Fb\n", &["/a/b"], &["/a%2Fb", "/a%2fb"]),
        file("an escaped star is itself", "User-agent: *\nDisallow: /a%2Ab\n", &["/axb"], &["/a*b"]),
        file("an escaped dollar is itself", "User-agent: *\nDisallow: /a%24\n", &["/a"], &["/a$", "/a$b"]),
        file(
            "a stray per cent sign eats nothing",
            "User-agent: *\nDisallow: /100%off\n",
            &["/100"],
            &["/100%off", "/100%25off"],
        ),
    ]);
}

#[test]
fn lines_and_spelling() {
    let deny = "User-agent: *\nDisallow: /x\n";
    let marked = ["\u{feff}", deny].concat();
    let comments = "# one\nUser-agent: * # two\nDisallow: /x # three\n#Disallow: /y\n";
    let mut long = "User-agent: *\n".to_owned();
    long.push_str(&format!("Disallow: /{}\nDisallow: /x\n", "é".repeat(10_000)));
    let mut binary = b"\x00\xff\xfe junk \x00\n".to_vec();
    binary.extend_from_slice(deny.as_bytes());
    let mut files = vec![
        file("LF", deny, &["/"], &["/x"]),
        file("CRLF", deny.replace('\n', "\r\n"), &["/"], &["/x"]),
        file("CR", deny.replace('\n', "\r"), &["/"], &["/x"]),
        file("mixed", "User-agent: *\rDisallow: /x\r\nDisallow: /y\n", &["/"], &["/x", "/y"]),
        file("no line end at the end", deny.trim_end(), &["/"], &["/x"]),
        file("a byte-order mark", marked, &["/"], &["/x"]),
        file("spacing", "  User-agent  :  *  \n\t disallow:/x\t\n", &["/"], &["/x"]),
        file("comments", comments, &["/", "/y"], &["/x"]),
        file("a missing colon", "User-agent *\nDisallow /x\n", &["/"], &["/x"]),
        file("bytes that are no text", binary, &["/"], &["/x"]),
        file("a very long line", long, &["/"], &["/x"]),
        file("an HTML page", "<!doctype html><p>Disallow: /</p>\n<title>User-agent: *</title>\n", &["/"], &[]),
    ];
    for misspelt in ["dissallow", "dissalow", "disalow", "diasllow", "disallaw"] {
        files.push(file(misspelt, format!("User-agent: *\n{misspelt}: /x\n"), &["/"], &["/x"]));
    }
    for misspelt in ["useragent", "user agent"] {
        files.push(file(misspelt, format!("{misspelt}: *\nDisallow: /x\n"), &["/"], &["/x"]));
    }
    check(&files);
}

#[test]
fn five_hundred_kibibytes_are_read() {
    let line = format!("# {}\n", "-".repeat(97));
    let text = format!("User-agent: *\n{}Disallow: /x\n", line.repeat(5_090));
    assert!(text.len() < 500 * 1024 && text.len() > 495 * 1024);
    check(&[file("a rule near the limit", text, &["/"], &["/x"])]);
}

#[test]
fn the_agent_of_check_is_matched_by_its_token() {
    let text = b"User-agent: acmebot\nDisallow: /acme\n\nUser-agent: *\nDisallow: /star\n";
    for agent in ["acmebot", "AcmeBot", "acmebot/1.0 (+http://acme.test/)"] {
        let lines = verdicts(agent, text, &["/acme", "/star"]);
        assert!(lines[0].starts_with("disallow ") && lines[1].starts_with("allow "), "{agent}: {lines:?}");
    }
}
