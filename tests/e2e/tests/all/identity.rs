//! Equivalence of URLs: WHATWG URL, RFC 3986 section 6.2, and exact duplicates, which are merged only on evidence.

use mapwright_e2e::{Cases, Crawl, Crawled, document, links};
use mapwright_testkit::{FakeSite, Response};

#[test]
fn fragments_and_credentials_are_dropped() {
    let mut cases = Cases::open();
    cases.case("fragments").body(links(&["p#a", "p#b", "p#", "p"])).lists(&["p"]);
    let case = cases.case("credentials");
    let secret = case.url("p").replacen("http://", "http://user:pass@", 1);
    let user = case.url("q").replacen("http://", "http://user@", 1);
    case.body(links(&[&secret, &user])).lists(&["p", "q"]);
    let crawled = cases.check();
    for request in cases.site().requests() {
        assert_eq!(request.header("authorization"), None, "{}", request.target);
    }
    assert!(!crawled.known().iter().any(|url| url.contains("user")), "{:#?}", crawled.known());
}

#[test]
fn escapes_are_normalized() {
    let mut cases = Cases::open();
    cases.case("unreserved are decoded").body(links(&["%7Ea%2Db%5f%2E%41%30", "~a-b_.A0"])).lists(&["~a-b_.A0"]);
    cases.case("upper-case digits").body(links(&["%e2%82%ac", "%E2%82%AC", "€"])).lists(&["%E2%82%AC"]);
    cases.case("in the query too").body(links(&["?q=%7e%c3%a9", "?q=~%C3%A9"])).lists(&["?q=~%C3%A9"]);
    cases.case("reserved stay escaped").body(links(&["a%2Fb%3Fc%23d%25e%2c"])).lists(&["a%2Fb%3Fc%23d%25e%2C"]);
    cases.case("and stay raw").body(links(&["a!$&amp;'()*+,;=:@b"])).lists(&["a!$&'()*+,;=:@b"]);
    cases.case("octets that are no UTF-8 survive").body(links(&["%E9t%e9"])).lists(&["%E9t%E9"]);
    // Characters that RFC 3986 does not allow are escaped, even if the URL standard leaves them raw.
    cases.case("bars, carets, back ticks, braces").body(links(&["a|b^c`d{e}"])).lists(&["a%7Cb%5Ec%60d%7Be%7D"]);
    cases.case("and in the query").body(links(&["?a|b^c`d{e}"])).lists(&["?a%7Cb%5Ec%60d%7Be%7D"]);
    cases.case("a stray per cent sign").body(links(&["50%-off", "%zz", "p%"])).lists(&["50%25-off", "%25zz", "p%25"]);
    // WHATWG URL, special-query percent-encode set.
    cases.case("quotes in a query").body(links(&["?a='b'&quot;c&quot;"])).lists(&["?a=%27b%27%22c%22"]);
    cases.case("spaces").body(links(&["a b?c d"])).lists(&["a%20b?c%20d"]);
    cases.case("other scripts").body(links(&["日本?q=日"])).lists(&["%E6%97%A5%E6%9C%AC?q=%E6%97%A5"]);
    cases.check();
}

#[test]
fn dot_segments_are_resolved() {
    let mut cases = Cases::open();
    cases.case("plain").body(links(&["a/../p", "./q", "a/./r"])).lists(&["p", "q", "a/r"]);
    cases.case("at the end").body(links(&["a/b/..", "c/."])).lists(&["a/", "c/"]);
    cases.case("escaped").body(links(&["x/%2e%2E/p", "%2e/q", "x/.%2e/r"])).lists(&["p", "q", "r"]);
    cases.case("not in the query").body(links(&["?a=/../b"])).lists(&["?a=/../b"]);
    cases.case("three dots are a name").body(links(&["..."])).lists(&["..."]);
    cases.case("empty segments count").body(links(&["x//../p", "x//q"])).lists(&["x/p", "x//q"]);
    cases.check();
}

