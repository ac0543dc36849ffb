//! What is wrong with a file of jobs is told in one line, by job and key.

use crate::desk::{Desk, read};
use mapwright_jobs::service::check;

fn refused(lines: &str) -> String {
    let desk = Desk::new();
    let file = format!("[job.shop]\nurl = [\"{{site}}/\"]\n{lines}\n");
    desk.plan(&file, "shop").expect_err("the job should be refused").to_string()
}

#[test]
fn each_fault_names_its_job_and_key() {
    for (lines, expected) in [
        ("cron = \"61 * * * *\"", "job shop, job.cron"),
        ("cron = \"0 2 * * *\"\nzone = \"Europe/Berlim\"", "job shop, job.zone"),
        ("cron = \"0 2 * * *\"\nwindow = \"25:00-26:00\"", "job shop, job.window"),
        ("[job.shop.output]\nout = \"-\"", "job shop, output.out"),
        ("[job.shop.publish]\nmirror = [\"ftp://host/\"]", "job shop, publish.mirror"),
        ("[job.shop.publish]\nmirror = [\"command:/nowhere/upload\"]", "\"/nowhere/upload\" is not there"),
        ("[job.shop.publish]\nindexnow = [\"https://engine.example/\"]", "job shop, publish.indexnow-key-file"),
        ("[job.shop.publish]\nping = [\"https://engine.example/\"]", "job shop, publish.ping"),
        ("[job.shop.publish]\nsearch-console = \"sc-domain:a.example\"", "job shop, publish.search-console-key-file"),
        ("[job.shop.publish]\nrewrite-host = [\"a\"]", "job shop, publish.rewrite-host"),
        ("[job.shop.notify]\ntell = [\"pigeon:coop\"]", "job shop, notify.tell"),
        ("[job.shop.notify]\nsmtp-host = \"mail.example\"", "notify.mail-from"),
        ("[job.shop.notify]\ntell = [\"mailto:web@shop.example\"]", "no mail server is set"),
        ("[job.shop.notify]\ntell = [\"slack:ops\"]", "no secret URL is set for slack:ops"),
        ("[job.shop.notify]\nheartbeat = \"watch.example\"", "job shop, notify.heartbeat"),
        ("[job.shop.crawl]\nscope = \"list\"", "crawl.scope"),
        ("[job.shop.crawl]\nlinks-in = [\"[\"]", "job shop, crawl.links-in"),
        ("[job.shop.audit]\nmute = [\"nothing\"]", "job shop, audit.mute"),
        ("[job.shop.fetch]\nca-cert = \"/nowhere\"", "job shop, fetch.ca-cert"),
    ] {
        let line = refused(lines);
        assert!(line.contains(expected), "{lines}: {line}");
        assert_eq!(line.lines().count(), 1, "{line}");
    }
}

#[test]
fn the_line_of_the_fault_is_told() {
    for (lines, line) in [
        ("cron = \"61 * * * *\"", 3),
        ("\ncron = \"0 2 * * *\"\nzone = \"Europe/Berlim\"", 5),
        ("[job.shop.publish]\nmirror = [\"ftp://host/\"]", 4),
        ("[job.shop.notify]\n\ntell = [\"pigeon:coop\"]", 5),
        ("[job.shop.publish]\nrewrite-host = [\"a\"]", 4),
        ("[job.shop.crawl]\nno-links-in = [\"[\"]", 4),
    ] {
        let told = refused(lines);
        assert!(told.contains(&format!("file mapwright.toml line {line}")), "{lines}: {told}");
    }
}

#[test]
fn a_job_without_a_start_and_one_that_is_not_there_are_refused() {
    let desk = Desk::new();
    let nowhere = desk.plan("\n[job.shop]\n", "shop").unwrap_err().to_string();
    let place = "job shop, job.url, file mapwright.toml line 2";
    assert!(nowhere.contains(place) && nowhere.contains("none was given"), "{nowhere}");
    let ftp = desk.plan("\n[job.shop]\nzone = \"UTC\"\nurl = [\"ftp://x/\"]\n", "shop").unwrap_err().to_string();
    let place = "job shop, job.url, file mapwright.toml line 4";
    assert!(ftp.contains(place) && ftp.contains("URL `ftp://x/`"), "{ftp}");
    let unknown = desk.plan("[job.shop]\nurl = [\"{site}/\"]\n", "shpo").unwrap_err().to_string();
    assert!(unknown.contains("the jobs are shop"), "{unknown}");
}

#[test]
fn a_job_audits_what_it_crawls_and_no_run_before_it() {
    let file = "[job.shop]\nurl = [\"{site}/\"]\n[job.shop.audit]\nfrom-record = true\n";
    let error = Desk::new().plan(file, "shop").unwrap_err().to_string();
    assert!(error.starts_with("job shop, audit.from-record, file mapwright.toml line 4: "), "{error}");
}

