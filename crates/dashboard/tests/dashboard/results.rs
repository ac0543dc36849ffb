//! The pages of results: findings, URLs, parameters, comparisons, sitemaps.

use crate::made::Made;
use crate::served::Served;
use mapwright_service::KeptReports;
use std::io::Write;
use std::sync::Arc;

#[tokio::test]
async fn text_sitemaps_are_there() {
    let made = Made::bare();
    let out = made.folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    for (name, media_type) in [
        ("sitemap.txt", "text/plain; charset=utf-8"),
        ("sitemap-1.txt", "text/plain; charset=utf-8"),
        ("sitemap-2.txt.gz", "application/gzip"),
    ] {
        std::fs::write(out.join(name), "http://shop.example/\n").unwrap();
        let made = Arc::clone(&made);
        let served = Served::open(made).await;
        let path = format!("/jobs/shop/files/sitemaps/{name}");
        assert!(served.get("/jobs/shop/files").await.body.contains(&path), "{name}");
        assert_eq!(served.get(&path).await.is(200).header("content-type"), media_type, "{name}");
    }
}

#[tokio::test]
async fn findings_are_filtered_and_shown_with_evidence() {
    let served = Served::open(Made::crawled().await).await;
    let all = served.get("/jobs/shop/findings").await.is(200).body;
    assert!(all.contains("http-4xx") && all.contains("Linked from") && all.contains("Explain this page"), "{all}");
    let kind = "<a href=\"/jobs/shop/findings?code=http-4xx\">";
    assert!(all.contains(kind) && all.contains("data-label=\"Change\">+"), "{all}");
    assert!(
        !served.get("/jobs/shop/findings?code=http-4xx").await.is(200).body.contains(kind),
        "kinds are no findings"
    );
    let api = served.get("/api/v1/jobs/shop/findings?code=http-4xx").await.is(200).json();
    let (matching, every) = (api["matching"].as_u64().unwrap(), api["all"].as_u64().unwrap());
    assert!(matching > 3 && matching < every, "{matching} of {every}");
    for (query, field, value) in [
        ("severity=notice", "severity", "notice"),
        ("state=new", "state", "new"),
        ("code=dup-title", "code", "dup-title"),
    ] {
        let found = served.get(&format!("/api/v1/jobs/shop/findings?{query}")).await.is(200).json();
        assert!(found["findings"].as_array().unwrap().iter().all(|one| one[field] == value), "{query}: {found}");
    }
    let one = served.get("/api/v1/jobs/shop/findings?q=IN-SITEMAP").await.is(200).json();
    assert!(one["matching"].as_u64().unwrap() >= 1 && one["matching"].as_u64().unwrap() < every, "{one}");
    let none = served.get("/jobs/shop/findings?q=no+finding+has+this").await.is(200).body;
    assert!(none.contains("0 of "), "{none}");
    assert!(served.get("/jobs/docs/findings").await.is(404).body.contains("makes no audit"));
}

#[tokio::test]
async fn findings_of_an_earlier_audit_are_shown() {
    let made = Made::crawled().await;
    let earlier = tempfile::tempdir().unwrap();
    let run = "{\"number\":1,\"starts\":[],\"started\":\"2026-11-21T02:00:00Z\",\"complete\":true}";
    let rule = "{\"code\":\"slow\",\"topic\":\"Responses\",\"severity\":\"warning\",\"reason\":\"It is slow.\",\"fix\":\"Speed it up.\",\"count\":1,\"accepted\":0,\"fresh\":1,\"fixed\":3}";
    let finding = "{\"code\":\"slow\",\"severity\":\"warning\",\"state\":\"new\",\"url\":\"http://shop.example/then\",\"message\":\"It took 9 s.\"}";
    let report =
        format!("{{\n\"version\": 1,\n\"run\": {run},\n\"rules\": [\n{rule}\n],\n\"findings\": [\n{finding}\n]\n}}\n");
    std::fs::write(earlier.path().join("report.json"), report).unwrap();
    let (state, reports) = (made.folder.path().join("state"), made.folder.path().join("reports"));
    KeptReports::of(&state).keep(earlier.path(), 1).unwrap();
    KeptReports::of(&state).keep(&reports, 2).unwrap();
    let served = Served::open(made).await;
    let newest = served.get("/jobs/shop/findings").await.is(200).body;
    assert!(
        newest.contains("Of the newest audit, of crawl 2") && newest.contains("<option value=\"1\">crawl 1"),
        "{newest}"
    );
    let page = served.get("/jobs/shop/findings?run=1").await.is(200).body;
    assert!(page.contains("Of an earlier audit, of crawl 1") && page.contains("http://shop.example/then"), "{page}");
    assert!(page.contains("<option value=\"1\" selected>") && page.contains("−2"), "{page}");
    assert!(page.contains("/jobs/shop/findings?code=slow&#38;run=1\""), "{page}");
    assert!(!page.contains("http-4xx"), "{page}");
    let api = served.get("/api/v1/jobs/shop/findings?run=1").await.is(200).json();
    assert_eq!((&api["all"], &api["run"]["number"]), (&1.into(), &1.into()), "{api}");
    served.get("/api/v1/jobs/shop/findings?run=newest").await.is(400);
    for (run, link) in [
        (74, "<a href=\"/jobs/shop/findings?run=1\">Findings of this run</a>"),
        (73, "<a href=\"/jobs/shop/findings\">Findings of the newest audit</a>"),
    ] {
        let page = served.get(&format!("/jobs/shop/runs/{run}")).await.is(200).body;
        assert!(page.contains(link), "{run}: {page}");
    }
    for path in ["/api/v1/jobs/shop/findings?run=7", "/jobs/shop/findings?run=7", "/jobs/shop/findings?run=../2"] {
        assert!(served.get(path).await.is(404).body.contains("no report on this crawl"), "{path}");
    }
}

