//! A fault in a file of jobs is reported in one line, with job and key.

use crate::fixture::{Fixture, read};
use mapwright_service::check;

fn refused(lines: &str) -> String {
    let fixture = Fixture::new();
    let file = format!("[job.shop]\nurl = [\"{{site}}/\"]\n{lines}\n");
    fixture.job(&file, "shop").expect_err("the job should be refused").to_string()
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
        (
            "[job.shop.publish]\nindexnow = [\"https://engine.example/\"]",
            "job shop, publish.indexnow, file mapwright.toml line 4: IndexNow has no key",
        ),
        ("[job.shop.publish]\nping = [\"https://engine.example/\"]", "job shop, publish.ping"),
        ("[job.shop.publish]\nsearch-console = \"sc-domain:a.example\"", "search-console-key-file"),
        ("[job.shop.publish]\nrewrite-host = [\"a\"]", "job shop, publish.rewrite-host"),
        ("[job.shop.notify]\nto = [\"pigeon:coop\"]", "job shop, notify.to"),
        ("[job.shop.notify]\nsmtp-host = \"mail.example\"", "notify.mail-from"),
        ("[job.shop.notify]\nto = [\"mailto:web@shop.example\"]", "no mail server is set"),
        ("[job.shop.notify]\nto = [\"slack:ops\"]", "no secret URL is set for slack:ops"),
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
fn the_line_of_the_fault_is_reported() {
    for (lines, line) in [
        ("cron = \"61 * * * *\"", 3),
        ("\ncron = \"0 2 * * *\"\nzone = \"Europe/Berlim\"", 5),
        ("[job.shop.publish]\nmirror = [\"ftp://host/\"]", 4),
        ("[job.shop.notify]\n\nto = [\"pigeon:coop\"]", 5),
        ("[job.shop.publish]\nrewrite-host = [\"a\"]", 4),
        ("[job.shop.publish]\nping = []\nindexnow = [\"https://engine.example/\"]", 5),
        ("[job.shop.publish]\nindexnow = [\"https://engine.example/\"]\nindexnow-key-file = \"/none\"", 5),
        ("[job.shop.publish]\n\nsearch-console = \"sc-domain:a.example\"", 5),
        ("[job.shop.crawl]\nno-links-in = [\"[\"]", 4),
    ] {
        let received = refused(lines);
        assert!(received.contains(&format!("file mapwright.toml line {line}")), "{lines}: {received}");
    }
}

#[test]
fn a_job_without_a_start_and_one_that_is_not_there_are_refused() {
    let fixture = Fixture::new();
    let nowhere = fixture.job("\n[job.shop]\n", "shop").unwrap_err().to_string();
    let place = "job shop, job.url, file mapwright.toml line 2";
    assert!(
        nowhere.contains(place)
            && nowhere
                .ends_with(": the job has no start URL; write url = [\"https://www.example.com/\"] below [job.shop]"),
        "{nowhere}"
    );
    let ftp = fixture.job("\n[job.shop]\nzone = \"UTC\"\nurl = [\"ftp://x/\"]\n", "shop").unwrap_err().to_string();
    let place = "job shop, job.url, file mapwright.toml line 4";
    assert!(ftp.contains(place) && ftp.contains("URL `ftp://x/`"), "{ftp}");
    let unknown = fixture.job("[job.shop]\nurl = [\"{site}/\"]\n", "shpo").unwrap_err().to_string();
    assert!(unknown.contains("the jobs are shop"), "{unknown}");
}

#[test]
fn a_job_audits_what_it_crawls_and_no_run_before_it() {
    let file = "[job.shop]\nurl = [\"{site}/\"]\n[job.shop.audit]\nfrom-record = true\n";
    let error = Fixture::new().job(file, "shop").unwrap_err().to_string();
    assert!(error.starts_with("job shop, audit.from-record, file mapwright.toml line 4: "), "{error}");
}

#[test]
fn secrets_come_from_files_and_are_shown_nowhere() {
    let fixture = Fixture::new();
    let secret = fixture.root.path().join("secret");
    std::fs::write(&secret, "hush-hush\n").unwrap();
    let file = "[job.shop]\nurl = [\"{site}/\"]\n[notify]\nwebhook-secret-file = \"{root}/secret\"\n";
    let job = fixture.job(file, "shop").unwrap();
    assert!(!format!("{job:?}").contains("hush-hush"));
}

#[test]
fn jobs_that_write_into_one_directory_are_refused() {
    let fixture = Fixture::new();
    let job =
        |name: &str| format!("[job.{name}]\nurl = [\"{{site}}/\"]\n[job.{name}.output]\nout = \"{{root}}/out\"\n");
    let error = fixture.config(&(job("one") + &job("two"))).unwrap_err().to_string();
    assert!(error.contains("jobs one and two both write into /"), "{error}");
    assert!(error.contains("job two, output.out, file mapwright.toml line 8"), "{error}");
    assert!(fixture.config(&job("one")).is_ok());
    let by_itself = |file: &str| fixture.job(file, "one").map_err(|error| error.to_string());
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
fn a_directory_that_several_jobs_write_is_one_however_it_is_spelled() {
    let fixture = Fixture::new();
    let root = fixture.root.path().canonicalize().unwrap();
    let job = |name: &str, out: &str| {
        format!("[job.{name}]\nurl = [\"{{site}}/\"]\n[job.{name}.output]\nout = \"{{root}}/{out}\"\n")
    };
    for out in ["out/", "./out", "no/../out", "no/./such/../../out"] {
        let error = fixture.config(&(job("one", "out") + &job("two", out))).unwrap_err().to_string();
        let what = format!(": jobs one and two both write into {}; give", root.join("out").display());
        assert!(error.contains(&what), "{out}: {error}");
    }
    fixture.config(&(job("one", "out") + &job("two", "out/../other"))).unwrap();
}

#[test]
fn jobs_that_write_one_baseline_are_refused() {
    let fixture = Fixture::new();
    let job = |name: &str| format!("[job.{name}]\nurl = [\"{{site}}/\"]\n");
    let file = format!("[audit]\nwrite-baseline = \"{{root}}/known.json\"\n{}{}", job("one"), job("two"));
    let error = fixture.config(&file).unwrap_err().to_string();
    assert!(error.contains("jobs one and two both write into /") && error.contains("known.json"), "{error}");
    assert!(
        fixture.config(&file.replace("[job.two]", "[job.two]\ntask = \"sitemap\"")).is_ok(),
        "one alone is audited"
    );
}

#[test]
fn a_job_reads_no_standard_input() {
    let fixture = Fixture::new();
    for lines in ["crawl]\nurl-list = \"-\"", "audit]\nbaseline = \"-\"", "audit]\nrobots-file = \"-\""] {
        let error = fixture.config(&format!("[job.one]\nurl = [\"{{site}}/\"]\n[job.one.{lines}\n")).unwrap_err();
        assert!(error.to_string().contains("a job has no standard input to read"), "{error}");
    }
}

#[test]
fn a_proxy_that_cannot_be_used_a_secret_given_twice_and_a_url_with_a_password_are_refused() {
    let fixture = Fixture::new();
    let received = |lines: &str| {
        let file = format!("{lines}\n[job.one]\nurl = [\"{{site}}/\"]\n");
        fixture.config(&file).map_or_else(|error| error.to_string(), |_| "fine".to_owned())
    };
    let error = received("[notify]\nnotify-proxy = \"ftp://proxy.example:1\"");
    assert!(error.contains("a proxy cannot be reached by `ftp`") && error.contains("line 2"), "{error}");
    std::fs::write(fixture.root.path().join("slack"), "https://b.example/").unwrap();
    let error = received("[notify]\nslack-url = [\"ops=https://a.example/\"]\nslack-url-file = [\"ops={root}/slack\"]");
    assert!(error.contains("`ops` is given twice") && error.contains("line 3"), "{error}");
    std::fs::write(fixture.root.path().join("key"), "0123456789abcdef0123456789abcdef").unwrap();
    let error =
        received("[publish]\nindexnow = [\"http://u:hush@engine.example/\"]\nindexnow-key-file = \"{root}/key\"");
    assert!(error.contains("the URL holds a user or a password") && !error.contains("hush"), "{error}");
}

#[test]
fn jobs_that_write_one_place_in_two_ways_are_refused() {
    let fixture = Fixture::new();
    std::fs::create_dir(fixture.root.path().join("real")).unwrap();
    std::os::unix::fs::symlink(fixture.root.path().join("real"), fixture.root.path().join("link")).unwrap();
    let received = |one: &str, two: &str| {
        let job = |name: &str, lines: &str| format!("[job.{name}]\nurl = [\"{{site}}/\"]\n{lines}\n");
        fixture.config(&(job("one", one) + &job("two", two))).err().map(|error| error.to_string())
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
        let error = received(&lines("one", key, one), &lines("two", key, other)).unwrap_or_default();
        assert!(error.contains("jobs one and two both write into /"), "{key} {one} {other}: {error}");
    }
    assert_eq!(received("reports = \"{root}/link\"", "reports = \"{root}/real/other\""), None);
}

#[test]
fn jobs_that_publish_to_one_mirror_are_refused() {
    let fixture = Fixture::new();
    let received = |one: &str, two: &str| {
        let job = |name: &str, mirror: &str| {
            format!("[job.{name}]\nurl = [\"{{site}}/\"]\n[job.{name}.publish]\nmirror = [\"{mirror}\"]\n")
        };
        fixture.config(&(job("one", one) + &job("two", two))).err().map(|error| error.to_string())
    };
    for other in ["s3://bucket/maps", "s3://bucket/maps/", "s3://bucket/a/../maps"] {
        let error = received("s3://bucket/maps", other).unwrap_or_default();
        assert!(error.contains("jobs one and two both publish to s3://bucket/maps"), "{other}: {error}");
        assert!(error.contains("job two, publish.mirror, file mapwright.toml line 8"), "{error}");
    }
    assert_eq!(received("s3://bucket/maps", "s3://bucket/other"), None);
    assert_eq!(received("command:/usr/bin/env", "command:/usr/bin/env"), None, "a hook is handed what is whose");
    let audits = "task = \"audit\"\n[job.two.publish]\nmirror = [\"s3://bucket/maps\"]\n";
    let shared = format!(
        "[publish]\nmirror = [\"s3://bucket/maps\"]\n[job.one]\nurl = [\"{{site}}/\"]\n[job.two]\nurl = [\"{{site}}/\"]\n{audits}"
    );
    assert!(fixture.config(&shared).is_ok(), "an audit publishes nothing");
}

#[test]
fn what_crawls_and_jobs_would_refuse_is_refused_without_a_job() {
    let fixture = Fixture::new();
    let received = |file: &str| {
        let layers = fixture.layers(file);
        let has_no_jobs = layers.jobs().next().is_none();
        check(&layers.load(None, None).unwrap(), has_no_jobs, read).map_err(|error| error.to_string())
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
        ("notify", "to = [\"pigeon:coop\"]"),
        ("notify", "heartbeat = \"watch.example\""),
    ] {
        let key = setting.split(' ').next().unwrap();
        let line = received(&format!("\n[{table}]\n{setting}\n")).expect_err(setting);
        assert!(line.contains(&format!("file mapwright.toml line 3 key {table}.{key}")), "{setting}: {line}");
    }
    assert_eq!(received("[crawl]\nurl-list = \"-\"\nscope = \"list\"\n[output]\nout = \"-\"\n"), Ok(()));
    // Shared settings may lack what each job sets on its own.
    let shared = "[notify]\nto = [\"mailto:web@shop.example\"]\n";
    assert!(received(shared).is_err());
    assert_eq!(received(&format!("{shared}[job.shop]\nurl = [\"{{site}}/\"]\n")), Ok(()));
    std::fs::write(fixture.root.path().join("list"), "http://localhost/a\n").unwrap();
    let job = "[crawl]\nscope = \"list\"\n[job.shop.crawl]\nurl-list = \"{root}/list\"\n";
    assert_eq!(received(job), Ok(()));
    assert!(fixture.config(job).is_ok());
    let listless = fixture.config("[crawl]\nscope = \"list\"\n[job.shop]\n").unwrap_err().to_string();
    assert!(listless.contains("no list"), "{listless}");
}

#[test]
fn the_directories_of_a_job_are_absolute() {
    let fixture = Fixture::new();
    let file = "[job.shop]\nurl = [\"{site}/\"]\ntask = \"both\"\nreports = \"reports\"\n[job.shop.output]\nout = \"public\"\n";
    let job = fixture.job(file, "shop").unwrap();
    let here = |name: &str| Some(std::env::current_dir().unwrap().join(name));
    assert_eq!((job.sitemaps, job.reports), (here("public"), here("reports")), "hooks are reported of them");
}

#[test]
fn settings_are_given_with_the_place_where_each_was_set() {
    let fixture = Fixture::new();
    let file =
        "[crawl]\nmax-depth = 7\n[job.shop]\nurl = [\"{site}/\"]\n[job.shop.notify]\nwebhook-secret = \"hush\"\n";
    let job = fixture.job(file, "shop").unwrap();
    let settings = job.effective_settings();
    let of = |key: &str| {
        let setting = settings.iter().find(|setting| setting.key == key).unwrap();
        (setting.value.as_str(), setting.set_at.as_str(), setting.is_set)
    };
    assert_eq!(of("crawl.max-depth").0, "7");
    assert!(of("crawl.max-depth").1.starts_with("file mapwright.toml line 2"), "{:?}", of("crawl.max-depth"));
    assert_eq!(of("notify.webhook-secret").0, "(secret)");
    assert_eq!(of("crawl.concurrency").1, "default");
    assert_eq!(of("crawl.max-time"), ("12h", "default of jobs", false));
    assert_eq!(of("publish.grace"), ("24h", "default of jobs", false));
    assert_eq!(of("output.state").0, job.record.display().to_string());
}
