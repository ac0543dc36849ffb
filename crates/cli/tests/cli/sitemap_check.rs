//! `sitemap check`: faults with line, rule and hint.

use crate::documents::{index, urlset};
use crate::server::{Server, ok};
use crate::support::Workspace;

#[test]
fn a_clean_document_gives_no_line_and_0() {
    let place = Workspace::new().file("sitemap.xml", urlset(&["https://e.test/1"]));
    let run = place.run(&["sitemap", "check", "sitemap.xml"]);
    assert_eq!(run.err, "mapwright: 1 entry, 0 faults, 0 remarks\n");
    assert_eq!(run.done(), "");
}

#[test]
fn a_fault_is_reported_with_its_line_rule_and_hint() {
    let place = Workspace::new().file("sitemap.xml", urlset(&["https://e.test/1", "/relative"]));
    let run = place.run(&["sitemap", "check", "sitemap.xml"]);
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("sitemap.xml:4: loc-relative: "), "{}", run.out);
    assert!(run.out.contains(" — "), "{}", run.out);
    assert_eq!(run.out.lines().count(), 1);
}

#[test]
fn a_remark_is_marked_and_does_not_count() {
    let place = Workspace::new().file("sitemap.xml", urlset(&["https://e.test/1#top"]));
    let run = place.run(&["sitemap", "check", "sitemap.xml"]);
    assert!(run.out.starts_with("sitemap.xml:3: remark: loc-fragment: "), "{}", run.out);
    run.done();
}

#[test]
fn json_is_one_document() {
    let place = Workspace::new().file("bad.xml", urlset(&["/relative"])).file("good.xml", urlset(&["https://e.test/"]));
    let run = place.run(&["sitemap", "check", "bad.xml", "--format", "json"]);
    assert_eq!(run.code, 1);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&rows[0]["rule"], &rows[0]["line"], &rows[0]["remark"]),
        (&"loc-relative".into(), &3.into(), &false.into())
    );
    assert_eq!(place.run(&["sitemap", "check", "good.xml", "--format", "json"]).done(), "[]\n");
}

#[test]
fn the_place_of_the_document_is_judged_where_it_is_known() {
    let server = Server::new("127.0.0.1", &[("/maps/s.xml", ok(&urlset(&["@B@/maps/1", "https://other.test/"])))]);
    let run = Workspace::new().run(&["sitemap", "check", &format!("{}/maps/s.xml", server.base)]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("loc-host"), "{}", run.out);
    assert_eq!(run.out.lines().count(), 1, "{}", run.out);
}

/// The robots.txt of the listed host decides (sitemaps.org, "Sitemaps & Cross Submits"), and is requested only with
/// `--follow`.
#[test]
fn a_sitemap_of_another_host_is_allowed_by_that_hosts_robots_txt() {
    let (own, page) = ("@B@/s.xml", "@B@/page");
    for (named, code) in [(own, 0), ("@B@/i.xml", 0), ("@B@/other.xml", 1)] {
        let listed = Server::new("127.0.0.1", &[("/page", ok("page"))]);
        let page = page.replace("@B@", &listed.base);
        let answers = [("/i.xml", ok(&index(&[own]))), ("/s.xml", ok(&urlset(&[&page])))];
        let submitter = Server::new("127.0.0.1", &answers);
        let robots = format!("Sitemap: {}\n", named.replace("@B@", &submitter.base));
        listed.answer("/robots.txt", &ok(&robots));
        let of_index = Workspace::new().run(&["sitemap", "check", &format!("{}/i.xml", submitter.base), "--follow"]);
        assert_eq!((of_index.code, of_index.out.contains("s.xml:3: loc-host")), (code, code == 1), "{of_index:?}");
        assert_eq!(listed.paths(), ["/robots.txt"]);
        let alone = Workspace::new().run(&["sitemap", "check", &format!("{}/s.xml", submitter.base)]);
        assert_eq!((alone.code, alone.out.contains("loc-host")), (1, true), "{alone:?}");
        assert_eq!(listed.paths(), ["/robots.txt"]);
    }
}

