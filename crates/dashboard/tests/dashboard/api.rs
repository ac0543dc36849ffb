//! Every response of the API, checked against the document that describes it.

use crate::made::Made;
use crate::served::{Answer, Requests, Served, TOKEN};
use mapwright_service::{Live, Phase};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// The document that the dashboard serves, in which objects have no other properties than those it names.
async fn document() -> Value {
    let mut document = Served::open(Made::bare()).await.get("/api/v1/openapi.json").await.is(200).json();
    close(&mut document["components"]["schemas"]);
    document
}

fn close(value: &mut Value) {
    if let Value::Object(members) = value {
        if members.contains_key("properties") {
            members.insert("additionalProperties".to_owned(), json!(false));
        }
        members.values_mut().for_each(close);
    }
}

/// Validates a value against a schema of the document.
#[track_caller]
fn assert_fits(document: &Value, schema: &Value, value: &Value) {
    let schema = json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "components": document["components"], "allOf": [schema] });
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> =
        validator.iter_errors(value).map(|fault| format!("{fault} at {}", fault.instance_path())).collect();
    assert!(faults.is_empty(), "{faults:#?}\n{value:#}");
}

/// Sends a request, and validates the response against the document.
async fn hold(served: &Served, document: &Value, method: &str, template: &str, path: &str, status: u16) -> Answer {
    let operation = &document["paths"][template][method.to_lowercase()];
    assert!(operation.is_object(), "{method} {template} is not in the document");
    let request = served.request(method, &format!("/api/v1{path}")).bearer_auth(TOKEN);
    let body = if method == "PUT" { "{\"dry_run\": true}" } else { "" };
    let answer = request.header("content-type", "application/json").body(body).request().await.is(status);
    let response = operation["responses"].get(status.to_string());
    let response = response.unwrap_or(&operation["responses"]["default"]);
    let Some(content) = response["content"].as_object() else {
        assert_eq!(answer.body, "", "{method} {path}");
        return answer;
    };
    let (media_type, described) = content.iter().next().unwrap();
    assert_eq!(answer.header("content-type"), media_type, "{method} {path}");
    assert_fits(document, &described["schema"], &answer.json());
    answer
}

