//! What people hear of nights that went wrong, and by what.

use crate::desk::Desk;
use crate::hook::Hook;
use crate::mail::MailServer;
use mapwright_engine::NoObserver;
use mapwright_jobs::service::{Clock, JobRunState, Keeping, Whose, deliver};
use mapwright_testkit::{Request, Response, Site};
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

const SHOP: &str = "[job.shop]\nurl = [\"{site}/\"]\n";
const NIGHTS: [&str; 4] =
    ["2026-11-01T02:00:00Z", "2026-11-02T02:00:00Z", "2026-11-03T02:00:00Z", "2026-11-04T02:00:00Z"];

/// Keeps a night, delivers what is to be told, and says how the night ended.
async fn keep(desk: &Desk, file: &str, due: &str) -> &'static str {
    let (kept, _) = desk.keep(file, "shop", due).await;
    let plan = Arc::new(desk.plan(file, "shop").unwrap());
    deliver(&desk.ledger(), Whose::All, || vec![Arc::clone(&plan)], jiff::Timestamp::now).await.unwrap();
    kept.state.as_str()
}

#[tokio::test]
async fn a_message_links_the_page_of_its_run() {
    let (desk, hook) = (Desk::new(), Hook::open());
    let plan = Arc::new(desk.plan(&format!("{SHOP}{}", hook.section()), "shop").unwrap());
    let link = "https://board.example/".parse().ok();
    let runner = Keeping { plan: Arc::clone(&plan), ledger: desk.ledger(), link, clock: Clock::real() };
    runner.keep(NIGHTS[0].parse().unwrap(), Arc::new(NoObserver), CancellationToken::new()).await.unwrap();
    deliver(&desk.ledger(), Whose::All, || vec![Arc::clone(&plan)], jiff::Timestamp::now).await.unwrap();
    // The dashboard's tests request this path.
    assert_eq!(hook.told()[0]["link"], "https://board.example/jobs/shop/runs/1");
}

/// A site of which a later night lists one page of twenty.
fn large(desk: &Desk) {
    let links: String = (0..20).map(|page| format!("<a href=/p{page}>{page}</a> ")).collect();
    desk.site.page("/", format!("<title>Home</title>{links}"));
    for page in 0..20 {
        desk.site.page(&format!("/p{page}"), format!("<title>{page}</title><p>page {page}</p>"));
    }
}

#[tokio::test]
async fn a_sitemap_refused_again_is_told_again_only_with_what_else_changed() {
    let (desk, hook) = (Desk::new(), Hook::open());
    let file = format!("{SHOP}{}", hook.section());
    large(&desk);
    keep(&desk, &file, NIGHTS[0]).await;
    let first = hook.told().len();
    desk.site.page("/", "<title>Home</title><p>nothing here</p>");
    assert_eq!(keep(&desk, &file, NIGHTS[1]).await, "refused");
    assert_eq!(keep(&desk, &file, NIGHTS[2]).await, "refused");
    assert_eq!(hook.kinds()[first..], ["refused"]);
    desk.site.page("/", "<title>Home</title><p>nothing here but <a href=/gone>this</a></p>");
    assert_eq!(keep(&desk, &file, NIGHTS[3]).await, "refused");
    assert_eq!(hook.kinds()[first..], ["refused", "refused"]);
    assert!(hook.told().last().unwrap()["findings"]["new"]["count"].as_u64() > Some(0), "the link is new");
}

