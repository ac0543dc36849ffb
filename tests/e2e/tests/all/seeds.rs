//! Sources of URLs besides links: sitemaps, feeds, lists. sitemaps.org 0.9; RFC 9309, 2.2.4.

use mapwright_e2e::{Cases, Crawl, Crawled, RepeatedCrawls, document, links};
use mapwright_testkit::{FakeSite, Response, gzip};

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

fn urlset(locations: &[String]) -> String {
    let rows: String =
        locations.iter().map(|url| format!("<url><loc>{}</loc></url>\n", url.replace('&', "&amp;"))).collect();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{NAMESPACE}\">\n{rows}</urlset>\n")
}

/// A site whose pages at these paths have no inlinks.
fn unlinked(paths: &[&str]) -> FakeSite {
    let site = FakeSite::open();
    site.page("/", document("/", "", "no links"));
    for path in paths {
        site.page(path, document(path, "", ""));
    }
    site
}

/// The source by which a URL was first found.
fn found_by(crawled: &Crawled, url: &str) -> String {
    let sql = format!(
        "SELECT via_name.name FROM found JOIN url ON url.id = found.url JOIN via_name ON via_name.code = found.via \
         WHERE url.text = '{url}'"
    );
    crawled.query(&sql).concat().concat()
}

#[test]
fn every_sitemap_line_of_robots_txt_is_read() {
    let site = unlinked(&["/a", "/b", "/c", "/never"]);
    let robots = format!(
        "Sitemap: {0}/one.xml\nUser-agent: *\nSITEMAP:{0}/two.xml # the map\nDisallow: /private\nsitemap: {0}/three.xml\nDisallow: /c\n",
        site.base()
    );
    site.robots(robots).sitemap("/one.xml", &["/a"]).sitemap("/two.xml", &["/b"]).sitemap("/three.xml", &["/c"]);
    // "else /sitemap.xml": only where robots.txt names none.
    site.sitemap("/sitemap.xml", &["/never"]);
    let crawled = Crawl::of(&site).run().exited(0);
    crawled.assert_lists(&site.urls(&["/", "/a", "/b"]));
    // RFC 9309, 2.2.4: a Sitemap line does not end a group.
    crawled.assert_excluded(&site.url("/c"), "robots");
    assert_eq!(site.hits("/sitemap.xml"), 0);
    assert_eq!(found_by(&crawled, &site.url("/a")), "sitemap");
    crawled.assert_accounts_for_all();
}

#[test]
fn without_a_line_the_default_place_is_read() {
    let site = unlinked(&["/a"]);
    site.robots("User-agent: *\nDisallow:\n").sitemap("/sitemap.xml", &["/a"]);
    Crawl::of(&site).run().exited(0).assert_lists(&site.urls(&["/", "/a"]));
    let site = unlinked(&["/a"]);
    site.sitemap("/sitemap.xml", &["/a"]);
    Crawl::of(&site).run().exited(0).assert_lists(&site.urls(&["/", "/a"]));
}

/// Google, "Localized versions of your pages": the alternates of an entry are pages of the site too.
#[test]
fn alternates_that_a_sitemap_names_are_found() {
    let site = unlinked(&["/en", "/de", "/other"]);
    site.robots(format!("Sitemap: {}\n", site.url("/languages.xml")));
    let link = |path: &str| format!("<x:link rel=\"alternate\" hreflang=\"de\" href=\"{}\"/>", site.url(path));
    let entry = format!("<url><loc>{}</loc>{}{}</url>", site.url("/en"), link("/de"), "<x:link href=\"/other\"/>");
    let text = format!("<urlset xmlns=\"{NAMESPACE}\" xmlns:x=\"http://www.w3.org/1999/xhtml\">{entry}</urlset>");
    site.answer("/languages.xml", Response::xml(text));
    let crawled = Crawl::of(&site).run().exited(0);
    crawled.assert_lists(&site.urls(&["/", "/en", "/de"]));
    assert_eq!(found_by(&crawled, &site.url("/de")), "sitemap");
}