#[tokio::test]
async fn each_page_of_a_job_leads_to_the_others() {
    let served = Served::open(Made::crawled().await).await;
    for (page, title) in [
        ("findings", "Findings"),
        ("urls", "URLs"),
        ("explain", "Explain a page"),
        ("compare", "Compare crawls"),
        ("parameters", "URL parameters"),
        ("files", "Sitemaps and reports"),
        ("settings", "Settings"),
    ] {
        let body = served.get(&format!("/jobs/shop/{page}")).await.is(200).body;
        let crumbs = "<a href=\"/\">Jobs</a> › <a href=\"/jobs/shop\">shop</a>";
        assert!(body.contains(crumbs), "{page}: {body}");
        let current = format!("<a href=\"/jobs/shop/{page}\" aria-current=\"page\">{title}</a>");
        assert!(body.contains(&current), "{page}: {body}");
        assert_eq!(body.matches("aria-current").count(), 1, "{page}");
        assert!(body.matches("<a href=\"/jobs/shop/").count() >= 7, "{page}: {body}");
    }
    let without = served.get("/jobs/docs/files").await.is(200).body;
    assert!(!without.contains("/jobs/docs/findings") && !without.contains("/jobs/docs/urls"), "{without}");
}

#[tokio::test]
async fn a_comparison_shows_the_text_that_came_and_went() {
    let served = Served::open(Made::crawled().await).await;
    let page = served.get("/jobs/shop/compare?a=1&b=2").await.is(200).body;
    assert!(page.contains("<li><bdi>- pls</bdi></li><li><bdi>+ newpls</bdi></li>"), "{page}");
    let api = served.get("/api/v1/jobs/shop/compare?a=1&b=2").await.is(200).json();
    let start = served.made.site.as_ref().unwrap().url("/");
    let changed = api["changed"]["urls"].as_array().unwrap().iter().find(|one| one["url"] == *start).unwrap();
    assert_eq!(changed["text"]["added"], serde_json::json!(["newpls"]), "{changed}");
}

#[tokio::test]
async fn a_hundred_thousand_findings_are_paged_soon() {
    let made = Made::bare();
    let folder = made.folder.path().join("reports");
    std::fs::create_dir(&folder).unwrap();
    let mut file = std::io::BufWriter::new(std::fs::File::create(folder.join("report.json")).unwrap());
    let run = "{\"number\":1,\"starts\":[],\"started\":\"2026-11-21T02:00:00Z\",\"complete\":true}";
    write!(file, "{{\n\"version\": 1,\n\"run\": {run},\n\"rules\": [\n],\n\"findings\": [\n").unwrap();
    for n in 0..100_000 {
        let from = "{\"url\":\"http://shop.example/menu\",\"anchor\":\"text\",\"region\":\"nav\"}";
        writeln!(file, "{{\"code\":\"http-4xx\",\"severity\":\"error\",\"state\":\"new\",\"url\":\"http://shop.example/{n}\",\"message\":\"The page answers 404.\",\"linked_from\":[{from},{from},{from}],\"linked_from_count\":3}},").unwrap();
    }
    write!(file, "]\n}}\n").unwrap();
    drop(file);
    let served = Served::open(made).await;
    let began = std::time::Instant::now();
    let page = served.get("/jobs/shop/findings?page=1000&q=shop.example").await.is(200).body;
    println!("a page of a hundred thousand findings after {:?}", began.elapsed());
    assert!(page.contains("99,901 to 100,000 of 100,000") && page.contains("http://shop.example/99999<"));
    assert!(page.contains("page=999") && !page.contains("page=1001"));
}