#[test]
fn no_other_spellings_are_equivalent() {
    let mut cases = Cases::open();
    cases.case("letter case").body(links(&["Page", "page"])).lists(&["Page", "page"]);
    cases.case("a slash at the end").body(links(&["d", "d/"])).lists(&["d", "d/"]);
    cases.case("index files").body(links(&["d/", "d/index.html"])).lists(&["d/", "d/index.html"]);
    cases.case("double slashes").body(links(&["x//y", "x/y"])).lists(&["x//y", "x/y"]);
    cases.case("parameter order").body(links(&["?a=1&amp;b=2", "?b=2&amp;a=1"])).lists(&["?a=1&b=2", "?b=2&a=1"]);
    cases.case("plus and %20").body(links(&["?q=a+b", "?q=a%20b"])).lists(&["?q=a+b", "?q=a%20b"]);
    cases.case("semicolon parameters").body(links(&["p;v=1", "p"])).lists(&["p;v=1", "p"]);
    let sessions = ["?sid=1", "?PHPSESSID=2", "?jsessionid=3", "?sessionid=4"];
    cases.case("session identifiers are kept").body(links(&sessions)).lists(&sessions);
    cases.check();
}

#[test]
fn default_ports_are_dropped() {
    let mut cases = Cases::open();
    let hosts = [
        "http://a.test:80/x",
        "http://a.test:/y",
        "https://b.test:443/x",
        "http://c.test:443/x",
        "https://d.test:80/x",
    ];
    let case = cases.case("default ports of other hosts");
    case.body(links(&hosts));
    for url in ["http://a.test/x", "http://a.test/y", "https://b.test/x", "http://c.test:443/x", "https://d.test:80/x"]
    {
        case.excludes(url, "out-of-scope");
    }
    let case = cases.case("zeros in front of a port");
    let zeros = case.url("p").replacen(":", ":000", 2).replacen(":000//", "://", 1);
    case.body(links(&[&zeros])).lists(&["p"]);
    let crawled = cases.check();
    let foreign: Vec<String> = crawled.known().into_iter().filter(|url| url.contains(".test")).collect();
    assert_eq!(foreign.len(), 5, "{foreign:#?}");
}

#[test]
fn spellings_of_an_ipv4_host_are_one() {
    // WHATWG URL, IPv4 parser.
    let mut cases = Cases::open();
    let port = cases.site().port();
    let case = cases.case("127.0.0.1");
    let folder = case.path("");
    let hosts = ["127.1", "0x7f.0.0.1", "2130706433", "0177.0.0.01", "127.0.0.1.", "１２７.0.0.1", "%3127.0.0.1"];
    let spelled: Vec<String> =
        hosts.iter().enumerate().map(|(n, host)| format!("http://{host}:{port}{folder}{n}")).collect();
    let spelled: Vec<&str> = spelled.iter().map(String::as_str).collect();
    case.body(links(&spelled)).lists(&["0", "1", "2", "3", "4", "5", "6"]);
    cases.check();
}

#[test]
fn international_hosts_are_punycode() {
    // WHATWG URL, domain to ASCII (UTS #46).
    let mut cases = Cases::named("xn--bcher-kva.test");
    let port = cases.site().port();
    let case = cases.case("bücher.test");
    let folder = case.path("");
    let hosts = [
        "bücher.test",
        "BÜCHER.test",
        "B%C3%BCcher.TEST",
        "xn--bcher-kva.test",
        "XN--BCHER-KVA.test",
        "bu\u{308}cher。test",
    ];
    let spelled: Vec<String> =
        hosts.iter().enumerate().map(|(n, host)| format!("http://{host}:{port}{folder}{n}")).collect();
    let spelled: Vec<&str> = spelled.iter().map(String::as_str).collect();
    case.body(links(&spelled)).lists(&["0", "1", "2", "3", "4", "5"]);
    cases.check_with(cases.crawl().hosts(cases.site(), &["xn--bcher-kva.test"]));
    let start = Crawl::from(&[format!("http://Bücher.test:{port}/")]);
    cases.check_with(start.hosts(cases.site(), &["bücher.test"]));
}