/// The sitemaps of one crawl of several hosts, before they are uploaded.
#[test]
fn parts_of_other_hosts_are_a_remark_while_they_are_files() {
    let place = Workspace::new()
        .file("i.xml", index(&["https://e.test/e.xml", "https://e.test/f.xml"]))
        .file("e.xml", urlset(&["https://e.test/1"]))
        .file("f.xml", urlset(&["https://f.test/1", "https://f.test/2"]));
    let run = place.run(&["sitemap", "check", "i.xml", "--follow"]);
    assert_eq!(run.out.lines().count(), 1, "{run:?}");
    assert!(run.out.starts_with("f.xml:3: remark: cross-submit: "), "{run:?}");
    run.done();
}

#[test]
fn only_the_named_document_is_checked_without_follow() {
    let place =
        Workspace::new().file("i.xml", index(&["https://e.test/part.xml"])).file("part.xml", urlset(&["/relative"]));
    assert_eq!(place.run(&["sitemap", "check", "i.xml"]).code, 0);
    let run = place.run(&["sitemap", "check", "i.xml", "--follow"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("part.xml:3: loc-relative"), "{}", run.out);
}

#[test]
fn a_part_that_cannot_be_read_is_a_fault_of_the_index() {
    let server = Server::new("127.0.0.1", &[("/i.xml", ok(&index(&["@B@/gone.xml"])))]);
    let run = Workspace::new().run(&["sitemap", "check", "--follow", &format!("{}/i.xml", server.base)]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("gone.xml is not available: the server answered 404"), "{}", run.out);
}

#[test]
fn unavailable_bytes_are_exit_2() {
    let place = Workspace::new();
    insta::assert_snapshot!(place.run(&["sitemap", "check", "missing.xml"]).refused(), @"mapwright: cannot read `missing.xml` (No such file or directory (os error 2)): command line: name a file that can be read");
    assert_eq!(place.run(&["sitemap", "check", "."]).code, 2);
}

#[test]
fn an_interrupted_response_is_incomplete() {
    let cut = ok(&urlset(&["https://e.test/1"])).replace("@L@", "100000");
    let server = Server::new("127.0.0.1", &[("/s.xml", cut)]);
    let run = Workspace::new().run(&["sitemap", "check", &format!("{}/s.xml", server.base)]);
    assert_eq!(run.code, 2, "{run:?}");
}

#[test]
fn an_index_of_indexes_is_a_fault_where_parts_are_judged_too() {
    let place = Workspace::new()
        .file("i.xml", index(&["https://e.test/j.xml"]))
        .file("j.xml", index(&["https://e.test/part.xml"]))
        .file("part.xml", urlset(&["https://e.test/1"]))
        .file("self.xml", index(&["https://e.test/self.xml"]));
    assert_eq!(place.run(&["sitemap", "check", "i.xml"]).code, 0);
    for (name, listed) in [("i.xml", "j.xml"), ("self.xml", "self.xml")] {
        let run = place.run(&["sitemap", "check", "--follow", name]);
        let output = format!("{name}:1: nested-index: the part https://e.test/{listed} is an index");
        assert!(run.code == 1 && run.out.starts_with(&output), "{run:?}");
        assert_eq!(run.out.lines().count(), 1, "{run:?}");
    }
}

#[test]
fn faults_beyond_the_shown_number_are_counted_by_rule() {
    let locs: Vec<&str> = std::iter::once("https://e.test/").chain(std::iter::repeat_n("/relative", 1001)).collect();
    let place = Workspace::new().file("many.xml", urlset(&locs));
    let run = place.run(&["sitemap", "check", "many.xml"]);
    assert!(run.err.contains("many.xml: 1 more fault of the rule loc-relative is not shown"), "{}", run.err);
    assert!(run.err.contains("1002 entries, 1001 faults"), "{}", run.err);
}
