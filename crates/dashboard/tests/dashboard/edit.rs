//! Editing the jobs of the configuration file.

use crate::made::{JOBS, Made};
use crate::served::{Answer, Browser, Requests, Served, TOKEN};
use mapwright_dashboard::{Role, User};
use serde_json::{Value, json};
use std::sync::Arc;
use url::form_urlencoded::Serializer;

/// A dashboard that an operator has logged in to.
struct Operator {
    served: Served,
    browser: Browser,
}

impl Operator {
    async fn open() -> Operator {
        let served = Served::closed(Made::bare()).await;
        let browser = served.browser(&served.log_in(&format!("token={TOKEN}")).await.is(303)).await;
        Operator { served, browser }
    }

    async fn see(&self, path: &str) -> Answer {
        self.served.visit(&self.browser, path).await
    }

    async fn send(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let mut form = Serializer::new(String::new());
        form.append_pair("csrf", &self.browser.csrf).extend_pairs(fields);
        let request = self.served.request("POST", path).header("cookie", &self.browser.cookie);
        request.of_form(&self.served, form.finish()).request().await
    }

    async fn api(&self, method: &str, path: &str, body: Option<Value>) -> Answer {
        let request = self.served.request(method, &format!("/api/v1{path}")).bearer_auth(TOKEN);
        match body {
            Some(body) => request.header("content-type", "application/json").body(body.to_string()).request().await,
            None => request.request().await,
        }
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.served.made.folder.path().join("mapwright.toml")).unwrap()
    }
}