#[tokio::test]
async fn answers_are_as_the_document_says() {
    let served = Served::closed(Made::crawled().await).await;
    let start = served.made.site.as_ref().unwrap().url("/");
    let job = "/jobs/{job}";
    let at = |tail: &str| format!("{job}{tail}");
    let document = document().await;
    let mut held = BTreeSet::new();
    for (method, template, path, status) in [
        ("GET", "/openapi.json".to_owned(), "/openapi.json".to_owned(), 200),
        ("GET", "/jobs".to_owned(), "/jobs".to_owned(), 200),
        ("GET", at(""), "/jobs/shop".to_owned(), 200),
        ("GET", at(""), "/jobs/docs".to_owned(), 200),
        ("GET", at(""), "/jobs/nothing".to_owned(), 404),
        ("GET", at("/table"), "/jobs/shop/table".to_owned(), 200),
        ("GET", at("/table"), "/jobs/nothing/table".to_owned(), 404),
        ("PUT", at(""), "/jobs/shop".to_owned(), 200),
        ("PUT", at(""), "/jobs/NOTHING".to_owned(), 422),
        ("DELETE", at(""), "/jobs/shop?dry_run=true".to_owned(), 200),
        ("DELETE", at(""), "/jobs/nothing?dry_run=true".to_owned(), 422),
        ("GET", at("/runs"), "/jobs/shop/runs".to_owned(), 200),
        ("GET", at("/runs"), "/jobs/shop/runs?limit=2&before=40".to_owned(), 200),
        ("GET", at("/runs"), "/jobs/shop/runs?limit=0".to_owned(), 400),
        ("GET", at("/runs"), "/jobs/shop/runs?limit=501".to_owned(), 400),
        ("GET", at("/runs"), "/jobs/nothing/runs".to_owned(), 404),
        ("GET", at("/runs/{run}/log"), "/jobs/shop/runs/75/log".to_owned(), 200),
        ("GET", at("/runs/{run}/log"), "/jobs/nothing/runs/1/log".to_owned(), 404),
        ("GET", at("/live"), "/jobs/shop/live".to_owned(), 204),
        ("GET", at("/findings"), "/jobs/shop/findings".to_owned(), 200),
        ("GET", at("/findings"), "/jobs/shop/findings?page=9&severity=error".to_owned(), 200),
        ("GET", at("/findings"), "/jobs/shop/findings?severity=&state=open&page=1".to_owned(), 200),
        ("GET", at("/findings"), "/jobs/shop/findings?severity=bogus".to_owned(), 400),
        ("GET", at("/findings"), "/jobs/shop/findings?state=bogus".to_owned(), 400),
        ("GET", at("/findings"), "/jobs/shop/findings?page=0".to_owned(), 400),
        ("GET", at("/findings"), "/jobs/docs/findings".to_owned(), 404),
        ("GET", at("/compare"), "/jobs/shop/compare".to_owned(), 200),
        ("GET", at("/compare"), "/jobs/shop/compare?a=2&b=1".to_owned(), 200),
        ("GET", at("/compare"), "/jobs/shop/compare?a=1&b=9".to_owned(), 404),
        ("GET", at("/compare"), "/jobs/docs/compare".to_owned(), 404),
        ("GET", at("/files"), "/jobs/shop/files".to_owned(), 200),
        ("GET", at("/files"), "/jobs/docs/files".to_owned(), 200),
        ("GET", at("/files"), "/jobs/nothing/files".to_owned(), 404),
        ("GET", at("/explain"), format!("/jobs/shop/explain?url={start}"), 200),
        ("GET", at("/explain"), format!("/jobs/shop/explain?url={start}private/x"), 200),
        ("GET", at("/explain"), format!("/jobs/shop/explain?url={start}gone/in-sitemap"), 200),
        ("GET", at("/explain"), format!("/jobs/shop/explain?url={start}unknown"), 200),
        ("GET", at("/urls"), "/jobs/shop/urls".to_owned(), 200),
        ("GET", at("/urls"), "/jobs/shop/urls?state=excluded&reason=robots&q=PRIVATE&after=1".to_owned(), 200),
        ("GET", at("/urls"), "/jobs/shop/urls?state=bogus".to_owned(), 400),
        ("GET", at("/urls"), "/jobs/shop/urls?reason=bogus".to_owned(), 400),
        ("GET", at("/urls"), "/jobs/docs/urls".to_owned(), 404),
        ("GET", at("/settings"), "/jobs/shop/settings".to_owned(), 200),
        ("GET", at("/settings"), "/jobs/nothing/settings".to_owned(), 404),
        ("GET", at("/parameters"), "/jobs/shop/parameters".to_owned(), 200),
        ("GET", at("/parameters"), "/jobs/docs/parameters".to_owned(), 404),
        ("GET", at("/explain"), "/jobs/shop/explain".to_owned(), 400),
        ("GET", at("/explain"), "/jobs/docs/explain?url=x".to_owned(), 404),
        ("POST", at("/stop"), "/jobs/shop/stop".to_owned(), 409),
        ("POST", at("/test"), "/jobs/shop/test".to_owned(), 200),
        ("POST", at("/test"), "/jobs/nothing/test".to_owned(), 404),
        ("POST", at("/start"), "/jobs/shop/start".to_owned(), 204),
        ("POST", at("/start"), "/jobs/shop/start".to_owned(), 409),
        ("POST", at("/stop"), "/jobs/shop/stop".to_owned(), 204),
        ("POST", at("/pause"), "/jobs/shop/pause".to_owned(), 204),
        ("POST", at("/resume"), "/jobs/shop/resume".to_owned(), 204),
        ("POST", at("/resume"), "/jobs/nothing/resume".to_owned(), 404),
    ] {
        hold(&served, &document, method, &template, &path, status).await;
        held.insert((template, method.to_lowercase()));
    }
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let fields = parameters(operation, "header");
            let changes: &[&str] = if method != "get" { &["x-mapwright-client", "x-csrf-token"] } else { &[] };
            assert_eq!(fields, changes, "{path}");
            assert_eq!(parameters(operation, "path").len(), path.matches('{').count(), "{path}");
            assert!(held.contains(&(path.clone(), method.clone())), "{method} {path} was not asked");
        }
    }
}

