use super::*;
use crate::file::SYNONYMS;

const FILE: &str = r#"# All jobs.
[crawl]
max-depth = 5 # for all

[serve]
token-file = "/etc/token"

# The shop's own words.
[job.shop]
url = ["https://shop.example/"] # its front page
cron = "0 2 * * *"

[job.shop.fetch]
header = ["X-Key: abc", "X-Team: web"]
proxy = "http://user:pass@proxy.example:3128"

[job.shop.notify]
to = [
  "mailto:a@shop.example", # Ada
  "webhook:https://hooks.example/secret/1",
  "webhook:https://hooks.example/secret/2", # the second
]

[job.docs]
url = "https://docs.example/"
"#;

fn values<const N: usize>(values: [(&str, &[&str]); N]) -> ShownValues {
    let text = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    values.iter().map(|(key, texts)| ((*key).to_owned(), text(texts))).collect()
}

fn set<const N: usize>(text: &str, job: &str, of: [(&str, &[&str]); N]) -> Result<String, SettingsError> {
    edit_job(("jobs.toml", text), job, &JobChange::Set(values(of)))
}

/// The lines that are only in one of the texts: `-` for the first, `+` for the second.
fn difference(before: &str, now: &str) -> Vec<String> {
    let only = |lines: &str, others: &str, sign: char| {
        lines
            .lines()
            .filter(|line| !others.lines().any(|other| other == *line))
            .map(|line| format!("{sign}{line}"))
            .collect::<Vec<_>>()
    };
    [only(before, now, '-'), only(now, before, '+')].concat()
}

#[test]
fn values_are_set_and_everything_else_stays_as_it_was() {
    let now =
        set(FILE, "shop", [("job.cron", &["30 3 * * *"]), ("crawl.max-depth", &["7"]), ("crawl.max-urls", &["100"])])
            .unwrap();
    assert_eq!(
        difference(FILE, &now),
        ["-cron = \"0 2 * * *\"", "+cron = \"30 3 * * *\"", "+[job.shop.crawl]", "+max-depth = 7", "+max-urls = 100"]
    );
    let (_, jobs) = crate::file::layers("jobs.toml", &now).unwrap();
    assert_eq!(jobs["shop"].layer["max_depth"][0].text, "7");
    assert!(now.find("[job.shop.crawl]") < now.find("[job.docs]"), "{now}");
}

#[test]
fn a_setting_without_values_goes_and_takes_an_empty_section_along() {
    let now = set(FILE, "shop", [("fetch.header", &[]), ("fetch.proxy", &[])]).unwrap();
    assert!(!now.contains("[job.shop.fetch]") && now.contains("[job.shop.notify]"), "{now}");
    assert_eq!(set(FILE, "docs", [("crawl.max-depth", &[])]).unwrap(), FILE);
}

#[test]
fn comments_stay_beside_values_and_items() {
    let more = ["https://shop.example/", "https://shop.example/b/"];
    let now = set(FILE, "shop", [("job.url", &more)]).unwrap();
    assert!(now.contains("url = [\"https://shop.example/\", \"https://shop.example/b/\"] # its front page\n"), "{now}");
    let three = [
        "mailto:a@shop.example",
        "webhook:https://hooks.example/…",
        "webhook:https://hooks.example/…",
        "mailto:c@shop.example",
    ];
    let now = set(FILE, "shop", [("notify.to", &three)]).unwrap();
    assert!(
        now.contains("  \"mailto:a@shop.example\", # Ada\n  \"webhook:https://hooks.example/secret/1\",\n"),
        "{now}"
    );
    assert!(now.contains("\n  \"mailto:c@shop.example\","), "{now}");
    let (_, jobs) = crate::file::layers("jobs.toml", &now).unwrap();
    let receivers: Vec<&str> = jobs["shop"].layer["to"].iter().map(|one| one.text.as_str()).collect();
    assert_eq!(
        receivers,
        [
            "mailto:a@shop.example",
            "webhook:https://hooks.example/secret/1",
            "webhook:https://hooks.example/secret/2",
            "mailto:c@shop.example"
        ]
    );
}

