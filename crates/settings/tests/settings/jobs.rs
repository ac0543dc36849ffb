//! Tables of jobs.

use clap::Command;
use mapwright_settings::{CommandKind, Layers, Loaded, SettingsError, Task, arguments};

const FILE: &str = r#"
[crawl]
concurrency = 3
max-depth = 7

[job]
zone = "Europe/Berlin"
cron = "0 2 * * *"

[job.shop]
url = ["https://shop.example/a,b"]
task = "sitemap"

[job.shop.crawl]
concurrency = 5

[job."blog.example"]
url = ["https://blog.example/"]
cron = "30 3 * * 1"
"#;

fn layers(text: &str, words: &[&str]) -> Result<Layers, SettingsError> {
    let command = Command::new("run").args(arguments(CommandKind::Run)).args_override_self(true);
    let matches = command.try_get_matches_from([&["run"], words].concat()).unwrap();
    Layers::read(&matches, std::iter::empty(), Some(("jobs.toml", text)))
}

fn job(name: &str, words: &[&str]) -> Loaded {
    layers(FILE, words).unwrap().load(Some(name), None).unwrap()
}

#[test]
fn the_table_of_a_job_overrides_the_settings_of_all_jobs() {
    let shop = job("shop", &[]).settings;
    assert_eq!(shop.job.url.iter().map(|url| url.as_str()).collect::<Vec<_>>(), ["https://shop.example/a,b"]);
    assert_eq!((shop.job.task, shop.job.zone.as_str()), (Task::Sitemap, "Europe/Berlin"));
    assert_eq!((shop.crawl.concurrency, shop.crawl.max_depth), (5, Some(7)));
    let blog = job("blog.example", &[]).settings;
    assert_eq!(blog.job.cron.as_deref(), Some("30 3 * * 1"));
    assert_eq!((blog.job.task, blog.crawl.concurrency), (Task::Both, 3));
    assert_eq!(job("shop", &["--concurrency", "9"]).settings.crawl.concurrency, 9);
}

#[test]
fn only_names_of_the_services_own_files_are_taken() {
    for name in ["service", "services.sqlite", "my-service.lock", "a-b_c.d"] {
        assert!(layers(&format!("[job.\"{name}\"]\n"), &[]).is_ok(), "{name}");
    }
    for name in ["service.sqlite", "service.sqlite-wal", "service.lock", "-x", "--config"] {
        assert!(layers(&format!("[job.\"{name}\"]\n"), &[]).is_err(), "{name}");
    }
}

#[test]
fn without_a_job_there_is_no_table() {
    let layers = layers(FILE, &[]).unwrap();
    assert_eq!(layers.jobs().collect::<Vec<_>>(), ["blog.example", "shop"]);
    let settings = layers.load(None, None).unwrap().settings;
    assert!(settings.job.url.is_empty());
    assert_eq!(settings.crawl.concurrency, 3);
}

#[test]
fn faults_of_a_table_are_named_with_their_lines() {
    let line = |text: &str| layers(text, &[]).expect_err("the file should be refused").to_string();
    insta::assert_snapshot!(
        [
            line("[job.shop]\ncorn = \"0 2 * * *\"\n"),
            line("[job.shop]\n\n[job.shop.crwal]\n"),
            line("[job.shop.serve]\nlisten = \"\"\n"),
            line("[job.\"Shop 1\"]\n"),
            line("[job.\"../shop\"]\n"),
            line("[job.-shop]\n"),
            line("[job.\"service.sqlite\"]\n"),
            line("[job.shop]\nmax-depth = 3\n"),
            line("[serve]\n[serve.x]\n"),
        ]
        .join("\n")
    );
    let value = layers("[job.shop.crawl]\nconcurrency = \"many\"\n", &[]).unwrap().load(Some("shop"), None);
    insta::assert_snapshot!(value.expect_err("the value should be refused").to_string());
}

#[test]
fn a_user_and_a_password_in_a_url_are_shown_nowhere() {
    let file = "[job]\nurl = [\"http://me:hush@shop.example/\", \"me:hush@blog.example\"]\n\
                [publish]\nping = [\"https://me:hush@engine.example/?s={sitemap}\"]\n\
                [notify]\nmail-from = \"me@shop.example\"\nto = [\"webhook:https://me:hush@hooks.example/\"]\n";
    let Loaded { settings, origins, recorded, .. } = layers(file, &[]).unwrap().load(None, None).unwrap();
    for shown in [format!("{origins:?}"), format!("{:?}", settings.job), format!("{recorded:?}")] {
        assert!(!shown.contains("hush"), "{shown}");
    }
    let value = |key: &str| origins.iter().find(|origin| origin.key == key).map(|origin| origin.value.clone());
    assert_eq!(value("job.url").unwrap(), "http://shop.example/, blog.example");
    assert_eq!(value("notify.mail-from").unwrap(), "me@shop.example");
    assert_eq!(settings.job.url.first().unwrap().as_str(), "http://me:hush@shop.example/");
}

#[test]
fn receivers_are_accepted_below_notify_under_their_second_name_alone() {
    let receivers = |file: &str| layers(file, &[]).and_then(|layers| layers.load(Some("shop"), None));
    let file = "[notify]\ntell = [\"mailto:ops@a.example\"]\n[job.shop]\nurl = [\"http://shop.example/\"]\n";
    let of_all = receivers(file).unwrap();
    assert_eq!(of_all.settings.notify.to.len(), 1);
    assert!(of_all.origins.iter().any(|origin| origin.key == "notify.to" && origin.value == "mailto:ops@a.example"));
    let of_job = receivers(&format!("{file}[job.shop.notify]\ntell = []\n")).unwrap();
    assert!(of_job.settings.notify.to.is_empty());
    let elsewhere = receivers("[job.shop]\ntell = []\n").unwrap_err().to_string();
    assert!(elsewhere.contains("unknown key"), "{elsewhere}");
}

/// The text after the host of a receiver or of a watchdog is often its only secret, and so are the arguments of a
/// program.
#[test]
fn only_the_host_of_an_external_place_is_shown() {
    let file = "[job]\nurl = [\"http://shop.example/\"]\n\
                [publish]\nping = [\"https://engine.example/hush?s={sitemap}\"]\n\
                mirror = [\"s3://bucket/maps\", \"command:/bin/copy --key hush http://x.example/hush\"]\n\
                [notify]\nto = [\"mailto:ops@a.example\", \"webhook:https://hooks.example/hush\", \"webhook:HTTPS:hooks.example\\\\hush\"]\n\
                heartbeat = \"https://watch.example?hush\"\n";
    let Loaded { origins, .. } = layers(file, &[]).unwrap().load(None, None).unwrap();
    let value = |key: &str| origins.iter().find(|origin| origin.key == key).unwrap().value.clone();
    assert_eq!(value("publish.ping"), "https://engine.example/…");
    assert_eq!(value("publish.mirror"), "s3://bucket/maps, command:/bin/copy …");
    assert_eq!(
        value("notify.to"),
        "mailto:ops@a.example, webhook:https://hooks.example/…, webhook:https://hooks.example/…"
    );
    assert_eq!(value("notify.heartbeat"), "https://watch.example/…");
}
