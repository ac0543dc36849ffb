//! The pages without scripts.

use crate::made::{Made, SHOP};
use crate::served::{Served, until};
use mapwright_service::{JobRunState, Live, Phase};
use std::sync::Arc;
use std::time::Duration;

#[tokio::test]
async fn the_jobs_are_listed() {
    let served = Served::open(Made::bare()).await;
    let page = served.get("/").await.is(200);
    assert!(page.header("content-type").starts_with("text/html"));
    for text in [
        "docs",
        SHOP,
        "daily at 02:00",
        "2026-11-22 02:00 UTC",
        "none yet",
        "Notifications that wait to be delivered: 1",
    ] {
        assert!(page.body.contains(text), "no {text} in {}", page.body);
    }
    assert!(page.body.contains("shop to mailto:web@shop.example: no &#60;such&#62; user"), "{}", page.body);
    assert!(page.body.contains("action=\"/jobs/shop/start\""));
}

#[tokio::test]
async fn the_list_of_jobs_is_filtered_and_sorted() {
    let served = Served::open(Made::bare()).await;
    let all = served.get("/").await.is(200).body;
    assert!(all.contains("2 jobs, none failing"), "{all}");
    let of = |page: &str| -> Vec<bool> { ["/jobs/docs\"", "/jobs/shop\""].map(|job| page.contains(job)).to_vec() };
    for (query, expected) in [
        ("", [true, true]),
        ("?q=DOCS.example", [true, false]),
        ("?state=paused", [false, false]),
        ("?state=idle&q=sho", [false, true]),
        ("?state=unknown&sort=unknown", [true, true]),
    ] {
        assert_eq!(of(&served.get(&format!("/{query}")).await.is(200).body), expected, "{query}");
    }
    served.made.change(|job| {
        job.paused = true;
        job.last_run.iter_mut().for_each(|run| run.state = JobRunState::Failed);
    });
    let failing = served.get("/?state=failing").await.is(200).body;
    assert!(failing.contains("1 of 2 jobs failing") && of(&failing) == [false, true], "{failing}");
    assert_eq!(of(&served.get("/?state=paused").await.is(200).body), [false, true]);
    for sort in ["failing", "next", "newest"] {
        let page = served.get(&format!("/?sort={sort}")).await.is(200).body;
        assert!(page.find("/jobs/shop\"") < page.find("/jobs/docs\""), "{sort}");
    }
    assert!(served.get("/?q=nothing").await.is(200).body.contains("No job matches."));
}

#[tokio::test]
async fn a_job_shows_its_runs_and_charts() {
    let served = Served::open(Made::bare()).await;
    let page = served.get("/jobs/shop").await.is(200).body;
    assert_eq!(page.matches("<figure>").count(), 4);
    assert_eq!(page.matches(" as a table</summary>").count(), 4);
    assert_eq!(page.matches("/jobs/shop/runs/").count(), 60);
    assert!(page.contains("href=\"/jobs/shop?before=16\""), "{page}");
    let older = served.get("/jobs/shop?before=16").await.is(200).body;
    assert_eq!(older.matches("/jobs/shop/runs/").count(), 15);
    assert!(!older.contains("Older runs") && !page.contains("dashboard.js"));
    served.get("/jobs/nothing").await.is(404);
    served.get("/jobs/shop?before=x").await.is(400);
}

#[tokio::test]
async fn a_run_is_shown_in_full() {
    let served = Served::open(Made::bare()).await;
    let page = served.get("/jobs/shop/runs/75").await.is(200).body;
    assert!(page.contains("2026-11-21 02:00 UTC"), "{page}");
    assert!(page.contains("robots.txt does not name the &#60;sitemap&#62;"), "{page}");
    assert!(
        page.contains("<bdi>the run begins</bdi>") && page.contains("<span class=\"badge error\">error</span>"),
        "{page}"
    );
    assert!(page.contains("&#60;/script&#62;") && !page.contains("</script><script>window"), "{page}");
    let log = served.get("/api/v1/jobs/shop/runs/75/log").await.is(200).json();
    assert_eq!((&log["lines"][0]["level"], &log["lines"][1]["level"]), (&"info".into(), &"error".into()));
    let failed = served.get("/jobs/shop/runs/73").await.is(200).body;
    assert!(failed.contains("no start URL answered 200"));
    for path in ["/jobs/shop/runs/76", "/jobs/docs/runs/1", "/jobs/shop/runs/0"] {
        served.get(path).await.is(404);
    }
    served.get("/jobs/shop/runs/x").await.is(400);
}