#[test]
fn secrets_are_not_shown_and_stay() {
    let own = own_values(("jobs.toml", FILE), "shop").unwrap();
    assert_eq!(own["fetch.header"], ["(secret)", "(secret)"]);
    assert_eq!(own["fetch.proxy"], ["(secret)"]);
    assert_eq!(own["notify.to"][1], "webhook:https://hooks.example/…");
    assert_eq!(edit_job(("jobs.toml", FILE), "shop", &JobChange::Set(own)).unwrap(), FILE);
    let now = set(FILE, "shop", [("fetch.header", &["(secret)", "X-New: 1"])]).unwrap();
    assert!(now.contains(r#"header = ["X-Key: abc", "X-New: 1"]"#), "{now}");
    let shown = without_secrets(FILE);
    for secret in ["abc", "pass", "secret/1", "secret/2", "X-Team"] {
        assert!(!shown.contains(secret), "{secret}: {shown}");
    }
    assert_eq!(shown.lines().count(), FILE.lines().count());
    assert!(shown.contains("mailto:a@shop.example") && shown.contains("# the second"), "{shown}");
}

#[test]
fn jobs_are_made_copied_and_removed() {
    let make = |copy_of: Option<&str>, of: ShownValues| {
        let change = JobChange::Make { copy_of: copy_of.map(str::to_owned), values: of };
        edit_job(("jobs.toml", FILE), "blog", &change)
    };
    let start = values([("job.url", &["https://blog.example/"]), ("crawl.max-depth", &["3"])]);
    let now = make(None, start.clone()).unwrap();
    assert!(now.starts_with(FILE), "{now}");
    assert_eq!(
        now.strip_prefix(FILE).unwrap(),
        "\n[job.blog]\nurl = [\"https://blog.example/\"]\n\n[job.blog.crawl]\nmax-depth = 3\n"
    );
    let now = make(Some("shop"), start).unwrap();
    let (_, jobs) = crate::file::layers("jobs.toml", &now).unwrap();
    let blog = &jobs["blog"].layer;
    assert_eq!((blog["url"][0].text.as_str(), blog["cron"][0].text.as_str()), ("https://blog.example/", "0 2 * * *"));
    assert_eq!(blog["header"][0].text, "X-Key: abc");
    assert!(now.contains(FILE.trim_end()), "{now}");
    assert!(make(Some("nothing"), ShownValues::new()).is_err());
    let now = edit_job(("jobs.toml", FILE), "shop", &JobChange::Remove).unwrap();
    assert!(!now.contains("shop") && now.contains("[job.docs]") && now.contains("# All jobs."), "{now}");
}

#[test]
fn inline_and_dotted_jobs_are_edited_too() {
    for text in [
        "job = { shop = { url = \"https://shop.example/\" } }\n",
        "[job]\nshop = { url = \"https://shop.example/\" }\n",
        "job.shop.url = \"https://shop.example/\"\n",
        "[job.shop]\nurl = \"https://shop.example/\"\ncrawl.max-urls = 5\n",
    ] {
        let now = set(text, "shop", [("job.cron", &["@daily"]), ("crawl.max-depth", &["2"])]).unwrap();
        let (_, jobs) = crate::file::layers("jobs.toml", &now).unwrap_or_else(|error| panic!("{now}: {error}"));
        assert_eq!(jobs["shop"].layer["max_depth"][0].text, "2", "{now}");
        assert_eq!(jobs["shop"].layer["cron"][0].text, "@daily", "{now}");
        let change = JobChange::Make { copy_of: Some("shop".to_owned()), values: ShownValues::new() };
        let now = edit_job(("jobs.toml", text), "copy", &change).unwrap();
        let (_, jobs) = crate::file::layers("jobs.toml", &now).unwrap_or_else(|error| panic!("{now}: {error}"));
        assert_eq!(jobs["copy"].layer["url"][0].text, "https://shop.example/", "{now}");
    }
}

#[test]
fn a_second_name_of_a_key_stays() {
    let ((_, second), _) = SYNONYMS[0];
    let text = format!("[job.shop.notify]\n{second} = \"mailto:a@shop.example\"\n");
    let now = set(&text, "shop", [("notify.to", &["mailto:b@shop.example"])]).unwrap();
    assert_eq!(now, format!("[job.shop.notify]\n{second} = [\"mailto:b@shop.example\"]\n"));
}

#[test]
fn programs_are_named_in_the_file_alone() {
    let text = "[job.shop.publish]\nmirror = [\"command:push --all\"]\n";
    let error = set(text, "shop", [("publish.mirror", &["command:rm -r /"])]).unwrap_err();
    assert!(error.to_string().contains("in the file alone"), "{error}");
    let kept = set(text, "shop", [("publish.mirror", &["command:push …", "s3://bucket/a"])]).unwrap();
    assert!(kept.contains("command:push --all") && kept.contains("s3://bucket/a"), "{kept}");
    assert!(set(text, "shop", [("publish.mirror", &[" COMMAND:x"])]).is_err());
}

#[test]
fn what_cannot_be_edited_is_said_in_one_line() {
    for (error, word) in [
        (set("[job.shop]\nurl = \n", "shop", []).unwrap_err(), "not valid TOML"),
        (set(FILE, "blog", []).unwrap_err(), "no job `blog`"),
        (set(FILE, "shop", [("serve.listen", &["0.0.0.0:1"])]).unwrap_err(), "no setting `serve.listen`"),
        (set(FILE, "shop", [("crawl.nothing", &["1"])]).unwrap_err(), "no setting `crawl.nothing`"),
        (edit_job(("jobs.toml", FILE), "blog", &JobChange::Remove).unwrap_err(), "no job `blog`"),
        (
            edit_job(("jobs.toml", FILE), "shop", &JobChange::Make { copy_of: None, values: ShownValues::new() })
                .unwrap_err(),
            "a job `shop` already",
        ),
        (set("job = 5\n", "shop", []).unwrap_err(), "`job` is no table"),
    ] {
        let line = error.to_string();
        assert!(line.contains(word) && !line.contains('\n'), "{line}");
    }
}
