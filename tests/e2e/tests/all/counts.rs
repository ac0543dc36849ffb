//! The text summary, the JSON summary, `export`, `runs`, the report, the sitemap and the metrics count the same URLs,
//! robots.txt and sitemap files included, on every site of the test kit.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "helpers fail the test by panicking; the lints know test functions alone"
)]

use std::any::Any;
use std::net::TcpListener;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use mapwright_e2e::counts::{Counts, of_record, of_sitemap};
use mapwright_e2e::kill::InterruptionSite;
use mapwright_e2e::{Crawl, Crawled, Workspace, document, links};
use mapwright_testkit::bench::{Origins, PageGenerator, ServerOptions, SitePlan, serve};
use mapwright_testkit::labelled::{FAMILIES, LabelledSite};
use mapwright_testkit::living::LivingSite;
use mapwright_testkit::{FakeSite, Response, ResponseGate};
use serde_json::Value;

/// A served site and the settings of its crawl.
struct Served {
    name: &'static str,
    start: String,
    arguments: Vec<String>,
    /// The site, kept open until this is dropped.
    _site: Box<dyn Any>,
}

impl Served {
    fn new(name: &'static str, start: String, arguments: &[&str], site: impl Any) -> Served {
        let arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
        Served { name, start, arguments, _site: Box::new(site) }
    }

    fn crawl(&self) -> Crawl {
        Crawl::from(&[&self.start]).args(["--retries", "0"]).args(&self.arguments)
    }
}

/// Every labelled site in its first run, with those arguments of its audit that a crawl accepts.
fn labelled() -> Vec<Served> {
    let sites = FAMILIES.iter().flat_map(|family| (family.open)());
    sites.map(of_labelled).collect()
}

fn of_labelled(site: LabelledSite) -> Served {
    site.begin_run(1);
    let words: Vec<String> = site.arguments().iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let of_crawls = ["--scope", "--resolve", "--timeout", "--pattern-budget"];
    let taken = words.windows(2).filter(|pair| of_crawls.contains(&pair[0].as_str())).flatten();
    let taken: Vec<&str> = taken.map(String::as_str).collect();
    Served::new(site.name(), site.start(), &taken, site)
}

/// The generated sites, and one site of each kind that affects the list.
fn others() -> Vec<Served> {
    let (ground, living) = (InterruptionSite::of(60), LivingSite::open(7, 40));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    living.next_day(i64::try_from(now).unwrap() - 60);
    let mut sites = vec![
        Served::new("ground", ground.start(), &[], ground),
        Served::new("living", living.url("/"), &[], living),
        Served::new("benchmark", benchmark(300), &[], ()),
    ];
    let limits: [(&str, &[&str]); 6] = [
        ("motley", &[]),
        ("motley by judgement", &["--list", "recommended"]),
        ("motley, cut by a budget", &["--max-urls", "9"]),
        ("motley, not deep", &["--max-depth", "1"]),
        ("motley, left out in part", &["--exclude", "/shop", "--no-list", "/twin"]),
        ("motley, nofollow followed", &["--follow-nofollow", "--ignore-robots"]),
    ];
    sites.extend(limits.map(|(name, arguments)| {
        let site = motley();
        Served::new(name, site.url("/"), arguments, site)
    }));
    sites.push(subdomains());
    sites
}

/// A generated site with this number of pages, served until the end of the test.
fn benchmark(pages: u64) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}/", listener.local_addr().expect("an address"));
    let options = ServerOptions { threads: 1, latency: Duration::ZERO, origins: Origins::new(1) };
    std::thread::spawn(move || serve(listener, PageGenerator::new(SitePlan::new(pages, 1)), options));
    base
}