#[tokio::test]
async fn a_run_that_published_nothing_shows_what_it_would_list() {
    let made = Made::bare();
    let change = |state: JobRunState, listed: u64| {
        let mut runs = made.runs.lock().unwrap();
        let run = runs.iter_mut().find(|run| run.job == SHOP && run.number == 75).unwrap();
        (run.state, run.counts.listed) = (state, listed);
    };
    change(JobRunState::Done, 12_345);
    let served = Served::open(Arc::clone(&made)).await;
    let page = served.get("/jobs/shop/runs/75").await.is(200).body;
    assert!(page.contains("<dt>in the sitemap</dt><dd>12,345</dd>") && !page.contains("would be listed"), "{page}");
    let job = served.get("/jobs/shop").await.is(200).body;
    assert!(job.matches(">12,345<").count() >= 2, "it is in the chart's table and in the table of runs: {job}");
    for state in [JobRunState::Refused, JobRunState::Unfinished, JobRunState::Failed] {
        change(state, 12_345);
        let page = served.get("/jobs/shop/runs/75").await.is(200).body;
        assert!(page.contains("<dt>would be listed</dt><dd>12,345</dd>") && !page.contains("in the sitemap"), "{page}");
        let job = served.get("/jobs/shop").await.is(200).body;
        assert!(!job.contains("12,345"), "{job}");
    }
}

#[tokio::test]
async fn a_run_links_only_to_what_exists() {
    let served = Served::open(Made::crawled().await).await;
    let link = "/jobs/shop/compare?a=1&amp;b=2";
    assert!(served.get("/jobs/shop/runs/75").await.is(200).body.contains(link));
    // Its run in the record is pruned, the job run is not.
    served.made.runs.lock().unwrap()[1].record_run = Some(99);
    assert!(!served.get("/jobs/shop/runs/75").await.is(200).body.contains("/compare?"));
    let bare = Served::open(Made::bare()).await;
    assert!(!bare.get("/jobs/shop/runs/75").await.is(200).body.contains("/compare?"), "there is no record");
}

#[tokio::test]
async fn a_job_without_a_record_leads_to_none() {
    let served = Served::open(Made::bare()).await;
    let page = served.get("/jobs/shop").await.is(200).body;
    assert!(!page.contains("/compare\"") && !page.contains("/findings"), "{page}");
    let served = Served::open(Made::crawled().await).await;
    assert!(served.get("/jobs/shop").await.is(200).body.contains("/jobs/shop/compare\""));
}

#[tokio::test]
async fn only_a_job_that_audits_leads_to_findings() {
    let served = Served::open(Made::crawled().await).await;
    for path in ["/jobs/shop", "/jobs/shop/runs/75"] {
        assert!(served.get(path).await.is(200).body.contains("/jobs/shop/findings\""), "{path}");
    }
    served.made.change(|job| job.reports = None);
    for path in ["/jobs/shop", "/jobs/shop/runs/75"] {
        assert!(!served.get(path).await.is(200).body.contains("/findings"), "{path}");
    }
}