/// The names of an operation's parameters in a part of the request.
fn parameters(operation: &Value, place: &str) -> Vec<String> {
    let all = operation["parameters"].as_array().cloned().unwrap_or_default();
    let those = all.iter().filter(|parameter| parameter["in"] == place);
    those.map(|parameter| parameter["name"].as_str().unwrap().to_lowercase()).collect()
}

#[tokio::test]
async fn cookies_are_named_as_they_are() {
    let document = document().await;
    let schemes = &document["components"]["securitySchemes"];
    assert_eq!(schemes["session"]["name"], "__Host-mapwright");
    let served = Served::open(Made::bare()).await;
    let cookie = served.get("/").await.cookie().unwrap();
    let plain = schemes["plain_session"]["name"].as_str().unwrap().replace("PORT", &served.address.port().to_string());
    assert!(cookie.starts_with(&format!("{plain}=")), "{cookie}");
}

#[tokio::test]
async fn differences_and_files_are_returned() {
    let served = Served::open(Made::crawled().await).await;
    let reported = served.get("/api/v1/jobs/shop/compare").await.is(200).json();
    assert_eq!((&reported["a"], &reported["b"], &reported["complete"]), (&json!(1), &json!(2), &json!(true)));
    assert_eq!(reported["runs"].as_array().unwrap().len(), 2);
    let added = reported["added"]["urls"].as_array().unwrap();
    assert!(
        added.iter().any(|one| one["url"].as_str().unwrap().ends_with("/new") && one["what"] == "200"),
        "{reported}"
    );
    assert_eq!(reported["added"]["count"], added.len());
    let files = served.get("/api/v1/jobs/shop/files").await.is(200).json();
    let all = [&files["sitemaps"], &files["reports"]].map(|files| files.as_array().unwrap().clone()).concat();
    assert!(
        all.iter().any(|file| file["name"] == "sitemap.xml") && all.iter().any(|file| file["name"] == "report.html")
    );
    for file in all {
        let answer = served.request("HEAD", file["path"].as_str().unwrap()).request().await.is(200);
        drop(answer);
    }
    assert_eq!(served.get("/api/v1/jobs/docs/files").await.json(), json!({ "sitemaps": null, "reports": null }));
}