#[test]
fn each_form_of_sitemap_is_read() {
    let mut cases = Cases::open();
    let mut lines = String::new();
    let mut form = |name: &str, file: &str, answer: &dyn Fn(&[String]) -> Response| {
        let case = cases.case(name).unlinked().lists(&["p", "q?a=1&b=2"]);
        let urls = [case.url("p"), case.url("q?a=1&b=2")];
        lines.push_str(&format!("Sitemap: {}\n", case.url(file)));
        case.answer(file, answer(&urls));
    };
    let packed = |urls: &[String]| gzip(urlset(urls).as_bytes());
    form("urlset", "map.xml", &|urls| Response::xml(urlset(urls)));
    form("gzip with .gz", "map.xml.gz", &|urls| Response::new(200).content_type("application/gzip").body(packed(urls)));
    form("gzip without .gz", "map", &|urls| Response::new(200).content_type("application/xml").body(packed(urls)));
    form("gzip without a media type", "packed", &|urls| Response::new(200).body(packed(urls)));
    form("a .gz file sent with a coding", "map.xml.gz", &|urls| Response::xml(urlset(urls)).gzip());
    form("gzip inside a coding", "twice.xml.gz", &|urls| Response::xml(packed(urls)).gzip());
    form("a .gz that is plain", "plain.xml.gz", &|urls| Response::xml(urlset(urls)));
    form("text", "map.txt", &|urls| Response::text(urls.join("\n")));
    form("text with CRLF, blanks and a mark", "map.txt", &|urls| {
        Response::text(format!("\u{feff}{}\r\n\r\n  {}  \r\n", urls[0], urls[1]))
    });
    form("packed text", "map.txt.gz", &|urls| Response::text(gzip(urls.join("\n").as_bytes())));
    form("RSS 2.0", "feed", &|urls| {
        let items: String = urls
            .iter()
            .map(|url| format!("<item><title>x</title><link>{}</link></item>", url.replace('&', "&amp;")))
            .collect();
        let xml = format!(
            "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>t</title><description>d</description>{items}</channel></rss>"
        );
        Response::new(200).content_type("application/rss+xml").body(xml)
    });
    for (name, namespace) in [("Atom 1.0", "http://www.w3.org/2005/Atom"), ("Atom 0.3", "http://purl.org/atom/ns#")] {
        form(name, "feed", &|urls| {
            let link = |url: &String| {
                format!(
                    "<entry><title>x</title><link rel=\"alternate\" href=\"{}\"/></entry>",
                    url.replace('&', "&amp;")
                )
            };
            let entries: String = urls.iter().map(link).collect();
            let xml = format!("<?xml version=\"1.0\"?><feed xmlns=\"{namespace}\"><title>t</title>{entries}</feed>");
            Response::new(200).content_type("application/atom+xml").body(xml)
        });
    }
    form("https in the namespace", "odd.xml", &|urls| Response::xml(urlset(urls).replace("http://www", "https://www")));
    form("no namespace", "bare.xml", &|urls| {
        Response::xml(urlset(urls).replace(&format!(" xmlns=\"{NAMESPACE}\""), ""))
    });
    form("a prefix", "prefix.xml", &|urls| {
        let rows: String =
            urls.iter().map(|url| format!("<s:url><s:loc>{}</s:loc></s:url>", url.replace('&', "&#38;"))).collect();
        Response::xml(format!("<s:urlset xmlns:s=\"{NAMESPACE}\">{rows}</s:urlset>"))
    });
    form("CDATA, blanks and comments", "cdata.xml", &|urls| {
        let rows: String =
            urls.iter().map(|url| format!("<url><!-- x --><loc>\n <![CDATA[{url}]]> \n</loc></url>")).collect();
        Response::xml(format!("<urlset xmlns=\"{NAMESPACE}\">{rows}</urlset>"))
    });
    form("UTF-16", "wide.xml", &|urls| {
        let text = format!("\u{feff}{}", urlset(urls).replace("UTF-8", "UTF-16"));
        Response::xml(text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>())
    });
    form("cut in the middle", "cut.xml", &|urls| {
        Response::xml(urlset(urls).replace("</urlset>", "<url><loc>http://127"))
    });
    cases.site().robots(lines);
    cases.check();
}