/// A site with robots.txt rules, redirects, errors, several sitemaps and a feed, parameters, duplicates and directives.
fn motley() -> FakeSite {
    let site = FakeSite::open();
    let head = "<link rel=alternate type=application/rss+xml href=/feed.xml>";
    let paths = ["/old", "/loop", "/gone", "/down", "/reset", "/private/a", "/noindex", "/variant", "/twin", "/twin/"];
    let lists = (1..=4).map(|page| format!("/shop?sort={page}"));
    let more = ["/shop", "/file.pdf", "/refresh", "/robots.txt", "/sitemap-2.xml", "http://elsewhere.invalid/", "/hub"];
    let paths: Vec<String> = paths.iter().chain(&more).map(|path| (*path).to_owned()).chain(lists).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let body = links(&paths) + "<a rel=nofollow href=/nofollow>x</a><img src=/image.png>";
    site.page("/", document("/", head, &body)).page("/hub", links(&["/deep"])).page("/deep", links(&["/deeper"]));
    let rules =
        format!("User-agent: *\nDisallow: /private\nSitemap: {0}/index.xml\nSitemap: {0}/none.xml", site.base());
    site.robots(rules).sitemap_index("/index.xml", &["/sitemap-1.xml", "/sitemap-2.xml", "/lost.xml"]);
    site.sitemap("/sitemap-1.xml", &["/", "/orphan", "/gone"]).sitemap("/sitemap-2.xml", &["/orphan-2", "/private/b"]);
    site.file(
        "/feed.xml",
        "application/rss+xml",
        "<rss version=\"2.0\"><channel><item><link>/fed</link></item></channel></rss>",
    );
    site.redirect("/old", "/new", 301).redirect("/loop", "/loop-2", 302).redirect("/loop-2", "/loop", 302);
    site.status("/gone", 410)
        .status("/down", 500)
        .reset("/reset")
        .page("/refresh", "<meta http-equiv=refresh content='0;url=/new'>");
    site.page("/noindex", "<meta name=robots content=noindex>").page("/variant", "<link rel=canonical href=/new>v");
    for path in ["/twin", "/twin/"] {
        site.page(path, "<title>Twin</title>the same bytes");
    }
    site.handler("/shop*", |_| Response::html(document("/shop", "", &links(&["/item/1", "/item/2", "/item/3"]))));
    for path in ["/new", "/orphan", "/orphan-2", "/fed", "/deeper", "/nofollow", "/item/1", "/item/2", "/item/3"] {
        site.page(path, document(path, "", path));
    }
    site.file("/file.pdf", "application/pdf", "%PDF-1.7\n");
    site
}

/// Hosts of one domain, one of which has an unavailable robots.txt.
fn subdomains() -> Served {
    let site = FakeSite::open();
    let at = |host: &str| format!("http://{host}.site.test:{}/", site.port());
    site.page("//www.site.test/", links(&[&at("blog"), &at("failing"), &at("www2")]));
    site.page("//blog.site.test/", links(&["a"])).page("//blog.site.test/a", "a");
    site.status("//failing.site.test/robots.txt", 500).redirect("//www2.site.test/", &at("www"), 301);
    let resolve = ["www", "blog", "failing", "www2"].map(|host| format!("{host}.site.test:{}:127.0.0.1", site.port()));
    let resolve = resolve.iter().flat_map(|entry| ["--resolve", entry.as_str()]);
    let arguments: Vec<&str> = ["--scope", "domain"].into_iter().chain(resolve).collect();
    Served::new("subdomains", at("www"), &arguments, site)
}

/// Asserts that all outputs of a crawl with a JSON summary and of one with a text summary have the same counts.
#[track_caller]
fn assert_agree(name: &str, machine: &Crawled, person: &Crawled) {
    let counts = Counts::of_json(&machine.summary());
    assert!(counts.known() > 0, "{name}: {}", machine.stderr());
    assert_eq!(of_record(&machine.state()), counts, "{name}: the record, and the summary for machines");
    if let Some(listed) = of_sitemap(&machine.out()) {
        assert_eq!(listed, counts.listed, "{name}: the sitemap");
    }
    // A crawl without any page prints no text summary.
    if !person.stdout().is_empty() {
        assert_eq!(Counts::of_text(person.stdout()), of_record(&person.state()), "{name}:\n{}", person.stdout());
    }
}

#[track_caller]
fn assert_all_agree(sites: &[Served]) {
    for site in sites {
        assert_agree(site.name, &site.crawl().run(), &site.crawl().text().run());
    }
}

#[test]
fn summaries_exports_and_sitemap_of_generated_and_motley_sites() {
    assert_all_agree(&others());
}