#[test]
fn ipv6_hosts_are_crawled() {
    let mut cases = Cases::on(FakeSite::at("[::1]:0"));
    let port = cases.site().port();
    let case = cases.case("[::1]");
    let folder = case.path("");
    let hosts = ["[::1]", "[0:0:0:0:0:0:0:1]", "[0::0001]", "[::0.0.0.1]"];
    let spelled: Vec<String> =
        hosts.iter().enumerate().map(|(n, host)| format!("http://{host}:{port}{folder}{n}")).collect();
    let spelled: Vec<&str> = spelled.iter().map(String::as_str).collect();
    case.body(links(&spelled)).lists(&["0", "1", "2", "3"]);
    let crawled = cases.check();
    assert!(crawled.listed().contains(&format!("http://[::1]:{port}/")));
}

#[test]
fn known_tracking_parameters_are_dropped() {
    let mut cases = Cases::open();
    let tracked = ["p?utm_source=x&amp;utm_medium=y", "p?gclid=1", "p?fbclid=2", "p?msclkid=3", "p"];
    cases.case("alone").body(links(&tracked)).lists(&["p"]);
    cases.case("among others").body(links(&["?a=1&amp;utm_campaign=x&amp;b=2"])).lists(&["?a=1&b=2"]);
    cases
        .case("whole names only")
        .body(links(&["?xutm_source=1", "?gclidx=1"]))
        .lists(&["?xutm_source=1", "?gclidx=1"]);
    cases.check();
    let site = FakeSite::open();
    site.page("/", links(&["/p?utm_source=x", "/p"])).page("/p?utm_source=x", "tracked").page("/p", "plain");
    let crawled = Crawl::of(&site).arg("--keep-tracking-params").run().exited(0);
    crawled.assert_lists(&site.urls(&["/", "/p", "/p?utm_source=x"]));
}

#[test]
fn named_parameters_are_dropped_on_demand() {
    let mut cases = Cases::open();
    cases.case("a name").body(links(&["p?sid=1", "p?sid=2", "p?a=1&amp;sid=3"])).lists(&["p", "p?a=1"]);
    cases.case("a pattern").body(links(&["p?ref_x=1&amp;ref_=2&amp;reference=3"])).lists(&["p?reference=3"]);
    cases.case("a parameter without a value").body(links(&["p?sid", "p?sid&amp;b"])).lists(&["p", "p?b"]);
    cases.case("whole names only").body(links(&["p?xsid=1", "p?sidx=2"])).lists(&["p?xsid=1", "p?sidx=2"]);
    cases.check_with(cases.crawl().args(["--drop-param", "sid", "--drop-param", "ref_*"]));
}

/// A site whose pages at `same` have equal bytes, each linked as often as it occurs in `linked`.
fn duplicates(linked: &[&str], same: &[&str]) -> FakeSite {
    let site = FakeSite::open();
    site.page("/", links(linked));
    for path in same {
        site.page(path, "<title>twin</title><p>The very same bytes.</p>");
    }
    site
}

fn crawl(site: &FakeSite) -> Crawled {
    let crawled = Crawl::of(site).run().exited(0);
    crawled.assert_accounts_for_all();
    crawled
}

#[test]
fn exact_duplicates_merge_into_the_shorter_url() {
    let pairs = [
        ("slash", "/d", "/d/"),
        ("index file", "/d/", "/d/index.html"),
        ("index.php", "/d/", "/d/index.php"),
        ("an index file of any kind", "/d/", "/d/Index.de.cfm"),
        ("parameters", "/p", "/p?a=1"),
        ("a parameter more", "/p?a=1", "/p?a=1&amp;b=2"),
        ("a session in the path", "/p", "/p;jsessionid=0F1E2D3C4B5A6978"),
        ("parameters of segments", "/s/p", "/s;v=1/p;w=2?a=1"),
    ];
    for (name, stays, goes) in pairs {
        let site = duplicates(&[stays, goes], &[&stays.replace("&amp;", "&"), &goes.replace("&amp;", "&")]);
        let crawled = crawl(&site);
        let (stays, goes) = (site.url(stays), site.url(&goes.replace("&amp;", "&")));
        assert!(crawled.listed().contains(&stays), "{name}: {stays} is not listed");
        let gone = crawled.excluded().remove(&goes).unwrap_or_else(|| panic!("{name}: {goes} is not excluded"));
        assert_eq!((gone.reason.as_str(), gone.evidence), ("duplicate", Some(stays)), "{name}");
    }
}

