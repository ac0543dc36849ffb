//! Checks real reports against the schema, with a checker of the keywords that it uses.

use super::SCHEMA;
use crate::report::json;
use crate::report::sample::Sample;
use serde_json::{Map, Value, json};

/// Returns the violations of a schema by a value.
fn faults(root: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let keywords = schema.as_object().unwrap();
    keywords.iter().flat_map(|(word, rule)| keyword(root, word, rule, value, at)).collect()
}

fn keyword(root: &Value, word: &str, rule: &Value, value: &Value, at: &str) -> Vec<String> {
    let holds = match word {
        "$schema" | "$defs" | "title" | "description" => true,
        "type" => is_of(value, rule.as_str().unwrap()),
        "const" => value == rule,
        "enum" => rule.as_array().unwrap().contains(value),
        "minimum" => value.as_i64().unwrap() >= rule.as_i64().unwrap(),
        "pattern" => is_code(value.as_str().unwrap()),
        "format" => value.as_str().unwrap().parse::<jiff::Timestamp>().is_ok(),
        "required" => rule.as_array().unwrap().iter().all(|name| value.get(name.as_str().unwrap()).is_some()),
        "oneOf" => one_of(root, rule, value, at),
        "$ref" => {
            return faults(root, root.pointer(rule.as_str().unwrap().trim_start_matches('#')).unwrap(), value, at);
        }
        "items" => return items(root, rule, value, at),
        "properties" => return properties(root, rule.as_object().unwrap(), value, at),
        _ => panic!("the checker does not know {word}"),
    };
    if holds { Vec::new() } else { vec![format!("{at}: {word} {rule}")] }
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        _ => panic!("the checker does not know the type {kind}"),
    }
}

/// The one pattern of the schema.
fn is_code(text: &str) -> bool {
    text.split('-').all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()))
}

fn one_of(root: &Value, rule: &Value, value: &Value, at: &str) -> bool {
    rule.as_array().unwrap().iter().filter(|one| faults(root, one, value, at).is_empty()).count() == 1
}

fn items(root: &Value, rule: &Value, value: &Value, at: &str) -> Vec<String> {
    let elements = value.as_array().unwrap().iter().enumerate();
    elements.flat_map(|(number, element)| faults(root, rule, element, &format!("{at}/{number}"))).collect()
}

/// A field that the schema does not name is a fault here, because it is undocumented, though readers accept it.
fn properties(root: &Value, rule: &Map<String, Value>, value: &Value, at: &str) -> Vec<String> {
    let check = |(name, field): (&String, &Value)| match rule.get(name) {
        Some(schema) => faults(root, schema, field, &format!("{at}/{name}")),
        None => vec![format!("{at}/{name}: not in the schema")],
    };
    value.as_object().unwrap().iter().flat_map(check).collect()
}

fn schema() -> Value {
    serde_json::from_str(SCHEMA).unwrap()
}

fn document(sample: &Sample) -> Value {
    let mut out = Vec::new();
    json::write(&sample.report(), &mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

#[test]
fn reports_conform_to_the_schema() {
    for sample in [Sample::plain(), Sample::hostile(), Sample::of(Vec::new())] {
        assert_eq!(faults(&schema(), &schema(), &document(&sample), ""), Vec::<String>::new());
    }
}

#[test]
fn the_checker_finds_violations() {
    let spoil: [fn(&mut Value); 6] = [
        |report| report["version"] = json!(2),
        |report| report["findings"][0]["severity"] = json!("fatal"),
        |report| report["findings"][0]["site"] = json!("https://site.test/"),
        |report| report["run"]["started"] = json!("yesterday"),
        |report| report["rules"][0]["count"] = json!(-1),
        |report| report["figures"]["folders"][0]["folders"][0]["more"] = json!(true),
    ];
    for (number, spoil) in spoil.iter().enumerate() {
        let mut report = document(&Sample::plain());
        spoil(&mut report);
        assert_eq!(faults(&schema(), &schema(), &report, "").len(), 1, "{number}");
    }
}

#[test]
fn every_field_is_described() {
    fn walk(schema: &Value, at: &str) {
        let Some(fields) = schema.get("properties").and_then(Value::as_object) else { return };
        for (name, field) in fields {
            assert!(field.get("description").is_some(), "{at}/{name}");
            walk(field, &format!("{at}/{name}"));
        }
    }
    let schema = schema();
    walk(&schema, "");
    schema["$defs"].as_object().unwrap().iter().for_each(|(name, part)| walk(part, name));
}
