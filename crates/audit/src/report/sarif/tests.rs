use super::{MAX_RESULTS, write};
use crate::rendered_finding::Subject;
use crate::report::sample::{Sample, item};
use serde_json::Value;

fn log(sample: &Sample) -> Value {
    let mut out = Vec::new();
    write(&sample.report(), &mut out).unwrap();
    assert!(!String::from_utf8_lossy(&out).contains(['\u{202e}', '\u{1b}']));
    serde_json::from_slice(&out).unwrap()
}

#[test]
fn results_in_full() {
    let log = log(&Sample::plain());
    insta::assert_json_snapshot!(log["runs"][0]["results"]);
    insta::assert_json_snapshot!(log["runs"][0]["invocations"]);
    insta::assert_json_snapshot!(log["runs"][0]["tool"]["driver"]["rules"][0]);
}

#[test]
fn each_result_names_its_rule() {
    let log = log(&Sample::plain());
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    for result in log["runs"][0]["results"].as_array().unwrap() {
        let place = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[place]["id"], result["ruleId"]);
    }
}

#[test]
fn hostile_urls_are_encoded_and_hostile_texts_are_visible() {
    let log = log(&Sample::hostile());
    for result in log["runs"][0]["results"].as_array().unwrap() {
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
        assert!(uri.is_ascii() && !uri.contains([' ', '<', '>', '"', '\\', '^', '`', '{', '}', '|']), "{uri}");
        assert!(!result["message"]["text"].as_str().unwrap().contains(mapwright_text::is_unsafe));
    }
}

#[test]
fn the_most_severe_are_kept_and_the_rest_is_counted() {
    let mut items = vec![item("http-4xx", Subject::Url("https://site.test/lost".into())); 5];
    items.extend(vec![item("slow", Subject::Url("https://site.test/slow".into())); MAX_RESULTS]);
    let log = log(&Sample::of(items));
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), MAX_RESULTS);
    assert_eq!(results[4]["ruleId"], "http-4xx");
    let found = log["runs"][0]["invocations"][0]["toolExecutionNotifications"].to_string();
    assert!(found.contains("the 25000 gravest findings of 25005"), "{found}");
}

#[test]
fn an_audit_without_findings_is_a_log_without_results() {
    assert_eq!(log(&Sample::of(Vec::new()))["runs"][0]["results"], Value::Array(Vec::new()));
}
