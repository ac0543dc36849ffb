//! `sitemap list`: every URL of any form, lenient.

use crate::documents::{index, urlset};
use crate::server::{Server, ok, redirect};
use crate::support::Workspace;
use std::net::TcpListener;

#[test]
fn every_url_of_a_file_is_printed_in_order() {
    let place = Workspace::new().file("sitemap.xml", urlset(&["https://e.test/b", "https://e.test/a?x=1&amp;y=2"]));
    assert_eq!(place.run(&["sitemap", "list", "sitemap.xml"]).done(), "https://e.test/b\nhttps://e.test/a?x=1&y=2\n");
}

#[test]
fn standard_input_may_be_plain_text() {
    let run = Workspace::new().run_with(&["sitemap", "list", "-"], b"https://e.test/1\r\nhttps://e.test/2\r\n");
    assert_eq!(run.done(), "https://e.test/1\nhttps://e.test/2\n");
}

#[test]
fn parts_of_an_index_are_found_beside_it_and_printed_in_order() {
    let place = Workspace::new()
        .file("sitemap.xml", index(&["https://e.test/maps/sitemap-2.xml", "https://e.test/maps/nested.xml"]))
        .file("sitemap-2.xml", urlset(&["https://e.test/2"]))
        .file("nested.xml", index(&["https://e.test/sitemap-1.xml", "https://e.test/sitemap.xml"]))
        .file("sitemap-1.xml", urlset(&["https://e.test/1"]));
    assert_eq!(place.run(&["sitemap", "list", "sitemap.xml"]).done(), "https://e.test/2\nhttps://e.test/1\n");
}

#[test]
fn an_index_that_names_itself_ends() {
    let server = Server::new("127.0.0.1", &[("/i.xml", ok(&index(&["@B@/i.xml", "@B@/i.xml#x", "@B@/i.xml"])))]);
    assert_eq!(Workspace::new().run(&["sitemap", "list", &format!("{}/i.xml", server.base)]).done(), "");
    assert_eq!(server.paths(), ["/i.xml"]);
}

#[test]
fn a_url_is_fetched_with_its_parts_through_redirects() {
    let server = Server::new(
        "127.0.0.1",
        &[
            ("/old.xml", redirect("/sitemap.xml")),
            ("/sitemap.xml", ok(&index(&["@B@/part.xml?utm_source=x", "@B@/missing.xml"]))),
            ("/part.xml?utm_source=x", ok(&urlset(&["@B@/page"]))),
        ],
    );
    let run = Workspace::new().run(&["sitemap", "list", &format!("{}/old.xml", server.base)]);
    assert!(run.err.contains("missing.xml: is not available: the server answered 404"), "{}", run.err);
    assert_eq!(run.done(), format!("{}/page\n", server.base));
}

#[test]
fn relative_links_of_a_feed_are_resolved_where_it_was_fetched() {
    let atom = |link: &str| ok(&format!("<feed xmlns='http://www.w3.org/2005/Atom'><entry>{link}</entry></feed>"));
    let rss = ok("<rss version='2.0'><channel><item><link>/d/rel</link></item></channel></rss>");
    let server = Server::new(
        "127.0.0.1",
        &[
            ("/blog/feed", atom("<link href='post'/>")),
            ("/based", atom("<link xml:base='/blog/' href='two'/>")),
            ("/feed", redirect("/blog/feed")),
            ("/rss", rss),
        ],
    );
    for (feed, page) in [("blog/feed", "blog/post"), ("based", "blog/two"), ("feed", "blog/post"), ("rss", "d/rel")] {
        let run = Workspace::new().run(&["sitemap", "list", &format!("{}/{feed}", server.base)]);
        assert_eq!(run.done(), format!("{}/{page}\n", server.base), "{feed}");
    }
}

#[test]
fn list_leaves_out_relative_links_of_a_feed_file_and_reports_them_like_check() {
    let rss = "<rss version='2.0'><channel><item><link>/d/rel</link></item></channel></rss>";
    let place = Workspace::new().file("feed.xml", rss);
    let listed = place.run(&["sitemap", "list", "feed.xml"]);
    assert!(listed.err.contains("feed.xml:1: loc-relative"), "{}", listed.err);
    assert_eq!(listed.done(), "");
    assert!(place.run(&["sitemap", "check", "feed.xml"]).out.starts_with("feed.xml:1: loc-relative"));
}

#[test]
fn parts_at_other_private_addresses_are_not_requested() {
    let canary = TcpListener::bind("127.0.0.2:0").unwrap();
    canary.set_nonblocking(true).unwrap();
    let loc = format!("http://{}/part.xml", canary.local_addr().unwrap());
    let server = Server::new(
        "127.0.0.1",
        &[("/i.xml", ok(&index(&[&loc, "@B@/part.xml"]))), ("/part.xml", ok(&urlset(&["@B@/1"])))],
    );
    let run = Workspace::new().run(&["sitemap", "list", &format!("{}/i.xml", server.base)]);
    assert!(canary.accept().is_err(), "a request went to another private address");
    assert_eq!(run.done(), format!("{}/1\n", server.base));
}