#[tokio::test]
async fn requests_that_the_framework_refuses_get_the_same_problems() {
    let served = Served::open(Made::bare()).await;
    let browser = served.browser(&served.get("/").await).await;
    let document = document().await;
    let client = |method: &str, path: &str| served.request(method, path).header("x-mapwright-client", "test");
    for (method, path, status, allow) in [
        ("GET", "/api/v1/jobs/shop/runs?before=x", 400, ""),
        ("GET", "/api/v1/jobs/shop/runs?limit=-1", 400, ""),
        ("GET", "/api/v1/jobs/%FF", 400, ""),
        ("GET", "/api/v1/jobs/shop/findings?page=x", 400, ""),
        ("DELETE", "/api/v1/jobs", 405, "GET,HEAD"),
        ("GET", "/api/v1/jobs/shop/start", 405, "POST"),
        ("POST", "/metrics", 405, "GET,HEAD"),
        ("GET", "/api/v1/nowhere", 404, ""),
    ] {
        let answer = client(method, path).request().await.is(status);
        assert_eq!(answer.header("content-type"), "application/problem+json", "{path}");
        assert_eq!(answer.header("allow"), allow, "{path}");
        assert_fits(&document, &document["components"]["schemas"]["Problem"], &answer.json());
        assert_eq!(answer.json()["status"], status);
    }
    let large = client("POST", "/api/v1/jobs/shop/start").body("x".repeat(70_000)).request().await.is(413);
    assert_eq!(large.header("content-type"), "application/problem+json");
    let form = |media_type: &str, body: String| {
        let post = served.request("POST", "/jobs/shop/start").header("cookie", &browser.cookie);
        post.header("x-csrf-token", &browser.csrf).header("content-type", media_type).body(body)
    };
    let encoded = "application/x-www-form-urlencoded";
    for (request, status, allow) in [
        (served.request("GET", "/jobs/shop?before=%3Cimg%3E"), 400, ""),
        (served.request("GET", "/jobs/shop/runs/%3Cimg%3E"), 400, ""),
        (served.request("GET", "/jobs/%FF"), 400, ""),
        (served.request("GET", "/jobs/shop/start"), 405, "POST"),
        (form("application/json", "{}".to_owned()), 415, ""),
        (form(encoded, "back=a&back=b".to_owned()), 422, ""),
        (form(encoded, "x".repeat(70_000)), 413, ""),
    ] {
        let answer = request.request().await.is(status);
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8", "{status}");
        assert_eq!(answer.header("allow"), allow, "{status}");
        assert!(answer.body.contains("<h1>") && answer.body.contains("All jobs") && !answer.body.contains("<img"));
    }
    assert!(served.made.requested.lock().unwrap().is_empty());
}

#[tokio::test]
async fn runs_are_paged() {
    let served = Served::open(Made::bare()).await;
    let (mut numbers, mut before) = (Vec::new(), String::new());
    loop {
        let page = served.get(&format!("/api/v1/jobs/shop/runs?limit=20{before}")).await.is(200).json();
        numbers.extend(page["runs"].as_array().unwrap().iter().map(|run| run["number"].as_i64().unwrap()));
        let Some(next) = page["next_before"].as_i64() else { break };
        before = format!("&before={next}");
    }
    assert_eq!(numbers, (1..=75).rev().collect::<Vec<i64>>());
}

#[tokio::test]
async fn a_running_crawl_is_reported_as_the_document_says() {
    let made = Made::bare();
    let latest = vec![("http://shop.example/".to_owned(), "404".to_owned())];
    made.runs(Live {
        done: 5,
        rate: 0.5,
        elapsed: Duration::from_millis(1_500),
        latest,
        phase: Phase::Finishing,
        ..Live::default()
    });
    let served = Served::open(made).await;
    let mut stream = served.request("GET", "/api/v1/jobs/shop/live").send().await.unwrap();
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    let chunk = stream.chunk().await.unwrap().unwrap();
    let text = String::from_utf8(chunk.to_vec()).unwrap();
    let data = text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
    let document = document().await;
    let reported: Value = serde_json::from_str(data).unwrap();
    assert_fits(&document, &document["components"]["schemas"]["Live"], &reported);
    assert_eq!(reported["phase"], "finishing");
}

#[tokio::test]
async fn problems_are_reported_in_json() {
    let served = Served::closed(Made::bare()).await;
    let document = document().await;
    for path in ["/api/v1/jobs", "/api/v1/nowhere", "/metrics"] {
        let answer = served.get(path).await.is(401);
        assert_eq!(answer.header("content-type"), "application/problem+json");
        assert_fits(&document, &document["components"]["schemas"]["Problem"], &answer.json());
    }
    let served = Served::open(Made::bare()).await;
    let answer = served.get("/api/v1/nowhere").await.is(404);
    assert_fits(&document, &document["components"]["schemas"]["Problem"], &answer.json());
    served.request("DELETE", "/api/v1/jobs").header("x-mapwright-client", "test").request().await.is(405);
}