#[test]
fn a_sitemap_behind_redirects_is_read() {
    let site = unlinked(&["/a"]);
    site.redirect("/sitemap.xml", "/moved.xml", 301)
        .redirect("/moved.xml", "/new.xml", 302)
        .sitemap("/new.xml", &["/a"]);
    Crawl::of(&site).run().exited(0).assert_lists(&site.urls(&["/", "/a"]));
}

/// A function that writes a document, given a function that makes a URL from a page's name.
type Document<'a> = &'a dyn Fn(&dyn Fn(&str) -> String) -> String;

#[test]
fn other_urls_in_a_sitemap_are_not_taken_for_pages() {
    let mut cases = Cases::open();
    let mut lines = String::new();
    let mut form = |name: &str, xml: Document<'_>| {
        let case = cases.case(name).unlinked().lists(&["p"]).unknown(&["q"]);
        lines.push_str(&format!("Sitemap: {}\n", case.url("map.xml")));
        let body = xml(&|page| case.url(page));
        case.answer("map.xml", Response::xml(body));
    };
    form("image:loc", &|url| {
        format!(
            "<urlset xmlns=\"{NAMESPACE}\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><url><loc>{}</loc>\
             <image:image><image:loc>{}</image:loc></image:image></url></urlset>",
            url("p"),
            url("q")
        )
    });
    form("a commented entry", &|url| {
        urlset(&[url("p")]).replace("</urlset>", &format!("<!-- <url><loc>{}</loc></url> --></urlset>", url("q")))
    });
    form("a foreign element", &|url| {
        format!(
            "<urlset xmlns=\"{NAMESPACE}\"><url><y:x xmlns:y=\"urn:z\"><y:loc>{}</y:loc></y:x><loc>{}</loc></url></urlset>",
            url("q"),
            url("p")
        )
    });
    form("the feed's own link and enclosure", &|url| {
        format!(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>t</title><link rel=\"self\" href=\"{q}\"/><entry><title>x</title>\
             <link rel=\"enclosure\" href=\"{q}\"/><link href=\"{}\"/></entry></feed>",
            url("p"),
            q = url("q")
        )
    });
    form("a guid that is no link", &|url| {
        format!(
            "<rss version=\"2.0\"><channel><item><link>{}</link><guid isPermaLink=\"false\">{}</guid></item></channel></rss>",
            url("p"),
            url("q")
        )
    });
    cases.site().robots(lines);
    cases.check();
}

#[test]
fn indexes_are_followed_down_to_a_depth() {
    let site = unlinked(&["/1", "/2", "/3", "/4", "/5", "/6"]);
    // Level 1 is the first sitemap file; five levels are read.
    for level in 1..=5_u8 {
        let index = format!("/index{level}.xml");
        let leaf = format!("/leaf{}.xml", level + 1);
        site.sitemap_index(&index, &[&leaf, &format!("/index{}.xml", level + 1)])
            .sitemap(&leaf, &[&format!("/{level}")]);
    }
    site.robots(format!("Sitemap: {}\n", site.url("/index1.xml")));
    Crawl::of(&site).run().exited(0).assert_lists(&site.urls(&["/", "/1", "/2", "/3", "/4"]));
    assert_eq!(site.hits("/leaf6.xml"), 0, "the sixth level");
    let crawled = Crawl::of(&site).args(["--max-sitemap-depth", "2"]).run().exited(0);
    crawled.assert_lists(&site.urls(&["/", "/1"]));
}

