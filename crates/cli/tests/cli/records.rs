//! The place of a crawl's record, and the choice of a record.

use crate::server::{Server, ok, redirect};
use crate::support::Workspace;

/// A directory that is also the user's home.
fn home() -> Workspace {
    let place = Workspace::new();
    let home = place.path("").display().to_string();
    place.variable("HOME", &home)
}

fn site() -> Server {
    let html = |body: String| ok(&body).replace("application/xml", "text/html");
    let page = |title: &str| html(format!("<title>{title}</title><a href=/a>a</a><a href=/b>b</a>"));
    let answers = ["/", "/a", "/b", "/other"].map(|path| (path, page(path)));
    Server::new("127.0.0.1", &answers)
}

#[test]
fn a_crawl_cut_in_the_home_directory_goes_on() {
    let (place, site) = (home(), site());
    let url = format!("{}/", site.base);
    assert_eq!(place.run(&["crawl", &url, "--max-time", "1ms"]).code, 4);
    let resumed = place.run(&["resume", "--max-time", "1m"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert!(place.path("sitemap.xml").exists());
    let nothing = place.run(&["resume"]);
    assert!(nothing.err.contains("nothing to resume"), "{nothing:?}");
    assert_eq!(nothing.done(), "");
}

#[test]
fn the_record_is_never_put_into_the_published_directory() {
    let (place, site) = (home(), site());
    std::fs::create_dir(place.path("public")).unwrap();
    std::os::unix::fs::symlink(place.path("public"), place.path("link")).unwrap();
    let here = place.path("").display().to_string();
    for words in [
        ["--state", ".", "--out", "."],
        ["--state", &here, "--out", "."],
        ["--state", "link", "--out", "public"],
        ["--state", "public", "--out", "link"],
        ["--state", "public/below", "--out", "link"],
        ["--state", "none/../new", "--out", "new"],
    ] {
        let words = [&["crawl", site.base.as_str()], words.as_slice()].concat();
        let line = place.run(&words).refused();
        assert!(line.contains("the record would lie in the directory of the published sitemaps"), "{words:?}: {line}");
    }
    assert!(site.paths().is_empty());
    assert_eq!(place.run(&["crawl", &site.base, "--state", "record"]).code, 0, "below the working directory");
}

#[test]
fn each_list_has_a_record_of_its_own_which_knows_its_urls() {
    let site = site();
    let list = |path: &str| format!("{}{path}\n", site.base);
    let place = home().file("one.txt", list("/a")).file("two.txt", list("/b"));
    for name in ["one", "two"] {
        let file = format!("{name}.txt");
        place.run(&["crawl", "--scope", "list", "--url-list", &file, "--out", name]).done();
    }
    assert_eq!(std::fs::read_dir(place.path(".local/state/mapwright")).unwrap().count(), 2);
    for path in ["/a", "/b"] {
        let output = place.run(&["explain", list(path).trim()]).done();
        assert!(output.contains("in the sitemap: yes"), "{output}");
    }
}

#[test]
fn a_list_from_standard_input_is_in_the_record() {
    let (place, site) = (home(), site());
    let list = ["/a", "/other"].map(|path| format!("{}{path}\n", site.base)).concat();
    for scope in ["list", "path"] {
        let words = ["crawl", &site.base, "--scope", scope, "--url-list", "-", "--state", scope, "--max-time", "1ms"];
        assert_eq!(place.run_with(&words, list.as_bytes()).code, 4);
        place.run(&["resume", "--state", scope, "--max-time", "1m"]).done();
        let listed = std::fs::read_to_string(place.path("sitemap.xml")).unwrap();
        for url in list.lines() {
            assert!(listed.contains(&format!("<loc>{url}</loc>")), "{scope}: {listed}");
        }
    }
}

#[test]
fn under_the_scope_of_a_list_the_list_alone_is_visited() {
    let site = site();
    let place = home().file("list.txt", format!("{0}/a\n{0}/gone\n", site.base));
    let start = format!("{}/other", site.base);
    let output = place.run(&["crawl", &start, "--scope", "list", "--url-list", "list.txt"]).done();
    assert!(output.contains("/other is not visited"), "{output}");
    assert!(!site.paths().contains(&"/other".to_owned()));
    let place = place.file("list.txt", format!("{}/gone\n", site.base));
    assert_eq!(place.run(&["crawl", &start, "--scope", "list", "--url-list", "list.txt"]).code, 3);
}

#[test]
fn a_url_without_a_scheme_is_explained_where_a_record_knows_it_by_http_alone() {
    let (place, site) = (home(), site());
    place.run(&["crawl", &site.base]).done();
    let bare = format!("{}/a", site.base.trim_start_matches("http://"));
    let output = place.run(&["explain", &bare]).done();
    assert!(output.starts_with(&format!("{}/a\n", site.base)), "{output}");
}

#[test]
fn a_crawl_whose_start_moved_is_explained_from_where_it_moved_to() {
    let (place, site) = (home(), site());
    let old = Server::new("127.0.0.1", &[("/", redirect(&format!("{}/", site.base)))]);
    place
        .run(&[
            "crawl",
            &old.base,
            "--rewrite-host",
            "127.0.0.1=www.example.com",
            "--state",
            ".local/state/mapwright/a",
        ])
        .done();
    let url = format!("{}/a", site.base);
    let published = url.replace("127.0.0.1", "www.example.com");
    let bare = |url: &str| url.trim_start_matches("http://").to_owned();
    for text in [url.clone(), bare(&url), published.clone(), bare(&published)] {
        let output = place.run(&["explain", &text]).done();
        assert!(output.starts_with(&format!("{url}\n  in the sitemap: yes")), "{text}: {output}");
    }
    let output = place.run(&["explain", &bare(&format!("{}/never", site.base))]).done();
    assert!(output.starts_with(&format!("{}/never\n  not found in any crawl", site.base)), "{output}");
}

#[test]
fn the_published_url_of_a_listed_one_is_explained() {
    let site = site();
    let place = home().file("list.txt", format!("{}/a\n", site.base));
    let rule = format!("{}=https://www.example.com", site.base);
    place.run(&["crawl", "--scope", "list", "--url-list", "list.txt", "--rewrite-host", &rule]).done();
    let output = place.run(&["explain", "www.example.com/a"]).done();
    assert!(output.starts_with(&format!("{}/a\n  in the sitemap: yes", site.base)), "{output}");
}

#[test]
fn merged_hosts_are_reported_with_the_robots_txt_that_was_not_requested() {
    let (place, one, other) = (home(), site(), site());
    let rule = |site: &Server| format!("{}=https://www.example.com", site.base);
    let (first, second) = (rule(&one), rule(&other));
    let words = ["crawl", &one.base, &other.base, "--rewrite-host", &first, "--rewrite-host", &second, "--state", "r"];
    let output = place.run(&words).done();
    assert!(output.contains("3 of the listed pages share a published URL with another"), "{output}");
    assert!(
        output.contains("into https://www.example.com/robots.txt, which was not requested, unless it has it:"),
        "{output}"
    );
    let json = place.run(&[&words[..], &["--format", "json"]].concat()).done();
    let lines = serde_json::from_str::<serde_json::Value>(&json).unwrap()["robots_lines"].clone();
    assert_eq!(lines[0]["requested"], false, "{lines}");
}

#[test]
fn v_reports_each_request() {
    let (place, site) = (home(), site());
    let output = |more: &[&str]| place.run(&[&["crawl", &site.base, "--no-progress"], more].concat()).err;
    assert_eq!(output(&[]), "");
    let lines = output(&["-v"]);
    for line in ["200 @/a", "404 @/robots.txt"] {
        assert!(lines.contains(&line.replace('@', &site.base)), "{line}: {lines}");
    }
    assert_eq!(output(&["-v", "--quiet"]), "");
    let map = format!("{}/sitemap.xml", site.base);
    let listing = place.run(&["sitemap", "list", "-v", &map]);
    assert!(listing.err.contains(&format!("404 {map}")), "{listing:?}");
}

#[test]
fn a_record_whose_making_was_cut_holds_nothing_to_audit() {
    let place = Workspace::new();
    drop(mapwright_store::Record::open(&place.path("record")).unwrap());
    let output = place.run(&["audit", "--from-record", "--state", "record", "https://e.test/"]).refused();
    assert!(output.contains("the record holds no run"), "{output}");
}

#[test]
fn a_sitemap_that_could_not_be_written_is_published_without_another_crawl() {
    let (place, site) = (home(), site());
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let failed = place.command(&["crawl", &site.base, "--out", "-"]).stdout(full).output().unwrap();
    assert_eq!(failed.status.code(), Some(5));
    assert!(String::from_utf8_lossy(&failed.stderr).contains("publish by `mapwright resume`"));
    let requested = site.paths().len();
    assert!(place.run(&["resume"]).done().contains("<urlset"));
    assert_eq!(site.paths().len(), requested);
}

#[test]
fn a_record_of_another_site_is_refused_by_every_command() {
    let (place, site) = (Workspace::new(), site());
    place.run(&["crawl", &site.base, "--state", "record"]).done();
    let (own, other) = (format!("{}/a", site.base), "http://other.test/a");
    let questions = [["explain"].as_slice(), &["runs"], &["export", "pages"], &["diff"], &["audit", "--from-record"]];
    for words in questions {
        let request = |url| place.run(&[words, &["--state", "record", url]].concat());
        let line = request(other).refused();
        assert!(line.contains(&format!("the record is of another site, {}", site.base)), "{words:?}: {line}");
        assert!(line.contains(other), "{words:?}: {line}");
        request(&own).done();
    }
    let output = place.run(&["runs", "--state", "record", &site.base.replace("http://", "")]).done();
    assert_eq!(output.lines().count(), 2, "the scheme is not distinguished: {output}");
}

#[test]
fn external_links_of_a_page_are_explained() {
    let place = Workspace::new();
    let page = ok("<a href=http://other.test/a>a</a>").replace("application/xml", "text/html");
    let site = Server::new("127.0.0.1", &[("/", page)]);
    place.run(&["crawl", &site.base, "--state", "record"]).done();
    let request = |url| place.run(&["explain", "--state", "record", url]);
    let output = request("http://other.test/a").done();
    assert!(output.contains("in the sitemap: no: out-of-scope"), "{output}");
    assert!(request("http://other.test/b").refused().contains("of another site"));
    assert!(request(&format!("{}/b", site.base)).done().contains("not found in any crawl"));
}

/// The process was killed before it wrote anything.
#[test]
fn an_empty_record_holds_no_run_yet() {
    let place = Workspace::new();
    std::fs::create_dir(place.path("record")).unwrap();
    let place = place.file("record/record.sqlite", String::new());
    for words in [["runs"].as_slice(), &["resume"], &["diff"], &["export", "pages"], &["explain", "http://e.test/"]] {
        let line = place.run(&[words, &["--state", "record"]].concat()).refused();
        assert!(line.contains("the record holds no run yet: run a crawl first"), "{words:?}: {line}");
    }
    let site = site();
    place.run(&["crawl", &site.base, "--state", "record"]).done();
}