#[test]
fn secrets_come_from_files_and_are_shown_nowhere() {
    let desk = Desk::new();
    let secret = desk.root.path().join("secret");
    std::fs::write(&secret, "hush-hush\n").unwrap();
    let file = "[job.shop]\nurl = [\"{site}/\"]\n[notify]\nwebhook-secret-file = \"{root}/secret\"\n";
    let plan = desk.plan(file, "shop").unwrap();
    assert!(!format!("{plan:?}").contains("hush-hush"));
}

#[test]
fn jobs_that_write_into_one_directory_are_refused() {
    let desk = Desk::new();
    let job =
        |name: &str| format!("[job.{name}]\nurl = [\"{{site}}/\"]\n[job.{name}.output]\nout = \"{{root}}/out\"\n");
    let error = desk.orders(&(job("one") + &job("two"))).unwrap_err().to_string();
    assert!(error.contains("jobs one and two both write into /"), "{error}");
    assert!(error.contains("job two, output.out, file mapwright.toml line 8"), "{error}");
    assert!(desk.orders(&job("one")).is_ok());
    let by_itself = |file: &str| desk.plan(file, "one").map_err(|error| error.to_string());
    let error = by_itself(&(job("one") + &job("two"))).unwrap_err();
    assert!(error.contains("jobs two and one both write into /"), "{error}");
    assert!(error.contains("job one, output.out, file mapwright.toml line 4"), "{error}");
    let senseless = job("two").replace("{site}", "ftp://x");
    assert!(
        by_itself(&(job("one") + &job("two").replace("/out\"", "/2\"") + &job("three").replace("/out\"", "/2\"")))
            .is_ok()
    );
    assert!(by_itself(&(job("one") + &senseless)).is_ok());
}

#[test]
fn jobs_that_write_one_baseline_are_refused() {
    let desk = Desk::new();
    let job = |name: &str| format!("[job.{name}]\nurl = [\"{{site}}/\"]\n");
    let file = format!("[audit]\nwrite-baseline = \"{{root}}/known.json\"\n{}{}", job("one"), job("two"));
    let error = desk.orders(&file).unwrap_err().to_string();
    assert!(error.contains("jobs one and two both write into /") && error.contains("known.json"), "{error}");
    assert!(desk.orders(&file.replace("[job.two]", "[job.two]\ntask = \"sitemap\"")).is_ok(), "one alone is audited");
}

#[test]
fn a_job_reads_no_standard_input() {
    let desk = Desk::new();
    for lines in ["crawl]\nurl-list = \"-\"", "audit]\nbaseline = \"-\"", "audit]\nrobots-file = \"-\""] {
        let error = desk.orders(&format!("[job.one]\nurl = [\"{{site}}/\"]\n[job.one.{lines}\n")).unwrap_err();
        assert!(error.to_string().contains("a job has no standard input to read"), "{error}");
    }
}

#[test]
fn what_would_go_past_the_proxy_or_tells_a_password_is_refused() {
    let desk = Desk::new();
    let told = |lines: &str| {
        let file = format!("{lines}\n[job.one]\nurl = [\"{{site}}/\"]\n");
        desk.orders(&file).map_or_else(|error| error.to_string(), |_| "fine".to_owned())
    };
    let error = told("[notify]\nnotify-proxy = \"ftp://proxy.example:1\"");
    assert!(error.contains("a proxy cannot be reached by `ftp`") && error.contains("line 2"), "{error}");
    std::fs::write(desk.root.path().join("slack"), "https://b.example/").unwrap();
    let error = told("[notify]\nslack-url = [\"ops=https://a.example/\"]\nslack-url-file = [\"ops={root}/slack\"]");
    assert!(error.contains("`ops` is given twice") && error.contains("line 3"), "{error}");
    std::fs::write(desk.root.path().join("key"), "0123456789abcdef0123456789abcdef").unwrap();
    let error = told("[publish]\nindexnow = [\"http://u:hush@engine.example/\"]\nindexnow-key-file = \"{root}/key\"");
    assert!(error.contains("the URL holds a user or a password") && !error.contains("hush"), "{error}");
}

#[test]
fn jobs_that_spell_one_place_in_two_ways_are_refused() {
    let desk = Desk::new();
    std::fs::create_dir(desk.root.path().join("real")).unwrap();
    std::os::unix::fs::symlink(desk.root.path().join("real"), desk.root.path().join("link")).unwrap();
    let told = |one: &str, two: &str| {
        let job = |name: &str, lines: &str| format!("[job.{name}]\nurl = [\"{{site}}/\"]\n{lines}\n");
        desk.orders(&(job("one", one) + &job("two", two))).err().map(|error| error.to_string())
    };
    let lines = |name: &str, key: &str, path: &str| {
        let table = if key == "reports" { String::new() } else { format!("[job.{name}.output]\n") };
        format!("{table}{key} = \"{path}\"")
    };
    for (key, one, other) in [
        ("out", "{root}/out", "{root}/./out/"),
        ("out", "{root}/out", "{root}/a/../out"),
        ("out", "{root}/real", "{root}/link"),
        ("out", "{root}/link/new", "{root}/real/new"),
        ("state", "{root}/real", "{root}/a/../link"),
        ("reports", "{root}/link", "{root}/real/"),
    ] {
        let error = told(&lines("one", key, one), &lines("two", key, other)).unwrap_or_default();
        assert!(error.contains("jobs one and two both write into /"), "{key} {one} {other}: {error}");
    }
    assert_eq!(told("reports = \"{root}/link\"", "reports = \"{root}/real/other\""), None);
}