#[test]
fn files_and_depth_are_bounded() {
    let names: Vec<String> = (1..=4).map(|n| format!("https://e.test/{n}.xml")).collect();
    let mut place = Workspace::new().file("i.xml", index(&names.iter().map(String::as_str).collect::<Vec<_>>()));
    for n in 1..=4 {
        place = place.file(&format!("{n}.xml"), urlset(&[&format!("https://e.test/{n}")]));
    }
    let run = place.run(&["sitemap", "list", "i.xml", "--max-sitemap-files", "3"]);
    assert!(run.err.contains("2 parts not read"), "{}", run.err);
    assert_eq!(run.done(), "https://e.test/1\nhttps://e.test/2\n");
    let run = place.run(&["sitemap", "list", "i.xml", "--max-sitemap-depth", "1"]);
    assert!(run.err.contains("4 parts not read"), "{}", run.err);
    assert_eq!(run.done(), "");
}

#[test]
fn faults_go_to_standard_error_and_change_nothing() {
    let broken = urlset(&["https://e.test/1", "https://e.test/2"]).replace("</urlset>", "<url><loc>https://e");
    let place = Workspace::new().file("broken.xml", broken);
    let run = place.run(&["sitemap", "list", "broken.xml"]);
    assert!(run.err.starts_with("mapwright: broken.xml:"), "{}", run.err);
    assert!(run.done().starts_with("https://e.test/1\nhttps://e.test/2\n"));
    let quiet = place.run(&["sitemap", "list", "broken.xml", "-q"]);
    assert_eq!((quiet.code, quiet.err.as_str()), (0, ""));
}

#[test]
fn unavailable_bytes_are_exit_2() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let server = Server::new("127.0.0.1", &[("/loop", redirect("/loop"))]);
    let place = Workspace::new();
    let line = |target: &str| place.run(&["sitemap", "list", target]).refused();
    let lines = [
        line("missing.xml"),
        line("."),
        line("ftp://e.test/sitemap.xml"),
        line(&format!("http://{free}/sitemap.xml")).replace(&free.to_string(), "HOST"),
        line(&format!("{}/gone", server.base)).replace(&server.base, "http://HOST"),
        line(&format!("{}/loop", server.base)).replace(&server.base, "http://HOST"),
    ];
    assert!(lines.iter().all(|line| line.starts_with("mapwright: ")), "{lines:#?}");
    insta::assert_snapshot!([&lines[..3], &lines[4..]].concat().concat());
    assert!(lines[3].contains("http://HOST/sitemap.xml") && lines[3].contains("refused"), "{}", lines[3]);
}

#[test]
fn credentials_of_the_url_are_used_and_never_printed() {
    let server = Server::new("127.0.0.1", &[]);
    let url = server.base.replace("http://", "http://user:s3cret@");
    let run = Workspace::new().run(&["sitemap", "list", &format!("{url}/x")]);
    assert!(run.code == 2 && !run.err.contains("s3cret"), "{}", run.err);
}

#[test]
fn json_is_one_document() {
    let place =
        Workspace::new().file("sitemap.xml", urlset(&["https://e.test/1", "https://e.test/2"])).file("empty.txt", "");
    let rows = |name: &str| -> Vec<serde_json::Value> {
        serde_json::from_str(&place.run(&["sitemap", "list", name, "--format", "json"]).done()).unwrap()
    };
    let locs: Vec<_> = rows("sitemap.xml").iter().map(|row| row["loc"].as_str().unwrap().to_owned()).collect();
    assert_eq!(locs, ["https://e.test/1", "https://e.test/2"]);
    assert!(rows("empty.txt").is_empty());
}

#[test]
fn control_characters_never_reach_the_terminal() {
    let place = Workspace::new()
        .file("urls.txt", "https://e.test/\u{1b}[2J\u{202e}\u{9b}x\nhttps://e.test/1\nnot \u{7}a url\n");
    let run = place.run(&["sitemap", "list", "urls.txt"]);
    let all = format!("{}{}", run.out, run.err);
    assert!(!all.contains(['\u{1b}', '\u{202e}', '\u{9b}', '\u{7}']), "{all:?}");
    let entry = "<url><loc>https://e.test/1</loc><lastmod>2026\u{202e}</lastmod></url>";
    let place = Workspace::new()
        .file("map.xml", format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{entry}</urlset>"));
    let printed = place.run(&["sitemap", "list", "map.xml", "--format", "json"]).done();
    assert!(!printed.contains('\u{202e}'), "{printed:?}");
    let rows: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(rows[0]["lastmod"], "2026\u{202e}");
}