#[tokio::test]
async fn a_page_is_explained() {
    let served = Served::open(Made::crawled().await).await;
    let start = served.made.site.as_ref().unwrap().url("/");
    let page = served.get(&format!("/jobs/shop/explain?url={start}")).await.is(200).body;
    // The newest run is an audit, which publishes nothing.
    assert!(page.contains("would be listed: yes") && page.contains("not published"), "{page}");
    assert!(page.contains("found first: by being a start URL"), "{page}");
    let blocked = served.get(&format!("/jobs/shop/explain?url={start}private/x")).await.is(200).body;
    assert!(blocked.contains("left out") && blocked.contains("disallows it"), "{blocked}");
    let requested = url::form_urlencoded::byte_serialize(start.as_bytes()).collect::<String>();
    assert!(blocked.contains(&format!("<a href=\"/jobs/shop/explain?url={requested}\">{start}")), "{blocked}");
    assert!(
        served.get(&format!("/jobs/shop/explain?url={start}unknown")).await.body.contains("not found in any crawl")
    );
    assert!(served.get("/jobs/shop/explain?url=%00%ff%3Cb%3E").await.is(200).body.contains("not found in any crawl"));
    served.get("/jobs/shop/explain").await.is(200);
    assert!(served.get("/jobs/docs/explain?url=x").await.is(404).body.contains("no record yet"));
}

#[tokio::test]
async fn urls_are_filtered_and_have_their_reasons() {
    let served = Served::open(Made::crawled().await).await;
    let job = served.get("/jobs/shop").await.is(200).body;
    assert!(job.contains("href=\"/jobs/shop/urls\""), "{job}");
    let start = served.made.site.as_ref().unwrap().url("/");
    let page = served.get("/jobs/shop/urls").await.is(200).body;
    assert!(page.contains("Of crawl 2 of the crawl database: ") && page.contains("in the sitemap"), "{page}");
    let excluded = served.get("/jobs/shop/urls?state=excluded&q=PRIVATE").await.is(200).body;
    assert!(excluded.contains("private/x") && excluded.contains("is blocked by robots.txt"), "{excluded}");
    assert!(!excluded.contains(&format!("href=\"{start}\"")), "{excluded}");
    let robots = served.get("/jobs/shop/urls?reason=robots").await.is(200).body;
    assert!(robots.contains("private/x") && robots.contains("urls.csv?reason=robots&#38;"), "{robots}");
    assert!(served.get("/jobs/shop/urls?q=no-such-part").await.is(200).body.contains("No URL matches."));
    let table = served.get("/jobs/shop/urls.csv?reason=robots").await.is(200).body;
    let mut lines = table.lines();
    assert!(lines.next().unwrap().starts_with("url,listed,reason,"), "{table}");
    assert!(lines.next().unwrap().contains("private/x,no,robots,") && lines.next().is_none(), "{table}");
    served.get("/jobs/shop/urls?state=bogus").await.is(400);
    served.get("/jobs/shop/urls.csv?reason=bogus").await.is(400);
    assert!(served.get("/jobs/docs/urls").await.is(404).body.contains("no record yet"));
}

#[tokio::test]
async fn parameters_are_shown_with_their_roles() {
    let served = Served::open(Made::crawled().await).await;
    assert!(served.get("/jobs/shop").await.is(200).body.contains("href=\"/jobs/shop/parameters\""));
    let page = served.get("/jobs/shop/parameters").await.is(200).body;
    for text in ["<bdi>sort</bdi>", "/list?sort=up", "1 equal, 0 in another order"] {
        assert!(page.contains(text), "no {text} in {page}");
    }
    let found = served.get("/api/v1/jobs/shop/parameters").await.is(200).json();
    assert_eq!((&found["parameters"][0]["parameter"], &found["parameters"][0]["equal"]), (&"sort".into(), &1.into()));
    assert!(served.get("/jobs/docs/parameters").await.is(404).body.contains("no record yet"));
}

#[tokio::test]
async fn runs_are_compared() {
    let served = Served::open(Made::crawled().await).await;
    let page = served.get("/jobs/shop/compare").await.is(200).body;
    assert!(
        page.contains("From crawl 1 to crawl 2 of the crawl database.")
            && page.contains("Added: ")
            && page.contains("/new"),
        "{page}"
    );
    let turned = served.get("/jobs/shop/compare?a=2&b=1").await.is(200).body;
    assert!(
        turned.contains("From crawl 2 to crawl 1 of the crawl database.") && turned.contains("(no longer linked): "),
        "{turned}"
    );
    for query in ["a=9&b=1", "a=x", "a=-1", "a=1&b=99999999999999999999"] {
        served.get(&format!("/jobs/shop/compare?{query}")).await.is(404);
    }
    assert!(served.get("/jobs/docs/compare").await.is(404).body.contains("no record yet"));
}