fn revision(page: &Answer) -> String {
    let (_, rest) = page.body.split_once("name=\"revision\" value=\"").expect("a revision");
    rest.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_job_is_edited_in_two_steps() {
    let operator = Operator::open().await;
    let form = operator.see("/jobs/shop/edit").await.is(200);
    for part in
        ["http://shop.example/</textarea>", "(secret)", "name=\"crawl.max-depth\"", "Write the reports of audits"]
    {
        assert!(form.body.contains(part), "{part}: {}", form.body);
    }
    assert!(!form.body.contains("me:word"), "{}", form.body);
    let revision = revision(&form);
    let fields = [
        ("revision", revision.as_str()),
        ("job.url", "http://shop.example/\r\nhttp://shop.example/b/"),
        ("job.cron", "30 3 * * *"),
        ("fetch.auth", "(secret)"),
        ("crawl.max-depth", ""),
    ];
    let shown = operator.send("/jobs/shop/edit", &fields).await.is(200);
    assert!(shown.body.contains("<code>job.url, job.cron</code>"), "{}", shown.body);
    assert!(shown.body.contains("<span class=\"added\">+cron = &#34;30 3 * * *&#34;</span>"), "{}", shown.body);
    assert_eq!(operator.text(), JOBS);
    let again = operator.send("/jobs/shop/edit", &[&fields[..], &[("step", "form")]].concat()).await.is(200);
    assert!(again.body.contains("value=\"30 3 * * *\""), "{}", again.body);
    let saved = operator.send("/jobs/shop/edit", &[&fields[..], &[("step", "save")]].concat()).await.is(303);
    assert_eq!(saved.header("location"), "/jobs/shop");
    let url = "url = [\"http://shop.example/\", \"http://shop.example/b/\"] # the shop\ncron = \"30 3 * * *\"\n";
    assert_eq!(operator.text(), JOBS.replace("url = \"http://shop.example/\" # the shop\n", url));
    operator.send("/jobs/shop/edit", &[&fields[..], &[("step", "save")]].concat()).await.is(409);
}

#[tokio::test]
async fn an_invalid_value_is_shown_with_its_place() {
    let operator = Operator::open().await;
    for step in ["preview", "save"] {
        let fields = [("crawl.max-depth", "deep"), ("step", step)];
        let answer = operator.send("/jobs/shop/edit", &fields).await.is(422);
        assert!(
            answer.body.contains("key crawl.max-depth") && answer.body.contains("value=\"deep\""),
            "{}",
            answer.body
        );
    }
    assert_eq!(operator.text(), JOBS);
}

#[tokio::test]
async fn jobs_are_made_copied_and_removed() {
    let operator = Operator::open().await;
    let form = operator.see("/new?copy_of=shop").await.is(200);
    assert!(
        form.body.contains("name=\"copy_of\" value=\"shop\"") && form.body.contains("http://shop.example/</textarea>")
    );
    let fields =
        [("name", "blog"), ("copy_of", "shop"), ("job.url", "http://blog.example/"), ("fetch.auth", "(secret)")];
    let shown = operator.send("/new", &fields).await.is(200);
    assert!(shown.body.contains("+[job.blog]") && !shown.body.contains("me:word"), "{}", shown.body);
    assert_eq!(
        operator.send("/new", &[&fields[..], &[("step", "save")]].concat()).await.is(303).header("location"),
        "/jobs/blog"
    );
    assert!(
        operator.text().contains(
            "[job.blog]\nurl = [\"http://blog.example/\"] # the shop\n\n[job.blog.fetch]\nauth = \"me:word\""
        ),
        "{}",
        operator.text()
    );
    assert!(operator.send("/new", &fields).await.is(422).body.contains("a job `blog` already"));
    assert!(
        operator
            .send("/new", &[("name", "<b>&"), ("job.url", "http://a.example/")])
            .await
            .is(422)
            .body
            .contains("&#60;b&#62;&#38;")
    );
    let page = operator.see("/jobs/docs/remove").await.is(200);
    assert!(page.body.contains("<span class=\"removed\">-[job.docs]</span>"), "{}", page.body);
    assert!(operator.text().contains("[job.docs]"));
    operator.send("/jobs/docs/remove", &[("revision", &revision(&page))]).await.is(303);
    assert!(!operator.text().contains("docs") && operator.text().contains("[job.blog]"), "{}", operator.text());
    operator.see("/jobs/nothing/edit").await.is(404);
    operator.see("/jobs/nothing/remove").await.is(422);
}

#[tokio::test]
async fn programs_edit_jobs_too() {
    let operator = Operator::open().await;
    let table = operator.api("GET", "/jobs/shop/table", None).await.is(200).json();
    assert_eq!((&table["settings"]["fetch.auth"], &table["read_only"]), (&json!(["(secret)"]), &Value::Null));
    let body = json!({"settings": {"crawl.max-depth": 3, "job.url": ["http://shop.example/", "http://shop.example/b/"], "fetch.auth": null}, "revision": table["revision"], "dry_run": true});
    let tried = operator.api("PUT", "/jobs/shop", Some(body.clone())).await.is(200).json();
    assert_eq!(
        (&tried["saved"], &tried["changed"]),
        (&json!(false), &json!(["crawl.max-depth", "fetch.auth", "job.url"]))
    );
    assert_eq!(operator.text(), JOBS);
    let mut body = body;
    body["dry_run"] = json!(false);
    let saved = operator.api("PUT", "/jobs/shop", Some(body.clone())).await.is(200).json();
    assert!(saved["saved"] == true && saved["diff"].as_str().unwrap().contains("+max-depth = 3"), "{saved}");
    assert!(operator.text().contains("max-depth = 3") && !operator.text().contains("auth"), "{}", operator.text());
    operator.api("PUT", "/jobs/shop", Some(body)).await.is(409);
    let made = json!({"settings": {"job.url": "http://new.example/"}, "revision": saved["revision"]});
    operator.api("PUT", "/jobs/new", Some(made)).await.is(200);
    assert!(operator.text().contains("[job.new]\nurl = [\"http://new.example/\"]"), "{}", operator.text());
    for (body, part) in [
        (json!({"settings": {"crawl.nothing": 1}}), "no setting `crawl.nothing`"),
        (json!({"settings": {"serve.listen": "0.0.0.0:1"}}), "no setting `serve.listen`"),
        (json!({"settings": {"crawl.max-depth": {"a": 1}}}), "settings.crawl.max-depth: write a text"),
        (json!({"settings": {"publish.mirror": "command:rm -r /"}}), "in the file alone"),
    ] {
        let fault = operator.api("PUT", "/jobs/shop", Some(body)).await.is(422).json();
        assert!(fault["detail"].as_str().unwrap().contains(part), "{fault}");
    }
    assert_eq!(operator.api("DELETE", "/jobs/docs?dry_run=true", None).await.is(200).json()["saved"], false);
    assert!(operator.text().contains("[job.docs]"));
    operator.api("DELETE", "/jobs/docs", None).await.is(200);
    assert!(!operator.text().contains("[job.docs]"));
}

#[tokio::test]
async fn only_operators_who_logged_in_edit_jobs() {
    let open = Served::open(Made::bare()).await;
    for path in ["/new", "/jobs/shop/edit", "/jobs/shop/remove"] {
        assert!(open.get(path).await.is(403).body.contains("--token-file"), "{path}");
    }
    let put = open.request("PUT", "/api/v1/jobs/shop").header("x-mapwright-client", "test");
    put.header("content-type", "application/json").body("{}").request().await.is(403);
    let hash = mapwright_dashboard::hash_password("word").unwrap();
    let reader = User { name: "rita".to_owned(), hash, role: Role::Reader };
    let served = Served::with(Made::bare(), |access| access.users = vec![reader]).await;
    let browser = served.browser(&served.log_in("name=rita&password=word").await.is(303)).await;
    for path in ["/new", "/jobs/shop/edit", "/jobs/shop/remove", "/api/v1/jobs/shop/table"] {
        served.visit(&browser, path).await.is(403);
    }
    let page = served.visit(&browser, "/jobs/shop").await.is(200).body;
    assert!(!page.contains("/jobs/shop/edit"), "{page}");
    assert_eq!(std::fs::read_to_string(served.made.folder.path().join("mapwright.toml")).unwrap(), JOBS);
}

#[tokio::test]
async fn a_service_without_a_file_says_so() {
    let mut made = Arc::into_inner(Made::bare()).unwrap();
    made.jobs_file = None;
    let served = Served::closed(Arc::new(made)).await;
    let browser = served.browser(&served.log_in(&format!("token={TOKEN}")).await.is(303)).await;
    let page = served.visit(&browser, "/jobs/shop/edit").await.is(409);
    assert!(page.body.contains("without a configuration file"), "{}", page.body);
}

#[tokio::test]
async fn a_file_that_is_missing_or_invalid_is_said() {
    let operator = Operator::open().await;
    let path = operator.served.made.folder.path().join("mapwright.toml");
    std::fs::rename(&path, path.with_extension("old")).unwrap();
    std::os::unix::fs::symlink("/proc/sys/kernel/ostype", &path).unwrap();
    operator.see("/jobs/shop/edit").await.is(422);
    std::fs::remove_file(&path).unwrap();
    operator.see("/jobs/shop/edit").await.is(503);
}