#[tokio::test]
async fn what_a_night_saw_is_told_though_it_failed_and_engines_hear_of_it_the_next() {
    let (desk, hook, engine) = (Desk::new(), Hook::open(), Site::open());
    engine.handler("/indexnow", |_: &Request| Response::new(200));
    std::fs::write(desk.root.path().join("key"), "0123456789abcdef\n").unwrap();
    let script = desk.root.path().join("hook");
    let write = |text: &str| {
        std::fs::write(&script, text).unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    let publish = format!(
        "[job.shop.publish]\nmirror = [\"command:{{root}}/hook\"]\nindexnow = [\"{}\"]\n\
         indexnow-key-file = \"{{root}}/key\"\n",
        engine.url("/indexnow")
    );
    let file = format!("{SHOP}{publish}{}", hook.section());
    write("#!/bin/sh\ncat >/dev/null\n");
    keep(&desk, &file, NIGHTS[0]).await;
    let (told, asked) = (hook.told().len(), engine.hits("/indexnow"));

    desk.site.page("/", "<title>Home</title><a href=/a>a</a> <a href=/b>b</a> <a href=/c>c</a>");
    desk.site.page("/c", "<title>C</title><p>third</p>");
    write("#!/bin/sh\nexit 3\n");
    assert_eq!(keep(&desk, &file, NIGHTS[1]).await, "failed");
    assert_eq!(hook.told()[told]["gained"]["examples"], serde_json::json!([desk.site.url("/c")]));
    assert_eq!(engine.hits("/indexnow"), asked);

    write("#!/bin/sh\ncat >/dev/null\n");
    assert_eq!(keep(&desk, &file, NIGHTS[2]).await, "done");
    assert_eq!(hook.kinds()[told..], ["failed", "recovered"]);
    let urls = String::from_utf8_lossy(&engine.requests_for("/indexnow").pop().unwrap().body).into_owned();
    assert!(urls.contains(&desk.site.url("/c")), "{urls}");
}

#[tokio::test]
async fn another_failure_is_told_while_one_lasts() {
    let (desk, hook) = (Desk::new(), Hook::open());
    let script = desk.root.path().join("hook");
    std::fs::write(&script, "#!/bin/sh\ncat >/dev/null\ndate +%N >&2\nexit 3\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let file = format!("{SHOP}[job.shop.publish]\nmirror = [\"command:{{root}}/hook\"]\n{}", hook.section());
    keep(&desk, &file, NIGHTS[0]).await;
    keep(&desk, &file, NIGHTS[1]).await;
    assert_eq!(hook.kinds(), ["failed"], "the same trouble in other words");
    desk.site.status("/", 500);
    assert_eq!(keep(&desk, &file, NIGHTS[2]).await, "failed");
    assert_eq!(keep(&desk, &file, NIGHTS[3]).await, "failed");
    assert_eq!(hook.kinds(), ["failed", "failed"]);
    assert!(hook.told()[1]["why"].as_str().unwrap().contains("500"), "{}", hook.told()[1]);
}

#[tokio::test]
async fn after_a_refused_night_pages_are_told_by_what_is_published() {
    let (desk, hook) = (Desk::new(), Hook::open());
    let file = format!("{SHOP}{}", hook.section());
    large(&desk);
    keep(&desk, &file, NIGHTS[0]).await;
    desk.site.page("/", "<title>Home</title><p>nothing here</p>");
    assert_eq!(keep(&desk, &file, NIGHTS[1]).await, "refused");
    large(&desk);
    desk.site.status("/p7", 404);
    assert_eq!(keep(&desk, &file, NIGHTS[2]).await, "done");
    let told = hook.told().pop().unwrap();
    assert_eq!((&told["kind"], &told["gained"]["count"]), (&"recovered".into(), &0.into()));
    assert_eq!(told["lost"]["examples"], serde_json::json!([desk.site.url("/p7")]));
    assert_eq!((&told["listed_before"], &told["listed"]), (&21.into(), &20.into()));
}

#[tokio::test]
async fn an_audit_between_two_nights_tells_of_no_change_of_the_sitemap() {
    let (desk, hook) = (Desk::new(), Hook::open());
    let file = format!("{SHOP}{}", hook.section());
    let audit = file.replace("[job.shop]\n", "[job.shop]\ntask = \"audit\"\n");
    large(&desk);
    keep(&desk, &file, NIGHTS[0]).await;
    desk.site.status("/p7", 404);
    assert_eq!(keep(&desk, &audit, NIGHTS[1]).await, "done");
    let told = hook.told().pop().unwrap();
    assert_eq!((&told["listed_before"], &told["listed"], &told["lost"]["count"]), (&21.into(), &21.into(), &0.into()));
    assert!(told["findings"]["new"]["count"].as_u64() > Some(0), "{told}");
    assert_eq!(keep(&desk, &file, NIGHTS[2]).await, "done");
    let told = hook.told().pop().unwrap();
    assert_eq!(told["lost"]["examples"], serde_json::json!([desk.site.url("/p7")]));
    assert_eq!((&told["listed_before"], &told["listed"]), (&21.into(), &20.into()));
}

#[tokio::test]
async fn a_site_that_goes_down_is_told_once_and_the_run_goes_on() {
    let (desk, hook) = (Desk::new(), Hook::open());
    let file = format!("{SHOP}[job.shop.fetch]\nretries = 0\n{}", hook.section());
    let links: String = (0..200).map(|page| format!("<a href=/p{page}>{page}</a> ")).collect();
    let home = Response::html(format!("<title>Home</title>{links}"));
    desk.site.first_n("/", 1, home.clone()).close("/").close("/p*");
    assert_eq!(keep(&desk, &file, NIGHTS[0]).await, "unfinished");
    assert_eq!(keep(&desk, &file, NIGHTS[1]).await, "unfinished");
    assert_eq!(hook.kinds(), ["failed"]);
    assert!(hook.told()[0]["why"].as_str().unwrap().contains("went down"));
    desk.site.answer("/", home).answer("/p*", Response::html("<title>One of many</title>"));
    assert_eq!(keep(&desk, &file, NIGHTS[2]).await, "done");
    assert_eq!(hook.kinds(), ["failed", "recovered"]);
}

#[tokio::test]
async fn a_watchdog_hears_of_good_nights_alone() {
    let (desk, watchdog) = (Desk::new(), Site::open());
    watchdog.answer("/beat", Response::new(200));
    let file = format!("{SHOP}[job.shop.notify]\nheartbeat = \"{}\"\n", watchdog.url("/beat"));
    assert_eq!(keep(&desk, &file, NIGHTS[0]).await, "done");
    assert_eq!(watchdog.hits("/beat"), 1);
    desk.site.status("/", 500);
    assert_eq!(keep(&desk, &file, NIGHTS[1]).await, "failed");
    assert_eq!(watchdog.hits("/beat"), 1);
    watchdog.status("/beat", 404);
    desk.site.page("/", "<title>Home</title><a href=/a>a</a> <a href=/b>b</a>");
    assert_eq!(keep(&desk, &file, NIGHTS[2]).await, "done", "a watchdog that is gone spoils no night");
}

#[tokio::test]
async fn changes_come_by_e_mail() {
    let (desk, server) = (Desk::new(), MailServer::open());
    let file = format!(
        "{SHOP}[notify]\ntell = [\"mailto:web@shop.example\"]\nsmtp-host = \"127.0.0.1\"\nsmtp-port = {}\n\
         smtp-tls = \"none\"\nmail-from = \"mapwright@shop.example\"\n",
        server.port
    );
    keep(&desk, &file, NIGHTS[0]).await;
    server.got();
    desk.site.status("/b", 404);
    keep(&desk, &file, NIGHTS[1]).await;
    let mail = server.got();
    assert_eq!((&mail["from"], &mail["to"][0]), (&"mapwright@shop.example".into(), &"web@shop.example".into()));
    let text = mail["data"].as_str().unwrap();
    assert!(text.contains("1 page lost") && text.contains(&desk.site.url("/b")), "{text}");
    keep(&desk, &file, NIGHTS[2]).await;
    assert!(server.got_nothing(), "nothing changed");
}

#[tokio::test]
async fn a_run_by_hand_leaves_the_letters_of_other_jobs_alone() {
    let (desk, hook) = (Desk::new(), Hook::open());
    let file = format!("{SHOP}[job.blog]\nurl = [\"{{site}}/a\"]\n{}", hook.section());
    for job in ["shop", "blog"] {
        desk.keep(&file, job, NIGHTS[0]).await;
        desk.site.status("/a", 404).status("/", 404);
        desk.keep(&file, job, NIGHTS[1]).await;
        desk.site.page("/a", "<title>A</title>");
    }
    let ledger = desk.ledger();
    let plan = |job| Arc::new(desk.plan(&file, job).unwrap());
    deliver(&ledger, Whose::Of("blog"), || vec![plan("blog")], jiff::Timestamp::now).await.unwrap();
    assert!(hook.told().iter().all(|told| told["job"] == "blog"), "{:?}", hook.told());
    let before = hook.told().len();
    let all = vec![plan("blog"), plan("shop")];
    assert!(deliver(&ledger, Whose::All, || all.clone(), jiff::Timestamp::now).await.unwrap() > 0, "they wait");
    assert!(hook.told().split_off(before).iter().all(|told| told["job"] == "shop"));
}

#[tokio::test]
async fn a_night_killed_after_its_crawl_is_told_by_the_next() {
    let (desk, hook) = (Desk::new(), Hook::open());
    let file = format!("{SHOP}{}", hook.section());
    keep(&desk, &file, NIGHTS[0]).await;
    let first = hook.told().len();
    desk.site.page("/", "<title>Home</title><a href=/a>a</a> <a href=/b>b</a> <a href=/c>c</a>");
    desk.site.page("/c", "<title>C</title>");
    desk.keep(&file, "shop", NIGHTS[1]).await;
    // As one that was killed before it was settled leaves it.
    let ledger = rusqlite::Connection::open(desk.root.path().join("service.sqlite")).unwrap();
    ledger.execute_batch("UPDATE night SET state = 'running', ended = NULL WHERE id = 2").unwrap();
    ledger.execute_batch("DELETE FROM outbox_letter WHERE state = 'waiting'; PRAGMA foreign_keys = OFF").unwrap();
    ledger.execute_batch("DELETE FROM outbox_message WHERE id NOT IN (SELECT message FROM outbox_letter)").unwrap();
    keep(&desk, &file, NIGHTS[2]).await;
    let told = hook.told().split_off(first);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((&told[0]["due"], &told[0]["gained"]["count"]), (&NIGHTS[1].into(), &1.into()));
    let nights = desk.ledger().runs("shop", None, 10).unwrap();
    assert!(nights.iter().all(|night| night.outcome == JobRunState::Done), "{nights:?}");
}

#[tokio::test]
async fn what_is_to_be_done_at_the_site_is_told_once() {
    let (desk, hook) = (Desk::new(), Hook::open());
    let file = format!("{SHOP}{}", hook.section());
    keep(&desk, &file, NIGHTS[0]).await;
    let advice = |told: &serde_json::Value| told["advice"].as_array().unwrap().len();
    assert_eq!(advice(&hook.told()[0]), 1, "robots.txt does not name the sitemap");
    assert_eq!(desk.ledger().runs("shop", None, 1).unwrap()[0].advice.len(), 1);
    desk.site.status("/b", 404);
    keep(&desk, &file, NIGHTS[1]).await;
    assert_eq!((hook.told().len(), advice(&hook.told()[1])), (2, 0), "it is known");
}

#[tokio::test]
async fn messages_go_through_the_proxy_that_is_named() {
    let (desk, proxy) = (Desk::new(), Site::open());
    proxy.handler("/*", |_: &Request| Response::new(204));
    let file = format!(
        "{SHOP}[notify]\ntell = [\"webhook:http://hooks.example/hook\"]\nnotify-proxy = \"{}\"\n",
        proxy.base()
    );
    keep(&desk, &file, NIGHTS[0]).await;
    let targets: Vec<String> = proxy.requests().into_iter().map(|request| request.target).collect();
    assert_eq!(targets, ["http://hooks.example/hook"]);
}

#[tokio::test]
async fn the_password_of_a_start_url_is_neither_told_nor_kept() {
    let (desk, hook) = (Desk::new(), Hook::open());
    let start = desk.site.base().replace("http://", "http://me:hush-hush@");
    let file = format!("{SHOP}{}", hook.section()).replace("{site}", &start);
    keep(&desk, &file, NIGHTS[0]).await;
    assert!(desk.site.requests().iter().any(|request| request.header("authorization").is_some()));
    assert_eq!(hook.told()[0]["site"], format!("{}/", desk.site.base()));
    for name in ["service.sqlite", "service.sqlite-wal", "shop/record.sqlite"] {
        let bytes = std::fs::read(desk.root.path().join(name)).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&bytes).contains("hush-hush"), "{name}");
    }
    assert!(!format!("{:?}", desk.plan(&file, "shop").unwrap()).contains("hush-hush"));
}