#[test]
fn sitemap_files_are_read_up_to_a_number_and_the_rest_is_counted() {
    let site = unlinked(&["/1", "/2", "/3"]);
    site.robots(format!("Sitemap: {}\n", site.url("/index.xml")));
    site.sitemap_index("/index.xml", &["/1.xml", "/2.xml", "/3.xml"]);
    site.sitemap("/1.xml", &["/1"]).sitemap("/2.xml", &["/2"]).sitemap("/3.xml", &["/3"]);
    let crawled = Crawl::of(&site).args(["--max-sitemap-files", "3"]).run().exited(0);
    assert_eq!(crawled.listed().len(), 3, "the home page and the pages of two parts: {:?}", crawled.listed());
    assert_eq!(crawled.summary()["sitemap_files_not_read"], 1);
}

/// The index is read before the interruption, and not again after it.
#[test]
fn sitemap_files_beyond_the_limit_are_counted_across_an_interruption() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/slow"])).stall("/slow");
    rounds.robots(format!("Sitemap: {}\n", rounds.url("/index.xml")));
    rounds.sitemap_index("/index.xml", &["/1.xml", "/2.xml", "/3.xml"]);
    rounds.sitemap("/1.xml", &["/1"]).sitemap("/2.xml", &["/2"]).sitemap("/3.xml", &["/3"]);
    let crawl = |more: &[&str]| {
        let crawl = Crawl::of(&rounds).within(rounds.workspace());
        crawl.args(["--max-sitemap-files", "3", "--retries", "0"]).args(more.iter().copied()).run()
    };
    let cut = crawl(&["--max-time", "1s"]).exited(4);
    assert_eq!(cut.summary()["sitemap_files_not_read"], 1);
    rounds.page("/slow", "<h1>s</h1>");
    assert_eq!(crawl(&["--resume", "--max-time", "60s"]).exited(0).summary()["sitemap_files_not_read"], 1);
}

#[test]
fn an_index_that_names_itself_ends() {
    let site = unlinked(&["/a"]);
    site.sitemap_index("/sitemap.xml", &["/sitemap.xml", "/b.xml"])
        .sitemap_index("/b.xml", &["/sitemap.xml", "/c.xml"]);
    site.sitemap("/c.xml", &["/a"]);
    Crawl::of(&site).run().exited(0).assert_lists(&site.urls(&["/", "/a"]));
    assert_eq!(site.hits("/sitemap.xml"), 1);
}

#[test]
fn an_entry_is_judged_by_its_response() {
    let site = unlinked(&["/ok", "/new"]);
    site.page("/noindex", "<meta name=robots content=noindex>no").redirect("/moved", "/new", 301).status("/gone", 410);
    site.file("/file", "application/pdf", "%PDF-1.7\n").robots("User-agent: *\nDisallow: /private\n");
    site.sitemap("/sitemap.xml", &["/ok#part", "/noindex", "/moved", "/gone", "/file", "/private"]);
    let crawled = Crawl::of(&site).run().exited(0);
    crawled.assert_lists(&site.urls(&["/", "/ok", "/new"]));
    let reasons = [
        ("/noindex", "noindex"),
        ("/moved", "redirect"),
        ("/gone", "http-error"),
        ("/file", "media-type"),
        ("/private", "robots"),
    ];
    for (path, reason) in reasons {
        crawled.assert_excluded(&site.url(path), reason);
    }
    assert_eq!(site.hits("/private"), 0);
}

#[test]
fn entries_out_of_scope_are_recorded_and_not_fetched() {
    let site = unlinked(&["/shop/", "/shop/a", "/other"]);
    site.sitemap("/sitemap.xml", &["/shop/a", "/other"]);
    let crawled = Crawl::from(&[site.url("/shop/")]).run().exited(0);
    // Sitemaps are prerequisites, and are read even if they are out of scope.
    crawled.assert_lists(&site.urls(&["/shop/", "/shop/a"]));
    crawled.assert_excluded(&site.url("/other"), "out-of-scope");
    assert_eq!(site.hits("/other"), 0);
}