#[tokio::test]
async fn a_run_goes_on_while_its_job_is_paused() {
    let made = Made::bare();
    made.runs(Live { phase: Phase::Finishing, ..Live::default() });
    let served = Served::open(made).await;
    let browser = served.browser(&served.get("/").await).await;
    served.press(&browser, "/jobs/shop/pause").await.is(303);
    for path in ["/", "/jobs/shop"] {
        let page = served.visit(&browser, path).await.is(200).body;
        for text in
            [">running<", ">paused after this run<", "action=\"/jobs/shop/stop\"", "action=\"/jobs/shop/resume\""]
        {
            assert!(page.contains(text), "{path}: no {text} in {page}");
        }
        assert!(
            !page.contains("action=\"/jobs/shop/pause\"") && !page.contains("action=\"/jobs/shop/start\""),
            "{path}"
        );
    }
    let job = served.get("/api/v1/jobs/shop").await.json();
    assert_eq!((job["state"].as_str(), job["paused"].as_bool()), (Some("running"), Some(true)));
    assert!(served.get("/metrics").await.body.contains("mapwright_job_paused{job=\"shop\"} 1\n"));
    served.press(&browser, "/jobs/shop/resume").await.is(303);
    let page = served.visit(&browser, "/jobs/shop").await.body;
    assert!(page.contains(">running<") && !page.contains("paused after"), "{page}");
    assert!(page.contains("data-live=\"phase\">finishing: judging, publishing<"), "{page}");
}

#[tokio::test]
async fn a_run_that_waits_can_be_stopped() {
    let made = Made::bare();
    made.waits();
    let served = Served::open(made).await;
    let browser = served.browser(&served.get("/").await).await;
    for path in ["/", "/jobs/shop"] {
        let page = served.visit(&browser, path).await.body;
        assert!(page.contains("action=\"/jobs/shop/stop\"") && page.contains("action=\"/jobs/shop/start\""), "{page}");
        assert!(!page.contains("action=\"/jobs/docs/stop\""), "nothing of docs waits");
    }
    served.press(&browser, "/jobs/shop/stop").await.is(303);
    assert!(!served.visit(&browser, "/jobs/shop").await.body.contains("action=\"/jobs/shop/stop\""));
}

/// Narrow screens show tables as cards, with styles that remove the table semantics for screen readers: the markup must
/// state the roles.
#[tokio::test]
async fn tables_that_become_cards_stay_tables() {
    let served = Served::open(Made::crawled().await).await;
    for path in ["/", "/jobs/shop", "/jobs/shop/files"] {
        let page = served.get(path).await.is(200).body;
        let tables: Vec<&str> = page.split("<table class=\"cards\"").skip(1).collect();
        assert!(!tables.is_empty(), "{path}");
        for table in tables {
            let (table, _) = table.split_once("</table>").unwrap();
            assert!(table.starts_with(" role=\"table\""), "{path}");
            for tag in table.split('<').skip(1).filter(|tag| !tag.starts_with('/')) {
                let role = match tag.split([' ', '>']).next().unwrap() {
                    "thead" | "tbody" => "rowgroup",
                    "tr" => "row",
                    "td" => "cell",
                    "th" if tag.contains("scope=\"col\"") => "columnheader",
                    "th" => "rowheader",
                    _ => continue,
                };
                assert!(tag.contains(&format!("role=\"{role}\"")), "{path}: {tag}");
            }
        }
    }
    let style = served.get("/assets/dashboard.css").await.body;
    assert!(!style.contains(".cards thead { display: none"), "headings that nobody hears");
}

#[tokio::test]
async fn buttons_do_what_they_say() {
    let served = Served::open(Made::bare()).await;
    let browser = served.browser(&served.get("/").await).await;
    served.press(&browser, "/jobs/shop/start").await.is(303);
    let page = served.visit(&browser, "/jobs/shop").await.is(200).body;
    assert!(
        page.contains("action=\"/jobs/shop/stop\"") && page.contains("Running now") && page.contains("dashboard.js")
    );
    served.press(&browser, "/jobs/shop/start").await.is(409);
    served.press(&browser, "/jobs/shop/stop").await.is(303);
    served.press(&browser, "/jobs/shop/pause").await.is(303);
    assert!(served.visit(&browser, "/").await.body.contains("action=\"/jobs/shop/resume\""));
    served.press(&browser, "/jobs/shop/resume").await.is(303);
    served.press(&browser, "/jobs/nothing/start").await.is(404);
    assert!(
        page.contains("action=\"/jobs/shop/test\"")
            && !served.visit(&browser, "/jobs/docs").await.body.contains("/test\"")
    );
    let tested = served.press(&browser, "/jobs/shop/test").await.is(200).body;
    assert!(tested.contains("mailto:web@shop.example <span class=\"badge good\">delivered"), "{tested}");
    assert!(tested.contains("not delivered</span> <span class=\"muted\">it answered &#60;500&#62;"), "{tested}");
    let requested = served.made.requested.lock().unwrap().join(", ");
    assert_eq!(requested, "start shop, start shop, stop shop, pause shop, resume shop, start nothing, test shop");
}