#[tokio::test]
async fn findings_are_counted_as_the_report_counts_them() {
    let (desk, hook) = (Desk::new(), Hook::open());
    let file = format!("{SHOP}[job.shop.output]\nout = \"{{root}}/out\"\n{}", hook.section());
    let title = |title: &dyn Fn(u32) -> String| {
        for page in 0..20 {
            desk.site.page(&format!("/p{page}"), format!("<title>{}</title><p>page {page}</p>", title(page)));
        }
    };
    large(&desk);
    keep(&desk, &file, NIGHTS[0]).await;
    title(&|_| "Same".to_owned());
    keep(&desk, &file, NIGHTS[1]).await;
    let new = hook.told().pop().unwrap()["findings"]["new"].clone();
    assert_eq!((&new["count"], &new["lines"][0]["code"]), (&1.into(), &"dup-title".into()), "{new}");
    assert_eq!(new["lines"][0]["examples"].as_array().map(Vec::len), Some(1));
    assert_eq!(told_by_report(&desk, "dup-title"), (1, 0));
    title(&|page| page.to_string());
    keep(&desk, &file, NIGHTS[2]).await;
    let fixed = hook.told().pop().unwrap()["findings"]["fixed"].clone();
    assert_eq!(fixed["count"], 20, "each page is mended: {fixed}");
    assert_eq!(told_by_report(&desk, "dup-title"), (0, 20));
}

/// How many findings of a kind the newest report tells as new, and as fixed.
fn told_by_report(desk: &Desk, code: &str) -> (u64, u64) {
    let report: serde_json::Value = serde_json::from_str(&desk.file("shop/reports/report.json")).unwrap();
    let rule = report["rules"].as_array().unwrap().iter().find(|rule| rule["code"] == code).unwrap();
    let count = |name: &str| rule[name].as_u64().unwrap();
    (count("fresh"), count("fixed"))
}