#[test]
fn a_sitemap_may_lie_on_another_host() {
    let site = unlinked(&["/a"]);
    let elsewhere = FakeSite::open();
    elsewhere.answer("/map.xml", Response::xml(urlset(&site.urls(&["/a"]))));
    site.robots(format!("Sitemap: {}\n", elsewhere.url("/map.xml")));
    Crawl::of(&site).run().exited(0).assert_lists(&site.urls(&["/", "/a"]));
}

#[test]
fn no_sitemaps_and_no_feeds_switch_them_off() {
    let site = unlinked(&["/mapped", "/fed"]);
    site.page("/", document("/", "<link rel=alternate type=application/rss+xml href=/feed>", ""));
    site.robots(format!("Sitemap: {}\n", site.url("/map.xml"))).sitemap("/map.xml", &["/mapped"]);
    site.sitemap("/sitemap.xml", &["/mapped"]);
    let feed = format!("<rss version=\"2.0\"><channel><item><link>{}</link></item></channel></rss>", site.url("/fed"));
    site.file("/feed", "application/rss+xml", feed);
    let crawl = |flags: &[&str]| Crawl::of(&site).args(flags).run().exited(0);
    let both = crawl(&[]);
    both.assert_lists(&site.urls(&["/", "/mapped", "/fed"]));
    assert_eq!(found_by(&both, &site.url("/fed")), "feed");
    let (maps, feeds) = (site.hits("/map.xml"), site.hits("/feed"));
    crawl(&["--no-sitemaps"]).assert_lists(&site.urls(&["/", "/fed"]));
    assert_eq!(site.hits("/map.xml"), maps);
    crawl(&["--no-feeds"]).assert_lists(&site.urls(&["/", "/mapped"]));
    crawl(&["--no-sitemaps", "--no-feeds"]).assert_lists(&site.urls(&["/"]));
    assert_eq!(site.hits("/feed"), feeds + 1, "in the crawl without sitemaps alone");
    assert_eq!(site.hits("/sitemap.xml"), 0);
}

#[test]
fn a_url_list_adds_starts() {
    let site = unlinked(&["/a", "/b"]);
    let list = format!("\u{feff}{}\r\n\r\n  {}  \n", site.url("/a"), site.url("/b#part"));
    let crawl = Crawl::of(&site);
    let file = mapwright_e2e::Workspace::new();
    let path = file.file("urls.txt", &list);
    let crawled = crawl.arg("--url-list").arg(path).run().exited(0);
    crawled.assert_lists(&site.urls(&["/", "/a", "/b"]));
    assert_eq!(found_by(&crawled, &site.url("/a")), "url-list");
    let crawled = Crawl::of(&site).args(["--url-list", "-"]).stdin(list).run().exited(0);
    crawled.assert_lists(&site.urls(&["/", "/a", "/b"]));
}

#[test]
fn a_url_list_that_cannot_be_read_is_a_usage_error() {
    let site = unlinked(&[]);
    let crawled = Crawl::of(&site).args(["--url-list", "no-such-file.txt"]).run().exited(2);
    crawled.assert_says("no-such-file.txt");
    assert!(site.requests().is_empty());
}

#[test]
fn sitemaps_and_feeds_are_no_pages() {
    let site = unlinked(&["/a"]);
    site.page(
        "/",
        document("/", "<link rel=alternate type=application/rss+xml href=/feed>", &links(&["/sitemap.xml"])),
    );
    site.sitemap("/sitemap.xml", &["/a"]).file("/feed", "application/rss+xml", "<rss version='2.0'><channel/></rss>");
    let crawled = Crawl::of(&site).run().exited(0);
    crawled.assert_lists(&site.urls(&["/", "/a"]));
    crawled.assert_accounts_for_all();
}