#[test]
fn jobs_that_publish_to_one_mirror_are_refused() {
    let desk = Desk::new();
    let told = |one: &str, two: &str| {
        let job = |name: &str, mirror: &str| {
            format!("[job.{name}]\nurl = [\"{{site}}/\"]\n[job.{name}.publish]\nmirror = [\"{mirror}\"]\n")
        };
        desk.orders(&(job("one", one) + &job("two", two))).err().map(|error| error.to_string())
    };
    for other in ["s3://bucket/maps", "s3://bucket/maps/", "s3://bucket/a/../maps"] {
        let error = told("s3://bucket/maps", other).unwrap_or_default();
        assert!(error.contains("jobs one and two both publish to s3://bucket/maps"), "{other}: {error}");
        assert!(error.contains("job two, publish.mirror, file mapwright.toml line 8"), "{error}");
    }
    assert_eq!(told("s3://bucket/maps", "s3://bucket/other"), None);
    assert_eq!(told("command:/usr/bin/env", "command:/usr/bin/env"), None, "a hook is handed what is whose");
    let audits = "task = \"audit\"\n[job.two.publish]\nmirror = [\"s3://bucket/maps\"]\n";
    let shared = format!(
        "[publish]\nmirror = [\"s3://bucket/maps\"]\n[job.one]\nurl = [\"{{site}}/\"]\n[job.two]\nurl = [\"{{site}}/\"]\n{audits}"
    );
    assert!(desk.orders(&shared).is_ok(), "an audit publishes nothing");
}

#[test]
fn what_crawls_and_jobs_would_refuse_is_refused_without_a_job() {
    let desk = Desk::new();
    let told = |file: &str| {
        let layers = desk.layers(file);
        let alone = layers.jobs().next().is_none();
        check(&layers.load(None, None).unwrap(), alone, read).map_err(|error| error.to_string())
    };
    for (table, setting) in [
        ("crawl", "links-in = [\"[\"]"),
        ("crawl", "no-links-in = [\"[\"]"),
        ("crawl", "exclude = [\"a{99999}\"]"),
        ("crawl", "url-list = \"{root}/nowhere\""),
        ("record", "content-selector = [\"a:foo(\"]"),
        ("publish", "rewrite-host = [\"a\"]"),
        ("publish", "mirror = [\"ftp://host/\"]"),
        ("publish", "ping = [\"https://engine.example/\"]"),
        ("audit", "fail-on = [\"erorr\"]"),
        ("audit", "severity = [\"slow=bad\"]"),
        ("audit", "mute = [\"foo\"]"),
        ("fetch", "ca-cert = \"/nowhere\""),
        ("fetch", "cookie-file = \"/nowhere\""),
        ("job", "cron = \"61 * * * *\""),
        ("job", "zone = \"Europe/Berlim\""),
        ("job", "window = \"25:00-26:00\""),
        ("notify", "tell = [\"pigeon:coop\"]"),
        ("notify", "heartbeat = \"watch.example\""),
    ] {
        let key = setting.split(' ').next().unwrap();
        let line = told(&format!("\n[{table}]\n{setting}\n")).expect_err(setting);
        assert!(line.contains(&format!("file mapwright.toml line 3 key {table}.{key}")), "{setting}: {line}");
    }
    assert_eq!(told("[crawl]\nurl-list = \"-\"\nscope = \"list\"\n[output]\nout = \"-\"\n"), Ok(()));
    // What all jobs have of their own need not be whole in what holds for all.
    let shared = "[notify]\ntell = [\"mailto:web@shop.example\"]\n";
    assert!(told(shared).is_err());
    assert_eq!(told(&format!("{shared}[job.shop]\nurl = [\"{{site}}/\"]\n")), Ok(()));
    std::fs::write(desk.root.path().join("list"), "http://localhost/a\n").unwrap();
    let job = "[crawl]\nscope = \"list\"\n[job.shop.crawl]\nurl-list = \"{root}/list\"\n";
    assert_eq!(told(job), Ok(()));
    assert!(desk.orders(job).is_ok());
    let listless = desk.orders("[crawl]\nscope = \"list\"\n[job.shop]\n").unwrap_err().to_string();
    assert!(listless.contains("no list"), "{listless}");
}

#[test]
fn the_directories_of_a_job_are_known_whole() {
    let desk = Desk::new();
    let file = "[job.shop]\nurl = [\"{site}/\"]\ntask = \"both\"\nreports = \"reports\"\n[job.shop.output]\nout = \"public\"\n";
    let plan = desk.plan(file, "shop").unwrap();
    let here = |name: &str| Some(std::env::current_dir().unwrap().join(name));
    assert_eq!((plan.sitemaps, plan.reports), (here("public"), here("reports")), "hooks are told of them");
}