#[test]
fn summaries_exports_and_sitemap_of_every_labelled_site() {
    assert_all_agree(&labelled());
}

#[test]
fn summaries_and_exports_of_a_crawl_that_is_stopped() {
    let stopped = |text: bool| {
        let (site, gate) = (motley(), ResponseGate::closed());
        site.answer("/hub", Response::html("held").held_by(&gate));
        let crawl = Crawl::of(&site).args(["--concurrency", "1", "--retries", "0"]);
        let mut running = if text { crawl.text() } else { crawl }.spawn();
        site.wait_for("/hub", 1);
        running.process().interrupt();
        running.wait().exited(130)
    };
    let machine = stopped(false);
    assert!(Counts::of_json(&machine.summary()).excluded["not-reached"] > 0);
    assert_agree("a crawl that is stopped", &machine, &stopped(true));
}

/// robots.txt and sitemap files are part of the counts, which the other tests compare.
#[test]
fn robots_txt_and_sitemap_files_are_counted() {
    let site = motley();
    let crawled = Crawl::of(&site).args(["--retries", "0"]).text().run().exited(0);
    let excluded = crawled.excluded();
    for path in ["/robots.txt", "/index.xml", "/sitemap-1.xml", "/sitemap-2.xml", "/lost.xml", "/none.xml"] {
        assert!(excluded.contains_key(&site.url(path)), "{path} is not reported");
    }
    assert!(crawled.stdout().contains(" robots.txt, sitemaps or feeds"), "{}", crawled.stdout());
}

#[test]
fn metrics_reports_and_sitemaps_of_a_service() {
    let sites: Vec<Served> = others().into_iter().chain(labelled()).filter(|site| site.arguments.is_empty()).collect();
    let job = |(number, site): (usize, &Served)| {
        format!("[job.site{number}]\nurl = [\"{}\"]\ncron = \"0 0 1 1 *\"\n", site.start)
    };
    let jobs: String = sites.iter().enumerate().map(job).collect();
    let workspace = Workspace::of_service(&format!("{jobs}\n[fetch]\nretries = 0\n"));
    let mut service = workspace.serve();
    let names: Vec<String> = (0..sites.len()).map(|number| format!("site{number}")).collect();
    for name in &names {
        assert!((200..300).contains(&service.order(name, "start")), "{name}");
    }
    for name in &names {
        service
            .until("the job has ended", |service| service.job(name)["newest_run"]["ended"].is_string().then_some(()));
    }
    let (status, metrics) = service.get("/metrics");
    assert_eq!(status, 200, "{metrics}");
    let metric = |name: &str, job: &str| {
        let series = format!("mapwright_job_{name}{{job=\"{job}\"}} ");
        metrics.lines().find_map(|line| line.strip_prefix(series.as_str())?.parse::<u64>().ok())
    };
    let mut unfinished = Vec::new();
    for (name, site) in names.iter().zip(&sites) {
        let (folder, view) = (workspace.path("root").join(name), service.job(name));
        // A site that refuses all requests or is down has no figures in this run.
        if view["newest_run"]["outcome"] != "done" {
            unfinished.push(site.name);
            continue;
        }
        let counts = of_record(&folder);
        assert_eq!(metric("sitemap_urls", name), Some(counts.listed), "{}: {view}", site.name);
        assert_eq!(view["newest_run"]["counts"]["listed"], counts.listed, "{}: {view}", site.name);
        assert_eq!(
            metric("last_run_pages", name),
            view["newest_run"]["counts"]["fetched"].as_u64(),
            "{}: {view}",
            site.name
        );
        let report = std::fs::read_to_string(folder.join("reports/report.json")).unwrap();
        let report: Value = serde_json::from_str(&report).unwrap();
        assert_eq!(report["figures"]["funnel"]["listed"], counts.listed, "{}", site.name);
        if let Some(listed) = of_sitemap(&folder.join("sitemaps")) {
            assert_eq!(listed, counts.listed, "{}: the sitemap", site.name);
        }
    }
    assert!(unfinished.len() * 5 < sites.len(), "{unfinished:?}");
}