#[tokio::test]
async fn a_running_job_is_shown_without_scripts_too() {
    let made = Made::bare();
    let latest = vec![("http://shop.example/gone".to_owned(), "404".to_owned())];
    made.runs(Live {
        done: 1_234,
        queued: 56,
        errors: 7,
        rate: 8.95,
        elapsed: Duration::from_secs(75),
        latest,
        ..Live::default()
    });
    let served = Served::open(made).await;
    let page = served.get("/jobs/shop").await.is(200).body;
    for text in [
        "1,234",
        ">56<",
        ">7<",
        ">8.9<",
        "1 min 15 s",
        "http://shop.example/gone",
        "data-source=\"/api/v1/jobs/shop/live\"",
    ] {
        assert!(page.contains(text) || (text == ">8.9<" && page.contains(">9.0<")), "no {text} in {page}");
    }
}

#[tokio::test]
async fn settings_are_shown_with_the_place_where_each_was_set() {
    let served = Served::open(Made::bare()).await;
    assert!(served.get("/jobs/shop").await.is(200).body.contains("href=\"/jobs/shop/settings\""));
    let page = served.get("/jobs/shop/settings").await.is(200).body;
    for text in
        ["3 settings, 2 of them set", "file mapwright.toml line 7", "<code>max-depth</code>", "not set", "(secret)"]
    {
        assert!(page.contains(text), "no {text} in {page}");
    }
    let set = served.get("/jobs/shop/settings?only=set").await.is(200).body;
    assert!(set.contains("<code>exclude</code>") && !set.contains("max-depth"), "{set}");
    served.get("/jobs/nothing/settings").await.is(404);
}

#[tokio::test]
async fn a_damaged_record_is_reported_plainly() {
    let made = Made::crawled().await;
    let record = made.jobs.lock().unwrap()[1].record.clone();
    let file = mapwright_store::Record::file_in(&record);
    std::fs::write(&file, "no database").unwrap();
    let served = Served::open(made).await;
    let page = served.get("/jobs/shop/compare").await.is(503).body;
    assert!(page.contains("the record cannot be read now"), "{page}");
}

#[tokio::test]
async fn reports_work_in_a_page_that_reaches_nothing() {
    let served = Served::open(Made::crawled().await).await;
    let list = served.get("/jobs/shop/files").await.is(200).body;
    for name in ["report.html", "report.json", "issues.csv", "issues.xlsx", "sitemap.xml"] {
        assert!(list.contains(&format!("/{name}\"")), "no {name} in {list}");
    }
    let report = served.get("/jobs/shop/files/reports/report.html").await.is(200);
    let policy = report.header("content-security-policy");
    assert!(policy.starts_with("sandbox allow-scripts") && !policy.contains("allow-same-origin"), "{policy}");
    assert!(policy.contains("default-src 'none'") && report.header("content-disposition").is_empty());
    assert!(report.body.ends_with("</html>\n"));
    let table = served.get("/jobs/shop/files/reports/issues.csv").await.is(200);
    assert!(table.header("content-disposition").contains("issues.csv"));
    assert_eq!(table.header("content-security-policy"), "sandbox; default-src 'none'; frame-ancestors 'none'");
}

#[tokio::test]
async fn it_stops_when_it_is_cancelled() {
    let mut served = Served::open(Made::bare()).await;
    served.get("/").await.is(200);
    served.stop.cancel();
    let task = std::mem::replace(&mut served.task, tokio::spawn(async {}));
    until("the end", || task.is_finished()).await;
    assert!(served.request("GET", "/").send().await.is_err());
}