#[test]
fn of_duplicates_that_differ_in_case_or_parameter_order_one_stays() {
    for (one, other) in [("/Page", "/page"), ("/p?a=1&amp;b=2", "/p?b=2&amp;a=1")] {
        let site = duplicates(&[one, other], &[&one.replace("&amp;", "&"), &other.replace("&amp;", "&")]);
        let crawled = crawl(&site);
        assert_eq!(crawled.listed().len(), 2, "the home page and one of {one} and {other}");
        assert_eq!(crawled.excluded().values().filter(|gone| gone.reason == "duplicate").count(), 1, "{one}");
    }
}

#[test]
fn of_exact_duplicates_the_more_linked_one_stays() {
    let site = duplicates(&["/d", "/d/", "/more"], &["/d", "/d/"]);
    site.page("/more", links(&["/d/"]));
    let crawled = crawl(&site);
    crawled.assert_lists(&site.urls(&["/", "/more", "/d/"]));
    crawled.assert_excluded(&site.url("/d"), "duplicate");
}

#[test]
fn links_to_a_redirect_count_for_its_target() {
    let site = duplicates(&["/d", "/old", "/older"], &["/d", "/d/"]);
    site.redirect("/old", "/d/", 301).redirect("/older", "/d/", 301);
    let crawled = crawl(&site);
    crawled.assert_lists(&site.urls(&["/", "/d/"]));
    crawled.assert_excluded(&site.url("/d"), "duplicate");
}

#[test]
fn equal_pages_with_unrelated_urls_stay() {
    let site = duplicates(&["/a", "/b", "/c/x", "/d/x"], &["/a", "/b", "/c/x", "/d/x"]);
    crawl(&site).assert_lists(&site.urls(&["/", "/a", "/b", "/c/x", "/d/x"]));
}

#[test]
fn similar_urls_whose_bytes_differ_stay() {
    let site = FakeSite::open();
    site.page("/", links(&["/d", "/d/", "/p?a=1", "/p"]));
    for path in ["/d", "/d/", "/p?a=1", "/p"] {
        site.page(path, document(path, "", ""));
    }
    crawl(&site).assert_lists(&site.urls(&["/", "/d", "/d/", "/p?a=1", "/p"]));
}

#[test]
fn a_redirect_and_a_canonical_are_evidence_too() {
    let site = FakeSite::open();
    site.page("/", links(&["/d", "/d/", "/p?sid=1", "/p"]))
        .redirect("/d", "/d/", 301)
        .page("/d/", "the page with a slash");
    let canonical = "<link rel=canonical href=/p>";
    site.page("/p?sid=1", document("one", canonical, "")).page("/p", document("two", canonical, ""));
    let crawled = crawl(&site);
    crawled.assert_lists(&site.urls(&["/", "/d/", "/p"]));
    crawled.assert_excluded(&site.url("/d"), "redirect");
    crawled.assert_excluded(&site.url("/p?sid=1"), "canonical");
}

#[test]
fn an_excluded_duplicate_does_not_exclude_the_other() {
    let site = duplicates(&["/d", "/d/"], &["/d"]);
    let noindex = Response::html("<title>twin</title><p>The very same bytes.</p>").header("X-Robots-Tag", "noindex");
    site.answer("/d/", noindex);
    let crawled = crawl(&site);
    crawled.assert_lists(&site.urls(&["/", "/d"]));
    crawled.assert_excluded(&site.url("/d/"), "noindex");
}
